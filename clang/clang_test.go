package clang

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/testenv"
)

// saxpy is a module as qdgen emits it: no header, C types only.
const saxpy = `
using int64 = long long;
using float32 = float;
struct saxpy_args {
	int64 dim[4];
	float32 a;
	struct { float32* data; int64 len; } x, y;
};
extern "C" void saxpy(const saxpy_args* args, int64 begin, int64 end) {
#pragma clang loop vectorize(assume_safety)
	for (int64 i = begin; i < end; i++) args->y.data[i] += args->a * args->x.data[i];
}
`

// sines needs the mathematics library.
const sines = `
extern "C" double sin(double);
extern "C" void sines(double* x, long n) { for (long i = 0; i < n; i++) x[i] = sin(x[i]); }
`

// compilers returns every real compiler of the machine, by kind.
func compilers(t testing.TB) map[string]*Compiler {
	t.Helper()
	t.Setenv("QD_CXX", "")
	found := map[string]*Compiler{}
	if c, err := Find(); err == nil {
		found[c.Kind()] = c
	}
	if _, err := lookPath("g++"); err == nil {
		t.Setenv("QD_CXX", "g++")
		c, err := Find()
		if err != nil {
			t.Fatal(err)
		}
		found[GCC] = c
	}
	if found[Clang] == nil {
		err := errors.New("this machine has no clang; run make setup")
		if len(found) == 0 || os.Getenv("QD_TEST_REQUIRE") != "" {
			testenv.Missing(t, err)
		}
	}
	return found
}

// load writes a module to disk, opens it and returns the address of a function.
func load(t testing.TB, so []byte, name string) uintptr {
	t.Helper()
	path := filepath.Join(t.TempDir(), "module.so")
	if err := os.WriteFile(path, so, 0o700); err != nil {
		t.Fatal(err)
	}
	lib, err := dl.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	fn, err := lib.Symbol(name)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

func TestShared(t *testing.T) {
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			so, err := c.Shared(context.Background(), saxpy, dir)
			if err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != 0 {
				t.Errorf("left behind: %v (%v)", left, err)
			}
			x, y := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40}
			args := struct {
				dim  [4]int64
				a    float32
				x    *float32
				xLen int64
				y    *float32
				yLen int64
			}{[4]int64{4, 1, 1, 1}, 2, &x[0], 4, &y[0], 4}
			dl.Call(load(t, so, "saxpy"), uintptr(unsafe.Pointer(&args)), 1, 4)
			if want := []float32{10, 24, 36, 48}; !slices.Equal(y, want) {
				t.Errorf("y = %v, want %v", y, want)
			}
		})
	}
}

func TestSharedWithMathLibrary(t *testing.T) {
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			so, err := c.Shared(context.Background(), sines, "")
			if err != nil {
				t.Fatal(err)
			}
			x := []float64{0, 1}
			dl.Call(load(t, so, "sines"), uintptr(unsafe.Pointer(&x[0])), 2)
			if x[0] != 0 || x[1] < 0.8414 || x[1] > 0.8415 {
				t.Errorf("sines gave %v", x)
			}
		})
	}
}

// What the linker cannot resolve by itself, the driver does: 128-bit division is
// in the compiler's own library.
func TestSharedWithCompilerLibrary(t *testing.T) {
	const src = `extern "C" unsigned long div(unsigned long hi, unsigned long lo, unsigned long d) {
		return (unsigned long)((((unsigned __int128)hi << 64) | lo) / d);
	}`
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			so, err := c.Shared(context.Background(), src, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := dl.Call(load(t, so, "div"), 1, 0, 3); got != (1<<64-1)/3 {
				t.Errorf("2^64/3 = %d", got)
			}
		})
	}
}

// Go's arithmetic, where C++ compilers are tempted to do otherwise.
func TestFlagsKeepArithmetic(t *testing.T) {
	const src = `
	extern "C" long wraps(long x) { return x + 1 < x; }
	extern "C" long zero(double* x) { x[0] = (double)(long)x[0]; return 0; }
	extern "C" long contract(double* x) { x[3] = x[0] * x[1] + x[2]; return 0; }
	extern "C" long add(float* p, unsigned* q) { *p = 1; *q += 1u << 23; return *p == 2; }
	`
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			so, err := c.Shared(context.Background(), src, "")
			if err != nil {
				t.Fatal(err)
			}
			if dl.Call(load(t, so, "wraps"), 1<<63-1) != 1 {
				t.Error("a signed overflow does not wrap")
			}
			x := []float64{-0.5}
			dl.Call(load(t, so, "zero"), uintptr(unsafe.Pointer(&x[0])))
			if 1/x[0] < 0 {
				t.Error("float64(int64(-0.5)) is -0")
			}
			const e = 1.0 / (1 << 30)
			a, b, s := 1+e, 1-e, -1.0
			y := []float64{a, b, s, 9}
			dl.Call(load(t, so, "contract"), uintptr(unsafe.Pointer(&y[0])))
			if want := float64(a*b) + s; y[3] != want {
				t.Errorf("x*y+z = %g, want %g: it was contracted", y[3], want)
			}
			f := float32(0)
			if dl.Call(load(t, so, "add"), uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&f))) != 1 {
				t.Error("a float changed through its bits is not seen")
			}
		})
	}
}

func TestDeterministic(t *testing.T) {
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			a, err := c.Shared(context.Background(), saxpy, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			b, err := c.Shared(context.Background(), saxpy, "")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a, b) {
				t.Error("two builds of a source differ")
			}
		})
	}
}

func TestErrorsInSource(t *testing.T) {
	const src = "extern \"C\" int f() {\n return undeclared1;\n}\n#line 40 \"kernels/saxpy.go\"\nextern \"C\" int g() { return undeclared2; }\n"
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			_, err := c.Shared(context.Background(), src, "")
			var ce *CompileError
			if !errors.As(err, &ce) {
				t.Fatalf("error is %T %v", err, err)
			}
			var got []Message
			for _, m := range ce.Messages {
				if m.Severity == "error" {
					got = append(got, m)
				}
			}
			if len(got) != 2 {
				t.Fatalf("%d errors, want 2, in\n%s", len(got), ce.Log)
			}
			if m := got[0]; m.File != SourceName || m.Line != 2 || m.Col != 9 || !strings.Contains(m.Text, "undeclared1") {
				t.Errorf("first error: %+v", m)
			}
			if m := got[1]; m.File != "kernels/saxpy.go" || m.Line != 40 || !strings.Contains(m.Text, "undeclared2") {
				t.Errorf("second error: %+v", m)
			}
			if ce.Compiler != c.Path || !strings.Contains(ce.Command, "-ffp-contract=off") {
				t.Errorf("compiler %q, command %q", ce.Compiler, ce.Command)
			}
			if text := err.Error(); !strings.Contains(text, "kernel.cpp:2:9: error:") || !strings.Contains(text, "1 more error") {
				t.Errorf("Error() = %s", text)
			}
		})
	}
}

func TestUndefinedFunction(t *testing.T) {
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			_, err := c.Shared(context.Background(), `extern "C" void nowhere(); extern "C" void f() { nowhere(); }`, "")
			if err == nil || !strings.Contains(err.Error(), "nowhere") {
				t.Errorf("error: %v", err)
			}
		})
	}
}

func TestText(t *testing.T) {
	for kind, c := range compilers(t) {
		t.Run(kind, func(t *testing.T) {
			asm, err := c.Text(context.Background(), "asm", saxpy)
			if err != nil || !strings.Contains(asm, "saxpy:") {
				t.Errorf("asm: %v\n%s", err, asm)
			}
			ll, err := c.Text(context.Background(), "ll", saxpy)
			if kind == GCC {
				if err == nil || !strings.Contains(err.Error(), "clang") {
					t.Errorf("gcc's LLVM IR: %v", err)
				}
			} else if err != nil || !strings.Contains(ll, "define") || !strings.Contains(ll, "@saxpy(") {
				t.Errorf("ll: %v\n%s", err, ll)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	for kind, c := range compilers(t) {
		v, err := c.Version()
		if err != nil || kindOf(v) != kind && kind != GCC {
			t.Errorf("%s: version %q, %v", kind, v, err)
		}
		if kind == GCC && !strings.Contains(v, "g++") {
			t.Errorf("%s: version %q", kind, v)
		}
	}
}

func TestArch(t *testing.T) {
	for _, c := range compilers(t) {
		if runtime.GOARCH == "amd64" && !strings.HasPrefix(c.Arch(), "x86-64") {
			t.Errorf("Arch() = %q", c.Arch())
		}
		if !slices.ContainsFunc(c.Flags(), func(f string) bool { return strings.HasSuffix(f, "="+c.Arch()) }) {
			t.Errorf("%s is not among the flags %q", c.Arch(), c.Flags())
		}
	}
}

func TestCancel(t *testing.T) {
	// The child has a pipe open as long as it lives.
	pipe := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v\n%s", err, out)
	}
	started, gone := make(chan bool), make(chan bool)
	go func() {
		f, err := os.Open(pipe) // waits for the child
		close(started)
		if err == nil {
			_, err = io.Copy(io.Discard, f)
		}
		if err != nil {
			t.Error(err)
		}
		close(gone)
	}()
	c := fake(t, "sleep 1000 > '"+pipe+"' & sleep 1000")
	for timeout := 100 * time.Millisecond; ; timeout *= 2 {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		_, err := c.Shared(ctx, saxpy, "")
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error: %v", err)
		}
		select {
		case <-started:
		default:
			continue // the machine is busy
		}
		break
	}
	select {
	case <-gone:
	case <-time.After(5 * time.Minute):
		t.Error("what the compiler has started has survived it")
	}
}

func TestCanceledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fake(t, "exit 0").Shared(ctx, saxpy, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
}

func TestTimeout(t *testing.T) {
	c := fake(t, "sleep 60")
	c.Timeout = 50 * time.Millisecond
	_, err := c.Shared(context.Background(), saxpy, "")
	if err == nil || !strings.Contains(err.Error(), "took too long") {
		t.Errorf("error: %v", err)
	}
}

func BenchmarkShared(b *testing.B) {
	for kind, c := range compilers(b) {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Shared(context.Background(), saxpy, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The time that Shared is measured against: the compiler doing all by itself.
func BenchmarkDriver(b *testing.B) {
	for kind, c := range compilers(b) {
		b.Run(kind, func(b *testing.B) {
			dir := b.TempDir()
			if err := os.WriteFile(filepath.Join(dir, SourceName), []byte(saxpy), 0o600); err != nil {
				b.Fatal(err)
			}
			command := c.command(append(c.Flags(), "-shared", SourceName, "-o", moduleName)...)
			for b.Loop() {
				if _, err := c.run(context.Background(), dir, command); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	b.Setenv("QD_CXX", "")
	for b.Loop() {
		if _, err := Find(); err != nil {
			b.Skip(err)
		}
	}
}
