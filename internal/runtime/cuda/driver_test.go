package cuda

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/fakecuda"
)

// wantMissing checks that an error is a *MissingError that says all of parts.
func wantMissing(t *testing.T, err error, parts ...string) {
	t.Helper()
	var m *MissingError
	if !errors.As(err, &m) {
		t.Fatalf("error is %T %v, want *MissingError", err, err)
	}
	for _, p := range append(parts, m.Help) {
		if p == "" || !strings.Contains(err.Error(), p) {
			t.Errorf("%q is not in: %v", p, err)
		}
	}
}

func TestNoLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	t.Setenv(EnvDriver, path)
	_, err := Open()
	wantMissing(t, err, "there is no CUDA driver", path, "install")
	var open *dl.OpenError
	if !errors.As(err, &open) {
		t.Errorf("the dynamic linker's error is lost: %v", err)
	}
}

func TestNotADriver(t *testing.T) {
	_, err := OpenLibrary("libc.so.6")
	wantMissing(t, err, "libc.so.6 is not a CUDA driver", "cuInit", "update")
}

func TestDriverUnusable(t *testing.T) {
	t.Setenv("CUDA_VISIBLE_DEVICES", "7")
	for _, c := range []struct {
		spec  string
		parts []string
	}{
		{"version=10020", []string{"too old", "10.2", "11.0", "update"}},
		{"cuInit=100", []string{"finds no GPU", "CUDA_ERROR_NO_DEVICE", "12.4", `CUDA_VISIBLE_DEVICES is "7"`, "nvidia-smi"}},
		{"cuInit=803", []string{"does not start", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)", "unsupported display driver"}},
		{"cuInit=12345", []string{"does not start", "(12345)", "without a description"}},
		{"devices=0", []string{"finds no GPU"}},
		{"cuDriverGetVersion=999", []string{"version"}},
		{"cuDeviceGetCount=3", []string{"number of GPUs", "CUDA_ERROR_NOT_INITIALIZED"}},
	} {
		f := fakecuda.Build(t)
		f.Configure(t, c.spec)
		drv, err := OpenLibrary(f.Path)
		if err == nil {
			t.Errorf("%s: opened %v", c.spec, drv.Path())
			continue
		}
		wantMissing(t, err, append(c.parts, f.Path)...)
	}
}

// A driver that could not be used is tried again.
func TestOpenAgain(t *testing.T) {
	f := fakecuda.Build(t)
	f.Configure(t, "cuInit=100@1")
	t.Setenv(EnvDriver, f.Path)
	if _, err := Open(); err == nil {
		t.Fatal("the injected error is lost")
	}
	a, err := Open()
	ok(t, err)
	b, err := Open()
	ok(t, err)
	if a != b {
		t.Error("one library gave two drivers")
	}
}

func TestInfo(t *testing.T) {
	_, dev := fake(t)
	drv := dev.Driver()
	if v := drv.Version(); v != (Version{12, 4}) || v.String() != "12.4" {
		t.Errorf("version %v", v)
	}
	if n, err := drv.Count(); n != 2 || err != nil {
		t.Errorf("%d devices, %v", n, err)
	}
	info, err := drv.Info(1)
	ok(t, err)
	if *info != (Info{Ordinal: 1, Name: "Fake GPU 1", Major: 9, Memory: 1 << 30, Multiprocessors: 4, BlockMemory: 227 << 10}) || info.Arch() != "sm_90" {
		t.Errorf("info %+v", info)
	}
	if got, want := info.String(), "Fake GPU 1, sm_90, 4 multiprocessors, 1.0 GiB"; got != want {
		t.Errorf("info prints %q, want %q", got, want)
	}
	if dev.Info().Ordinal != 0 {
		t.Errorf("device 0 is %+v", dev.Info())
	}
	for _, ordinal := range []int{-1, 2} {
		if _, err := drv.Device(ordinal); err == nil || !strings.Contains(err.Error(), "the driver has 2") {
			t.Errorf("device %d: %v", ordinal, err)
		}
	}
	if device(t, drv, 0) != dev {
		t.Error("one GPU gave two devices")
	}
}

// A device that fails to start can be tried again and leaves nothing behind.
func TestDeviceStartFails(t *testing.T) {
	f := fakecuda.Build(t)
	drv, err := OpenLibrary(f.Path)
	ok(t, err)
	for _, spec := range []string{"cuDevicePrimaryCtxRetain=2@1", "cuStreamCreate=2@1", "cuDeviceGetName=101@1", "cuDeviceGetAttribute=101@2", "cuDeviceTotalMem_v2=101@1", "cuDeviceGet=101@1"} {
		f.Configure(t, spec)
		var e *Error
		if _, err := drv.Device(0); !errors.As(err, &e) || !strings.HasPrefix(spec, e.Call+"=") {
			t.Errorf("%s: error is %v", spec, err)
		}
		if n := f.Live(); n != 0 {
			t.Errorf("%s: %d objects are left", spec, n)
		}
	}
	device(t, drv, 0)
}
