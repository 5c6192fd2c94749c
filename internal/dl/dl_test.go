//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64) && !qdgo

package dl

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// libc is a library that every machine has.
func libc(t testing.TB) *Lib {
	t.Helper()
	name := "libc.so.6"
	if runtime.GOOS == "darwin" {
		name = "/usr/lib/libSystem.B.dylib"
	}
	l, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func symbol(t testing.TB, l *Lib, name string) uintptr {
	t.Helper()
	addr, err := l.Symbol(name)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func TestCall(t *testing.T) {
	l := libc(t)
	if got := int32(Call(symbol(t, l, "abs"), ^uintptr(41))); got != 42 {
		t.Errorf("abs(-42) = %d", got)
	}
	text := append([]byte(strings.Repeat("x", 1000)), 0)
	if got := Call(symbol(t, l, "strlen"), uintptr(unsafe.Pointer(&text[0]))); got != 1000 {
		t.Errorf("strlen = %d, want 1000", got)
	}
}

// More arguments than registers, and a result through memory.
func TestCallStackArguments(t *testing.T) {
	l := libc(t)
	out := make([]byte, 64)
	format := []byte("%ld %ld %ld %ld %ld %ld %ld %ld\x00")
	if runtime.GOOS == "darwin" && runtime.GOARCH == "arm64" {
		t.Skip("variadic C functions take their arguments differently here")
	}
	n := Call(symbol(t, l, "snprintf"), uintptr(unsafe.Pointer(&out[0])), uintptr(len(out)),
		uintptr(unsafe.Pointer(&format[0])), 1, 2, 3, 4, 5, 6, 7, 8)
	if got := string(out[:n]); got != "1 2 3 4 5 6 7 8" {
		t.Errorf("snprintf wrote %q", got)
	}
}

func TestBind(t *testing.T) {
	l := libc(t)
	var strtol func(s string, end *uintptr, base int32) int64
	if err := l.Bind(&strtol, "strtol"); err != nil {
		t.Fatal(err)
	}
	if got := strtol("-0x7f", nil, 16); got != -0x7f {
		t.Errorf("strtol = %d", got)
	}
	if err := l.Bind(&strtol, "no_such_function"); err == nil {
		t.Error("binding a missing symbol did not fail")
	}
}

func TestOpenMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libmissing.so")
	_, err := Open(path)
	var oe *OpenError
	if !errors.As(err, &oe) {
		t.Fatalf("error is %T %v, want *OpenError", err, err)
	}
	if oe.Path != path || !strings.Contains(err.Error(), "o such file") {
		t.Errorf("the dynamic linker's text is lost: %v", err)
	}
	if strings.Count(err.Error(), path) != 1 && runtime.GOOS == "linux" {
		t.Errorf("the path is not named once: %v", err)
	}
}

func TestOpenGarbage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libgarbage.so")
	if err := os.WriteFile(path, []byte("this is no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path)
	if err == nil {
		t.Fatal("opening a text file did not fail")
	}
	var oe *OpenError
	if !errors.As(err, &oe) || oe.Reason == "" {
		t.Errorf("error is %#v, want an *OpenError with a reason", err)
	}
}

func TestSymbolMissing(t *testing.T) {
	l := libc(t)
	_, err := l.Symbol("no_such_symbol")
	var se *SymbolError
	if !errors.As(err, &se) {
		t.Fatalf("error is %T %v, want *SymbolError", err, err)
	}
	if !strings.Contains(err.Error(), "no_such_symbol") || !strings.Contains(err.Error(), l.Path()) {
		t.Errorf("the error names not both: %v", err)
	}
}

func TestClosed(t *testing.T) {
	l := libc(t)
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Symbol("abs"); err == nil {
		t.Error("a closed library gave a symbol")
	}
}

// The dynamic linker's error text is kept per OS thread: with many failing at
// once each must get its own.
func TestOpenErrorsOfManyGoroutines(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			name := "lib" + strings.Repeat("x", i+1) + ".so"
			_, err := Open(filepath.Join(dir, name))
			if err == nil || !strings.Contains(err.(*OpenError).Reason, "/"+name) {
				t.Errorf("opening %s: %v", name, err)
			}
		})
	}
	wg.Wait()
}

// Call3 passes three numbers, which lie on the stack of a goroutine here, and allocates nothing.
func TestCall3(t *testing.T) {
	fn := symbol(t, libc(t), "memset")
	run := func(bytes []byte) {
		clear(bytes)
		Call3(&Direct{fn, uintptr(unsafe.Pointer(&bytes[1])), 7, 7})
		for i, b := range bytes {
			if want := byte(7); (b == want) != (i > 0 && i < 8) {
				t.Errorf("byte %d is %d", i, b)
			}
		}
	}
	memory := make([][9]byte, 33) // on the heap, where it keeps its place
	if n := testing.AllocsPerRun(1000, func() { run(memory[32][:]) }); n >= 1 {
		t.Errorf("a call allocates %v times", n)
	}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for range 1000 {
				run(memory[i][:])
			}
		})
	}
	wg.Wait()
}

func TestCallAllocatesNothing(t *testing.T) {
	fn := symbol(t, libc(t), "abs")
	args := make([]uintptr, 1, 4)
	args[0] = 7
	if n := testing.AllocsPerRun(1000, func() { Call(fn, args...) }); n >= 1 {
		t.Errorf("a call allocates %v times", n)
	}
}

func BenchmarkCall(b *testing.B) {
	fn := symbol(b, libc(b), "abs")
	args := []uintptr{7, 0, 0}
	b.ReportAllocs()
	for b.Loop() {
		Call(fn, args...)
	}
}

func BenchmarkCall3(b *testing.B) {
	args := Direct{symbol(b, libc(b), "abs"), 7}
	b.ReportAllocs()
	for b.Loop() {
		Call3(&args)
	}
}

func BenchmarkBind(b *testing.B) {
	var abs func(int32) int32
	if err := libc(b).Bind(&abs, "abs"); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		abs(7)
	}
}
