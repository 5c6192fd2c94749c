//go:build unix && !race

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An originTest is the program origin, whose source is edited after it was built.
type originTest struct {
	t        *testing.T
	dir      string
	program  string
	original map[string]string // the files that may be edited, by their names
}

func newOriginTest(t *testing.T, dir, program string) *originTest {
	t.Helper()
	o := &originTest{t: t, dir: dir, program: program, original: map[string]string{}}
	for _, name := range []string{"kernels.go", "callee.go", "lib/lib.go"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		o.original[name] = string(text)
	}
	return o
}

// edit replaces a text in a file.
func (o *originTest) edit(file, from, to string) {
	o.t.Helper()
	edit(o.t, filepath.Join(o.dir, file), from, to)
}

// takeBack writes all files as they were, which makes them newer than the program.
func (o *originTest) takeBack() {
	o.t.Helper()
	for name, text := range o.original {
		must(o.t, os.WriteFile(filepath.Join(o.dir, name), []byte(text), 0o666))
	}
}

// originEdits are edits after which the program's own code is not what its source says.
var originEdits = []struct{ name, file, from, to, kernel string }{
	{"added field", "kernels.go", "A, B float32", "Z int64\n\tA, B float32", "fields"},
	{"swapped fields", "kernels.go", "A, B float32", "B, A float32", "fields"},
	{"added parameter", "kernels.go", "func order(t qd.Thread, a, b", "func order(t qd.Thread, z, a, b", "order"},
	{"swapped parameters", "kernels.go", "func order(t qd.Thread, a, b", "func order(t qd.Thread, b, a", "order"},
	{"constant", "kernels.go", "const factor = 3", "const factor = 4", "scale"},
	{"callee in another file", "callee.go", "return x + 1", "return x + 2", "scale"},
	{"callee in another package", "lib/lib.go", "return 2 * x", "return 5 * x", "scale"},
	{"literals swapped", "kernels.go", "x[t.ID()] = 10 }", "x[t.ID()] = 30 }", "literals"},
	{"kernel removed", "kernels.go", "func scale(", "func scaled(", "scale"},
	{"no Go", "kernels.go", "const factor", "konst factor", "scale"},
}

// Kernels whose source is not what the program was built from.
func TestOrigin(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	built := newSharedProgram(t, "origin")
	for _, tt := range []struct {
		name string
		test func(*testing.T, *originTest)
	}{
		{"edit after build", testEditAfterBuild},
		{"literal moved", testLiteralMoved},
		{"hidden edit", testHiddenEditAfterBuild},
		{"file gone", testFileGone},
		{"edit while running", testEditWhileRunning},
		{"rebuilt", testRebuiltFindsKernels},
	} {
		t.Run(tt.name, func(t *testing.T) {
			built.renew(t)
			tt.test(t, newOriginTest(t, built.dir, built.program))
		})
	}
}

// Whatever was edited since a program was built, no kernel is compiled from the new text: the
// launch gives an error that says what has changed. An edit that is taken back, and a file that is only
// touched, are no reasons to refuse what the program has run before.
func testEditAfterBuild(t *testing.T, o *originTest) {
	const right = "fields [{1 0} {1 0} {1 0}]\norder [-1]\nscale [9]\nliterals [10 20]\n"
	all := []string{"-device", "cpu", "fields", "order", "scale", "literals"}

	ran, fresh := newMachine(t), newMachine(t)
	if r := ran.run(o.program, all...).ok(); r.stdout != right {
		t.Fatalf("before any edit the program prints\n%s", r.stdout)
	}
	for _, e := range originEdits {
		o.edit(e.file, e.from, e.to)
		ran.run(o.program, "-device", "cpu", e.kernel).fails("*qd.SourceError", e.file, "not what the program was built from", "rebuild the program", "qdgen gen")
		// Where the program has never run, nothing tells which of the files that are newer are the same.
		fresh.run(o.program, "-device", "cpu", e.kernel).fails("*qd.SourceError", "after the program was built")
		if e.kernel != "literals" { // of which the source tells what they capture
			if r := ran.run(o.program, "-device", "go", e.kernel).ok(); !strings.Contains(right, r.stdout) {
				t.Errorf("%s: device go prints %s", e.name, r.stdout)
			}
		}
		o.takeBack()
		if r := ran.run(o.program, all...).ok(); r.stdout != right {
			t.Errorf("%s, taken back: the program prints\n%s", e.name, r.stdout)
		}
	}
	later := time.Now().Add(time.Hour)
	must(t, os.Chtimes(filepath.Join(o.dir, "kernels.go"), later, later))
	if r := ran.run(o.program, all...).ok(); r.stdout != right {
		t.Errorf("touched: the program prints\n%s", r.stdout)
	}
}

// A function literal is known to the program by its line. Where lines have moved since, it is found by its code.
func testLiteralMoved(t *testing.T, o *originTest) {
	const right = "literals [10 20]\n"
	ran, fresh := newMachine(t), newMachine(t)
	ran.run(o.program, "-device", "cpu", "literals").ok()
	for _, e := range []struct{ from, to string }{
		{"func literals(", "// A comment.\n\nfunc literals("},
		{"func literals(dev *qd.Device, x, y []int32) {\n", "func literals(dev *qd.Device, x, y []int32) {\n\t// One line, so that the first is where the second was.\n"},
	} {
		o.edit("kernels.go", e.from, e.to)
		if r := ran.run(o.program, "-device", "cpu", "literals").ok(); r.stdout != right {
			t.Errorf("after %q the program prints\n%s", e.to, r.stdout)
		}
		fresh.run(o.program, "-device", "cpu", "literals").fails("*qd.SourceError", "kernels.go", "not what the program was built from")
	}
	o.edit("kernels.go", "= 20 }", "= 25 }")
	ran.run(o.program, "-device", "cpu", "literals").fails("*qd.SourceError", "kernels.go", "not what the program was built from")
	o.takeBack()
	// Without the first, the second is where that was.
	o.edit("kernels.go", "\tcheck(dev.Launch(func(t qd.Thread, x []int32) { x[t.ID()] = 10 }, qd.Dim(1), x))\n", "")
	ran.run(o.program, "-device", "cpu", "literals").fails("*qd.SourceError", "kernels.go", "not what the program was built from")
}

// Times that were set to the past do not hide an edit.
func testHiddenEditAfterBuild(t *testing.T, o *originTest) {
	past := time.Now().Add(-time.Hour)
	kernels := filepath.Join(o.dir, "kernels.go")
	o.edit("kernels.go", "const factor = 3", "const factor = 4")
	must(t, os.Chtimes(kernels, past, past))
	newMachine(t).run(o.program, "-device", "cpu", "scale").fails("*qd.SourceError", "kernels.go", "was changed at")
}

// Nor does a file of the package that is gone.
func testFileGone(t *testing.T, o *originTest) {
	must(t, os.Remove(filepath.Join(o.dir, "tune.go")))
	newMachine(t).run(o.program, "-device", "cpu", "scale").fails("*qd.SourceError", "tune.go", "gone")
}

// A program that is running when its source is edited goes on with what it has loaded, and gets
// the error for what it has not.
func testEditWhileRunning(t *testing.T, o *originTest) {
	m := newMachine(t)
	changed := filepath.Join(m.dir, "changed.go")
	writeFile(t, changed, strings.Replace(o.original["kernels.go"], "const factor = 3", "const factor = 4", 1))
	r := m.run(o.program, "-device", "cpu", "-copy", changed, "-to", filepath.Join(o.dir, "kernels.go"), "scale", "edit", "scale", "order").
		fails("*qd.SourceError", "kernels.go:", "main.order", "the file has changed since this program first read it")
	if r.stdout != "scale [9]\nscale [9]\n" {
		t.Errorf("the program prints\n%s", r.stdout)
	}
}

// A program that is built anew with a change that is none of its kernels' finds them by their first
// key, although qdgen is a working copy: nothing is lowered.
func testRebuiltFindsKernels(t *testing.T, o *originTest) {
	m := newMachine(t)
	m.run(o.program, "-device", "cpu", "-stats", "lib").logs(`^lowered [1-9]`)
	edit(t, filepath.Join(o.dir, "main.go"), `const note = "one"`, `const note = "two"`)
	rebuilt, err := buildProgram(o.dir)
	must(t, err)
	m.run(rebuilt, "-device", "cpu", "-stats", "lib").ok().logs(`^lowered 0 compiled 0 cached 1$`)
}
