package qd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	testenv.Setup()
	os.Exit(m.Run())
}

// The tests of this package once more, in a process in which device "cuda:0"
// exists: behind it are a CUDA driver and an NVRTC that run the emitted CUDA on the
// host.
func TestWithoutGPU(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		t.Skip("this is that process")
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^Test(Tape|Tangent|Gradient|Steady|Derivatives|Launch|Scalars|Diagnostics|Prepared|Stream|Run|OnCUDA|Fault|Checked|Block|CompileTime|MethodKernels|GridConstants|VariablesAre|StaticO|Captured|Record|Graph|Tune|Build|ArrayPart)")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range append(sequentialOnCUDA, "TestLaunchSlices/cuda:0", "TestArrayPartGradient/cuda:0", "TestGradientGathersInOrder/cuda:0", "TestGraphOnCUDA/cuda:0", "TestOnCUDADump/cuda:0") {
		if !strings.Contains(string(out), "PASS: "+name) {
			t.Errorf("%s has not passed:\n%s", name, out)
		}
	}
}

//qd:kernel
func dumpedOnCUDA(t qd.Thread, by qd.Const[int32], x []int32) { x[t.ID()] = 7 * by.V }

// QD_DUMP writes a module for a CUDA device as its source, its PTX and its machine code.
func TestOnCUDADump(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") == "" {
		t.Skip("for the fake driver")
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dir := t.TempDir()
		t.Setenv("QD_DUMP", dir)
		if err := dev.Launch(dumpedOnCUDA, qd.Dim(1), qd.C(int32(3)), []int32{0}); err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".cu", ".ptx", ".cubin"} {
			if found, _ := filepath.Glob(filepath.Join(dir, "*.dumpedOnCUDA-3-???????"+ext)); len(found) != 1 {
				all, _ := filepath.Glob(filepath.Join(dir, "*"))
				t.Errorf("no module with %s among %q", ext, all)
			}
		}
	})
}

//qd:kernel
func cachedOnCUDA(t qd.Thread, x []int32) { x[t.ID()] += 5 }

// nowhereCached has a constant, so that it is not compiled together with the other kernels of the package.
//
//qd:kernel
func nowhereCached(t qd.Thread, n qd.Const[int32], x []int32) { x[t.ID()] += n.V }

// A process without NVRTC launches on a CUDA device what another process has compiled, and nothing else.
func TestCUDAWithoutNVRTC(t *testing.T) {
	switch os.Getenv("QD_TEST_NVRTC") {
	case "there":
		launchCached(t)
		return
	case "missing":
		if lib, err := nvrtc.Find(); err == nil {
			t.Skipf("there is an NVRTC outside of QD_TOOLS: %v", lib)
		}
		dev := launchCached(t)
		var missing *qd.MissingError
		if err := dev.Launch(nowhereCached, qd.Dim(1), qd.C(int32(6)), []int32{0}); !errors.As(err, &missing) || !strings.Contains(err.Error(), "the cache has no module of kernel") {
			t.Errorf("the error of a kernel that nobody has compiled is %v", err)
		}
		if dev, err := qd.Default(); err != nil || strings.HasPrefix(dev.String(), "cuda") {
			t.Errorf("the default device is %v, %v", dev, err)
		}
		return
	}
	env := fakenvrtc.Env(t)
	for _, add := range [][]string{{"QD_TEST_NVRTC=there"}, {"QD_TEST_NVRTC=missing", "QD_NVRTC=", "QD_TOOLS=" + t.TempDir()}} {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestCUDAWithoutNVRTC$")
		cmd.Env = append(env[:len(env):len(env)], add...)
		out, err := cmd.CombinedOutput()
		switch {
		case err != nil:
			t.Errorf("%v: %v\n%s", add, err, out)
		case strings.Contains(string(out), "--- SKIP"):
			t.Skipf("%s", out)
		}
	}
}

// launchCached launches the kernel that both processes know.
func launchCached(t *testing.T) *qd.Device {
	dev, err := qd.Open("cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	x := []int32{1, 2, 3}
	if err := dev.Launch(cachedOnCUDA, qd.Dim(3), x); err != nil {
		t.Fatal(err)
	}
	if x[0] != 6 || x[1] != 7 || x[2] != 8 {
		t.Errorf("the result is %v", x)
	}
	return dev
}
