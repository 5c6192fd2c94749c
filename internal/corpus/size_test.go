package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// Goldens are for people: as many as somebody reads. What is not shown is held by results and
// by a line of digest for each text.
const (
	maxShown    = 60    // kernels that show their texts
	maxExpected = 20000 // lines of expected text in the whole tree, results included
)

// TestSize keeps the corpus from shrinking, and what it shows from growing.
func TestSize(t *testing.T) {
	n, shown := 0, 0
	for _, f := range files {
		for _, k := range f.Kernels {
			n++
			if len(k.Texts) > 0 {
				shown++
			}
		}
	}
	if n < 460 {
		t.Errorf("%d kernels in the corpus", n)
	}
	if shown > maxShown {
		t.Errorf("%d kernels show their texts, more than %d: who reads them?", shown, maxShown)
	}
	lines := expectedLines(t)
	total := 0
	for _, n := range lines {
		total += n
	}
	if total > maxExpected {
		t.Errorf("%d lines of expected text in the whole tree, more than %d: %v", total, maxExpected, lines)
	}
}

// expectedLines counts the lines of expected text in the whole tree, by the kind of file.
func expectedLines(t *testing.T) map[string]int {
	t.Helper()
	lines := map[string]int{}
	for _, f := range files {
		for _, k := range f.Kernels {
			for _, text := range k.Texts {
				lines["texts of the corpus"] += strings.Count(text, "\n")
			}
			for _, l := range k.Launches {
				lines["results of the corpus"] += strings.Count(l.Result+l.Stdout, "\n")
			}
		}
	}
	err := testenv.Walk(root, func(path string, d fs.DirEntry) error {
		if d.IsDir() {
			return nil
		}
		kind := ""
		switch {
		case filepath.Ext(path) == ".golden", strings.Contains(path, "testdata/gen/") && filepath.Ext(path) == ".txtar":
			kind = "golden files"
		case strings.HasSuffix(filepath.Dir(path), "frontend/testdata/lower"):
			kind = "lowered kernels of package frontend"
		case filepath.Base(path) == "goldens_test.go":
			kind = "tables of goldens"
		default:
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		expected := string(text)
		if _, ssa, ok := strings.Cut(expected, "\n/* SSA\n"); ok {
			expected = ssa // what stands before is the Go
		}
		lines[kind] += strings.Count(expected, "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
