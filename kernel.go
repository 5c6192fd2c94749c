package qd

import (
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A Kernel is a handle on a kernel function. It launches like the function that
// it wraps, and is where settings of a launch are kept. It is immutable and safe
// for use by several goroutines at once.
type Kernel struct{ core any } // *launch.Kernel, see opaque.go

// NewKernel gives a handle on a kernel: a function, or a value of a type that has a
// kernel among its methods. What a function literal captures is named by options, see [Capture]. What is
// wrong with any of it is reported by the launch.
func NewKernel(f any, options ...KernelOption) *Kernel {
	return &Kernel{launch.NewKernel(kernelOf(f), innerCaptures(options))}
}

// WithBlockDim returns a copy of the handle whose launches use blocks of n
// threads; n is from 1 to 1024, best a multiple of 32. On every device it is what
// [Thread.BlockDim] gives; for a kernel that does not use its block, and for that of a
// [Block], it changes nothing but speed, on CUDA devices.
func (k *Kernel) WithBlockDim(n int) *Kernel { return &Kernel{innerKernel(k).WithBlockDim(n)} }

// WithDevice returns a copy of the handle whose launches are for dev. If that is nil, they are errors.
func (k *Kernel) WithDevice(dev *Device) *Kernel {
	return &Kernel{innerKernel(k).WithDevice(innerDevice(dev))}
}

// Name is the kernel's Go name.
func (k *Kernel) Name() string { return innerKernel(k).Name() }

// Launch runs the kernel over the threads of dim, see [Device.Launch]. The device
// is the one of [Kernel.WithDevice], else that of the array arguments, else the
// default one.
func (k *Kernel) Launch(dim Dims, args ...any) error {
	return public(innerKernel(k).Launch(dim.inner(), args))
}

// Bind prepares a launch to repeat: everything is checked, compiled and loaded
// once, and [Prepared.Launch] only runs. The device is the one of
// [Kernel.WithDevice], else that of the array arguments, else the default one.
func (k *Kernel) Bind(dim Dims, args ...any) (*Prepared, error) {
	return prepared(innerKernel(k).Bind(dim.inner(), args))
}
