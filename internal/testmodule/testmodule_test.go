package testmodule

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A test has the same directories in each run, an empty one for each module, and leaves none behind.
func TestDir(t *testing.T) {
	var runs [2][2]string
	for i := range runs {
		t.Run("run", func(t *testing.T) {
			// The names of the subtests of a test differ.
			same := renamed{t, "TestDir/of a name"}
			for k := range runs[i] {
				dir := Dir(same)
				runs[i][k] = dir
				if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
					t.Errorf("%s has %v, %v", dir, entries, err)
				}
				if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
					t.Error(err)
				}
			}
		})
		for _, dir := range runs[i] {
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("%s is left behind: %v", dir, err)
			}
		}
	}
	if runs[0] != runs[1] || runs[0][0] == runs[0][1] {
		t.Errorf("the directories are %q", runs)
	}
}

// A renamed test has another name.
type renamed struct {
	testing.TB
	name string
}

func (r renamed) Name() string { return r.name }

// The go command builds a module that uses this checkout, and leaves its go.mod as it is.
func TestWrite(t *testing.T) {
	dir := Dir(t)
	Write(t, dir, "example.com/app")
	name := filepath.Join(dir, "go.mod")
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nimport _ \"github.com/qdgen/qd\"\n\nfunc main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, mod := range []string{"-mod=mod", "-mod=readonly"} {
		cmd := exec.Command("go", "list", mod, "-deps", ".", "github.com/qdgen/qd/cmd/qdgen")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", mod, err, out)
		}
		if after, err := os.ReadFile(name); err != nil || string(after) != string(before) {
			t.Errorf("%s: go.mod was\n%s\nand is\n%s(%v)", mod, before, after, err)
		}
	}
}
