package launch

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Device is where kernels run: "go", "cpu" or "cuda:N". Devices of one name
// are one device.
type Device struct {
	name     string
	backend  device.Backend
	programs sync.Map // *kernel.Func -> *specializations
	options  build.Options
	checked  func() *Device // what Checked gives
	records  *recordings    // in progress; shared with what Checked gives
}

// New makes a device together with what its Checked gives.
func New(name string, b device.Backend) *Device {
	d := &Device{name: name, backend: b, records: new(recordings)}
	c := &Device{name: name, backend: b, records: d.records, options: build.Options{Checked: true}}
	if device.IsGo(b) {
		c = d // Go checks everything
	}
	d.checked = func() *Device { return c }
	c.checked = d.checked
	return d
}

// Checked gives the same device for checked builds.
func (d *Device) Checked() *Device {
	if d == nil {
		return nil
	}
	return d.checked()
}

// same reports whether two are one device, apart from the builds they use.
func (d *Device) same(e *Device) bool { return d != nil && e != nil && d.backend == e.backend }

// Same reports whether two are one device, apart from the builds they use.
func (d *Device) Same(e *Device) bool { return d.same(e) }

// Backend is what distinguishes the kind of the device.
func (d *Device) Backend() device.Backend { return d.backend }

// String is the device's name, as [Open] takes it.
func (d *Device) String() string {
	if d == nil {
		return failure.NoDevice
	}
	return d.name
}

// aboutNil is what is wrong with a device that is nil, or the zero value of package qd's type.
const aboutNil = "the device is nil; open one with Open"

// noDevice is the error of an operation on such a device.
func noDevice(op string) error { return unusable(op, aboutNil) }

// unusable is the error of an operation on what is on no device.
func unusable(op, why string) error {
	return &failure.DeviceError{Device: failure.NoDevice, Op: op, Err: errors.New(why)}
}

// Description says what the device is: the compiler and the cores, the GPU's
// name and architecture.
func (d *Device) Description() string {
	if d == nil {
		return d.String()
	}
	return d.backend.Describe()
}

// devices are the open ones, by name.
var devices build.Once[string, *Device]

// Open gives the device of a name, "" for the default one.
func Open(name string) (*Device, error) {
	if name == "" {
		return Default()
	}
	return open(name)
}

// open is Open of a device that has a name.
func open(name string) (*Device, error) {
	if name == "cuda" {
		name = "cuda:0"
	}
	dev, err := devices.Do(name, func() (*Device, error) {
		b, err := device.Open(name)
		if err != nil {
			return nil, err
		}
		return New(name, b), nil
	})
	if check := os.Getenv("QD_CHECK"); err == nil && check != "" && check != "0" {
		dev = dev.Checked()
	}
	return dev, err
}

// defaultDevice remembers the name of the best device there is.
var defaultDevice = sync.OnceValue(func() string {
	for _, name := range []string{"cuda:0", "cpu"} {
		_, err := open(name)
		if err == nil {
			return name
		}
		// That there is no compiler is usual. That there is none where the user
		// says that there is one is a mistake, which would go unnoticed but for
		// the time that device go takes.
		if m := (*clang.MissingError)(nil); errors.As(err, &m) && m.Named != "" {
			slog.Warn("the default device is not cpu", "error", err)
		}
	}
	return "go"
})

// Default gives the default device: the one that the environment variable
// QD_DEVICE names, else the best there is: "cuda:0", "cpu" if there is a compiler, "go".
func Default() (*Device, error) {
	name := strings.TrimSpace(os.Getenv("QD_DEVICE"))
	if name == "" {
		return open(defaultDevice()) // it has been opened before
	}
	dev, err := open(name)
	if err != nil {
		return nil, &failure.NamedError{Err: err}
	}
	return dev, nil
}

// Wait waits until everything launched on the device has run.
func (d *Device) Wait() error {
	switch {
	case d == nil:
		return noDevice("wait")
	case d.recordsHere():
		return d.recordingError("wait")
	}
	return d.backend.Wait()
}
