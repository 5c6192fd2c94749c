//go:build unix && !race

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A modulesProgram is the program modules, with source of its own to edit.
type modulesProgram struct {
	*machine
	dir, program string
}

// The modules that launches build, keep and find.
func TestModules(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	built := newSharedProgram(t, "modules")
	for _, tt := range []struct {
		name string
		test func(*testing.T, *modulesProgram)
	}{
		{"after edits", testModulesAfterEdits},
		{"of constants", testModulesOfConstants},
		{"in processes", testModulesInProcesses},
		{"lost", testModulesLost},
		{"of variables", testModulesOfVariables},
		{"that print", testModulesThatPrint},
	} {
		t.Run(tt.name, func(t *testing.T) {
			built.renew(t)
			tt.test(t, &modulesProgram{newMachine(t), built.dir, built.program})
		})
	}
}

// costs runs the program and fails unless it computes results at that cost.
func (p *modulesProgram) costs(results string, lowered, compiled, cached, loaded int, args ...string) {
	p.t.Helper()
	r := p.run(p.program, args...).ok().warned(0)
	want := fmt.Sprintf("%s\nlowered %d compiled %d cached %d loaded %d\n", results, lowered, compiled, cached, loaded)
	if r.stdout != want {
		p.t.Errorf("%q printed\n%swant\n%sand logged\n%s", args, r.stdout, want, r.stderr)
	}
}

func (p *modulesProgram) edit(from, to string) {
	p.t.Helper()
	edit(p.t, filepath.Join(p.dir, "kernels.go"), from, to)
}

// editAndBuild is an edit after which the program would refuse to run what it has.
func (p *modulesProgram) editAndBuild(from, to string) {
	p.t.Helper()
	p.edit(from, to)
	_, err := buildProgram(p.dir)
	must(p.t, err)
}

// After an edit what has not changed is not built again, and nothing that is loaded is
// loaded again.
func testModulesAfterEdits(t *testing.T, p *modulesProgram) {
	all := []string{"first", "second", "third", "first"}
	// Of the others of the package power and same are not concrete.
	p.costs("7 4 6 7", 8, 1, 2, 1, all...)
	p.costs("7 4 6 7", 0, 0, 3, 1, all...)
	p.edit("func first", "// An edited comment.\nfunc first")
	p.costs("7 4 6 7", 3, 0, 3, 1, all...)
	p.costs("7 4 6 7", 0, 0, 3, 1, all...)
	p.edit("v *= x", "v *= 1 + x") // another function
	p.costs("7 4 6 7", 3, 0, 3, 1, all...)
	p.editAndBuild("+= 3", "+= 4")
	p.costs("7 4 7 7", 3, 1, 2, 2, all...)
	p.costs("7 4 7 7", 0, 0, 3, 2, all...)
	p.editAndBuild("+= 4", "+= 3") // and back: it is still there
	p.costs("7 4 6 7", 3, 0, 3, 1, all...)
	p.editAndBuild("return 2 * x", "return 3 * x") // what first and second call
	p.costs("10 7 6 10", 3, 2, 1, 3, all...)
}

// Each value of a constant is a specialization; those with the same code are one module.
func testModulesOfConstants(t *testing.T, p *modulesProgram) {
	p.costs("27 9 27", 2, 2, 0, 2, "power=3", "power=2", "power=3")
	p.costs("9 81 27", 1, 1, 2, 3, "power=2", "power=4", "power=3")
	p.costs("-4 -4", 2, 1, 1, 1, "same=1", "same=2")
	p.costs("-4 -4", 0, 0, 2, 1, "same=2", "same=1")
	p.edit("//qd:kernel\nfunc first", "// A comment.\n//\n//qd:kernel\nfunc first")
	p.costs("27 9 -4", 3, 0, 3, 3, "power=3", "power=2", "same=1")
}

// Processes that build the same specializations at the same time share the work.
func testModulesInProcesses(t *testing.T, p *modulesProgram) {
	p.counting("sleep 1") // all of them wait for it by then, on a busy machine too
	const n = 12
	var wg sync.WaitGroup
	for range 3 {
		cmd := p.command(p.program, fmt.Sprint("powers=", n), "power=2", "first", "second")
		wg.Go(func() {
			r := p.wait(cmd).ok().warned(0)
			var compiled, cached, ignored int
			if _, err := fmt.Sscanf(r.stdout, "3 9 7 4\nlowered %d compiled %d cached %d", &ignored, &compiled, &cached); err != nil || compiled+cached < n+2 {
				t.Errorf("%v:\n%s", err, r.stdout)
			}
		})
	}
	wg.Wait()
	p.wantCompiles(2) // the specializations are in one text, the concrete kernels in another
	p.wantNoLeftovers()
}

// A module of several kernels that goes takes all of them with it, and all come back.
func testModulesLost(t *testing.T, p *modulesProgram) {
	p.costs("7 4", 8, 1, 1, 1, "first", "second")
	for _, how := range []string{"evicted", "damaged"} {
		for _, file := range files(t, filepath.Join(p.cache, "v1", "modules")) {
			path := filepath.Join(p.cache, "v1", "modules", file)
			if how == "damaged" && filepath.Base(file) == "artifact.so" {
				flip(t, path, 0.3)
			} else if how == "evicted" {
				must(t, os.RemoveAll(filepath.Dir(path)))
			}
		}
		r := p.run(p.program, "third", "first", "second").ok().logs(`INFO module main [0-9a-f]{7} loaded on cpu in .* \(compiled\)`)
		want := 0
		if how == "damaged" {
			want = 1
		}
		r.warned(want)
		p.costs("6 7 4", 0, 0, 3, 1, "third", "first", "second")
	}
}

// A captured variable is a constant, bound late: the values of earlier runs are still there.
func testModulesOfVariables(t *testing.T, p *modulesProgram) {
	p.edit("//qd:kernel\nfunc first", "func first")
	p.edit("//qd:kernel\nfunc second", "func second")
	p.editAndBuild("//qd:kernel\nfunc third", "func third")
	p.costs("15 18 15", 6, 2, 0, 2, "scaled=5", "scaled=6", "scaled=5")
	p.costs("18 15", 0, 0, 2, 2, "scaled=6", "scaled=5")
	p.costs("21 15", 1, 1, 1, 2, "scaled=7", "scaled=5")
	p.costs("15 21 18", 0, 0, 3, 3, "scaled=5", "scaled=7", "scaled=6")
}

// Kernels of one module print what their own formats say, whoever has loaded it.
func testModulesThatPrint(t *testing.T, p *modulesProgram) {
	p.costs("bar\n3 is true\nfoo 3\n3 3 7", 8, 1, 2, 1, "bar", "foo", "first")
	p.costs("foo 3\nbar\n3 is true\n7 3 3", 0, 0, 3, 1, "first", "foo", "bar")
	p.editAndBuild(`"foo %d\n"`, `"foo: %d\n"`)
	p.costs("foo: 3\nbar\n3 is true\n3 3", 2, 1, 1, 2, "foo", "bar")
	p.costs("bar\n3 is true\nfoo: 3\nfoo: 3\n3 3 3", 0, 0, 2, 2, "bar", "foo", "foo")
}
