package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
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
		if err != nil || !strings.Contains(string(out), "gpu: blur") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	gpuBatch, gpuSide, *repeats = 2, 64, 2
	results, err := gpu()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		t.Log(r.name, r.ours, r.theirs)
	}
}

// Hand-written and emitted C++ give the same: the sections themselves compare.
func TestThroughputSection(t *testing.T) {
	*repeats = 1
	if _, err := throughput(); err != nil {
		if strings.Contains(err.Error(), "OpenMP") {
			t.Skip(err)
		}
		t.Fatal(err)
	}
}
