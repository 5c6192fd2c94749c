package qd

import (
	"fmt"
	"runtime"
)

// Launch runs a kernel over the threads of dim, on the default device, or on the
// one that [Kernel.WithDevice] gave the handle; see [Device.Launch].
func Launch(kernel any, dim Dims, args ...any) error {
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
	return dev.Launch(k, dim, args...)
}

// Launch runs a kernel over the threads of dim, which may be none: a function whose first parameter is a
// [Thread], a value that has such a method, or a [*Kernel]. The arguments are for the
// parameters after the first: numbers and bools (an int or a float64 stands for a constant of
// any type that can hold it), for a slice parameter a slice or an [*Array] of this
// device, and for a [Const] parameter a [C].
//
// Constants, the receiver of a kernel that is a method, what a literal captures, and the
// package variables that the kernel reads are known at compile time: each list of their
// values is a specialization, which is compiled once. A variable that has changed since the last
// launch is noticed.
//
// A plain slice is used in place on "go" and "cpu"; for a CUDA device it is
// copied there before and back after, and the launch is waited for. With arrays
// only, the launch may still be running when Launch returns: [Array.Slice] and
// [Device.Wait] wait for it.
//
// The first launch of a kernel compiles it, or finds it in the cache. Nothing
// runs when there is an error about the kernel or the arguments: a *LaunchError,
// *Diagnostics, *SourceError, *CompileError, *MissingError or *InternalError. A *Fault or a
// *DeviceError is about what ran.
func (d *Device) Launch(kernel any, dim Dims, args ...any) error {
	r, _, err := d.prepare(kernel, dim, args, nil)
	if err != nil {
		return err
	}
	return runOnce(r, args)
}

// runOnce runs a launch that will not be repeated.
func runOnce(r runner, args []any) error {
	err := r.run()
	if r, ok := r.(interface{ release() }); ok {
		r.release()
	}
	runtime.KeepAlive(args)
	return err
}

// Bind prepares a launch on this device to repeat: see [Kernel.Bind].
func (d *Device) Bind(kernel any, dim Dims, args ...any) (*Prepared, error) {
	return d.bind(kernel, dim, args)
}

func (d *Device) bind(kernel any, dim Dims, args []any) (*Prepared, error) {
	return d.prepared(args, func() (runner, *variant, error) { return d.prepare(kernel, dim, args, nil) })
}

// prepared is a launch for repeated use.
func (d *Device) prepared(args []any, prepare func() (runner, *variant, error)) (*Prepared, error) {
	p := &Prepared{prepare: prepare, dev: d, args: args}
	for _, a := range args {
		if a, ok := a.(arrayArg); ok {
			p.arrays = append(p.arrays, a.base())
		}
	}
	var err error
	p.run, p.variant, err = prepare()
	if err != nil {
		return nil, err
	}
	return p, nil
}

// A Prepared is a launch with everything checked, compiled and loaded. Its
// arguments are those of the Bind: numbers and constants as they were, the elements of slices and
// arrays as they are when it runs. Package variables that the kernel reads count as they are
// then, too. It must not be run by several goroutines at once.
type Prepared struct {
	run     runner
	variant *variant // what it runs
	prepare func() (runner, *variant, error)
	dev     *Device
	args    []any        // keeps the slices that the launch points into
	arrays  []*arrayBase // those among args
}

// Launch runs the prepared launch, as [Device.Launch] does. Once an array among
// its arguments has been freed, the error is a *LaunchError.
func (p *Prepared) Launch() error {
	for _, a := range p.arrays {
		if a.freed.Load() {
			return &LaunchError{Reason: "an array of the prepared launch has been freed"}
		}
	}
	if !p.variant.Hold() {
		r, v, err := p.prepare()
		if err != nil {
			return err
		}
		p.run, p.variant = r, v
	}
	return p.run.run()
}

// Device is the device that the launch is prepared for.
func (p *Prepared) Device() *Device { return p.dev }

// freed is the error of a launch whose array was freed while it was being prepared.
func (l *launch) freed() error {
	return &LaunchError{Kernel: l.kernel.Name(), Reason: "an array has been freed"}
}

// prepare checks a launch in the order in which people make mistakes: kernel,
// dimensions, arguments; then builds and loads the kernel and packs the arguments.
func (d *Device) prepare(kernel any, dim Dims, args []any, q queue) (runner, *variant, error) {
	k, err := kernelOf(kernel)
	if err != nil {
		return nil, nil, err
	}
	if k.isGrid() {
		return nil, nil, &LaunchError{Kernel: k.Name(), Reason: "it is the code of a whole launch, whose loops have dimensions of their own: run it with qd.Run, without any"}
	}
	threads, problem := dim.check()
	checked, consts, err := d.checkLaunch(k, problem, args)
	if err != nil {
		return nil, nil, err
	}
	prog, err := d.program(k, consts)
	if err != nil {
		return nil, nil, err
	}
	if r := prog.rank(); r != 0 && r != dim.rank {
		return nil, nil, &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("%v: the kernel asks for ID%d, so it is launched over %d dimensions", dim, r, r)}
	}
	l := launch{kernel: k, dim: dim, threads: threads, args: checked, consts: consts, queue: q}
	if threads == 0 {
		return l.queued(noThreads{}), prog, nil
	}
	r, err := prog.prepare(l)
	return r, prog, err
}

// noThreads is a launch over no threads. The kernel and the arguments have been checked, so that a
// program in error does not wait with it for the first data.
type noThreads struct{}

func (noThreads) run() error { return nil }

// checkLaunch checks the device and the arguments of a launch; problem is what is
// wrong with its dimensions.
func (d *Device) checkLaunch(k *Kernel, problem string, args []any) (checked, consts []any, err error) {
	if p := d.cannotLaunch(k); p != "" {
		problem = p
	}
	if problem != "" {
		return nil, nil, &LaunchError{Kernel: k.Name(), Reason: problem}
	}
	return k.checkArgs(d, args)
}

// cannotLaunch says why a kernel's handle cannot be launched on the device, "" if it can.
func (d *Device) cannotLaunch(k *Kernel) (problem string) {
	switch {
	case d == nil || d.backend == nil:
		return "the device is nil; open one with Open"
	case k.dev != nil && !k.dev.same(d):
		return fmt.Sprintf("the kernel's handle is for device %v, the launch for %v", k.dev, d)
	case k.blockSet && (k.blockDim < 1 || k.blockDim > 1024):
		return fmt.Sprintf("a block has 1 to 1024 threads, not %d", k.blockDim)
	}
	return ""
}
