package qd

import (
	"context"

	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A Device is where kernels run: "go", "cpu" or "cuda:N". There is one Device for each name. Several
// goroutines may use it at once.
type Device struct{ core any } // *launch.Device, see opaque.go

// devices are those of this package, one for each of what is behind them.
var devices memo.Map[*launch.Device, *Device]

// deviceOf gives a device together with an error, as package launch does.
func deviceOf(core *launch.Device, err error) (*Device, error) {
	if err != nil {
		return nil, public(err)
	}
	return faceOf(core), nil
}

// faceOf is the one device for what is behind it, nil for nil.
func faceOf(core *launch.Device) *Device {
	if core == nil {
		return nil
	}
	if core != core.Whole() { // of a context, which nobody else has
		return &Device{core}
	}
	d, ok := devices.Load(core)
	if !ok {
		d, _ = devices.LoadOrStore(core, &Device{core})
	}
	return d
}

// Checked returns the same device with checks. A launch on it fails with a [*Fault] where Go panics:
// an index is out of range, an integer is divided by zero, a pointer is nil. It also fails where an
// [Assert] fails. Nothing is written out of range. Arrays of the one are arrays of the other. If the
// environment has QD_CHECK=1, every device that is opened has checks. Device "go" always has them.
func (d *Device) Checked() *Device { return faceOf(innerDevice(d).Checked()) }

// Fused gives the same device for builds in which x*y + z may be one operation, which rounds once: on
// the processors and GPUs that have it, this is faster, and mostly nearer the exact value. Go's
// specification allows it; an explicit conversion, as in float32(x*y) + z, keeps both roundings.
// Without it they are always kept. Arrays of one are arrays of the other. With QD_FUSE=1 in the
// environment every device that is opened is a fused one; device "go" does what Go's compiler does.
func (d *Device) Fused() *Device { return faceOf(innerDevice(d).Fused()) }

// WithContext returns the same device for what is to be done until ctx ends: what is built, launched or waited for with it
// returns the context's error then. A launch on "cpu" or "go" starts no further threads; those that run
// go on to their end. On a CUDA device a launch that has been started goes on, but nobody waits for it. Arrays are the device's: what
// is copied from and to them is not bounded. A nil ctx never ends.
func (d *Device) WithContext(ctx context.Context) *Device {
	return &Device{innerDevice(d).WithContext(ctx)}
}

// String is the device's name, as [Open] takes it.
func (d *Device) String() string { return innerDevice(d).String() }

// Description describes the device: its compiler and cores, or the name and the architecture of the
// GPU.
func (d *Device) Description() string { return innerDevice(d).Description() }

// Open returns the device with a name: "go", "cpu", or "cuda:N" with N from 0. "cuda" stands for
// "cuda:0", and "" for the default device, see [Default]. The error is a *MissingError if something
// must be installed for the device, and a *DeviceError if there is no such device.
func Open(name string) (*Device, error) { return deviceOf(launch.Open(name)) }

// Default returns the default device. That is the one that the environment variable QD_DEVICE names,
// or else the best one there is: "cuda:0", then "cpu" if there is a compiler, then "go".
func Default() (*Device, error) { return deviceOf(launch.Default()) }

// Wait waits until everything that was launched on the device has run. It returns the error of a launch that failed and
// was not waited for, if no Wait or [Stream.Sync] has returned it yet. An error of a launch on a stream stays for the
// stream's Sync. Where launches on several streams failed, it is the first error of each of them, joined in the order of the
// launches: [errors.As] finds that of the first launch. What copies from an array or to one waits in the same way.
func (d *Device) Wait() error { return public(innerDevice(d).Wait()) }
