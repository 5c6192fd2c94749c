package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the go command says is wrong with packages comes out in a line, with what to do.
func TestPackageErrors(t *testing.T) {
	outside, broken := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "go.mod"), []byte("modul x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(broken, "bare"), 0o700); err != nil {
		t.Fatal(err)
	}
	printed := newModule(t, []byte("-- k.go --\npackage k\n-- k.cpp --\n"))
	nowhere := filepath.Join(outside, "nowhere")
	const noModule = "qdgen: " + noModule + "\n"
	const noGo = "qdgen: the go command, which finds packages and their source, is not in PATH; install Go, or add its bin directory to PATH\n"
	for _, tt := range []struct {
		name, dir string
		args      []string
		env       []string
		want      string
	}{
		{"no directory", ".", []string{"./nope"}, nil, "qdgen: ./nope does not exist; " + howToName + "\n"},
		{"no directories", ".", []string{"./nope", "./nix"}, nil, "qdgen: ./nope does not exist; " + howToName + "\n./nix does not exist; " + howToName + "\n"},
		{"no directory below", ".", []string{"./testdata/nope/..."}, nil, "qdgen: ./testdata/nope/... does not exist; " + howToName + "\n"},
		{"no file", ".", []string{"nope.go"}, nil, "qdgen: nope.go does not exist; " + howToName + "\n"},
		{"no such package", ".", []string{"fmt/nope"}, nil, ""},
		{"not required", ".", []string{"example.com/a"}, nil, "qdgen: no required module provides package example.com/a; to add it: go get example.com/a\n"},
		{"no Go files", ".", []string{"./testdata"}, nil, "qdgen: no Go files in " + abs(t, "testdata") + "; " + howToName + "\n"},
		{"no module", outside, nil, nil, noModule},
		{"no module for a package", outside, []string{"example.com/a"}, nil, noModule},
		{"no module for all packages", outside, []string{"./..."}, nil, noModule},
		{"another module", printed, []string{"../..."}, nil, "qdgen: pattern ../...: directory prefix .. does not contain main module or its selected dependencies; change to the directory of the module that the packages belong to\n"},
		{"no temporary directory for a program", ".", []string{"--program", "."}, []string{"TMPDIR=" + nowhere}, "qdgen: there is no directory for temporary files: stat " + nowhere + ": no such file or directory; set TMPDIR to a directory that can be written to\n"},
		{"broken module", broken, nil, nil, "qdgen: errors parsing go.mod: go.mod:1: unknown directive: modul\n"},
		{"a printed text", printed, nil, []string{"CGO_ENABLED=1"}, "qdgen: example.com/app: C++ source files not allowed when not using cgo or SWIG: k.cpp; if qdgen emit has printed one of them, move it to a directory without a package\n"},
		{"no go command", ".", nil, []string{"PATH="}, noGo},
		{"no go command for a program", ".", []string{"--program", "."}, []string{"PATH="}, noGo},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := qdgen(t, tt.dir, append([]string{"GOFLAGS=", "GOWORK="}, tt.env...), append([]string{"emit"}, tt.args...)...)
			if tt.want == "" {
				r.want(t, exitError, nil, []string{"qdgen: package fmt/nope is not in std (", "/fmt/nope); " + howToName + "\n"})
			} else if r.want(t, exitError, nil, []string{tt.want}); r.stderr != tt.want {
				t.Errorf("got %q, want %q", r.stderr, tt.want)
			}
		})
	}
}

// TestNoPackages asks for nothing, in all commands.
func TestNoPackages(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	empty := newModule(t, nil)
	for _, command := range []string{"emit", "explain", "gen", "vet"} {
		for _, tt := range []struct {
			dir, pattern, want string
		}{
			{outside, ".", noModule},
			{outside, "./...", noModule},
			{outside, "./nope.go", "./nope.go does not exist; " + howToName},
			{empty, "./nope.go", "./nope.go does not exist; " + howToName},
			{empty, "./...", "no "},
		} {
			r := qdgen(t, tt.dir, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, command, tt.pattern)
			if r.exit != exitError || !strings.Contains(r.stderr, tt.want) || strings.Contains(r.stderr, "panic") {
				t.Errorf("%s %s in %s: status %d, %q", command, tt.pattern, tt.dir, r.exit, r.stderr)
			}
		}
	}
}

// The go command needs a directory for temporary files where it compiles packages.
func TestNoTemporaryDirectory(t *testing.T) {
	dir, nowhere := newModule(t, []byte("-- k.go --\npackage k\n")), filepath.Join(t.TempDir(), "nowhere")
	r := qdgen(t, dir, append([]string{"TMPDIR=" + nowhere}, inModule...), "vet", "./...")
	want := "qdgen: the go command has no directory for temporary files: stat " + nowhere + ": no such file or directory; set TMPDIR to a directory that can be written to\n"
	if r.exit != exitError || r.stderr != want {
		t.Errorf("status %d, got %q, want %q", r.exit, r.stderr, want)
	}
}

// Packages that import each other are told with the places where they do, whether they are named or imported.
func TestImportCycle(t *testing.T) {
	dir := newModule(t, []byte(`-- main.go --
package main

import _ "example.com/app/a"

func main() {}
-- a/a.go --
package a

import (
	"fmt"

	"example.com/app/b"
)

func A() { fmt.Println(b.B) }
-- b/b.go --
package b

import "example.com/app/a"

var B = a.A
`))
	const want = "qdgen: a/a.go:6:2: import cycle not allowed: example.com/app/a imports example.com/app/b at a/a.go:6:2, which imports example.com/app/a at b/b.go:3:8\n"
	for _, args := range [][]string{{"gen", "./..."}, {"gen"}, {"vet", "./b"}, {"emit"}} {
		if r := qdgen(t, dir, inModule, args...); r.stderr != want || r.exit != exitError {
			t.Errorf("%v: status %d, got %q, want %q", args, r.exit, r.stderr, want)
		}
	}

	// One that a test closes.
	write(t, filepath.Join(dir, "b", "b.go"), "package b\n\nvar B = 1\n")
	write(t, filepath.Join(dir, "b", "b_test.go"), "package b\n\nimport \"example.com/app/a\"\n\nvar A = a.A\n")
	const inTest = "qdgen: a/a.go:6:2: import cycle not allowed: example.com/app/a imports example.com/app/b at a/a.go:6:2, which imports example.com/app/a at b/b_test.go:3:8\n"
	if r := qdgen(t, dir, inModule, "vet", "./..."); r.stderr != inTest || r.exit != exitError {
		t.Errorf("status %d, got %q, want %q", r.exit, r.stderr, inTest)
	}
}

func abs(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
