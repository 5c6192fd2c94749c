package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// expectations are the patterns in the "want" comments of a directory's files, by
// "file:line", relative to the working directory.
func expectations(t *testing.T, dirs ...string) map[string][]string {
	t.Helper()
	pattern := regexp.MustCompile("`([^`]*)`")
	want := make(map[string][]string)
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(f)
			for n := 1; lines.Scan(); n++ {
				_, comment, ok := strings.Cut(lines.Text(), "// want ")
				if !ok {
					continue
				}
				at := fmt.Sprintf("%s:%d", filepath.ToSlash(name), n)
				for _, m := range pattern.FindAllStringSubmatch(comment, -1) {
					want[at] = append(want[at], m[1])
				}
			}
			f.Close()
		}
	}
	if len(want) == 0 {
		t.Fatal("nothing is expected")
	}
	return want
}

// compareFound takes what was found, by "file:line", from what is expected.
func compareFound(t *testing.T, want map[string][]string, at, message string) {
	t.Helper()
	for i, w := range want[at] {
		if regexp.MustCompile(w).MatchString(message) {
			want[at] = append(want[at][:i], want[at][i+1:]...)
			return
		}
	}
	t.Errorf("%s: unexpected: %s", at, message)
}

func reportMissing(t *testing.T, want map[string][]string) {
	t.Helper()
	for at, rest := range want {
		for _, w := range rest {
			t.Errorf("%s: nothing matches %s", at, w)
		}
	}
}

func TestVet(t *testing.T) {
	want := expectations(t, "testdata/vet", "testdata/vet/dep")
	r := qdgen(t, ".", nil, "vet", "--json", "./testdata/vet")
	if r.exit != 1 {
		t.Errorf("exit status %d\n%s", r.exit, r.stderr)
	}
	var found []problem
	r.parse(t, &found)
	for _, p := range found {
		compareFound(t, want, fmt.Sprintf("%s:%d", filepath.ToSlash(p.File), p.Line), p.Message)
	}
	reportMissing(t, want)
}

// Go vet runs the same analyzer in its own way: on one package at a time, with what
// the compiler has left of the others.
func TestVetTool(t *testing.T) {
	want := expectations(t, "testdata/vet", "testdata/vet/dep")
	out, err := exec.CommandContext(t.Context(), "go", "vet", "-vettool="+binary, "./testdata/vet").CombinedOutput()
	if err == nil {
		t.Error("go vet succeeds")
	}
	line := regexp.MustCompile(`^(?:vet: )?(\S+\.go:\d+):\d+: (.*)$`)
	for l := range strings.Lines(string(out)) {
		if m := line.FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil {
			at := strings.TrimPrefix(m[1], "cmd/qdgen/")
			compareFound(t, want, strings.TrimPrefix(at, "./"), m[2])
		} else if !strings.HasPrefix(l, "#") {
			t.Errorf("go vet printed %q", l)
		}
	}
	reportMissing(t, want)
}

func TestVetFindsNothing(t *testing.T) {
	// Not examples/seeds: it has kernels that show what is refused.
	args := []string{"vet"}
	for _, name := range []string{"blur", "fluid", "heat", "mandelbrot", "mpm", "raymarch", "saxpy"} {
		args = append(args, "../../examples/"+name)
	}
	qdgen(t, ".", nil, args...).want(t, 0, nil, nil)
	qdgen(t, ".", nil, "vet", "--json", "../../examples/saxpy").want(t, 0, []string{"[]\n"}, nil)
	qdgen(t, ".", nil, "vet", ".").want(t, 0, nil, nil) // without a kernel
}

func TestVetShowsTheLine(t *testing.T) {
	qdgen(t, ".", nil, "vet", "./testdata/refused").want(t, 1, nil, []string{"kernel.go:", "^", "help: "})
	qdgen(t, ".", nil, "vet", "./nowhere").want(t, 1, nil, []string{"nowhere"})
	qdgen(t, ".", nil, "vet", "--nonsense").want(t, 2, nil, []string{"--nonsense"})
}

// What keeps the go command from listing packages is an error.
func TestVetUnlisted(t *testing.T) {
	dir := newModule(t, []byte("-- k.go --\npackage k\n\nimport \"github.com/qdgen/qd\"\n\n//qd:kernel\nfunc k(t qd.Thread, x []int) {}\n"))
	for _, command := range []string{"vet", "gen", "emit"} {
		qdgen(t, dir, []string{"GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off"}, command, "./...").want(t, 1, nil, []string{"updates to go.mod needed"})
	}
}
