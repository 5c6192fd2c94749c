//go:build linux && !race

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// A program whose kernels use the standard library does the same on a machine without Go: its generated file has what is
// reached of that. The tools compile its kernels too.
func TestStandardShipped(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	dir := copyProgram(t, "standard")
	if out := generate(t, dir, "./..."); out != "" {
		t.Errorf("qdgen gen prints %s", out)
	}
	generate(t, dir, "--check", "./...")
	text, err := os.ReadFile(filepath.Join(dir, "qd_gen.go"))
	must(t, err)
	if !bytes.Contains(text, []byte(`qdreg.Standard("`+runtime.Version()+`"`)) {
		t.Error("the generated file has nothing of the standard library")
	}
	for _, name := range packedFiles(t, text) {
		if strings.HasPrefix(name, "strings/") {
			t.Errorf("the generated file has %s, which only compiled Go runs", name)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"emit", "--target", "cpp", "."}} {
		program, err := qdgenProgram()
		must(t, err)
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), []string{"CGO_ENABLED=0"}, inModule)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("qdgen %v: %v\n%s", args, err, out)
		}
	}
	built, err := buildProgram(dir, "-gcflags=example.com/...=-trimpath="+dir+"=>example.com/standard")
	must(t, err)
	m := newMachine(t)
	program := filepath.Join(m.dir, "shipped")
	must(t, os.Rename(built, program))
	must(t, os.RemoveAll(dir))
	goRoot, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	must(t, err)
	want := m.run(program, "-device", "go").ok().stdout
	if strings.Count(want, "\n") != 8 {
		t.Fatalf("device go prints %s", want)
	}
	hidden := []string{strings.TrimSpace(string(goRoot)) + "=4k", testenv.Root() + "=4k"}
	if r := m.wait(m.withMounts(m.command(program, "-device", "cpu"), hidden...)).ok(); r.stdout != want {
		t.Errorf("without Go, device cpu prints\n%s\nwant\n%s", r.stdout, want)
	}
}

// packedFiles are the names of the files of the standard library in a generated file.
func packedFiles(t *testing.T, text []byte) (names []string) {
	t.Helper()
	_, rest, _ := strings.Cut(string(text), "qdreg.Standard(")
	_, rest, _ = strings.Cut(rest, "`")
	packed, _, _ := strings.Cut(rest, "`")
	archive, err := base64.StdEncoding.DecodeString(packed)
	must(t, err)
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	must(t, err)
	for _, f := range files.File {
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		t.Error("the archive is empty")
	}
	return names
}
