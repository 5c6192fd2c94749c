package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// workDir is where everything is built and kept; removed in the end.
var workDir string

func TestMain(m *testing.M) {
	runHelper()
	testenv.Setup()
	os.Exit(runTests(m))
}

// runTests runs the tests with a cache of their own, for launches of this process.
func runTests(m *testing.M) int {
	var err error
	if workDir, err = os.MkdirTemp("", "qdgen-e2e-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(workDir)
	os.Setenv("QD_CACHE", filepath.Join(workDir, "cache"))
	for _, name := range []string{"QD_DEVICE", "QD_CACHE_SIZE", "QD_CHECK"} {
		os.Unsetenv(name)
	}
	return m.Run()
}
