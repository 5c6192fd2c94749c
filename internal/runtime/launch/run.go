package launch

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// Run runs a Grid kernel on the default device, or on the one that the handle is for.
func Run(kernel any, args []any) error {
	k, dev, err := kernelAndDevice(kernel)
	if err != nil {
		return err
	}
	return dev.Run(k, args)
}

// Run runs a Grid kernel.
func (d *Device) Run(kernel any, args []any) error {
	if err := d.notRecording(); err != nil {
		return err
	}
	r, v, err := d.prepareRun(kernel, args, nil)
	if err != nil {
		return err
	}
	announce(kernel, v, args)
	return runOnce(r, args)
}

// Run queues a run of a Grid kernel, as [Stream.Launch] queues a launch.
func (s *Stream) Run(kernel any, args []any) error {
	if s == nil {
		return &failure.LaunchError{Reason: noStream}
	}
	return s.submit(kernel, args, func(d *Device, q device.Queue) (device.Runner, *variant, error) {
		return d.prepareRun(kernel, args, q)
	})
}

// Run runs the kernel, a Grid kernel.
func (k *Kernel) Run(args []any) error {
	dev, err := k.device(args)
	if err != nil {
		return err
	}
	return dev.Run(k, args)
}

// BindRun prepares a run of a Grid kernel to repeat, as [Kernel.Bind] does a launch.
func (k *Kernel) BindRun(args []any) (*Prepared, error) {
	dev, err := k.device(args)
	if err != nil {
		return nil, err
	}
	return dev.BindRun(k, args)
}

// BindRun prepares a run of a Grid kernel on this device to repeat. The launches of its loops are kept from run
// to run.
func (d *Device) BindRun(kernel any, args []any) (*Prepared, error) {
	args = slices.Clone(args) // as in Bind
	return d.prepared(kernel, args, func(d *Device, q device.Queue) (device.Runner, *variant, error) {
		return d.prepareRun(kernel, args, q)
	})
}

// prepareRun checks a run of a Grid kernel, as prepare does a launch.
func (d *Device) prepareRun(kernel any, args []any, q device.Queue) (device.Runner, *variant, error) {
	l, _, prog, err := d.planRun(kernel, args)
	if err != nil {
		return nil, nil, err
	}
	l.Queue = q
	r, err := prog.ready(&l, nil)
	return r, prog, err
}

// planRun is [Device.plan] for a run of a Grid kernel.
func (d *Device) planRun(kernel any, args []any) (l device.Launch, k *Kernel, prog *variant, err error) {
	if k, err = kernelOf(kernel); err != nil {
		return l, nil, nil, err
	}
	if !k.IsGrid() {
		return l, nil, nil, &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("it is a %s kernel: launch it with qd.Launch, which takes the size of the launch", k.First)}
	}
	checked, consts, err := d.checkLaunch(k, "", args, nil)
	if err != nil {
		return l, nil, nil, err
	}
	if k, err = k.forArguments(checked); err != nil {
		return l, nil, nil, err
	}
	d = d.forHandle(k)
	if prog, err = d.program(k, consts); err != nil {
		return l, nil, nil, err
	}
	if err := failure.Ended("run", k, "not started", d.within); err != nil {
		return l, nil, nil, err
	}
	return device.Launch{Kernel: &k.Kernel, Args: checked, Consts: consts, Within: d.within}, k, prog, nil
}
