package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The errors of all kernels of all packages come out at once, each once, and no code.
func TestEmitErrorsOfAllKernels(t *testing.T) {
	r := qdgen(t, "testdata/several", nil, "emit", "./...")
	if r.exit != exitError || r.stdout != "" {
		t.Errorf("exit status %d, printed %s", r.exit, r.stdout)
	}
	want := []string{
		"one/one.go:12:6: a kernel cannot allocate memory: x ends where its elements do",
		"one/one.go:17:16: undefined: missing",
		"one/one.go:18:2: defer statements are not supported in a kernel",
		"one/one.go:22:40: parameter names has type map[string]int: maps are not supported",
		"one/one.go:25:2: go statements are not supported in a kernel",
		"two/two.go:10:45: a kernel cannot allocate memory: x ends where its elements do",
	}
	var got []string
	for line := range strings.Lines(r.stderr) {
		if strings.Contains(line, ".go:") {
			got = append(got, filepath.ToSlash(strings.TrimSpace(line)))
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// Wherever the command runs, the code is the same: it has base names only.
func TestEmitHasBaseNamesOnly(t *testing.T) {
	for _, target := range []string{"cuda", "cpp", "ssa"} {
		t.Run(target, func(t *testing.T) {
			here := qdgen(t, ".", nil, "emit", "--target", target, "../../examples/saxpy", "../../examples/heat")
			there := qdgen(t, "../../examples", nil, "emit", "--target", target, "./saxpy", "./heat")
			if here.exit != exitOK || here.stdout == "" || here.stdout != there.stdout {
				t.Errorf("from here:\n%s%s\nfrom there:\n%s%s", here.stderr, here.stdout, there.stderr, there.stdout)
			}
			if strings.Contains(here.stdout, "/main.go") {
				t.Errorf("the code has a path in it:\n%s", here.stdout)
			}
		})
	}
}

// Kernels are chosen by their names, each once, in the order of the source.
func TestEmitSomeKernels(t *testing.T) {
	dir := newModule(t, []byte("-- k.go --\npackage k\n\nimport \"github.com/qdgen/qd\"\n\n"+
		"//qd:kernel\nfunc a(t qd.Thread, x []int) {}\n\n//qd:kernel\nfunc b[T qd.Number](t qd.Thread, x []T) {}\n\n//qd:kernel\nfunc c(t qd.Thread, x []int) {}\n"))
	enter(t, dir, inModule)
	for _, test := range []struct{ names, want string }{
		{"", "a b c"},
		{"a", "a"},
		{"c a c", "a c"},
		{"b[int8] a b[float64]", "a b[int8] b[float64]"},
	} {
		args := []string{"emit", "--json"}
		for _, name := range strings.Fields(test.names) {
			args = append(args, "--kernel", name)
		}
		var all []emitted
		qdgen(t, ".", nil, args...).parse(t, &all)
		var got []string
		for _, e := range all {
			got = append(got, e.Kernel)
		}
		if g := strings.Join(got, " "); g != test.want {
			t.Errorf("--kernel %s: %s, want %s", test.names, g, test.want)
		}
	}
}
