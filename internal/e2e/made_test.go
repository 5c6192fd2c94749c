//go:build unix && !race

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Kernels that a program makes and gives to one Build are compiled by one run of the compiler, and each is found by its
// own key afterwards.
func TestMadeTogether(t *testing.T) {
	t.Parallel()
	compiler := goodCompiler(t)
	m := newMachine(t)
	dir := copyProgram(t, "made")
	program, err := buildProgram(dir)
	must(t, err)
	log := filepath.Join(m.dir, "runs")
	wrapper := filepath.Join(m.dir, "compiler")
	writeFile(t, wrapper, fmt.Sprintf("#!/bin/sh\necho \"$@\" >>%s\nexec %s \"$@\"\n", log, compiler))
	must(t, os.Chmod(wrapper, 0o755))
	m.env["QD_CXX"] = wrapper
	m.env["GOMAXPROCS"] = "1" // more cores share many kernels in more runs
	// compiles runs the program, and counts the runs of the compiler.
	compiles := func(from, to, want int, more ...string) *result {
		t.Helper()
		_ = os.Remove(log)
		sum := 0
		for c := from; c < to; c++ {
			sum += c
		}
		r := m.run(program, append([]string{fmt.Sprint(from), fmt.Sprint(to)}, more...)...).ok()
		if r.stdout != fmt.Sprintln(sum) {
			t.Errorf("it prints %swant %d", r.stdout, sum)
		}
		text, _ := os.ReadFile(log)
		if n := strings.Count(string(text), " -c kernel.cpp"); n != want {
			t.Errorf("kernels %d to %d: %d runs of the compiler, want %d:\n%s%s", from, to, n, want, text, r.stderr)
		}
		return r
	}
	compiles(0, 20, 1).logs(`module main [0-9a-f]{7} loaded on cpu in \S+ \(compiled\)$`)
	compiles(0, 20, 0).logs(`module main [0-9a-f]{7} loaded on cpu in \S+ \(cached\)$`)
	compiles(7, 8, 0)   // one of them
	compiles(18, 25, 1) // the new ones, together
	compiles(30, 31, 1) // one alone
	compiles(29, 32, 1) // and beside it two more
	compiles(0, 200, 1, "constants")
	compiles(199, 200, 0, "constants")
	m.wantNoLeftovers()
}
