package randprog

import (
	"os"
	"testing"

	"github.com/qdgen/qd/internal/fakenvrtc"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	gpuWorkerMain()
	os.Exit(m.Run())
}
