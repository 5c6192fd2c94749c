//go:build unix && !race

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testmodule"
)

// Kernels of package main and of another package, with device functions of
// their own file, of their package and of another one.
func TestModule(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	kernels := []string{"saxpy", "wave", "step", "count"}
	m.run(stranger(t), append([]string{"-device", "go"}, kernels...)...).right("go", kernels...)
	m.run(stranger(t), append([]string{"-device", "cpu"}, kernels...)...).right("cpu", kernels...)
	m.wantNoLeftovers()
}

// Each load of a module is logged once, in the form that people and scripts
// may rely on: see loaded.
func TestLogLine(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	for _, how := range []string{"compiled", "cached"} {
		r := m.run(stranger(t), "-device", "cpu", "saxpy", "step", "saxpy").right("cpu", "saxpy", "step", "saxpy")
		r.loaded(how, []string{"saxpy", "Step"})
		if n := strings.Count(r.stderr, "\n"); n != 2 {
			t.Errorf("%d lines are logged, want 2:\n%s", n, r.stderr)
		}
	}
	if r := m.run(stranger(t), "-device", "go", "saxpy").right("go", "saxpy"); r.stderr != "" {
		t.Errorf("device go loads no module and logs %q", r.stderr)
	}
}

// What kernels print comes out on every device, in Go's form.
func TestPrintf(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	for _, device := range []string{"go", "cpu"} {
		out := m.run(stranger(t), "-device", device, "speak").ok().stdout
		for _, line := range []string{"thread 0 has 0xa\n", "thread 1 has 0xc8\n", "thread 2 has 0xbb8\n"} {
			if !strings.Contains(out, line) {
				t.Errorf("%s: no line %q in\n%s", device, line, out)
			}
		}
	}
}

// A user tests kernels with go test: those of the package and those of the test.
func TestGoTest(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	dir := copyProgram(t, "stranger")
	const test = `package field_test

import (
	"testing"

	"example.com/stranger/field"
	"example.com/stranger/numeric"
	"github.com/qdgen/qd"
)

func middle(x float64) float64 { return numeric.Mix(x, 10, 0.5) }

//qd:kernel
func ofTest(t qd.Thread, x []float64) { x[t.ID()] = middle(x[t.ID()]) }

func TestKernels(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float32, 3)
		if err := dev.Launch(field.Step, qd.Dim(3), 0.25, []float32{4, 0, 0}, out); err != nil {
			t.Fatal(err)
		}
		x := []float64{2, 4}
		if err := dev.Launch(ofTest, qd.Dim(2), x); err != nil {
			t.Fatal(err)
		}
		if out[0] != 2 || out[1] != 1 || out[2] != 1 || x[0] != 6 || x[1] != 7 {
			t.Errorf("%s: %v, %v", name, out, x)
		}
	}
}
`
	writeFile(t, filepath.Join(dir, "field", "field_test.go"), test)
	program := filepath.Join(dir, "field.test")
	must(t, testmodule.Build("e2e-"+t.Name(), program, func(path string) error {
		return goCommand(dir, inModule, "test", "-c", "-o", path, "./field")
	}))
	m := newMachine(t)
	r := m.run(program, "-test.v").ok()
	if !strings.Contains(r.stdout, "--- PASS: TestKernels") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
	r.stderr += r.stdout // go test shows both
	r.logs(`INFO module Step [0-9a-f]{7} loaded on cpu`).logs(`INFO module ofTest [0-9a-f]{7} loaded on cpu`)
}
