//go:build unix && !race

package e2e

import (
	"testing"

	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

// Without a driver device cuda:0 is missing, and the error says what there is
// besides: the compiler alone, or not even that.
func TestWithoutGPU(t *testing.T) {
	t.Parallel()
	if _, err := cuda.Open(); err == nil {
		t.Skip("this machine has a CUDA driver")
	}
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	m := newMachine(t)
	for _, device := range []string{"cuda:0", "cuda", "cuda:3"} {
		m.run(stranger(t), "-device", device, "saxpy").
			fails("*qd.MissingError", "device cuda:", "no CUDA driver", "install", "NVRTC", lib.String())
	}
	m.env["QD_DEVICE"] = "cuda:0"
	m.run(stranger(t), "saxpy").fails("*qd.MissingError", "no CUDA driver", "QD_DEVICE")

	m.env["QD_NVRTC"] = "/nowhere"
	m.run(stranger(t), "saxpy").fails("*qd.MissingError", "no CUDA driver", "NVRTC", "/nowhere")

	// The best device is another one, and nothing is said about GPUs.
	delete(m.env, "QD_DEVICE")
	goodCompiler(t)
	m.run(stranger(t), "saxpy").right("cpu", "saxpy").warned(0)
}
