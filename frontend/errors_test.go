package frontend

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// wants finds the expectations of a fixture: `// want "regexp" ...` beside the
// line at which diagnostics are to be.
var wants = regexp.MustCompile(`// want ((?:"(?:[^"\\]|\\.)*" ?)+)`)

// later stands in for what package qd will have for kernels.
const later = `package qd

func Launch(kernel any, args ...any) error

func Dim(sizes ...int)

func Zeros[T Number](dims ...int) T
`

// TestErrors lowers every kernel of every fixture and compares the diagnostics
// with what the fixture wants, line by line: all of them, and no others.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src := sources(t, onePackage("example.com/errors", filepath.Base(file), string(text)))
			src[load.QDPath].Files = append(src[load.QDPath].Files, load.File{Name: "qd/later.go", Src: []byte(later)})
			got := diagnoseAll(t, src, "example.com/errors")
			for i, line := range strings.Split(string(text), "\n") {
				for _, want := range wanted(t, line) {
					if !take(got, i+1, want) {
						t.Errorf("%s:%d: no diagnostic matches %q", file, i+1, want)
					}
				}
			}
			for line, list := range got {
				for _, d := range list {
					t.Errorf("line %d: unexpected diagnostic:\n%s", line, d)
				}
			}
		})
	}
}

// diagnoseAll compiles the kernels of a package and gives their diagnostics by line.
func diagnoseAll(t *testing.T, src load.Sources, pkg string) map[int][]diag.Diagnostic {
	t.Helper()
	refs, err := Kernels(src, pkg)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := Compile(src, refs...)
	var ds *diag.Diagnostics
	if !errors.As(err, &ds) || p == nil {
		t.Fatalf("error is %v", err)
	}
	checkDiagnostics(t, ds)
	got := map[int][]diag.Diagnostic{}
	for _, d := range ds.List {
		got[d.Pos.Line] = append(got[d.Pos.Line], d)
		if d.Line == "" || !d.End.IsValid() || d.Hint == "" && !slices.Contains(p.Problems, d) {
			t.Errorf("incomplete diagnostic: %#v", d)
		}
	}
	return got
}

// wanted are the expectations of a line.
func wanted(t *testing.T, line string) (list []string) {
	m := wants.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	for s := strings.TrimSpace(m[1]); s != ""; {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		want, err := strconv.Unquote(q)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, want)
		s = strings.TrimSpace(s[len(q):])
	}
	return list
}

// take removes a diagnostic that matches from those of a line.
func take(got map[int][]diag.Diagnostic, line int, want string) bool {
	re := regexp.MustCompile(want)
	for i, d := range got[line] {
		if re.MatchString(d.Msg) {
			got[line] = append(got[line][:i:i], got[line][i+1:]...)
			return true
		}
	}
	return false
}

// What cannot be made is named: only a slice can be passed instead.
func TestMakeHints(t *testing.T) {
	for expr, want := range map[string]string{
		"make([]int, n)":      "a kernel cannot allocate memory: the capacity n is not known at compile time; pass the slice as an argument, or give make a constant capacity: make([]T, n, 64)",
		"make(chan int)":      "channels are not supported; exchange values through slices and qd.AtomicAdd",
		"make(pipe, 2)":       "channels are not supported; exchange values through slices and qd.AtomicAdd",
		"make(map[int]int)":   "maps are not supported; keep the values in a slice that the kernel takes",
		"make(map[int]int,9)": "maps are not supported; keep the values in a slice that the kernel takes",
	} {
		src := sources(t, onePackage("example.com/k", "k.go", "package k\n\nimport \"github.com/qdgen/qd\"\n\ntype pipe chan int\n\n//qd:kernel\nfunc k(t qd.Thread, n int) {\n\t_ = "+expr+"\n}\n"))
		for line, list := range diagnoseAll(t, src, "example.com/k") {
			if got := list[0].Msg + "; " + list[0].Hint; got != want || line != 9 || len(list) != 1 {
				t.Errorf("%s: line %d: %v", expr, line, list)
			}
		}
	}
}
