package corpus

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/emit/cuda"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// TestPasses verifies the SSA of every kernel as it is lowered and after every
// pass, and that a second run of the passes finds nothing left to do.
func TestPasses(t *testing.T) {
	forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
		m, err := lower(f, k)
		if err != nil {
			t.Fatal(err)
		}
		ssa.Optimize(m, func(pass string, m *ssa.Module) {
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("after %s: %v\n%s", pass, err, m)
			}
		})
		once := m.String()
		ssa.Optimize(m, nil)
		if twice := m.String(); once != twice {
			t.Errorf("optimized twice it differs:\n%s", diff(once, twice))
		}
	})
}

// TestGolden compares the SSA, the C++ and the CUDA of every kernel with what is
// expected.
func TestGolden(t *testing.T) {
	forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
		m := optimized(t, f, k)
		golden(t, sectionSSA, m.String(), &k.SSA)
		golden(t, sectionCPP, cpp.Emit(m, emit.Options{}).Source, &k.CPP)
		golden(t, sectionCUDA, cuda.Emit(m, emit.Options{}).Source, &k.CUDA)
	})
}

// golden compares a text with the expected one, or makes it the expected one.
func golden(t *testing.T, section, got string, want *string) {
	t.Helper()
	if *update {
		*want = got
		return
	}
	if got != *want {
		t.Errorf("%s differs (go test -update accepts it):\n%s", section, diff(*want, got))
	}
}

// diff shows the lines of two texts from the first that differs to the last.
func diff(want, got string) string {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for len(w) > 0 && len(g) > 0 && w[0] == g[0] {
		w, g = w[1:], g[1:]
	}
	for len(w) > 0 && len(g) > 0 && w[len(w)-1] == g[len(g)-1] {
		w, g = w[:len(w)-1], g[:len(g)-1]
	}
	var b strings.Builder
	for _, line := range w {
		b.WriteString("- " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, line := range g {
		b.WriteString("+ " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

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
	_, modules, err := frontend.CompileWith(frontend.Options{Env: qd.KernelEnvironment()}, src, refs...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, m := range modules {
		ssa.Optimize(m, nil)
		fmt.Fprintf(&b, "%s %x %x %x\n", m.Name, sha256.Sum256([]byte(m.String())),
			sha256.Sum256([]byte(cpp.Emit(m, emit.Options{}).Source)),
			sha256.Sum256([]byte(cuda.Emit(m, emit.Options{}).Source)))
	}
	return b.String(), nil
}
