package docs_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
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

// TestExamples expects an example of each function and type of package qd that README.md and first-steps.md use.
func TestExamples(t *testing.T) {
	read := func(pattern string) (all string) {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all += string(text)
		}
		return all
	}
	used := regexp.MustCompile(`\bqd\.[A-Z]\w*`)
	examples := make(map[string]bool)
	for _, name := range used.FindAllString(read("../example_*_test.go"), -1) {
		examples[name] = true
	}
	names := used.FindAllString(read("../README.md")+read("first-steps.md"), -1)
	if len(names) < 50 {
		t.Fatalf("the documents use package qd %d times", len(names))
	}
	for _, name := range names {
		if !examples[name] && name != "qd.Array" { // which qd.From and qd.Zeros make
			t.Errorf("no example on the page of package qd uses %s", name)
		}
	}
}

// TestGeneratedCalls holds the files that qdgen gen writes to package qdreg and to what any user calls of package qd.
func TestGeneratedCalls(t *testing.T) {
	files := 0
	imported := regexp.MustCompile(`(?m)^(?:import)?\s*(?:\w+ )?"github\.com/qdgen/qd((?:/[\w/]+)?)"$`)
	calls := regexp.MustCompile(`\bqd\.([A-Z]\w*)\(`)
	err := testenv.Walk("..", func(name string, d fs.DirEntry) error {
		switch d.Name() {
		case "testdata":
			return fs.SkipDir // what tests generate there may import other packages of testdata
		case "qd_gen.go":
		default:
			return nil
		}
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			return err
		}
		files++
		for _, m := range imported.FindAllSubmatch(text, -1) {
			if strings.HasPrefix(string(m[1]), "/internal") || strings.HasPrefix(string(m[1]), "/frontend") {
				t.Errorf("%s imports %s", name, m[1])
			}
		}
		for _, m := range calls.FindAllSubmatch(text, -1) {
			if f := string(m[1]); f != "NewKernel" && f != "C" {
				t.Errorf("%s calls qd.%s", name, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("there are %d generated files", files)
	}
}
