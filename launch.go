package qd

import "github.com/qdgen/qd/internal/runtime/launch"

// Launch runs a kernel over the threads of dim, on the default device, or on the
// one that [Kernel.WithDevice] gave the handle; see [Device.Launch].
func Launch(kernel any, dim Dims, args ...any) error {
	return public(launch.Launch(kernelOf(kernel), dim.inner(), args))
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
	return public(innerDevice(d).Launch(kernelOf(kernel), dim.inner(), args))
}

// Bind prepares a launch on this device to repeat: see [Kernel.Bind].
func (d *Device) Bind(kernel any, dim Dims, args ...any) (*Prepared, error) {
	return prepared(innerDevice(d).Bind(kernelOf(kernel), dim.inner(), args))
}

// A Prepared is a launch with everything checked, compiled and loaded. Its
// arguments are those of the Bind: numbers and constants as they were, the elements of slices and
// arrays as they are when it runs. Package variables that the kernel reads count as they are
// then, too. It must not be run by several goroutines at once.
type Prepared struct{ core any } // *launch.Prepared, see opaque.go

// prepared gives a prepared launch together with an error, as package launch does.
func prepared(core *launch.Prepared, err error) (*Prepared, error) {
	if err != nil {
		return nil, public(err)
	}
	return &Prepared{core}, nil
}

// Launch runs the prepared launch, as [Device.Launch] does. Once an array among
// its arguments has been freed, the error is a *LaunchError.
func (p *Prepared) Launch() error { return public(innerPrepared(p).Launch()) }

// Device is the device that the launch is prepared for, nil of a nil or zero Prepared.
func (p *Prepared) Device() *Device { return faceOf(innerPrepared(p).Device()) }
