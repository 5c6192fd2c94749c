package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRoot(t *testing.T) {
	root := Root()
	if root == "" {
		t.Skip("this test does not run in a checkout")
	}
	if _, err := os.Stat(filepath.Join(root, "internal", "testenv", "testenv.go")); err != nil {
		t.Errorf("Root() = %s: %v", root, err)
	}

	// Below another module, and below none.
	dir := t.TempDir()
	t.Chdir(dir)
	if got := Root(); got != "" {
		t.Errorf("Root() = %s outside of a checkout", got)
	}
	if err := os.WriteFile("go.mod", []byte("module example.com/m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Root(); got != "" {
		t.Errorf("Root() = %s in another module", got)
	}
}

func TestSetup(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "pkg"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module github.com/qdgen/qd\n\ngo 1.26.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "pkg"))
	t.Setenv("QD_TOOLS", "elsewhere")
	Setup()
	if got := os.Getenv("QD_TOOLS"); got != "elsewhere" {
		t.Errorf("QD_TOOLS was set and is now %s", got)
	}
	t.Setenv("QD_TOOLS", "")
	Setup()
	got, err := filepath.EvalSymlinks(os.Getenv("QD_TOOLS"))
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := filepath.EvalSymlinks(filepath.Join(dir, ".tools")); got != want {
		t.Errorf("QD_TOOLS = %s, want %s", got, want)
	}
}
