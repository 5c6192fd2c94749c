package qd

import "github.com/qdgen/qd/internal/runtime/launch"

// Run runs a kernel for a whole launch, one whose first parameter is a [Grid], on
// the default device, or on the one that [Kernel.WithDevice] gave the handle; see
// [Device.Run].
func Run(kernel any, args ...any) error { return public(launch.Run(kernelOf(kernel), args)) }

// Run runs a kernel for a whole launch, a function whose first parameter is a
// [Grid] or a [*Kernel] of one. The arguments, what is done with plain slices, and
// the errors are those of [Device.Launch].
//
// What stands between the parallel loops runs on the host. Where it reads or
// writes an element of a slice, on a CUDA device, it waits for the loops before
// and copies the element: keep such steps rare. There is no dimension to give, as
// each loop has its own.
func (d *Device) Run(kernel any, args ...any) error {
	return public(innerDevice(d).Run(kernelOf(kernel), args))
}

// Run queues a run of a Grid kernel, as [Stream.Launch] queues a launch. On a CUDA
// device what stands between the kernel's loops runs at once, and waits for
// the stream where it reads or writes an element of a slice.
func (s *Stream) Run(kernel any, args ...any) error {
	return public(innerStream(s).Run(kernelOf(kernel), args))
}

// Run runs a Grid kernel, see [Device.Run]. The device is the one of
// [Kernel.WithDevice], else that of the array arguments, else the default one.
func (k *Kernel) Run(args ...any) error { return public(innerKernel(k).Run(args)) }

// BindRun prepares a run of a Grid kernel to repeat, as [Kernel.Bind] does a launch.
func (k *Kernel) BindRun(args ...any) (*Prepared, error) {
	return prepared(innerKernel(k).BindRun(args))
}

// BindRun prepares a run of a Grid kernel on this device to repeat: see
// [Kernel.BindRun]. The launches of its loops are kept from run to run.
func (d *Device) BindRun(kernel any, args ...any) (*Prepared, error) {
	return prepared(innerDevice(d).BindRun(kernelOf(kernel), args))
}
