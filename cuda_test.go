package qd_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

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
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^Test(Launch|Scalars|Diagnostics|Prepared|Stream|Run|OnCUDA|Fault|Checked|Block|CompileTime|MethodKernels|GridConstants|VariablesAre|StaticO|Captured|Record|Graph|Tune|Build)")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestLaunchSlices/cuda:0") || !strings.Contains(string(out), "PASS: TestFaults/shift/cuda:0") || !strings.Contains(string(out), "PASS: TestGraphOnCUDA/cuda:0") {
		t.Errorf("%v\n%s", err, out)
	}
}
