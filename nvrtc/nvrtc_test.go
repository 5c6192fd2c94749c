package nvrtc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

// saxpy is a module as qdgen emits it: no header, C types only.
const saxpy = `
typedef long long int64;
typedef float float32;
struct saxpy_args {
	int64 dim[4];
	float32 a;
	struct { float32* data; int64 len; } x, y;
};
extern "C" __global__ void saxpy(const saxpy_args args) {
	int64 i = (int64)blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= args.dim[0]) return;
	args.y.data[i] += args.a * args.x.data[i];
}
`

// library finds an NVRTC of a major version: among all that the machine has, or in
// the directory of .tools that `scripts/setup.sh --all` puts it in.
func library(t testing.TB, major int) *Library {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NVRTC is used on Linux only")
	}
	for _, dir := range []string{"", filepath.Join(os.Getenv("QD_TOOLS"), fmt.Sprintf("nvrtc-cu%d", major))} {
		t.Setenv("QD_NVRTC", dir)
		for _, c := range All() {
			if c.Err == nil && c.Major == major {
				l, err := newLibrary(c)
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
		}
	}
	err := fmt.Errorf("this machine has no NVRTC %d; run scripts/setup.sh --all", major)
	if major == 13 { // the one that setup installs
		testenv.Missing(t, err)
	}
	t.Skip(err)
	return nil
}

// forEach runs a test with every supported major version.
func forEach(t *testing.T, f func(t *testing.T, l *Library)) {
	for _, major := range []int{11, 12, 13} {
		t.Run(fmt.Sprintf("NVRTC %d", major), func(t *testing.T) { f(t, library(t, major)) })
	}
}

func TestCompile(t *testing.T) {
	forEach(t, func(t *testing.T, l *Library) {
		for _, arch := range []string{"sm_80", "sm_90", "sm_90a"} {
			if arch == "sm_90a" && l.String() < "NVRTC 12" {
				continue
			}
			r, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: arch})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(r.Cubin, []byte("\x7fELF")) {
				t.Errorf("%s: the cubin begins with %q", arch, r.Cubin[:min(8, len(r.Cubin))])
			}
			// Without its rounding spelled out, the driver may contract x*y+z itself.
			for _, want := range []string{".target " + arch, ".entry saxpy(", "mul.rn.f32", "add.rn.f32"} {
				if !bytes.Contains(r.PTX, []byte(want)) {
					t.Errorf("%s: no %q in the PTX\n%s", arch, want, r.PTX)
				}
			}
			if bytes.Contains(r.PTX, []byte("fma.rn")) {
				t.Errorf("%s: multiplication and addition were contracted", arch)
			}
			if bytes.IndexByte(r.PTX, 0) >= 0 {
				t.Errorf("%s: the PTX has a zero byte", arch)
			}
			if r.Log != "" {
				t.Errorf("%s: the log says %q", arch, r.Log)
			}
		}
	})
}

func TestCompileToPTX(t *testing.T) {
	forEach(t, func(t *testing.T, l *Library) {
		r, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: "compute_80", LineInfo: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Cubin != nil || !bytes.Contains(r.PTX, []byte(".target sm_80")) {
			t.Errorf("cubin of %d bytes, PTX\n%s", len(r.Cubin), r.PTX)
		}
		if !bytes.Contains(r.PTX, []byte("saxpy.cu")) || !bytes.Contains(r.PTX, []byte(".loc")) {
			t.Errorf("no line information in\n%s", r.PTX)
		}
	})
}

func TestDeterministic(t *testing.T) {
	forEach(t, func(t *testing.T, l *Library) {
		a, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: "sm_80"})
		if err != nil {
			t.Fatal(err)
		}
		b, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: "sm_80"})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.PTX, b.PTX) || !bytes.Equal(a.Cubin, b.Cubin) {
			t.Error("two compiles of a source differ")
		}
	})
}

// What emitted code may call is declared without an include, whatever options
// leave out.
func TestBuiltins(t *testing.T) {
	var b strings.Builder
	b.WriteString("extern \"C\" __global__ void f(double* d, float* f, int* i, long long* l, unsigned long long* u) {\n")
	for _, name := range strings.Fields("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt floor ceil trunc round rint fabs erf erfc erfinv tgamma lgamma j0 j1 y0 y1 logb") {
		fmt.Fprintf(&b, "\td[0] += %s(d[1]); f[0] += %sf(f[1]);\n", name, name)
	}
	for _, name := range strings.Fields("pow fmod remainder atan2 hypot copysign fmax fmin fdim nextafter") {
		fmt.Fprintf(&b, "\td[0] += %s(d[1], d[2]); f[0] += %sf(f[1], f[2]);\n", name, name)
	}
	b.WriteString(`	d[0] += fma(d[1], d[2], d[3]) + ldexp(d[1], i[1]) + frexp(d[1], i) + modf(d[1], d) + jn(i[1], d[1]);
	f[0] += fmaf(f[1], f[2], f[3]) + __int_as_float(i[1]) + __fmul_rn(f[1], f[2]);
	d[0] += __longlong_as_double(l[1]); l[0] += __double_as_longlong(d[1]); i[0] += __float_as_int(f[1]);
	i[0] += __popc(i[1]) + __clz(i[1]) + __ffs(i[1]) + __popcll(u[1]) + __clzll(l[1]); u[0] += __brevll(u[1]) + __umul64hi(u[1], u[2]);
	atomicAdd(i, 1); atomicAdd(f, 1.0f); atomicAdd(d, 1.0); atomicAdd(u, 1ull); atomicMin(l, l[1]); atomicMax(u, u[1]);
	atomicAnd(i, 1); atomicOr(i, 1); atomicXor(i, 1); atomicExch(i, 1); atomicCAS(i, 1, 2); atomicCAS(u, 1ull, 2ull);
	__syncthreads();
}
`)
	forEach(t, func(t *testing.T, l *Library) {
		if _, err := l.Compile(b.String(), "f.cu", Options{Arch: "compute_80"}); err != nil {
			t.Errorf("%v\n%s", err, b.String())
		}
	})
}

func TestEveryArch(t *testing.T) {
	l := library(t, 13)
	archs := l.Archs()
	if len(archs) == 0 || !slices.IsSorted(archs) {
		t.Fatalf("Archs() = %v", archs)
	}
	for _, a := range archs {
		if _, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: fmt.Sprintf("sm_%d", a)}); err != nil {
			t.Error(err)
		}
	}
}

func TestVersion(t *testing.T) {
	forEach(t, func(t *testing.T, l *Library) {
		byName, byMinor := l.major, l.minor
		major, minor := l.Version()
		if major != byName || minor != byMinor {
			t.Errorf("the library says %d.%d, its file names %d.%d", major, minor, byName, byMinor)
		}
		if !slices.Contains(l.Archs(), 80) {
			t.Errorf("Archs() = %v, without 80", l.Archs())
		}
	})
}

func TestErrorsInSource(t *testing.T) {
	const src = "extern \"C\" __global__ void f(int* p) {\n  p[0] = undeclared1;\n}\n#line 40 \"kernels/saxpy.go\"\n\t__device__ int g() { return undeclared2; }\n"
	forEach(t, func(t *testing.T, l *Library) {
		_, err := l.Compile(src, "f.cu", Options{Arch: "sm_80"})
		var ce *CompileError
		if !errors.As(err, &ce) {
			t.Fatalf("error is %T %v", err, err)
		}
		if len(ce.Messages) != 2 {
			t.Fatalf("%d messages, want 2, in\n%s", len(ce.Messages), ce.Log)
		}
		carets := strings.Contains(ce.Log, "^")
		m := ce.Messages[0]
		if m.File != "f.cu" || m.Line != 2 || m.Severity != "error" || !strings.Contains(m.Text, "undeclared1") || carets && m.Col != 10 {
			t.Errorf("first error: %+v", m)
		}
		m = ce.Messages[1]
		if m.File != "kernels/saxpy.go" || m.Line != 40 || !strings.Contains(m.Text, "undeclared2") || carets && m.Col != 30 {
			t.Errorf("second error: %+v", m)
		}
		if text := err.Error(); !strings.Contains(text, "f.cu:2:") || !strings.Contains(text, "1 more error") || !strings.Contains(text, "NVRTC") {
			t.Errorf("Error() = %s", text)
		}
	})
}

func TestErrorsAfterTheFrontEnd(t *testing.T) {
	for want, src := range map[string]string{
		"too much shared data": `extern "C" __global__ void f(int* p) { __shared__ int x[100000]; x[p[0]] = 1; __syncthreads(); p[1] = x[p[2]]; }`,
		"Unresolved extern":    `extern "C" __device__ void g(); extern "C" __global__ void f() { g(); }`,
		"nope.h":               "#include <nope.h>\n",
	} {
		forEach(t, func(t *testing.T, l *Library) {
			_, err := l.Compile(src, "f.cu", Options{Arch: "sm_80"})
			var ce *CompileError
			if !errors.As(err, &ce) || !strings.Contains(err.Error(), want) || len(ce.Messages) == 0 {
				t.Errorf("error is %T %v", err, err)
			}
		})
	}
}

func TestArchErrors(t *testing.T) {
	forEach(t, func(t *testing.T, l *Library) {
		for _, arch := range []string{"sm_10", "sm_999", "compute_1", "gfx90a", "sm_", "", "sm_80 -G", "sm_90b", "sm_90af"} {
			_, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: arch})
			var ae *ArchError
			if !errors.As(err, &ae) {
				t.Errorf("%q: error is %T %v", arch, err, err)
				continue
			}
			if ae.Arch != arch || !slices.Contains(ae.Supported, 80) || !strings.Contains(err.Error(), "sm_80") {
				t.Errorf("%q: %v", arch, err)
			}
		}
	})
}

// An architecture can be asked for before anything else: the library is loaded for it.
func TestCheckArchFirst(t *testing.T) {
	forEach(t, func(t *testing.T, l *Library) {
		fresh := &Library{Path: l.Path}
		if err := fresh.CheckArch("sm_12"); !errors.As(err, new(*ArchError)) {
			t.Errorf("sm_12: error is %T %v", err, err)
		}
		if err := fresh.CheckArch("sm_90"); err != nil {
			t.Errorf("sm_90: %v", err)
		}
	})
}

func TestTarget(t *testing.T) {
	l := library(t, 13)
	newest := slices.Max(l.Archs())
	for capability, want := range map[int]string{
		80:          "sm_80",
		90:          "sm_90",
		82:          "compute_80",
		newest + 50: fmt.Sprintf("compute_%d", newest),
	} {
		if got, err := l.Target(capability); got != want || err != nil {
			t.Errorf("Target(%d) = %s, %v, want %s", capability, got, err, want)
		}
	}
	_, err := l.Target(35)
	var ae *ArchError
	if !errors.As(err, &ae) || ae.Arch != "sm_35" {
		t.Errorf("Target(35): error is %T %v", err, err)
	}
}

func TestZeroBytes(t *testing.T) {
	l := library(t, 13)
	for _, args := range [][2]string{{saxpy + "\x00", "f.cu"}, {saxpy, "f\x00.cu"}} {
		if _, err := l.Compile(args[0], args[1], Options{Arch: "sm_80"}); err == nil || !strings.Contains(err.Error(), "zero byte") {
			t.Errorf("error: %v", err)
		}
	}
}

func TestConcurrent(t *testing.T) {
	l := library(t, 13)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := fmt.Sprintf("kernel%d", i)
			r, err := l.Compile(strings.ReplaceAll(saxpy, "saxpy", name), name+".cu", Options{Arch: "sm_80"})
			if err != nil || !bytes.Contains(r.PTX, []byte(".entry "+name+"(")) {
				t.Errorf("%s: %v", name, err)
			}
			_, err = l.Compile("error"+name, name+".cu", Options{Arch: "sm_80"})
			if err == nil || !strings.Contains(err.Error(), name+".cu:1") {
				t.Errorf("%s: error %v", name, err)
			}
		})
	}
	wg.Wait()
}

func BenchmarkCompile(b *testing.B) {
	for _, major := range []int{11, 12, 13} {
		for _, arch := range []string{"sm_90", "compute_90"} {
			b.Run(fmt.Sprintf("NVRTC %d/%s", major, arch), func(b *testing.B) {
				l := library(b, major)
				if err := l.Open(); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := l.Compile(saxpy, "saxpy.cu", Options{Arch: arch}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkFind(b *testing.B) {
	b.Setenv("QD_NVRTC", "")
	for b.Loop() {
		if _, err := Find(); err != nil {
			b.Skip(err)
		}
	}
}
