package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// What an edit of a program makes the Go compiler compile: the methods of vectors are not among it, since they are
// compiled in their own package, nor is anything of what is behind package qd.
func TestCompiledFunctions(t *testing.T) {
	for program, most := range map[string]int{"mpm": 480, "raymarch": 200, "saxpy": 20, "seeds/warp": 300} {
		cmd := exec.Command("go", "build", "-gcflags=-S", "-o", t.TempDir()+"/program", "../"+program)
		listing, err := cmd.CombinedOutput() // the go command keeps it with what it has built
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, listing)
		}
		functions := 0
		for line := range strings.Lines(string(listing)) {
			name, attributes, _ := strings.Cut(line, " ")
			if !strings.HasPrefix(attributes, "STEXT ") {
				continue
			}
			functions++
			if vectorMethod.MatchString(name) || inner.MatchString(name) {
				t.Errorf("%s: %s is compiled again", program, name)
			}
		}
		t.Logf("%s: %d functions", program, functions)
		if functions == 0 || functions > most {
			t.Errorf("%s: the compiler makes %d functions, want 1 to %d", program, functions, most)
		}
	}
}

// vectorMethod matches the symbols of methods of vectors, matrices and the like.
var vectorMethod = regexp.MustCompile(`^github\.com/qdgen/qd/([fiu](32|64)|bools)\.(\(\*)?\w+\)?\.`)

// inner matches the symbols of functions of inner packages, and of sync.Map, of which package qd has some.
var inner = regexp.MustCompile(`^(github\.com/qdgen/qd/internal/|internal/sync\.)`)
