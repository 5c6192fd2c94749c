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
	dir, err := copyProgram("stranger")
	must(t, err)
	m := newMachine(t)
	m.counting("")
	kernels, numeric := filepath.Join(dir, "kernels.go"), filepath.Join(dir, "numeric", "numeric.go")

	var program string
	build := func() {
		t.Helper()
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

	// Each of these is run by the program as it is, which reads its source, and then
	// by the program as it is built anew.
	same := func(name string, change func()) {
		t.Helper()
		change()
		if run("wave", 0) != wave || run("step", 0) != step {
			t.Errorf("%s: another result", name)
		}
		build()
		if run("wave", 0) != wave || run("step", 0) != step {
			t.Errorf("%s, and built: another result", name)
		}
	}
	same("touched", func() {
		later := time.Now().Add(time.Hour)
		must(t, os.Chtimes(kernels, later, later))
	})
	same("a comment", func() {
		edit(t, kernels, "// wave uses a device function", "/* a comment */ // wave now uses a device function")
	})
	same("lines", func() {
		edit(t, kernels, "func square(x float64) float64 {\n", "\n\n// square is x*x.\nfunc square(x float64) float64 {\n\n")
	})
	same("another function", func() { edit(t, kernels, "y[i] += a * x[i]", "y[i] += a * x[i] + 1") })
	same("a file of the package", func() { writeFile(t, filepath.Join(dir, "more.go"), "package main\n\nfunc unused() {}\n") })

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

// A file that is saved while its old contents are being compiled is compiled in
// the next run.
func TestEditWhileCompiling(t *testing.T) {
	t.Parallel()
	dir, err := copyProgram("stranger")
	must(t, err)
	program, err := buildProgram(dir)
	must(t, err)
	kernels := filepath.Join(dir, "kernels.go")
	m := newMachine(t)
	edited := filepath.Join(m.dir, "edited.go")
	text, err := os.ReadFile(kernels)
	must(t, err)
	writeFile(t, edited, strings.Replace(string(text), "a * x[i]", "a * x[i] * 2", 1))

	m.counting(`cp "` + edited + `" "` + kernels + `"`)
	first := m.run(program, "-device", "cpu", "saxpy").right("cpu", "saxpy").stdout
	m.wantCompiles(1)
	m.counting("")
	second := m.run(program, "-device", "cpu", "saxpy").ok().compiled("saxpy").stdout
	if first == second {
		t.Error("the edit was not noticed")
	}
	m.wantCompiles(1)
}

// Which files belong to a package is decided by build constraints, and the cache
// keeps the builds apart.
func TestBuildTags(t *testing.T) {
	t.Parallel()
	dir, err := copyProgram("stranger")
	must(t, err)
	edit(t, filepath.Join(dir, "kernels.go"), "func square(x float64) float64 {\n\treturn x * x\n}\n", "")
	writeFile(t, filepath.Join(dir, "square.go"), "//go:build !cube\n\npackage main\n\nfunc square(x float64) float64 { return x * x }\n")
	writeFile(t, filepath.Join(dir, "cube.go"), "//go:build cube\n\npackage main\n\nfunc square(x float64) float64 { return x * x * x }\n")
	m := newMachine(t)
	m.counting("")
	results := map[string]bool{}
	for _, compiles := range []int{1, 0} {
		for _, flags := range [][]string{nil, {"-tags=cube"}} {
			program, err := buildProgram(dir, flags...)
			must(t, err)
			onGo := m.run(program, "-device", "go", "wave").ok().stdout
			onCPU := m.run(program, "-device", "cpu", "wave").ok().stdout
			if strings.Replace(onGo, " go ", " cpu ", 1) != onCPU {
				t.Errorf("with %q: %s%s", flags, onGo, onCPU)
			}
			results[onCPU] = true
			m.wantCompiles(compiles)
		}
	}
	if len(results) != 2 {
		t.Errorf("the tag makes no difference: %v", results)
	}
}

// A new file of a package can change what the others mean: it declares what they
// had from the universe.
func TestNewFile(t *testing.T) {
	t.Parallel()
	dir, err := copyProgram("stranger")
	must(t, err)
	edit(t, filepath.Join(dir, "kernels.go"), "a * x[i]", "max(a, x[i])")
	m := newMachine(t)
	m.counting("")
	program, err := buildProgram(dir)
	must(t, err)
	before := m.run(program, "-device", "cpu", "saxpy").ok().stdout
	writeFile(t, filepath.Join(dir, "max.go"), "package main\n\nfunc max(x, y float32) float32 { return x - y }\n")
	after := m.run(program, "-device", "cpu", "saxpy").ok().stdout
	if before == after {
		t.Error("the new file was not noticed")
	}
	m.wantCompiles(2)
}
