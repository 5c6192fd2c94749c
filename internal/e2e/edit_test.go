//go:build unix && !race

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// After each edit the program computes what its source now says, and compiles only
// when that is something else than before.
func TestEdits(t *testing.T) {
	t.Parallel()
	dir := copyProgram(t, "stranger")
	m := newMachine(t)
	m.counting("")
	kernels, numeric := filepath.Join(dir, "kernels.go"), filepath.Join(dir, "numeric", "numeric.go")

	var program string
	build := func() {
		t.Helper()
		var err error
		program, err = buildProgram(dir)
		must(t, err)
	}
	// run runs a kernel on both devices, which have to agree, and returns its result.
	run := func(kernel string, compiles int) string {
		t.Helper()
		onGo := m.run(program, "-device", "go", kernel).ok()
		onCPU := m.run(program, "-device", "cpu", kernel).ok().warned(0)
		want := strings.Fields(onGo.stdout)[2]
		if got := strings.Fields(onCPU.stdout)[2]; got != want {
			t.Errorf("%s is %s on cpu, %s on go", kernel, got, want)
		}
		m.wantCompiles(compiles)
		return want
	}
	build()
	wave := run("wave", 1)
	if want := expected(t, "wave"); wave != want {
		t.Errorf("wave is %s before any edit, want %s", wave, want)
	}
	step := run("step", 1)
	run("wave", 0)

	// The program as it is reads its source anew.
	same := func(name string) {
		t.Helper()
		if run("wave", 0) != wave || run("step", 0) != step {
			t.Errorf("%s: another result", name)
		}
	}
	later := time.Now().Add(time.Hour)
	must(t, os.Chtimes(kernels, later, later))
	same("touched")
	edit(t, kernels, "// wave uses a device function", "/* a comment */ // wave now uses a device function")
	same("a comment")
	edit(t, kernels, "func square(x float64) float64 {\n", "\n\n// square is x*x.\nfunc square(x float64) float64 {\n\n")
	same("lines")
	edit(t, kernels, "y[i] += a * x[i]", "y[i] += a * x[i] + 1")
	same("another function")
	writeFile(t, filepath.Join(dir, "more.go"), "package main\n\nfunc unused() {}\n")
	same("another file")
	build()
	same("all of this, and built")

	// Device go is what was built, so these are built first.
	differs := func(name string, change func(), kernel, before string, compiles int) string {
		t.Helper()
		change()
		build()
		after := run(kernel, compiles)
		if (after == before) != (compiles == 0) {
			t.Errorf("%s: %s is %s, and was %s", name, kernel, after, before)
		}
		run(kernel, 0)
		return after
	}
	original := wave
	wave = differs("the kernel", func() { edit(t, kernels, "0.25)", "0.5)") }, "wave", wave, 1)
	wave = differs("a device function of its file", func() { edit(t, kernels, "return x * x", "return x*x + x") }, "wave", wave, 1)
	wave = differs("one of another package", func() { edit(t, numeric, "(y-x)*part", "(y-x)*part*part") }, "wave", wave, 1)
	differs("a function of that package that step alone uses", func() { edit(t, numeric, "i-1, i+1", "i+1, i-1") }, "wave", wave, 0)
	for _, file := range []string{kernels, numeric} {
		rel, err := filepath.Rel(dir, file)
		must(t, err)
		text, err := os.ReadFile(filepath.Join("testdata", "stranger", rel))
		must(t, err)
		writeFile(t, file, string(text))
	}
	build()
	if back := run("wave", 0); back != original {
		t.Errorf("after all edits are taken back wave is %s, and was %s", back, original)
	}
	m.wantNoLeftovers()
}

// Edits that are easily overlooked: the source changes, and a program that runs
// from it has to notice. Until it is built anew it refuses what has changed.
func TestOverlookedEdits(t *testing.T) {
	t.Parallel()
	dir := copyProgram(t, "stranger")
	program, err := buildProgram(dir)
	must(t, err)
	kernels := filepath.Join(dir, "kernels.go")
	m := newMachine(t)

	rebuild := func() {
		t.Helper()
		_, err := buildProgram(dir)
		must(t, err)
	}
	// While the old contents of a file are being compiled it is saved with new ones:
	// these are compiled when the program has them too.
	text, err := os.ReadFile(kernels)
	must(t, err)
	edited := filepath.Join(m.dir, "edited.go")
	writeFile(t, edited, strings.Replace(string(text), "a * x[i]", "max(a, x[i])", 1))
	m.counting(`cp "` + edited + `" "` + kernels + `"`)
	first := m.run(program, "-device", "cpu", "saxpy").right("cpu", "saxpy").stdout
	m.wantCompiles(1)
	m.counting("")
	m.run(program, "-device", "cpu", "saxpy").fails("*qd.SourceError", "kernels.go:")
	m.wantCompiles(0)
	rebuild()
	second := m.run(program, "-device", "cpu", "saxpy").ok().compiled("saxpy").stdout
	if first == second {
		t.Error("an edit during a build was not noticed")
	}
	m.wantCompiles(1)

	// A new file changes what the others mean: it declares what they had from the
	// universe.
	writeFile(t, filepath.Join(dir, "max.go"), "package main\n\nfunc max(x, y float32) float32 { return x - y }\n")
	m.run(program, "-device", "cpu", "saxpy").fails("*qd.SourceError", "max.go")
	rebuild()
	third := m.run(program, "-device", "cpu", "saxpy").ok().compiled("saxpy").stdout
	if second == third {
		t.Error("a new file was not noticed")
	}
	m.wantCompiles(1)
}
