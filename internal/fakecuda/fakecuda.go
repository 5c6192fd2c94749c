package fakecuda

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
)

//go:embed c/*.c c/*.h
var source embed.FS

// A Driver is a fake driver of its own: other tests do not see what is configured
// here.
type Driver struct {
	Path string // of the library

	configure func(spec string) int32
	live      func() int32
	calls     func(name string) int32
}

// compiled is the library, which a compiler makes once.
var compiled = sync.OnceValues(func() ([]byte, error) {
	cc, err := compiler()
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(cc)
	if err != nil {
		return nil, err
	}
	inputs := append([]string{"fake CUDA driver", cc, fmt.Sprint(info.Size(), info.ModTime().UnixNano())}, flags...)
	err = fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := source.ReadFile(name)
		inputs = append(inputs, name, string(text))
		return err
	})
	if err != nil {
		return nil, err
	}
	return testcache.Value(func() ([]byte, error) { return compile(cc) }, inputs...)
})

var flags = []string{"-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread"}

func compile(cc string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "fakecuda")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, source); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "c", "*.c"))
	if err != nil {
		return nil, err
	}
	lib := filepath.Join(dir, "libcuda.so.1")
	cmd := exec.Command(cc, append(slices.Concat(flags, []string{"-o", lib}, files), "-ldl")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v\n%s", err, out)
	}
	return os.ReadFile(lib)
}

// compiler finds a C compiler.
func compiler() (string, error) {
	for _, name := range []string{os.Getenv("CC"), "clang", "clang-14", "gcc", "cc"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no C compiler for the fake CUDA driver")
}

// Build makes a fake driver. Where there cannot be one the test is skipped.
func Build(tb testing.TB) *Driver {
	tb.Helper()
	if runtime.GOOS != "linux" {
		tb.Skip("the fake CUDA driver is for Linux")
	}
	if _, err := compiler(); err != nil {
		testenv.Missing(tb, err)
	}
	lib, err := compiled()
	if err != nil {
		tb.Fatalf("compiling the fake CUDA driver: %v", err)
	}
	// Each copy is a library of its own to the dynamic linker, with its own state.
	d := &Driver{Path: filepath.Join(tb.TempDir(), "libcuda.so.1")}
	if err := os.WriteFile(d.Path, lib, 0o700); err != nil {
		tb.Fatal(err)
	}
	d.bind(tb)
	return d
}

// Opened is the fake driver that the environment variable QD_CUDA_DRIVER names, which the process uses.
func Opened(tb testing.TB) *Driver {
	tb.Helper()
	d := &Driver{Path: os.Getenv("QD_CUDA_DRIVER")}
	d.bind(tb)
	return d
}

// bind finds the functions of the library that are for tests.
func (d *Driver) bind(tb testing.TB) {
	tb.Helper()
	l, err := dl.Open(d.Path)
	if err != nil {
		tb.Fatal(err)
	}
	for _, err := range []error{
		l.Bind(&d.configure, "qdfake_configure"),
		l.Bind(&d.live, "qdfake_live"),
		l.Bind(&d.calls, "qdfake_calls"),
	} {
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// Configure changes the driver, by settings NAME=VALUE with commas between them:
//
//	devices=N          the number of GPUs (2)
//	version=N          as cuDriverGetVersion gives it (12040)
//	memory=BYTES       of each GPU (1 GiB)
//	max_threads=N      in a block (1024)
//	block_memory=N     bytes that a block can ask for (227 KiB)
//	eager=1            work begins when it is queued
//	fault=CODE         the next kernel that begins fails with this code, for good
//	cuFunction=CODE    every call of a function fails with this code, until CODE is 0
//	cuFunction=CODE@N  the Nth call from now fails
func (d *Driver) Configure(tb testing.TB, spec string) {
	tb.Helper()
	if d.configure(spec) != 0 {
		tb.Fatalf("the fake CUDA driver does not understand %q", spec)
	}
}

// Live is the number of allocations, streams, events and graphs that have not been given
// back.
func (d *Driver) Live() int { return int(d.live()) }

// Calls is how often a function of the driver has been called.
func (d *Driver) Calls(function string) int { return int(d.calls(function)) }
