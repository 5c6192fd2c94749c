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

// TestStartsOfGo counts how often commands, and the programs that they run, start the go command: a start takes a
// tenth of a second of a processor, which is more than all that most commands do besides.
func TestStartsOfGo(t *testing.T) {
	t.Parallel()
	dir, env := programModule(t, "go")
	path, record := countingGo(t)
	env = append(env, path)
	for _, tt := range []struct {
		args string
		most int
	}{
		{"emit ./kernels --kernel Unused", 2}, // package packages asks for the version first
		{"emit --program . --kernel Scale", 1},
		{"emit --program ./kernels", 2},
		{"vet ./kernels", 3},
		{"gen ./kernels", 5}, // what there is, and its types if there are kernels
		{"cache list", 0},
		{"help", 0},
	} {
		_ = os.Remove(record)
		qdgen(t, dir, env, strings.Fields(tt.args)...)
		starts, err := os.ReadFile(record)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if n := strings.Count(string(starts), "\n"); n > tt.most || n == 0 && tt.most > 0 {
			t.Errorf("%s starts the go command %d times, which may be %d:\n%s", tt.args, n, tt.most, starts)
		}
	}
}
