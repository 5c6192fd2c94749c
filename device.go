package qd

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
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
)

// A Device is where kernels run: "go", "cpu" or "cuda:N". Devices of one name
// are one device. It is safe for use by several goroutines at once.
type Device struct {
	name     string
	backend  backend
	programs sync.Map // *kernelFunc -> *specializations
	options  build.Options
	checked  func() *Device // what Checked gives
}

// newDevice makes a device together with what its Checked gives.
func newDevice(name string, b backend) *Device {
	d := &Device{name: name, backend: b}
	c := &Device{name: name, backend: b, options: build.Options{Checked: true}}
	if _, ok := b.(*goBackend); ok {
		c = d // Go checks everything
	}
	d.checked = func() *Device { return c }
	c.checked = d.checked
	return d
}

// Checked gives the same device for checked builds: a launch on it fails with a
// [*Fault] where Go panics (an index out of range, an integer division by zero, a
// nil) and where an [Assert] fails, before anything is written out of range. Arrays of one are
// arrays of the other. With QD_CHECK=1 in the environment every device that is opened is
// a checked one; device "go" always is.
func (d *Device) Checked() *Device { return d.checked() }

// same reports whether two are one device, apart from the builds they use.
func (d *Device) same(e *Device) bool { return d != nil && e != nil && d.backend == e.backend }

// backend is what distinguishes kinds of devices.
type backend interface {
	// load makes a specialization of a kernel ready to run: builds it if need be, and
	// loads its module if that is not loaded.
	load(ctx context.Context, k *kernelFunc, opts build.Options) (*loaded, error)
	// alloc makes memory for an array that is not the host's own; a backend
	// whose kernels work on Go slices in place returns nil, nil.
	alloc(bytes int) (memory, error)
	// newQueue makes an ordered queue of launches, for a Stream.
	newQueue() (queue, error)
	// wait waits for everything that was launched.
	wait() error
	// describe says what the device is, for people.
	describe() string
}

// loaded is a specialization that has been made ready.
type loaded struct {
	program
	name   string           // the kernel's declaration, with type arguments; "" if it is not known
	asked  []frontend.Asked // what it depends on beside the options
	module *build.Module    // the module that was loaded for it, nil if none was
}

// program is a kernel loaded on a device.
type program interface {
	// rank is the number of dimensions that a launch must have, 0 for any.
	rank() int
	// prepare makes a launch of checked arguments that can be run repeatedly.
	prepare(l launch) (runner, error)
}

// launch is a launch's dimensions and arguments, checked.
type launch struct {
	kernel  *Kernel
	dim     Dims
	threads int
	args    []any // of the types of kernel.args, or arrayArgs
	consts  []any // of the types of kernel.consts
	queue   queue // nil for the device's own order
}

// runner is a prepared launch.
type runner interface{ run() error }

// memory is memory of a device.
type memory interface {
	address() uintptr
	write(host []byte) error
	read(host []byte) error
	zero() error
	free()
}

// queue is an ordered queue of launches.
type queue interface {
	// submit runs a launch after those submitted before.
	submit(r runner) error
	// wait waits for everything submitted and returns the first error.
	wait(ctx context.Context) error
	close() error
}

// String is the device's name, as [Open] takes it.
func (d *Device) String() string {
	if d == nil {
		return "(no device)"
	}
	return d.name
}

// Description says what the device is: the compiler and the cores, the GPU's
// name and architecture.
func (d *Device) Description() string { return d.backend.describe() }

// devices are the open ones, by name.
var devices build.Once[string, *Device]

// Open gives the device of a name: "go", "cpu", "cuda:N" with N from 0, or "cuda"
// for "cuda:0". "" is the default device, see [Default]. The error is a
// *MissingError when something must be installed for it, a *DeviceError when
// there is no such device.
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
		b, err := newBackend(name)
		if err != nil {
			return nil, err
		}
		return newDevice(name, b), nil
	})
	if check := os.Getenv("QD_CHECK"); err == nil && check != "" && check != "0" {
		dev = dev.Checked()
	}
	return dev, err
}

// newBackend starts the device of a name.
func newBackend(name string) (backend, error) {
	switch {
	case name == "go":
		return &goBackend{}, nil
	case name == "cpu":
		return newCPUBackend()
	case strings.HasPrefix(name, "cuda:"):
		ordinal, err := strconv.Atoi(strings.TrimPrefix(name, "cuda:"))
		if err != nil || ordinal < 0 || name != fmt.Sprintf("cuda:%d", ordinal) {
			break
		}
		return newCUDABackend(ordinal)
	}
	return nil, &DeviceError{Device: strconv.Quote(name), Op: "open", Err: fmt.Errorf(`there is no such device; the names are "go", "cpu", and "cuda:0", "cuda:1" and so on`)}
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
		return nil, fmt.Errorf("%w (the environment variable QD_DEVICE names this device)", err)
	}
	return dev, nil
}

// Wait waits until everything launched on the device has run.
func (d *Device) Wait() error { return d.backend.wait() }
