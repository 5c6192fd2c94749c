package cuda

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/hostshim"
	"github.com/qdgen/qd/internal/printf"
)

// The grid covers the threads with whole blocks.
func TestGrid(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "kernels.cpp", nil), "shape")
	m := alloc(t, dev, 2)
	for _, c := range []struct {
		threads      int64
		block        int
		grid, block2 int64
	}{
		{1, 0, 1, 256},
		{256, 0, 1, 256},
		{257, 0, 2, 256},
		{1000, 32, 32, 32},
		{1024, 1024, 1, 1024},
		{math.MaxInt32 * 1024, 1024, math.MaxInt32, 1024},
	} {
		l, err := k.Launch(dev.Stream(), addArgs(m, 0), c.threads, c.block)
		ok(t, err)
		ok(t, l.Run())
		got := make([]int64, 2)
		ok(t, m.Read(bytesOf(got)))
		if got[0] != c.grid || got[1] != c.block2 {
			t.Errorf("%d threads in blocks of %d: grid %d, block %d", c.threads, c.block, got[0], got[1])
		}
	}
}

func TestLaunchErrors(t *testing.T) {
	f, dev := fake(t)
	other := device(t, dev.Driver(), 1)
	mod := load(t, dev, "kernels.cpp", nil)
	f.Configure(t, "max_threads=128")
	k := kernel(t, mod, "add")
	if a := k.Attributes(); a != (Attributes{Registers: 32, MaxThreads: 128}) {
		t.Errorf("attributes %+v", a)
	}
	for _, c := range []struct {
		stream  *Stream
		threads int64
		block   int
		want    string
	}{
		{dev.Stream(), -1, 0, "-1 threads"},
		{dev.Stream(), 1, 129, "1 to 128 threads, not 129: each takes 32 registers"},
		{dev.Stream(), 1, -1, "not -1"},
		{dev.Stream(), math.MaxInt32 + 1, 1, "2147483648 blocks"},
		{dev.Stream(), math.MaxInt64, 0, "at most 2147483647"},
		{other.Stream(), 1, 0, "GPU 0, but the stream is on GPU 1"},
	} {
		if _, err := k.Launch(c.stream, args(1), c.threads, c.block); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d threads in blocks of %d: error is %v, want one with %q", c.threads, c.block, err, c.want)
		}
	}
	// The usual block is made smaller for a kernel that needs much.
	l := launch(t, k, dev.Stream(), args(1), 1000)
	if l.call[4] != 128 || l.call[1] != 8 {
		t.Errorf("%d blocks of %d", l.call[1], l.call[4])
	}
	// No threads, no launch.
	ok(t, launch(t, k, dev.Stream(), nil, 0).Run())
	f.Configure(t, "cuLaunchKernel=701@1")
	err := launch(t, k, dev.Stream(), args(1), 1).Run()
	if !is(err, 701) || !strings.Contains(err.Error(), "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701): too many resources") {
		t.Errorf("error is %v", err)
	}
	ok(t, dev.Sync()) // that was no reason to give the device up
}

// Arguments are those at the time of the run.
func TestArgumentsAreCopied(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "kernels.cpp", nil), "add")
	m := alloc(t, dev, 3)
	ok(t, m.Write(bytesOf(filled(3, 0))))
	a := addArgs(m, 1)
	l := launch(t, k, dev.Stream(), a, 3)
	for value := range 4 {
		copy(a, addArgs(m, value))
		ok(t, l.Run())
	}
	got := make([]int64, 3)
	ok(t, m.Read(bytesOf(got)))
	if !slices.Equal(got, filled(3, 6)) {
		t.Errorf("got %v", got)
	}
}

// CUDA text as it is emitted, made host code, runs on the fake driver.
func TestHostShim(t *testing.T) {
	const text = `
struct scale_args {
    long long dim[4];
    struct { double* data; long long len; } y;
    double by;
};
extern "C" __global__ void scale(const scale_args args) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= args.dim[0]) return;
    args.y.data[i] = args.by * i;
}
`
	_, dev := fake(t)
	m, err := dev.Load(compile(t, []byte(hostshim.Wrap(text, "scale"))), nil)
	ok(t, err)
	const n = 1000
	y := alloc(t, dev, n)
	a := args(n, 1, 1, 1, int(y.Address()), n, int(math.Float64bits(0.5)))
	ok(t, launch(t, kernel(t, m, "scale"), dev.Stream(), a, n).Run())
	got := make([]int64, n)
	ok(t, y.Read(bytesOf(got)))
	for i, bits := range got {
		if v := math.Float64frombits(uint64(bits)); v != 0.5*float64(i) {
			t.Fatalf("element %d is %v", i, v)
		}
	}
}

// After an illegal address the device is lost, and everything says so and why.
func TestDeviceLost(t *testing.T) {
	for name, use := range map[string]func(t *testing.T, dev *Device, m *Memory) error{
		"write past the end": func(t *testing.T, dev *Device, m *Memory) error {
			ok(t, launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "past"), dev.Stream(), addArgs(m, 0), 1).Run())
			return dev.Sync()
		},
		"seen by a stream": func(t *testing.T, dev *Device, m *Memory) error {
			s := stream(t, dev)
			ok(t, launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "past"), s, addArgs(m, 0), 1).Run())
			return s.Sync(background)
		},
		"seen by a copy": func(t *testing.T, dev *Device, m *Memory) error {
			ok(t, launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "past"), dev.Stream(), addArgs(m, 0), 1).Run())
			return m.Read(make([]byte, 8))
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, dev := fake(t)
			m := alloc(t, dev, 4)
			err := use(t, dev, m)
			var e *Error
			if !errors.As(err, &e) || e.Code != ErrorIllegalAddress || !e.Lost {
				t.Fatalf("error is %v", err)
			}
			for _, part := range []string{"Synchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access", "cannot be used until the program is restarted"} {
				if !strings.Contains(e.Error(), part) {
					t.Errorf("%q is not in: %v", part, e)
				}
			}
			_, err = dev.Alloc(8)
			for what, got := range map[string]error{"alloc": err, "sync": dev.Sync(), "write": m.Write(make([]byte, 8)), "free": m.Free()} {
				if !errors.As(got, &e) || e.Code != ErrorIllegalAddress {
					t.Errorf("%s afterwards: %v", what, got)
				}
			}
			// Other GPUs go on.
			ok(t, alloc(t, device(t, dev.Driver(), 1), 1).Free())
		})
	}
}

func TestLaunchFailed(t *testing.T) {
	f, dev := fake(t)
	m := alloc(t, dev, 1)
	l := launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "add"), dev.Stream(), addArgs(m, 0), 1)
	f.Configure(t, "fault=719")
	ok(t, l.Run())
	var e *Error
	if err := dev.Stream().Sync(background); !errors.As(err, &e) || e.Code != 719 || !e.Lost {
		t.Errorf("error is %v", err)
	}
	if err := l.Run(); err == nil {
		t.Error("a lost device launched")
	}
}

func TestLoadErrors(t *testing.T) {
	f, dev := fake(t)
	_, err := dev.Load([]byte(".version 8.4\nnonsense"), nil)
	var e *Error
	if !errors.As(err, &e) || e.Name != "CUDA_ERROR_INVALID_PTX" || !strings.Contains(e.Error(), "fake driver: the image is not for the host: .version 8.4") {
		t.Errorf("the compiler's log is lost: %v", err)
	}
	f.Configure(t, "cuModuleLoadDataEx=222@1")
	if _, err := dev.Load([]byte(".version 9.9"), nil); err == nil || !strings.Contains(err.Error(), "which supports CUDA 12.4: update the driver") {
		t.Errorf("PTX that is too new: %v", err)
	}
	f.Configure(t, "cuModuleLoadDataEx=209@1")
	if _, err := dev.Load([]byte("\x7fELF"), nil); err == nil || !strings.Contains(err.Error(), "not for this GPU, which is sm_90") {
		t.Errorf("a cubin of another architecture: %v", err)
	}
	m := load(t, dev, "kernels.cpp", nil)
	if m.Log() != "fake driver: loaded" {
		t.Errorf("log is %q", m.Log())
	}
	if _, err := m.Kernel("absent"); !is(err, ErrorNotFound) || !strings.Contains(err.Error(), "no kernel absent") {
		t.Errorf("a kernel that is not there: %v", err)
	}
	f.Configure(t, "cuFuncGetAttribute=1@2")
	if _, err := m.Kernel("add"); !is(err, 1) {
		t.Errorf("attributes: %v", err)
	}
}

// printed collects what kernels print.
type printed struct{ strings.Builder }

func (p *printed) handler(t *testing.T) printf.Handler {
	formats := []printf.Format{{Text: "%d\n", Args: []printf.Arg{{Kind: "int64", GoType: "int"}}}}
	return func(r printf.Records) {
		if err := printf.Decode(p, r, formats); err != nil {
			t.Error(err)
		}
	}
}

// lines are the numbers that were printed since the last time.
func (p *printed) lines() string {
	s := strings.ReplaceAll(strings.TrimSpace(p.String()), "\n", " ")
	p.Reset()
	return s
}

func TestPrint(t *testing.T) {
	_, dev := fake(t)
	var out printed
	k := kernel(t, load(t, dev, "printing.cpp", out.handler(t)), "hello")
	a, b := stream(t, dev), stream(t, dev)
	run := func(s *Stream, n, value int) { ok(t, launch(t, k, s, args(n, 1, 1, 1, value), n).Run()) }

	run(a, 3, 10)
	if got := out.lines(); got != "" {
		t.Errorf("printed %q before it was waited for", got)
	}
	ok(t, a.Sync(background))
	if got := out.lines(); got != "10 11 12" {
		t.Errorf("printed %q", got)
	}
	ok(t, a.Sync(background))
	ok(t, dev.Sync())
	if got := out.lines(); got != "" {
		t.Errorf("printed %q again", got)
	}

	// Waiting for one stream prints, whole, what other streams printed too: there is
	// one buffer.
	run(a, 1, 20)
	run(b, 2, 30)
	ok(t, a.Sync(background))
	if got := out.lines(); got != "20 30 31" && got != "30 31 20" {
		t.Errorf("printed %q", got)
	}
	ok(t, b.Sync(background))
	if got := out.lines(); got != "" {
		t.Errorf("printed %q again", got)
	}

	run(b, 1, 40)
	run(dev.Stream(), 1, 41)
	ok(t, dev.Sync())
	if got := out.lines(); got != "40 41" && got != "41 40" {
		t.Errorf("printed %q", got)
	}
	run(b, 1, 50)
	ok(t, b.Close())
	if got := out.lines(); got != "50" {
		t.Errorf("closing the stream printed %q", got)
	}
}

func TestPrintTooMuch(t *testing.T) {
	_, dev := fake(t)
	var got []printf.Records
	k := kernel(t, load(t, dev, "printing.cpp", func(r printf.Records) { got = append(got, r) }), "hello")
	for _, n := range []int{printf.Capacity, 2} {
		ok(t, launch(t, k, dev.Stream(), args(n, 1, 1, 1, 0), n).Run())
		ok(t, dev.Sync())
	}
	if len(got) != 2 || got[0].Used != 2*printf.Capacity || got[1].Used != 4 || len(got[0].Words) != printf.Capacity {
		t.Fatalf("handled %d times", len(got))
	}
	// The buffer was emptied: the third record of the second launch is not the first's.
	var out strings.Builder
	formats := []printf.Format{{Text: "%d ", Args: []printf.Arg{{Kind: "int64", GoType: "int"}}}}
	ok(t, printf.Decode(&out, got[1], formats))
	if out.String() != "0 1 " {
		t.Errorf("printed %q", out.String())
	}
	var lost *printf.LostError
	if err := printf.Decode(&out, got[0], formats); !errors.As(err, &lost) || lost.Words != printf.Capacity {
		t.Errorf("error is %v", err)
	}
}

// A module that prints is loaded wholly or not at all, and its errors arrive.
func TestPrintErrors(t *testing.T) {
	f, dev := fake(t)
	image := hostImage(t, "printing.cpp")
	for _, spec := range []string{"cuModuleGetGlobal_v2=1@1", "cuMemAlloc_v2=2@1", "cuMemsetD8Async=1@1", "cuMemcpyHtoDAsync_v2=1@1"} {
		f.Configure(t, spec)
		if _, err := dev.Load(image, nil); err == nil {
			t.Errorf("%s: the error is lost", spec)
		}
	}
	if f.Live() != 1 {
		t.Errorf("%d objects are left", f.Live()-1)
	}
	k := kernel(t, load(t, dev, "printing.cpp", nil), "hello")
	l := launch(t, k, dev.Stream(), args(1, 1, 1, 1, 0), 1)
	for _, spec := range []string{"cuLaunchKernel=701@1", "cuMemcpyDtoHAsync_v2=1@1", "cuMemcpyDtoHAsync_v2=1@2", "cuCtxSynchronize=1@2", "cuMemsetD8Async=1@1"} {
		f.Configure(t, spec)
		if err := errors.Join(l.Run(), dev.Sync()); err == nil {
			t.Errorf("%s: the error is lost", spec)
		}
	}
	ok(t, dev.Sync())
}

func TestLaunchAllocatesNothing(t *testing.T) {
	f, dev := fake(t)
	f.Configure(t, "eager=1")
	m := alloc(t, dev, 1)
	l := launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "add"), dev.Stream(), addArgs(m, 1), 1)
	if n := testing.AllocsPerRun(100, func() { ok(t, l.Run()) }); n >= 1 {
		t.Errorf("a launch allocates %v times", n)
	}
}

// On a machine with a GPU the real driver runs a kernel.
func TestRealDriver(t *testing.T) {
	drv, err := OpenLibrary("libcuda.so.1")
	if err != nil {
		t.Skip(err)
	}
	ptx, err := os.ReadFile("testdata/add.ptx")
	ok(t, err)
	n, err := drv.Count()
	ok(t, err)
	for ordinal := range n {
		dev := device(t, drv, ordinal)
		t.Logf("GPU %d: %v, CUDA %v", ordinal, dev.Info(), drv.Version())
		mod, err := dev.Load(ptx, nil)
		ok(t, err)
		k := kernel(t, mod, "add")
		if a := k.Attributes(); a.Registers == 0 || a.MaxThreads < 256 {
			t.Errorf("attributes %+v", a)
		}
		const n = 1_000_000
		m := alloc(t, dev, n)
		ok(t, m.Write(bytesOf(filled(n, 40))))
		s := stream(t, dev)
		l := launch(t, k, s, addArgs(m, 1), n)
		ok(t, l.Run())
		ok(t, l.Run())
		ok(t, s.Sync(background))
		got := make([]int64, n)
		ok(t, m.Read(bytesOf(got)))
		if i := slices.IndexFunc(got, func(v int64) bool { return v != 42 }); i >= 0 {
			t.Errorf("element %d is %d", i, got[i])
		}
		ok(t, s.Close())
		ok(t, m.Free())
		if _, err := mod.Kernel("absent"); !is(err, ErrorNotFound) {
			t.Errorf("a kernel that is not there: %v", err)
		}
		if _, err := dev.Load([]byte(".version 7.0\n.target sm_50\n.address_size 64\nnonsense;\n"), nil); err == nil || !strings.Contains(err.Error(), "\n") {
			t.Errorf("bad PTX: %v", err)
		}
	}
}

// BenchmarkLaunch is the cost of a launch besides the driver's own: the fake one
// does next to nothing.
func BenchmarkLaunch(b *testing.B) {
	f, dev := fake(b)
	f.Configure(b, "eager=1")
	m := alloc(b, dev, 1)
	l := launch(b, kernel(b, load(b, dev, "kernels.cpp", nil), "add"), dev.Stream(), addArgs(m, 1), 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
