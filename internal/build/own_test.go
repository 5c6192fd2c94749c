package build

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// The text that stands for a working copy of qdgen has all packages in it that package qd is made of,
// and what they embed.
func TestOwnPackages(t *testing.T) {
	const format = `{{with .Module}}{{if eq .Path "` + module + `"}}{{$.ImportPath}}{{range $.EmbedFiles}} {{.}}{{end}}{{end}}{{end}}`
	cmd := exec.Command("go", "list", "-deps", "-f", format, ".")
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		dir := strings.TrimPrefix(strings.TrimPrefix(words[0], module), "/")
		for _, f := range append([]string{"any.go"}, words[1:]...) {
			if need := filepath.ToSlash(filepath.Dir(filepath.Join(dir, f))); !slices.Contains(ownPackages, need) {
				t.Errorf("%s is not in ownPackages", need)
			}
		}
	}
	files, err := ownText(testenv.Root())
	if err != nil || len(files) < 100 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
