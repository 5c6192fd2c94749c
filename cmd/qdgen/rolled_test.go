package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// TestRolledLoops counts the multiplications between two jumps in machine code: the body of a loop that qd.Dynamic
// keeps is not written out again by the compilers of the targets.
func TestRolledLoops(t *testing.T) {
	t.Parallel()
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	env := nvrtcs(t)["the newest"]
	for _, target := range []struct {
		name           string
		args           []string
		multiply, jump *regexp.Regexp
	}{
		{"ptx", []string{"--target", "ptx", "--arch", "sm_90"}, regexp.MustCompile(`^\s*mul\.(rn\.)?f32\s`), regexp.MustCompile(`^\s*(@\S+ )?bra`)},
		{"asm", []string{"--target", "asm"}, regexp.MustCompile(`^\s*v?mul[ps]s\s`), regexp.MustCompile(`^\s*j[a-z]+\s`)},
	} {
		// run is the most multiplications without a jump between them.
		run := func(kernel string) (most, jumps int) {
			n := 0
			for line := range strings.Lines(qdgen(t, ".", env, append([]string{"emit", "./testdata/rolled", "--kernel", kernel}, target.args...)...).stdout) {
				switch {
				case target.multiply.MatchString(line):
					n++
				case target.jump.MatchString(line):
					n = 0
					jumps++
				}
				most = max(most, n)
			}
			return most, jumps
		}
		if n, _ := run("unrolled"); n < 4 {
			t.Errorf("%s: %d multiplications without a jump in a loop of 4 turns that is unrolled", target.name, n)
		}
		for _, kernel := range []string{"overRange", "ofVariable", "bound", "condition", "withBreak", "ofRuntime"} {
			if n, jumps := run(kernel); n != 1 || jumps < 2 {
				t.Errorf("%s, %s: %d multiplications without a jump, and %d jumps", target.name, kernel, n, jumps)
			}
		}
	}
}
