package cpu

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/testenv"
)

// compiler finds a C++ compiler, or skips the test.
func compiler(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no modules can be loaded on this platform")
	}
	for _, name := range []string{os.Getenv("QD_CXX"), "clang++", "clang++-14", "clang++-18", "g++", "c++"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	testenv.Missing(t, errors.New("there is no C++ compiler"))
	return ""
}

var moduleFlags = []string{"-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno"}

// compile compiles a file of testdata.
func compile(t testing.TB, source, output string, flags ...string) {
	t.Helper()
	args := append(append(append([]string{}, moduleFlags...), flags...), filepath.Join("testdata", source), "-o", output)
	if out, err := exec.Command(compiler(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// module compiles and loads a file of testdata.
func module(t testing.TB, source string, printed printf.Handler) *Module {
	t.Helper()
	path := filepath.Join(t.TempDir(), source+".so")
	compile(t, source, path, "-shared", "-fPIC")
	m, err := Load(path, printed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func kernel(t testing.TB, m *Module, symbol string) *Kernel {
	t.Helper()
	k, err := m.Kernel(symbol)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// args builds an argument struct.
type args struct{ buf []byte }

func newArgs(dim ...int) *args {
	a := &args{}
	for axis := range 4 {
		n := 1
		if axis < len(dim) {
			n = dim[axis]
		}
		a.int(n)
	}
	return a
}

func (a *args) int(v int) *args {
	a.buf = binary.NativeEndian.AppendUint64(a.buf, uint64(v))
	return a
}

// half appends four bytes and four of padding.
func (a *args) half(v uint32) *args {
	a.buf = binary.NativeEndian.AppendUint32(a.buf, v)
	a.buf = binary.NativeEndian.AppendUint32(a.buf, 0)
	return a
}

// slice appends a view of a slice and keeps the slice alive: a launch knows its arguments as
// numbers alone, which keep nothing.
func slice[T any](a *args, s []T) *args {
	at := dl.Address(s)
	alive.Store(at, s)
	return a.int(int(at)).int(len(s))
}

// alive holds the slices that launches were given, by their addresses.
var alive sync.Map
