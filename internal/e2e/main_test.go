package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

// workDir is where everything is built and kept; removed in the end. It has the same path in each run, so that the go
// command finds in its cache what it has compiled there before.
var workDir string

func TestMain(m *testing.M) {
	runHelper()
	testenv.Setup()
	os.Exit(runTests(m))
}

// runTests runs the tests with a cache of their own, for launches of this process.
func runTests(m *testing.M) int {
	dir, release, err := testmodule.Take("e2e")
	if err == nil {
		workDir, err = filepath.EvalSymlinks(dir) // as the go command prints it
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer release()
	os.Setenv("QD_CACHE", filepath.Join(workDir, "cache"))
	for _, name := range []string{"QD_DEVICE", "QD_CACHE_SIZE", "QD_CHECK"} {
		os.Unsetenv(name)
	}
	return m.Run()
}
