package hostshim_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/hostshim"
	"github.com/qdgen/qd/internal/testenv"
)

// A text with all that CUDA predefines in it.
const text = `
struct k_args { double* out; long long n; unsigned* count; };
__device__ double inverse(double x) { return ::erfinv(x); }
extern "C" __global__ void k(const k_args args) {
    const long long flat = (long long)(blockIdx.x) * blockDim.x + threadIdx.x;
    if (flat >= args.n) return;
    args.out[flat] = inverse(args.out[flat]);
    atomicAdd(args.count, 1u);
    atomicMax(args.count + 1, gridDim.x);
}
`

// symbol compiles a text and gives its k_host.
func symbol(t *testing.T, text string) uintptr {
	t.Helper()
	testenv.Setup()
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	dir := t.TempDir()
	src, so := filepath.Join(dir, "k.cpp"), filepath.Join(dir, "k.so")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(c.Path, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", so, src, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lib, err := dl.Open(so)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	fn, err := lib.Symbol("k_host")
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

func TestWrap(t *testing.T) {
	fn := symbol(t, hostshim.Wrap(text, "k"))
	in := []float64{0, 0.1, -0.3, 0.5, 0.85, -0.9, 0.999, 1 - 1e-9, -1 + 1e-15, 1 - 0x1p-53, 1, -1, 1.5, math.NaN()}
	out := append([]float64{}, in...)
	count := [2]uint32{}
	args := struct {
		out   *float64
		n     int64
		count *uint32
	}{&out[0], int64(len(out)), &count[0]}
	dl.Call(fn, uintptr(unsafe.Pointer(&args)), 5, 4)
	for i, x := range in {
		want := math.Erfinv(x)
		if got := out[i]; got != want && !(math.Abs(got-want) <= 1e-14*math.Abs(want)) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("erfinv(%v) = %v, want %v", x, got, want)
		}
	}
	if count != [2]uint32{uint32(len(in)), 5} {
		t.Errorf("counted %v threads and blocks", count)
	}
}

// A text with a barrier, and threads that end before it.
const waiting = `
struct k_args { int* x; };
extern "C" __global__ void k(const k_args args) {
    __shared__ int s[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 3) return;
    s[threadIdx.x] = args.x[i];
    __syncthreads();
    const int all = __syncthreads_and(args.x[i] > 2), some = __syncthreads_or(args.x[i] > 13);
    args.x[i] = s[7 - threadIdx.x] + 100 * all + 1000 * some;
}
`

func TestBarriers(t *testing.T) {
	fn := symbol(t, hostshim.Wrap(waiting, "k"))
	var x [16]int32
	for i := range x {
		x[i] = int32(i)
	}
	args := struct{ x *int32 }{&x[0]}
	dl.Call(fn, uintptr(unsafe.Pointer(&args)), 2, 8)
	want := [16]int32{7, 6, 5, 3, 0, 2, 1, 0, 1115, 1114, 1113, 11, 1100, 1110, 1109, 1108}
	if x != want {
		t.Errorf("%v, want %v", x, want)
	}
}

// A text whose threads need more stack than they have, and one whose threads wait for each other at different places.
const (
	deep = `
struct k_args { int* x; };
extern "C" __global__ void k(const k_args args) {
    volatile char large[80000];
    for (int i = 0; i < 80000; i++) large[i] = threadIdx.x;
    __syncthreads();
    args.x[threadIdx.x] = large[7];
}
`
	apart = `
struct k_args { int* x; };
extern "C" __global__ void k(const k_args args) {
    if (threadIdx.x == 1) __syncwarp();
    else __syncthreads();
}
`
)

// What a program may not do ends it with a message, also where nobody reads from a terminal.
func TestAborts(t *testing.T) {
	const which = "QD_HOSTSHIM_ABORTS"
	texts := map[string]string{
		"a thread needs more than 65536 bytes of stack":                  deep,
		"the threads of a block wait for each other at different places": apart,
	}
	if message := os.Getenv(which); message != "" {
		fn := symbol(t, hostshim.Wrap(texts[message], "k"))
		var x [2]int32
		args := struct{ x *int32 }{&x[0]}
		dl.Call(fn, uintptr(unsafe.Pointer(&args)), 1, 2)
		return
	}
	for message := range texts {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAborts$")
		cmd.Env = append(os.Environ(), which+"="+message)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), message) {
			t.Errorf("%v, want an end with %q\n%s", err, message, out)
		}
	}
}
