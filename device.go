package qd

import (
	"sync"

	"github.com/qdgen/qd/internal/runtime/launch"
)

// A Device is where kernels run: "go", "cpu" or "cuda:N". Devices of one name
// are one device. It is safe for use by several goroutines at once.
type Device struct{ core any } // *launch.Device, see opaque.go

// devices are those of this package, one for each of what is behind them.
var devices sync.Map // *launch.Device -> *Device

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
	d, ok := devices.Load(core)
	if !ok {
		d, _ = devices.LoadOrStore(core, &Device{core})
	}
	return d.(*Device)
}

// Checked gives the same device for checked builds: a launch on it fails with a
// [*Fault] where Go panics (an index out of range, an integer division by zero, a
// nil) and where an [Assert] fails, before anything is written out of range. Arrays of one are
// arrays of the other. With QD_CHECK=1 in the environment every device that is opened is
// a checked one; device "go" always is.
func (d *Device) Checked() *Device { return faceOf(innerDevice(d).Checked()) }

// String is the device's name, as [Open] takes it.
func (d *Device) String() string { return innerDevice(d).String() }

// Description says what the device is: the compiler and the cores, the GPU's
// name and architecture.
func (d *Device) Description() string { return innerDevice(d).Description() }

// Open gives the device of a name: "go", "cpu", "cuda:N" with N from 0, or "cuda"
// for "cuda:0". "" is the default device, see [Default]. The error is a
// *MissingError when something must be installed for it, a *DeviceError when
// there is no such device.
func Open(name string) (*Device, error) { return deviceOf(launch.Open(name)) }

// Default gives the default device: the one that the environment variable
// QD_DEVICE names, else the best there is: "cuda:0", "cpu" if there is a compiler, "go".
func Default() (*Device, error) { return deviceOf(launch.Default()) }

// Wait waits until everything launched on the device has run.
func (d *Device) Wait() error { return public(innerDevice(d).Wait()) }
