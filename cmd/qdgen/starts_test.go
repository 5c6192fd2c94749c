//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// countingGo is a PATH with a go command that records its arguments in a file, a start on each line.
func countingGo(t *testing.T) (path, record string) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	record = filepath.Join(dir, "record")
	script := fmt.Sprintf("#!/bin/sh\nprintf '%%s ' \"$@\" >> '%s'\necho >> '%[1]s'\nexec '%s' \"$@\"\n", record, goTool)
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH"), record
}

// TestStartsOfGo counts how often commands, and the programs that they run, start the go command, and how often it
// compiles what packages import: a start takes a tenth of a second of a processor, which is more than all that most
// commands do besides. A command with what is in a package lists once. What it lists is compiled if types are needed.
func TestStartsOfGo(t *testing.T) {
	t.Parallel()
	dir, env := programModule(t, "go")
	write(t, filepath.Join(dir, "tested", "tested_test.go"), "package tested\n\nimport \"github.com/qdgen/qd\"\n\nvar by = 2\n\n"+
		"//qd:kernel\nfunc inTest(t qd.Thread, x []int) { x[0] = by }\n")
	write(t, filepath.Join(dir, "tested", "tested.go"), "package tested\n")
	path, record := countingGo(t)
	env = append(env, path, "QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc") // explain does without them
	for _, tt := range []struct {
		args             string
		starts, compiled int
	}{
		{"emit ./kernels --kernel Unused", 1, 0},
		{"emit ./kernels --kernel Scale --type T=float32 --const by=2", 1, 1},
		{"emit ./... --kernel Scale --type T=float32 --const by=2", 2, 1}, // of all packages only those with such kernels are compiled
		{"emit --program . --kernel Scale", 1, 0},                         // go run
		{"emit --program ./kernels", 2, 0},                                // it fails, and go list says that this is no program
		{"explain ./kernels --kernel Unused --json", 1, 1},
		{"explain ./kernels --kernel Scale --const by=2 --against-const by=3 --type T=float32 -o page.html", 1, 1},
		{"vet ./kernels", 1, 1},
		{"vet ./...", 1, 1},
		{"gen ./kernels", 1, 1},
		{"gen ./...", 3, 2}, // the third one is of tests
		{"cache list", 0, 0},
		{"version", 0, 0},
		{"help", 0, 0},
	} {
		_ = os.Remove(record)
		r := qdgen(t, dir, env, strings.Fields(tt.args)...)
		text, err := os.ReadFile(record)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		starts, compiled := strings.Count(string(text), "\n"), strings.Count(string(text), " -export ")
		if starts != tt.starts || compiled != tt.compiled {
			t.Errorf("%s starts the go command %d times, of which %d compile, want %d and %d:\n%s%s", tt.args, starts, compiled, tt.starts, tt.compiled, text, r.stderr)
		}
	}
}
