// Package fakenvrtc is an NVRTC for tests on machines without a GPU. Its cubins are shared
// libraries for the host, compiled from the CUDA code behind the host shim; the driver of package
// fakecuda runs them. So a program takes all steps of a launch on "cuda:0", with the same code, the
// same bindings, and the same marshalling. Only the hardware is missing.
//
// The library is written in C, because it is loaded like NVRTC. It passes each source to a process
// that compiles it: the test binary itself, whose TestMain calls [Main] first. [Env] returns the
// environment for a process that uses both fakes.
package fakenvrtc

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/fakecuda"
	"github.com/qdgen/qd/internal/hostshim"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
)

//go:embed c/fakenvrtc.c
var source []byte

// Env builds both fakes and gives the environment variables, on top of the
// process's own, for a process in which they are the CUDA driver and NVRTC.
func Env(t *testing.T) []string {
	t.Helper()
	compiler, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	dir := t.TempDir()
	lib := filepath.Join(dir, "libnvrtc.so.12")
	made, err := testcache.Value(func() ([]byte, error) { return library(compiler, dir) }, append([]string{"fake NVRTC", compiler.Identity(), string(source)}, flags...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lib, made, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(),
		"QD_NVRTC="+lib, "QD_FAKENVRTC_HELPER="+self,
		rejected+"="+filepath.Join(dir, "rejected"),
		"QD_CUDA_DRIVER="+fakecuda.Build(t).Path,
		"QD_CACHE="+filepath.Join(dir, "cache"))
}

var flags = []string{"-x", "c", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-fvisibility=hidden"}

// library compiles the library, in a directory for what that takes.
func library(compiler *clang.Compiler, dir string) ([]byte, error) {
	file, lib := filepath.Join(dir, "fakenvrtc.c"), filepath.Join(dir, "fakenvrtc.so")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return nil, err
	}
	if out, err := exec.Command(compiler.Path, append(slices.Clip(flags), "-o", lib, file)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return os.ReadFile(lib)
}

// rejected is the environment variable that names the file with what [Reject] was given.
const rejected = "QD_FAKENVRTC_REJECTED"

// Reject has the compiler of the process, which [Env] was for, refuse all sources with a text, until accept is called
// or the test ends.
func Reject(t *testing.T, text string) (accept func()) {
	t.Helper()
	file := os.Getenv(rejected)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	accept = func() { _ = os.Remove(file) }
	t.Cleanup(accept)
	return accept
}

// Main does the compiling and ends the process, if the process was started for it: it compiles in the directories that
// its standard input names, until that ends.
func Main() {
	if len(os.Args) != 2 || os.Args[1] != "fakenvrtc" {
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer := "+"
		if err := compile(lines.Text()); err != nil {
			_ = os.WriteFile(filepath.Join(lines.Text(), "log"), []byte(messages(err)), 0o600)
			answer = "-"
		}
		if _, err := os.Stdout.WriteString(answer); err != nil {
			os.Exit(1)
		}
	}
	os.Exit(0)
}

var entry = regexp.MustCompile(`extern "C" __global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(`)

// compile makes a shared library of the file of CUDA in a directory.
func compile(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "in.cu"))
	if err != nil {
		return err
	}
	if part, err := os.ReadFile(os.Getenv(rejected)); err == nil && bytes.Contains(text, part) {
		return fmt.Errorf("rejected: there is %q in it", part)
	}
	var kernels []string
	for _, m := range entry.FindAllStringSubmatch(string(text), -1) {
		kernels = append(kernels, m[1])
	}
	compiler, err := quickCompiler()
	if err != nil {
		return err
	}
	wrapped := hostshim.Wrap(string(text), kernels...)
	so, err := testcache.Value(func() ([]byte, error) {
		return compiler.Shared(context.Background(), wrapped, "")
	}, "fakenvrtc", compiler.Identity(), wrapped)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "out.so"), so, 0o600)
}

// quickCompiler is the C++ compiler without the optimizations that take most of its time:
// what runs on the host is the meaning of the text, in code that nobody ships.
var quickCompiler = sync.OnceValues(func() (*clang.Compiler, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	named := cmp.Or(os.Getenv("QD_CXX"), compiler.Path)
	if err := os.Setenv("QD_CXX", named+" -O1"); err != nil {
		return nil, err
	}
	return clang.Find()
})

// messages writes the compiler's messages as NVRTC writes its own.
func messages(err error) string {
	var ce *clang.CompileError
	if !errors.As(err, &ce) {
		return err.Error()
	}
	var s string
	for _, m := range ce.Messages {
		s += fmt.Sprintf("%s(%d): %s: %s\n", m.File, m.Line, m.Severity, m.Text)
	}
	return s
}
