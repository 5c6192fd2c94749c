package qd

import "fmt"

// Run runs a kernel for a whole launch, one whose first parameter is a [Grid], on
// the default device, or on the one that [Kernel.WithDevice] gave the handle; see
// [Device.Run].
func Run(kernel any, args ...any) error {
	k, err := kernelOf(kernel)
	if err != nil {
		return err
	}
	dev := k.dev
	if dev == nil {
		if dev, err = Default(); err != nil {
			return err
		}
	}
	return dev.Run(k, args...)
}

// Run runs a kernel for a whole launch, a function whose first parameter is a
// [Grid] or a [*Kernel] of one. The arguments, what is done with plain slices, and
// the errors are those of [Device.Launch].
//
// What stands between the parallel loops runs on the host. Where it reads or
// writes an element of a slice, on a CUDA device, it waits for the loops before
// and copies the element: keep such steps rare. There is no dimension to give, as
// each loop has its own.
func (d *Device) Run(kernel any, args ...any) error {
	r, _, err := d.prepareRun(kernel, args, nil)
	if err != nil {
		return err
	}
	return runOnce(r, args)
}

// Run queues a run of a Grid kernel, as [Stream.Launch] queues a launch. On a CUDA
// device what stands between the kernel's loops runs at once, and waits for
// the stream where it reads or writes an element of a slice.
func (s *Stream) Run(kernel any, args ...any) error {
	r, _, err := s.dev.prepareRun(kernel, args, s.queue)
	if err != nil {
		return err
	}
	return runOnce(r, args)
}

// Run runs a Grid kernel, see [Device.Run]. The device is the one of
// [Kernel.WithDevice], else that of the array arguments, else the default one.
func (k *Kernel) Run(args ...any) error {
	dev, err := k.device(args)
	if err != nil {
		return err
	}
	return dev.Run(k, args...)
}

// BindRun prepares a run of a Grid kernel to repeat, as [Kernel.Bind] does a launch.
func (k *Kernel) BindRun(args ...any) (*Prepared, error) {
	dev, err := k.device(args)
	if err != nil {
		return nil, err
	}
	return dev.BindRun(k, args...)
}

// BindRun prepares a run of a Grid kernel on this device to repeat: see
// [Kernel.BindRun]. The launches of its loops are kept from run to run.
func (d *Device) BindRun(kernel any, args ...any) (*Prepared, error) {
	return d.prepared(args, func() (runner, *variant, error) { return d.prepareRun(kernel, args, nil) })
}

// prepareRun checks a run of a Grid kernel, as prepare does a launch.
func (d *Device) prepareRun(kernel any, args []any, q queue) (runner, *variant, error) {
	k, err := kernelOf(kernel)
	if err != nil {
		return nil, nil, err
	}
	if !k.isGrid() {
		return nil, nil, &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("it is the code of one %s: launch it with qd.Launch, over as many as there are to be", k.first.Name())}
	}
	checked, consts, err := d.checkLaunch(k, "", args)
	if err != nil {
		return nil, nil, err
	}
	prog, err := d.program(k, consts)
	if err != nil {
		return nil, nil, err
	}
	r, err := prog.prepare(launch{kernel: k, args: checked, consts: consts, queue: q})
	return r, prog, err
}
