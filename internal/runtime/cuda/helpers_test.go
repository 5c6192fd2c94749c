package cuda

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/internal/fakecuda"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/testenv"
)

// fake gives a fake driver and its first device.
func fake(t testing.TB) (*fakecuda.Driver, *Device) {
	t.Helper()
	f := fakecuda.Build(t)
	drv, err := OpenLibrary(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return f, device(t, drv, 0)
}

func device(t testing.TB, drv *Driver, ordinal int) *Device {
	t.Helper()
	dev, err := drv.Device(ordinal)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// hostImage compiles a file of testdata to a module for the fake driver, once.
func hostImage(t testing.TB, source string) []byte {
	t.Helper()
	if image, ok := hostImages.Load(source); ok {
		return image.([]byte)
	}
	text, err := os.ReadFile(filepath.Join("testdata", source))
	ok(t, err)
	image := compile(t, text)
	hostImages.Store(source, image)
	return image
}

var hostImages sync.Map // by source

// compile compiles C++ text to a shared library.
func compile(t testing.TB, source []byte) []byte {
	t.Helper()
	var cxx string
	for _, name := range []string{os.Getenv("QD_CXX"), "clang++", "clang++-14", "clang++-18", "g++", "c++"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			cxx = path
			break
		}
	}
	if cxx == "" {
		testenv.Missing(t, errors.New("there is no C++ compiler"))
	}
	out := filepath.Join(t.TempDir(), "module.so")
	cmd := exec.Command(cxx, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", out, "-x", "c++", "-")
	cmd.Stdin = bytes.NewReader(source)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	image, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func load(t testing.TB, dev *Device, source string, printed printf.Handler) *Module {
	t.Helper()
	m, err := dev.Load(hostImage(t, source), printed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func kernel(t testing.TB, m *Module, name string) *Kernel {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// args is an argument struct of 64-bit fields.
func args(fields ...int) []byte {
	var b []byte
	for _, f := range fields {
		b = binary.NativeEndian.AppendUint64(b, uint64(f))
	}
	return b
}

// addArgs are the arguments of the kernels add, past and shape.
func addArgs(m *Memory, value int) []byte {
	n := m.Size() / 8
	return args(n, 1, 1, 1, int(m.Address()), n, value)
}

func launch(t testing.TB, k *Kernel, s *Stream, args []byte, threads int) *Launch {
	t.Helper()
	l, err := k.Launch(s, args, int64(threads), 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func alloc(t testing.TB, dev *Device, ints int) *Memory {
	t.Helper()
	m, err := dev.Alloc(8 * ints)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func stream(t testing.TB, dev *Device) *Stream {
	t.Helper()
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ok fails the test on an error.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func bytesOf(v []int64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v))
}

func filled(n int, value int64) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = value
	}
	return v
}

var background = context.Background()
