package qd

import "github.com/qdgen/qd/internal/runtime/launch"

// Launch runs a kernel over the threads of dim. It runs on the device of [Kernel.WithDevice], or
// else on the default device. See [Device.Launch].
func Launch(kernel any, dim Dims, args ...any) error {
	return public(launch.Launch(kernelOf(kernel), dim.inner(), args))
}

// Launch runs a kernel over the threads of dim, of which there may be none. A kernel is a function
// whose first parameter is a [Thread] or a [Block], a value that has such a method, or a [*Kernel].
// The arguments are for the parameters after the first:
//
//   - For a number or a bool, a value of the same type. An int or a float64 also stands for any type
//     that can hold its value.
//   - For a slice, a slice of the same type, or an [*Array] of this device.
//   - For a [Const], a [C].
//
// Some values are known when the kernel is compiled: constants, the receiver of a method, what a
// function literal captures, and package variables that the kernel reads. Each combination of them
// is a specialization, which is compiled once. If a variable has changed since the last launch, the
// launch takes another specialization.
//
// Devices "go" and "cpu" use a plain slice in place. For a CUDA device, its elements are copied to
// the device before the launch and back after it, and Launch waits. With arrays alone, the launch
// may still be running when Launch returns. [Array.Slice] and [Device.Wait] wait for it.
//
// The first launch of a kernel compiles it, or finds it in the cache. If the kernel or an argument
// is wrong, nothing runs, and the error is a *LaunchError, *Diagnostics, *SourceError,
// *CompileError, *MissingError or *InternalError. A *Fault or a *DeviceError tells what went wrong
// while the kernel ran.
func (d *Device) Launch(kernel any, dim Dims, args ...any) error {
	return public(innerDevice(d).Launch(kernelOf(kernel), dim.inner(), args))
}

// Bind prepares a launch on this device that is to be repeated. See [Kernel.Bind].
func (d *Device) Bind(kernel any, dim Dims, args ...any) (*Prepared, error) {
	return prepared(innerDevice(d).Bind(kernelOf(kernel), dim.inner(), args))
}

// A Prepared is a launch whose kernel is compiled and loaded, and whose arguments are checked. Numbers
// and constants have the values that Bind was given. Elements of slices and arrays, and package
// variables that the kernel reads, have the values of the moment at which it runs. Only one
// goroutine at a time may run it.
type Prepared struct{ core any } // *launch.Prepared, see opaque.go

// prepared gives a prepared launch together with an error, as package launch does.
func prepared(core *launch.Prepared, err error) (*Prepared, error) {
	if err != nil {
		return nil, public(err)
	}
	return &Prepared{core}, nil
}

// Launch runs the prepared launch, as [Device.Launch] does. If an array among its arguments has been
// freed, the error is a *LaunchError.
func (p *Prepared) Launch() error { return public(innerPrepared(p).Launch()) }

// Device is the device that the launch is prepared for. It is nil if the Prepared is nil or zero.
func (p *Prepared) Device() *Device { return faceOf(innerPrepared(p).Device()) }
