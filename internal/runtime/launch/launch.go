package launch

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// Launch runs a kernel over the threads of dim. It runs on the device of the kernel's handle, or else on the
// default device.
func Launch(kernel any, dim dims.Dims, args []any) error {
	k, dev, err := kernelAndDevice(kernel)
	if err != nil {
		return err
	}
	return dev.Launch(k, dim, args)
}

// kernelAndDevice returns a kernel, and the device for a launch that names none.
func kernelAndDevice(kernel any) (k *Kernel, dev *Device, err error) {
	k, err = kernelOf(kernel)
	if err != nil {
		return nil, nil, err
	}
	if dev = k.dev; dev == nil {
		dev, err = Default()
	}
	return k, dev, err
}

// Launch runs a kernel over the threads of dim: a function, a value that has a kernel among its methods, or a
// [*Kernel].
func (d *Device) Launch(kernel any, dim dims.Dims, args []any) error {
	if err := d.notRecording(); err != nil {
		return err
	}
	m := memories.Get().(*memory)
	defer m.free()
	r, v, err := d.prepare(kernel, dim, args, m, nil)
	if err != nil {
		return err
	}
	announce(kernel, v, args)
	err = runOnce(r, args)
	m.runner = device.Again(r)
	return err
}

// runOnce runs a launch that will not be repeated.
func runOnce(r device.Runner, args []any) error {
	err := device.RunOnce(r)
	runtime.KeepAlive(args)
	return err
}

// Bind prepares a launch on this device to repeat.
func (d *Device) Bind(kernel any, dim dims.Dims, args []any) (*Prepared, error) {
	args = slices.Clone(args) // it may be prepared anew, and the caller may use the list again
	return d.prepared(kernel, args, func(d *Device, q device.Queue) (device.Runner, *variant, error) {
		return d.prepare(kernel, dim, args, nil, q)
	})
}

// preparing prepares a launch on a device, for a queue if it is given one.
type preparing func(d *Device, q device.Queue) (device.Runner, *variant, error)

// prepared is a launch for repeated use.
func (d *Device) prepared(kernel any, args []any, prepare preparing) (*Prepared, error) {
	p := &Prepared{kernel: kernel, prepare: prepare, dev: d, args: args}
	var err error
	p.run, p.variant, err = prepare(d, nil)
	if err != nil {
		return nil, err
	}
	if k, err := kernelOf(kernel); err == nil {
		p.ends = d.endsWith(k)
		k.eachArray(args, func(_ int, a *Array) { p.arrays = append(p.arrays, a) })
	}
	return p, nil
}

// A Prepared is a launch with everything checked, compiled and loaded.
type Prepared struct {
	kernel  any // as Bind was given it
	run     device.Runner
	variant *variant // the program that it runs
	prepare preparing
	dev     *Device
	args    []any    // keeps the slices that the launch points into
	arrays  []*Array // those among args
	ends    ends     // the contexts that end it
}

// Launch runs the prepared launch. If an array among its arguments has been freed, the error is a *LaunchError.
func (p *Prepared) Launch() error {
	if p == nil {
		return &failure.LaunchError{Reason: "the prepared launch is nil; take one from Bind or BindRun"}
	}
	if err := p.dev.notRecording(); err != nil {
		return err
	}
	if p.freed() {
		return p.freedError("prepared")
	}
	if _, err := p.renew(); err != nil {
		return err
	}
	if err := p.ends.ended(p); err != nil {
		return err
	}
	announce(p.kernel, p.variant, p.args)
	return p.run.Run()
}

// freed reports whether an array among the arguments has been freed.
func (p *Prepared) freed() bool {
	for _, a := range p.arrays {
		if a.IsFreed() {
			return true
		}
	}
	return false
}

// freedError is the error of a launch with an array that has been freed.
func (p *Prepared) freedError(how string) error {
	return &failure.LaunchError{Kernel: p.Name(), Reason: "an array of the " + how + " launch has been freed"}
}

// renew prepares the launch anew if package variables that the kernel reads have changed.
func (p *Prepared) renew() (changed bool, err error) {
	if p.variant.Hold() {
		return false, nil
	}
	r, v, err := p.prepare(p.dev, nil)
	if err != nil {
		return false, err
	}
	p.run, p.variant = r, v
	return true, nil
}

// Name is that of the kernel.
func (p *Prepared) Name() string {
	k, err := kernelOf(p.kernel)
	if err != nil {
		return kernel.Unknown.Name()
	}
	return k.Name()
}

// Device is the device that the launch is prepared for.
func (p *Prepared) Device() *Device {
	if p == nil {
		return nil
	}
	return p.dev
}

// prepare checks a launch, builds and loads the kernel, and packs the arguments. Until it has run, it uses some
// memory, if it is given any.
func (d *Device) prepare(kernel any, dim dims.Dims, args []any, m *memory, q device.Queue) (device.Runner, *variant, error) {
	var l device.Launch
	_, prog, err := d.plan(&l, kernel, dim, args, m)
	if err != nil {
		return nil, nil, err
	}
	l.Queue = q
	r, err := prog.ready(&l, m)
	return r, prog, err
}

// plan checks a launch: first the kernel, then the dimensions, then the arguments. After that it builds and loads the
// kernel. It sets the fields of l, which is zero.
func (d *Device) plan(l *device.Launch, kernel any, dim dims.Dims, args []any, m *memory) (k *Kernel, prog *variant, err error) {
	if k, err = kernelOf(kernel); err != nil {
		return nil, nil, err
	}
	if k.IsGrid() {
		return nil, nil, &failure.LaunchError{Kernel: k.Name(), Reason: "it is a Grid kernel, whose loops have their own dimensions: run it with qd.Run, without a dimension"}
	}
	threads, problem := dim.Check()
	checked, consts, err := d.checkLaunch(k, problem, args, m)
	if err != nil {
		return nil, nil, err
	}
	if k, err = k.forArguments(checked); err != nil {
		return nil, nil, err
	}
	d = d.forHandle(k)
	if prog, err = d.program(k, consts); err != nil {
		return nil, nil, err
	}
	if err := failure.Ended("launch", k, "not started", d.within); err != nil {
		return nil, nil, err
	}
	if r := prog.Rank(); r != 0 && r != dim.Rank {
		return nil, nil, &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("%v: the kernel calls ID%d, so launch it over %d dimensions", dim, r, r)}
	}
	// One field after the other, because a composite literal would be made first and then copied.
	l.Kernel, l.Dim, l.Threads, l.Args, l.Consts, l.Within = &k.Kernel, dim, threads, checked, consts, d.within
	return k, prog, nil
}

// ready packs the arguments of a launch, into some memory if it is given any.
func (v *variant) ready(l *device.Launch, m *memory) (device.Runner, error) {
	if l.Threads == 0 && !l.Kernel.IsGrid() {
		return l.Queued(noThreads{}), nil
	}
	if l.Queue != nil && v.readsLate() {
		l.Queue = device.Awaiting(l.Queue)
	}
	return device.Prepare(v.Program, l, m.take())
}

// readsLate reports whether the program reads variables when it runs: on device go, where it is the Go function itself.
// What counts are their values at the launch. So the host waits for it, and cannot change them before.
func (v *variant) readsLate() bool { return v.AsBuilt != nil && v.Values() }

// noThreads is a launch over no threads. Its kernel and arguments were checked all the same, so that an error does not
// stay hidden until there are data.
type noThreads struct{}

func (noThreads) Run() error { return nil }

// checkLaunch checks the device and the arguments of a launch. problem describes an error in its dimensions, "" for
// none.
func (d *Device) checkLaunch(k *Kernel, problem string, args []any, m *memory) (checked, consts []any, err error) {
	if p := d.cannotLaunch(k); p != "" {
		problem = p
	}
	if problem != "" {
		return nil, nil, &failure.LaunchError{Kernel: k.Name(), Reason: problem}
	}
	return k.checkArgs(d, args, m)
}

// cannotLaunch says why a kernel cannot be launched on the device. It returns "" if it can.
func (d *Device) cannotLaunch(k *Kernel) (problem string) {
	switch {
	case d == nil || d.backend == nil:
		return aboutNil
	case k.dev != nil && !k.dev.same(d):
		return fmt.Sprintf("the kernel's handle is for device %v, but the launch is for %v", k.dev, d)
	case k.BlockSet && (k.BlockDim < 1 || k.BlockDim > 1024):
		return fmt.Sprintf("a block has 1 to 1024 threads, not %d", k.BlockDim)
	case k.StagesSet && (k.Stages < 1 || k.Stages > kernel.MaxStages):
		return fmt.Sprintf("a loop has 1 to %d stages, not %d", kernel.MaxStages, k.Stages)
	}
	return ""
}
