package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFace holds package qd, which a user reads first, to what one can read: its files, the lines of its index,
// and the packages that its signatures name.
func TestFace(t *testing.T) {
	const mostFiles, mostLines = 60, 220
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			n++
		}
	}
	if n == 0 || n > mostFiles {
		t.Errorf("package qd has %d files without tests, more than %d", n, mostFiles)
	}
	doc := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", append(append([]string{"doc"}, args...), ".")...)
		cmd.Dir, cmd.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	index := doc()
	if n := strings.Count(index, "\n"); n < 100 || n > mostLines {
		t.Errorf("go doc . prints %d lines, more than %d", n, mostLines)
	}
	for _, section := range []string{"# Kernels", "# Launches", "# Errors"} {
		if !strings.Contains(index, "\n"+section+"\n") {
			t.Errorf("the page lacks the section %s", section)
		}
	}
	// What is shown names standard packages only, and types of this one.
	inner := regexp.MustCompile(`(?m)^(func|type|var|const|    func|\t\w+).*\b(frontend|load|comptime|diag|eval|lower|check|ssa|emit|compile|build|bug|registry|device|dims|failure|fault|gorun|kernel|launch|tape|tune)\.[A-Z].*$`)
	if found := inner.FindAllString(doc("-all"), -1); len(found) > 0 {
		t.Errorf("signatures of package qd name inner packages:\n%s", strings.Join(found, "\n"))
	}
}
