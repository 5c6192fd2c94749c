package qd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
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
	if err != nil || !strings.Contains(string(out), "PASS: TestLaunchSlices/cuda:0") || !strings.Contains(string(out), "PASS: TestArrayPartGradient/cuda:0") || !strings.Contains(string(out), "PASS: TestTangentMixed/cuda:0") || !strings.Contains(string(out), "PASS: TestFaults/shift/cuda:0") || !strings.Contains(string(out), "PASS: TestGraphOnCUDA/cuda:0") || !strings.Contains(string(out), "PASS: TestOnCUDADump/cuda:0") {
		t.Errorf("%v\n%s", err, out)
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
