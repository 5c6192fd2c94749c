package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	if name := os.Getenv(gpuColdKernel); name != "" {
		os.Exit(gpuColdProcess(name))
	}
	testenv.Setup()
	os.Exit(m.Run())
}

// The hand-written CUDA compiles as such.
func TestNativeCUDA(t *testing.T) {
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	if _, err := lib.Compile(nativeCUDA, "native.cu", nvrtc.Options{Arch: "sm_90"}); err != nil {
		t.Fatal(err)
	}
}

// The section for GPUs runs, and both sides of it agree, with stand-ins for the
// driver and NVRTC: see package fakenvrtc.
func TestGPUSection(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") == "" {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestGPUSection$")
		cmd.Env = fakenvrtc.Env(t)
		out, err := cmd.CombinedOutput()
		for _, want := range []string{"gpu: blur", "gpu: graph of 100", "gpu: matmul BFloat16, 64", "gpu: attention Float16, 2 x 128 x 64", "gpu: par.Sort, 4096", "gpu: bodies, 32 float64, backward", "gpu: cold, matmul"} {
			if err != nil || !strings.Contains(string(out), want) {
				t.Fatalf("%q: %v\n%s", want, err, out)
			}
		}
		return
	}
	gpuBatch, gpuSide, *repeats = 2, 64, 1
	gpuMostLaunches, gpuTries, gpuMatrix, gpuRows, gpuHeadCount, gpuQueries, gpuStencilSide, gpuBodyCount = 1, 2, 64, 2, 2, 128, 16, 32
	if _, err := gpu(); err != nil {
		t.Fatal(err)
	}
}

// A case that panics gives an error, so that the others are measured.
func TestGPUCaseGuarded(t *testing.T) {
	c := gpuCase{"broken", func(*qd.Device) ([]result, error) { panic("BUG: no result") }}
	if _, err := c.guarded(nil); err == nil || !strings.Contains(err.Error(), "BUG: no result") {
		t.Error(err)
	}
}

// A row says when its bound is broken, and nothing where it is kept or there is none.
func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		result result
		want   string // how the row ends
		broken bool
	}{
		{result{ours: 3, theirs: 2}, "1.500   \n", false},
		{result{ours: 130, theirs: 100, bound: bound{ratio: 1.3}}, "1.300   <= 1.300\n", false},
		{result{ours: 131, theirs: 100, bound: bound{ratio: 1.3}}, "1.310   <= 1.300 !\n", true},
		{result{ours: time.Millisecond, bound: bound{time: time.Millisecond}}, "<= 1.000 ms\n", false},
		{result{ours: time.Second, bound: bound{time: 50 * time.Millisecond}}, "<= 50.0 ms !\n", true},
		{result{ours: 2, allocs: 1, bound: bound{time: 500, noAllocs: true}}, "<= 500 ns, no allocation !\n    1 allocations\n", true},
	} {
		if got := tt.result.String(); !strings.HasSuffix(got, tt.want) || tt.result.broken() != tt.broken {
			t.Errorf("%q, broken %v, want it to end in %q", got, tt.result.broken(), tt.want)
		}
	}
}

// Without go and without a compiler, each section but emit says what is missing.
func TestMissingTools(t *testing.T) {
	if os.Getenv("QD_BENCH_MISSING") == "" {
		// A process of its own: devices are opened once.
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestMissingTools$")
		cmd.Env = append(os.Environ(), "QD_BENCH_MISSING=1", "PATH="+t.TempDir(), "QD_CXX="+filepath.Join(t.TempDir(), "none"), "QD_TOOLS=", "QD_DEVICE=", "QD_PYTHON=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for name, run := range map[string]func() ([]result, error){"cold": cold, "warm": warm, "launch": launching, "constants": constants, "throughput": throughput, "taichi": taichi, "warp": warp, "gradients": gradientOracle, "backward": backward} {
		if results, err := run(); !isMissing(err) || len(results) != 0 {
			t.Errorf("%s: %v, %v", name, results, err)
		}
	}
	if _, _, err := program("saxpy"); !isMissing(err) {
		t.Error(err)
	}
	*repeats = 1
	if results, err := emitting(); err != nil || len(results) != 3 {
		t.Error(results, err)
	}
}

// The programs that are timed say why they end.
func TestProgramErrors(t *testing.T) {
	for _, name := range []string{"saxpy", "many"} {
		exe, dir, err := program(name)
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "PATH="+dir, "QD_CXX="+filepath.Join(dir, "none"), "QD_TOOLS=", "QD_CACHE="+filepath.Join(dir, "cache"))
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "QD_CXX") {
			t.Errorf("%s without a compiler: %v\n%s", name, err, out)
		}
	}
}

// The section of constants launches what it says.
func TestConstantsSection(t *testing.T) {
	*repeats, constantsTurn, constantsTurns = 1, 10, 3
	results, err := constants()
	if err != nil {
		if isMissing(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	if len(results) != 16 {
		t.Errorf("%d results", len(results))
	}
}

// Hand-written and emitted C++ give the same: the sections themselves compare.
func TestThroughputSection(t *testing.T) {
	*repeats = 1
	if _, err := throughput(); err != nil {
		if isMissing(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
}
