//go:build unix && !darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// With --open the system shows the page: here a script stands in for what the system has for it.
func TestExplainOpen(t *testing.T) {
	dir := explained(t)
	bin, pages := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\nprintf %s \"$1\" >\"$SHOWN\"\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	shown := filepath.Join(t.TempDir(), "shown")
	env := append(slices.Clone(inModule), "QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc", "TMPDIR="+pages, "SHOWN="+shown,
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	qdgen(t, dir, env, "explain", "--kernel", "walk", "--open").want(t, 0, nil, nil)
	file := read(t, shown)
	if !strings.HasPrefix(file, pages) || !strings.Contains(read(t, file), "<!DOCTYPE html>") {
		t.Errorf("shown is %q", file)
	}
	qdgen(t, dir, env, "explain", "--kernel", "walk", "--open", "-o", "page.html").want(t, 0, nil, nil)
	if file := read(t, shown); filepath.Base(file) != "page.html" || !filepath.IsAbs(file) {
		t.Errorf("with -o, shown is %q", file)
	}
	if err := os.Remove(filepath.Join(bin, "xdg-open")); err != nil {
		t.Fatal(err)
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(goCommand, filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	qdgen(t, dir, append(env, "PATH="+bin), "explain", "--kernel", "walk", "--open", "-o", "page.html").want(t, 1, nil,
		[]string{"no browser could be started", "; open page.html"})
}
