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
