package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestEmitQuestions counts the lists of packages that emit asks the go command for, which take longer than all that emit does
// itself. What a kernel needs without flags is one list; only what is given, or has to be found in launches, needs the types of
// the package, and with them the compiled packages that it imports.
func TestEmitQuestions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no shell scripts")
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >> '%s'\nexec '%s' \"$@\"\n", asked, goCommand)
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
	module := newModule(t, []byte("-- k.go --\npackage k\n\nimport \"github.com/qdgen/qd\"\n\n"+
		"//qd:kernel\nfunc plain(t qd.Thread, x []int) { x[0] = 1 }\n\n"+
		"//qd:kernel\nfunc given(t qd.Thread, n qd.Const[int], x []int) { x[0] = n.V }\n"))
	for _, tt := range []struct {
		name            string
		args            []string
		lists, compiled int
	}{
		{"plain", []string{"--kernel", "plain"}, 1, 0},
		{"a constant", []string{"--const", "n=2"}, 2, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			qdgen(t, module, append(env, inModule...), append([]string{"emit", "--target", "ssa"}, tt.args...)...).want(t, exitOK, []string{"kernel "}, nil)
			lists, compiled := 0, 0
			for line := range strings.Lines(read(t, asked)) {
				if strings.Contains(line, " -json=") {
					lists++
				}
				if strings.Contains(line, " -export=true ") {
					compiled++
				}
			}
			if lists != tt.lists || compiled != tt.compiled {
				t.Errorf("%d lists of packages, of which %d have them compiled, want %d and %d:\n%s", lists, compiled, tt.lists, tt.compiled, read(t, asked))
			}
			if err := os.Remove(asked); err != nil {
				t.Fatal(err)
			}
		})
	}
}
