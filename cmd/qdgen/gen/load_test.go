package gen

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/cmd/qdgen/listed"
)

// A file that is gone while the go command lists packages is named.
func TestCheckSaysWhy(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/app\n\ngo 1.26.0\n", "a.go": "package app\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := newLoader(dir, new(listed.List), listed.Packages).check("example.com/app"); err != nil {
		t.Fatal(err)
	}
	// A go command whose cache loses a file while it lists.
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *-export*) echo 'open /cache/0a-d: no such file or directory' >&2; exit 1;; esac\nexec " + goCommand + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	err = newLoader(dir, new(listed.List), listed.Packages).check("example.com/app")
	if want := "package example.com/app is no longer found: open /cache/0a-d: no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
