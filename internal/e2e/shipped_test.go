//go:build unix && !race

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

// qdgenProgram is the command.
var qdgenProgram = sync.OnceValues(func() (string, error) {
	program := filepath.Join(workDir, "qdgen")
	return program, testmodule.Build("e2e-qdgen", program, func(path string) error {
		return goCommand(testenv.Root(), nil, "build", withoutDebug, "-o", path, "./cmd/qdgen")
	})
})

// generate runs qdgen gen in a copied program's module.
func generate(t *testing.T, dir string, args ...string) string {
	t.Helper()
	program, err := qdgenProgram()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), program, append([]string{"gen"}, args...)...)
	cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), []string{"CGO_ENABLED=0"}, inModule)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("qdgen gen: %v\n%s", err, out)
	}
	return string(out)
}

// shippedPrints is what the program shipped prints on every device.
const shippedPrints = `map [2 -4 6]
activate [1 0 3]
activate [2 -4 6]
closures [920 575 1150]
closures [1035 690 1265]
gradient [1.6875 1 1]
step [0.65625 -2.5 0.5]
variables [9 0 15]
variables [13 -5 25]
static [2013 2013 2013]
static [2023 2023 2023]
static [2033 2033 2033]
generic [0.5 1]
grid [12 6 16]
specializations: true
`

// A program with generated files, built with -trimpath, does the same on a machine where its
// source is not: compile-time arguments of all kinds, package variables, what only
// compiled Go evaluates, kernels and device functions of other packages.
func TestShipped(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	dir := copyProgram(t, "shipped")
	if out := generate(t, dir, "./..."); out != "" {
		t.Errorf("qdgen gen prints %s", out)
	}
	generate(t, dir, "--check", "./...")
	// What -trimpath does, for the user's own packages: see TestWithoutSource.
	built, err := buildProgram(dir, "-gcflags=example.com/...=-trimpath="+dir+"=>example.com/shipped")
	must(t, err)
	m := newMachine(t)
	program := filepath.Join(m.dir, "shipped")
	must(t, os.Rename(built, program))

	for _, where := range []string{"beside the source", "without source"} {
		for _, device := range []string{"go", "cpu"} {
			if r := m.run(program, "-device", device).ok(); r.stdout != shippedPrints {
				t.Errorf("%s, device %s prints\n%s\nwant\n%s", where, device, r.stdout, shippedPrints)
			}
		}
		must(t, os.RemoveAll(dir))
	}
	if r := m.run(program, "-device", "cpu").ok(); strings.Contains(r.stderr, "(compiled)") {
		t.Errorf("compiled again:\n%s", r.stderr)
	}
	m.wantNoLeftovers()
}

// While a program is being developed an edit counts at once: in its own packages, whose
// generated files embed what is there now, and in those of which they have a text.
func TestEditGenerated(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	dir := copyProgram(t, "shipped")
	generate(t, dir, "./...")
	edit(t, filepath.Join(dir, "lib/lib.go"), "x[i] += scale*y[i]", "// An edited line.\n\tx[i] -= scale*y[i]")
	edit(t, filepath.Join(dir, "plain/plain.go"), "x / 2", "x / 4")
	built, err := buildProgram(dir)
	must(t, err)
	m := newMachine(t)
	for _, device := range []string{"go", "cpu"} {
		r := m.run(built, "-device", device).ok()
		if want := "variables [-2.5 0.5 -4.5]\n"; !strings.Contains(r.stdout, want) {
			t.Errorf("device %s prints\n%s\nwithout %s", device, r.stdout, want)
		}
	}
}
