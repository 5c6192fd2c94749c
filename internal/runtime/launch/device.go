package launch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Device is where kernels run: "go", "cpu" or "cuda:N". Devices of one name
// are one device.
type Device struct {
	name     string
	backend  device.Backend
	programs *programs // shared with whole
	options  build.Options
	builds   *builds         // of the same device, this one among them
	records  *recordings     // in progress; shared by all builds
	within   context.Context // ends what is done with it; nil for none
	whole    *Device         // the same device without that; nil if there is none
}

// builds has one device for each kind of build: [checked][fused].
type builds [2][2]*Device

// New makes a device, together with the devices that Checked and Fused return.
func New(name string, b device.Backend) *Device {
	all, records := new(builds), new(recordings)
	for i := range all {
		for j := range all[i] {
			all[i][j] = &Device{name: name, backend: b, programs: new(programs), builds: all, records: records, options: build.Options{Checked: i == 1, Fused: j == 1}}
		}
	}
	if d := all[0][0]; device.IsGo(b) { // Go checks everything, and fuses where it does
		*all = builds{{d, d}, {d, d}}
	}
	return all[0][0]
}

// built returns the same device with checked or fused builds.
func (d *Device) built(checked, fused bool) *Device {
	if d == nil {
		return nil
	}
	i, j := 0, 0
	if checked {
		i = 1
	}
	if fused {
		j = 1
	}
	b := d.builds[i][j]
	if d.within != nil {
		return b.WithContext(d.within)
	}
	return b
}

// WithContext returns the same device with a context. When the context ends, so do launches on the device.
func (d *Device) WithContext(ctx context.Context) *Device {
	if d == nil || ctx == nil {
		return d
	}
	if d.whole != nil {
		d = d.whole
	}
	return &Device{name: d.name, backend: d.backend, programs: d.programs, options: d.options, builds: d.builds, records: d.records, within: ctx, whole: d}
}

// Whole is the device without a context.
func (d *Device) Whole() *Device {
	if d != nil && d.whole != nil {
		return d.whole
	}
	return d
}

// context is the context of the device.
func (d *Device) context() context.Context {
	if d.within == nil {
		return context.Background()
	}
	return d.within
}

// Checked returns the same device with checked builds.
func (d *Device) Checked() *Device { return d.built(true, d != nil && d.options.Fused) }

// Fused returns the same device with builds in which x*y + z may be one operation.
func (d *Device) Fused() *Device { return d.built(d != nil && d.options.Checked, true) }

// same reports whether two values stand for one device. Their builds may differ.
func (d *Device) same(e *Device) bool { return d != nil && e != nil && d.backend == e.backend }

// Same reports whether two values stand for one device. Their builds may differ.
func (d *Device) Same(e *Device) bool { return d.same(e) }

// Backend implements the device.
func (d *Device) Backend() device.Backend { return d.backend }

// String is the device's name, as [Open] takes it.
func (d *Device) String() string {
	if d == nil {
		return failure.NoDevice
	}
	return d.name
}

// aboutNil is the message about a device that is nil, or the zero value of package qd's type.
const aboutNil = "the device is nil; open one with Open"

// noDevice is the error of an operation on a device that is nil.
func noDevice(op string) error { return unusable(op, aboutNil) }

// unusable is the error of an operation that needs a device.
func unusable(op, why string) error {
	return &failure.DeviceError{Device: failure.NoDevice, Op: op, Err: errors.New(why)}
}

// Description describes the device: its compiler and cores, or the name and the architecture of the GPU.
func (d *Device) Description() string {
	if d == nil {
		return d.String()
	}
	return d.backend.Describe()
}

// devices are the open ones, by name.
var devices memo.Once[string, *Device]

// Open returns the device with a name. The name "" stands for the default device.
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
	if err != nil {
		return nil, err
	}
	checked, wrongCheck := asksFor("QD_CHECK")
	fused, wrongFuse := asksFor("QD_FUSE")
	if err := errors.Join(wrongCheck, wrongFuse, compile.WrongLanes); err != nil {
		return nil, &failure.DeviceError{Device: name, Op: "open", Err: err}
	}
	return dev.built(checked, fused), nil
}

// asksFor reports whether a variable of the environment asks for something: whether it is 1, true or another word that
// [strconv.ParseBool] takes for yes. It is an error if the variable is neither that nor a no.
func asksFor(name string) (yes bool, err error) {
	text := strings.TrimSpace(os.Getenv(name))
	if text == "" {
		return false, nil
	}
	if yes, err = strconv.ParseBool(text); err != nil {
		return false, fmt.Errorf("%s=%s: use 1 for yes, or 0 for no", name, text)
	}
	return yes, nil
}

// defaultDevice keeps the name of the best device of the machine.
var defaultDevice = sync.OnceValue(func() string {
	for _, name := range []string{"cuda:0", "cpu"} {
		dev, err := open(name)
		if err == nil && device.Compiles(dev.backend) {
			return name
		}
		// Many machines have no compiler. But if the user has named one, its absence is a mistake. Without
		// an error the user would only notice that device go is slow.
		if m := (*clang.MissingError)(nil); errors.As(err, &m) && m.Named != "" {
			slog.Warn("the default device is not cpu", "error", err)
		}
	}
	return "go"
})

// Default returns the default device: the one that the environment variable QD_DEVICE names, or else the best device of
// the machine, which is "cuda:0", "cpu" if there is a compiler, or "go".
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

// Wait waits until everything launched on the device has run. Of each stream it returns the first error of a launch
// that neither it nor the Sync of the stream has returned, in the order of the launches.
func (d *Device) Wait() error {
	switch {
	case d == nil:
		return noDevice("wait")
	case d.recordsHere():
		return d.recordingError("wait")
	}
	if err := d.Settle(); err != nil {
		return err
	}
	return d.backend.TakeError()
}

// Settle waits until everything launched on the device has run. Errors of the launches are left to Wait.
func (d *Device) Settle() error {
	if d.within == nil {
		return d.backend.Settle()
	}
	end := make(chan error, 1)
	go func() { end <- d.backend.Settle() }()
	select {
	case err := <-end:
		return err
	case <-d.within.Done():
		return fmt.Errorf("qd: wait for device %s: %w", d.name, context.Cause(d.within))
	}
}
