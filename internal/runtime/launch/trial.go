package launch

import (
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Trial is a launch that is timed, perhaps several times, before it is decided whether the program uses it.
type Trial struct {
	dev     *Device
	kernel  *Kernel
	variant *variant
	runner  device.Runner
	args    []any // those of Launch.Args, checked
}

// Try prepares a launch, or a run of a Grid kernel, to be timed.
func (d *Device) Try(k *Kernel, dim dims.Dims, args []any) (*Trial, error) {
	prepare := func() (device.Runner, *variant, error) { return d.prepare(k, dim, args, nil, nil) }
	if k.IsGrid() {
		prepare = func() (device.Runner, *variant, error) { return d.prepareRun(k, args, nil) }
	}
	r, v, err := prepare()
	if err != nil {
		return nil, err
	}
	checked, _, err := k.checkArgs(d, args, nil)
	return &Trial{d, k, v, r, checked}, err
}

// Time runs the launch once and says how long it took on the device.
func (t *Trial) Time() (time.Duration, error) {
	return device.Time(t.dev.backend, func() error {
		if err := t.runner.Run(); err != nil {
			return err
		}
		if _, ok := t.dev.backend.(device.Timer); ok {
			return nil // the clock of the device waits for the launch
		}
		return t.dev.Wait()
	})
}

// Code is a key of the code that the trial's kernel has on its device. It is not ok if there is no such key.
func (t *Trial) Code() (code cache.Key, ok bool) {
	if t.variant.Code == nil {
		return code, false
	}
	return t.variant.Code(), true
}

// Writes reports whether the kernel may write memory that an argument leads to, by its index among those that are
// passed at run time.
func (t *Trial) Writes(arg int) bool {
	return t.variant.writes(arg)
}

// Save copies the memory of the arguments that kernels of the trials may write.
func Save(trials []*Trial) (*device.Saved, error) {
	return device.Save(trials[0].args, func(arg int) bool {
		for _, t := range trials {
			if t.Writes(arg) {
				return true
			}
		}
		return false
	})
}

// Release gives back what the trial had on the device.
func (t *Trial) Release() {
	if r, ok := t.runner.(interface{ Release() }); ok {
		r.Release()
	}
}

// Ended is the error of what was to be done on the device with a kernel, or with something else that has a name, if its context has ended, see
// [failure.Ended].
func (d *Device) Ended(what string, of interface{ Name() string }, how string) error {
	return failure.Ended(what, of, how, d.within)
}

// KernelOf returns the handle for the kernel argument of a launch.
func KernelOf(f any) (*Kernel, error) { return kernelOf(f) }

// DeviceFor returns the device for a launch with these arguments.
func (k *Kernel) DeviceFor(args []any) (*Device, error) { return k.device(args) }

// IsChecked reports whether launches on the device are of checked builds.
func (d *Device) IsChecked() bool { return d.options.Checked }

// IsFused reports whether launches on the device are of fused builds.
func (d *Device) IsFused() bool { return d.options.Fused }
