package qd

import (
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A Kernel is a kernel function with settings for its launches. It is launched like the function. It
// never changes, so several goroutines may use it at once.
type Kernel struct{ core any } // *launch.Kernel, see opaque.go

// NewKernel makes a [Kernel] of a function, or of a value of a type that has a kernel among its
// methods. Options name what a function literal captures, see [Capture]. If something is wrong with
// them, the launch returns the error.
func NewKernel(f any, options ...KernelOption) *Kernel {
	return &Kernel{launch.NewKernel(kernelOf(f), innerCaptures(options))}
}

// WithBlockDim returns a copy of the kernel whose launches use blocks of n threads. n is from 1 to
// 1024, and best a multiple of 32. [Thread.BlockDim] gives it on every device. If the kernel is one
// of a [Block], or does not use its block, n changes only the speed on CUDA devices.
func (k *Kernel) WithBlockDim(n int) *Kernel { return &Kernel{innerKernel(k).WithBlockDim(n)} }

// WithStages returns a copy of the kernel whose loops over products of tiles are pipelines of n stages, from 1 to 8, on
// CUDA devices: while a turn multiplies, the operands of the next n-1 turns are on their way from memory. That takes n times
// the shared memory for these operands. Other devices do without, and results are the same. n is 1 where nobody asks for more.
func (k *Kernel) WithStages(n int) *Kernel { return &Kernel{innerKernel(k).WithStages(n)} }

// WithDevice returns a copy of the kernel whose launches run on dev. If dev is nil, they are errors. A launch that names
// the device itself, such as [Device.Launch], must name the same one. It has checks, or is fused, if one of the two says
// so, and it ends with the contexts of both.
func (k *Kernel) WithDevice(dev *Device) *Kernel {
	return &Kernel{innerKernel(k).WithDevice(innerDevice(dev))}
}

// Name is the kernel's Go name.
func (k *Kernel) Name() string { return innerKernel(k).Name() }

// Launch runs the kernel over the threads of dim, see [Device.Launch]. It runs on the device of
// [Kernel.WithDevice], or else on that of the arrays among the arguments, or else on the default
// device.
func (k *Kernel) Launch(dim Dims, args ...any) error {
	return public(innerKernel(k).Launch(dim.inner(), args))
}

// Bind prepares a launch that is to be repeated. It checks, compiles and loads once, so that
// [Prepared.Launch] only has to run the kernel. The device is chosen as by [Kernel.Launch].
func (k *Kernel) Bind(dim Dims, args ...any) (*Prepared, error) {
	return prepared(innerKernel(k).Bind(dim.inner(), args))
}
