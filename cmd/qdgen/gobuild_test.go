package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program that has been built is not linked again.
func TestGoBuild(t *testing.T) {
	dir := t.TempDir()
	main, other := filepath.Join(dir, "main.go"), filepath.Join(dir, "other.go")
	write(t, main, "package main\n\nfunc main() { println(\"hello\", run) }\n")
	// Of another program than that of the last run.
	write(t, other, "package main\n\nconst run = `"+dir+"`\n")
	for i, linked := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "it's a program")
		var out bytes.Buffer
		if err := goBuild(&out, file, "-x", main, other); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		if got := strings.Contains(out.String(), string(filepath.Separator)+"link"); got != linked {
			t.Errorf("build %d: linked: %v\n%s", i, got, &out)
		}
		program(t, dir, file, nil).want(t, 0, nil, []string{"hello " + dir + "\n"})
	}
	var out bytes.Buffer
	write(t, other, "package main\n\nconst run = undefined\n")
	file := filepath.Join(t.TempDir(), "program")
	if err := goBuild(&out, file, main, other); err == nil || !strings.Contains(out.String(), "other.go:3:13: undefined: undefined") {
		t.Errorf("%v\n%s", err, &out)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error(err)
	}
	if r := qdgen(t, ".", nil, copyProgram, file, other); r.exit != exitError || !strings.HasPrefix(r.stderr, "qdgen: ") {
		t.Errorf("%+v", r)
	}
}
