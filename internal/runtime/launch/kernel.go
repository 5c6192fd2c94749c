package launch

import (
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// A Kernel is a handle on a kernel. It can be launched like its function, and keeps settings for launches. It is
// immutable.
type Kernel struct {
	kernel.Kernel
	dev   *Device // for Bind, nil for the default one
	onNil bool    // dev is one that is nil by mistake
	err   error   // the reason why it cannot be launched, nil if it can
}

// NewKernel returns a handle on a kernel. f is a function, or a value with a kernel among its methods. captures has the
// variables that a function literal captures. A nil capture is a mistake, which the launch reports.
func NewKernel(f any, captures []*kernel.Capture) *Kernel {
	k, err := kernelOf(f)
	if err == nil && len(captures) > 0 {
		c := *k
		k = &c
		k.Kernel, err = k.With(f, captures)
	}
	if err != nil {
		return &Kernel{Kernel: kernel.Unknown, err: err}
	}
	return k
}

// WithBlockDim returns a copy of the handle whose launches use blocks of n threads.
func (k *Kernel) WithBlockDim(n int) *Kernel {
	c := k.copy()
	c.BlockDim, c.BlockSet = n, true
	return c
}

// WithStages returns a copy of the handle whose loops have n stages where a device has them.
func (k *Kernel) WithStages(n int) *Kernel {
	c := k.copy()
	c.Stages, c.StagesSet = n, true
	return c
}

// WithDevice returns a copy of the handle whose launches are for dev.
func (k *Kernel) WithDevice(dev *Device) *Kernel {
	c := k.copy()
	c.dev, c.onNil = dev, dev == nil
	return c
}

// copy copies a handle; a nil one becomes one that cannot be launched.
func (k *Kernel) copy() *Kernel {
	if k == nil {
		return NewKernel(nil, nil)
	}
	c := *k
	return &c
}

// Name is the kernel's name.
func (k *Kernel) Name() string {
	if k == nil || k.Func == nil {
		return kernel.Unknown.Name()
	}
	return k.Func.Name()
}

// Launch runs the kernel over the threads of dim.
func (k *Kernel) Launch(dim dims.Dims, args []any) error {
	dev, err := k.device(args)
	if err != nil {
		return err
	}
	return dev.Launch(k, dim, args)
}

// Bind prepares a launch to repeat.
func (k *Kernel) Bind(dim dims.Dims, args []any) (*Prepared, error) {
	dev, err := k.device(args)
	if err != nil {
		return nil, err
	}
	return dev.Bind(k, dim, args)
}

// device finds the device for a launch with these arguments.
func (k *Kernel) device(args []any) (*Device, error) {
	if k != nil && k.dev != nil {
		return k.dev, nil
	}
	if a := firstArray(args); a != nil {
		return a.dev, nil
	}
	return Default()
}

// kernelOf returns the handle for the kernel argument of a launch: a handle, a function, or a value that has a kernel
// as a method.
func kernelOf(f any) (*Kernel, error) {
	if k, ok := f.(*Kernel); ok {
		if k == nil || k.Func == nil {
			return nil, &failure.LaunchError{Reason: "the kernel is nil"}
		}
		if k.err == nil && k.onNil {
			return nil, &failure.LaunchError{Kernel: k.Name(), Reason: "the device that WithDevice was given is nil; open one with Open"}
		}
		return k, k.err
	}
	fn := functionOf(f)
	if k := handles.find(fn); k != nil {
		return k, nil
	}
	of, err := kernel.Of(f)
	if err != nil {
		return nil, err
	}
	k := &Kernel{Kernel: of}
	if !of.IsMethod() { // the receiver is one of many
		handles.add(fn, k)
	}
	return k, nil
}
