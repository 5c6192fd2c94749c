package corpus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/tiles"
)

// digestsEnv makes the test binary print the digests of everything that it emits
// from the kernels in the directory that it names, and exit.
const digestsEnv = "QD_CORPUS_DIGESTS"

// TestDeterminism emits everything, from the sources on disk, in two processes
// with different working directories, and compares.
func TestDeterminism(t *testing.T) {
	dir, err := filepath.Abs("kernels")
	if err != nil {
		t.Fatal(err)
	}
	here, err := digests(dir)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), digestsEnv+"="+dir)
	cmd.Stderr = os.Stderr
	there, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if here != string(there) {
		t.Errorf("emitted texts differ from one process to the next:\n%s", diff(here, string(there)))
	}
}

// digests gives a line for each kernel of a directory: its name and the digests
// of its texts.
func digests(dir string) (string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "z*.go"))
	if err != nil {
		return "", err
	}
	src, pkg, err := load.Disk(paths[0])
	if err != nil {
		return "", err
	}
	refs, err := load.Kernels(src, pkg.Path)
	if err != nil {
		return "", err
	}
	_, modules, err := frontend.CompileWith(frontend.Options{Env: library.Environment()}, load.Chain(src, load.Standard{}), refs...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, m := range modules {
		tiles.Lower(m, tiles.AnyMachine, nil)
		target.Outline(m)
		opt.Optimize(m, nil)
		fmt.Fprintln(&b, m.Name, digest(m.String()), digest(emitCPP(m)), digest(emitCUDA(m)))
	}
	return b.String(), nil
}
