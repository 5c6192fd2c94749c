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
	dir := newModule(t, []byte("-- main.go --\npackage main\n\nfunc main() { println(\"hello\") }\n"))
	t.Chdir(dir)
	for _, v := range inModule {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	// Of another program than that of the last run.
	write(t, filepath.Join(dir, "other.go"), "package main\n\nconst run = "+`"`+t.TempDir()+`"`+"\n\nfunc init() { println(run) }\n")
	for i, linked := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "it's a program")
		var out bytes.Buffer
		if err := goBuild(&out, file, "-x", "."); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		if got := strings.Contains(out.String(), string(filepath.Separator)+"link"); got != linked {
			t.Errorf("build %d: linked: %v\n%s", i, got, &out)
		}
		program(t, dir, file, nil).want(t, 0, nil, []string{"hello\n"})
	}
	var out bytes.Buffer
	write(t, filepath.Join(dir, "other.go"), "package main\n\nvar _ = undefined\n")
	file := filepath.Join(t.TempDir(), "program")
	if err := goBuild(&out, file, "."); err == nil || !strings.Contains(out.String(), "other.go:3:9: undefined: undefined") {
		t.Errorf("%v\n%s", err, &out)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error(err)
	}
	other := filepath.Join(t.TempDir(), "there")
	write(t, other, "")
	if r := qdgen(t, ".", nil, copyProgram, file, other); r.exit != exitError || !strings.HasPrefix(r.stderr, "qdgen: ") {
		t.Errorf("%+v", r)
	}
}
