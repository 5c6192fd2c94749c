package testenv

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWalk(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.go", ".ci/run", ".git/HEAD", "build/passed/vet", "internal/build/build.go", "internal/gentest/testdata/a.go", "testdata/.hidden/a"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := Walk(root, func(path string, _ fs.DirEntry) error {
		got = append(got, path)
		return nil
	})
	if want := []string{".", "a.go", "internal", "internal/build", "internal/build/build.go", "internal/gentest", "testdata"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestEmbedded(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	for name, text := range map[string]string{"a.go": "package a\n\n//go:embed b.go c*.go\nvar files embed.FS\n", "b.go": "", "c1.go": "", "c2.go": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(dir, "b.go"), filepath.Join(dir, "c1.go"), filepath.Join(dir, "c2.go")}
	if got, err := Embedded(file); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if err := os.Remove(filepath.Join(dir, "b.go")); err != nil {
		t.Fatal(err)
	}
	if got, err := Embedded(file); err == nil {
		t.Errorf("without b.go: %q", got)
	}
}
