package load

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// TestErrors checks the files of testdata/errors: each is a package with a
// function named kernel, whose diagnostics stand on their lines as // want "regexp" ...,
// for message and hint joined by "; help: ".
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := "e/" + filepath.Base(file)
			_, err = Check(sources(map[string]string{name: string(text)}), Ref{Pkg: "e", Name: "kernel", File: name})
			var ds *diag.Diagnostics
			if !errors.As(err, &ds) {
				t.Fatalf("error is %v", err)
			}
			compareWants(t, string(text), ds.List)
		})
	}
}

var wantString = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"")

func compareWants(t *testing.T, text string, list []diag.Diagnostic) {
	t.Helper()
	lines := strings.Split(text, "\n")
	wants := make(map[int][]string)
	for i, line := range lines {
		if _, comment, ok := strings.Cut(line, "// want "); ok {
			for _, quoted := range wantString.FindAllString(comment, -1) {
				want, err := strconv.Unquote(strings.ReplaceAll(quoted, `\`, `\\`))
				if err != nil {
					t.Fatalf("line %d: %v", i+1, err)
				}
				wants[i+1] = append(wants[i+1], want)
			}
		}
	}
next:
	for _, d := range list {
		got := d.Msg
		if d.Hint != "" {
			got += "; help: " + d.Hint
		}
		if d.Line != lines[d.Pos.Line-1] {
			t.Errorf("line %d: source line is %q", d.Pos.Line, d.Line)
		}
		for i, want := range wants[d.Pos.Line] {
			if regexp.MustCompile(want).MatchString(got) {
				wants[d.Pos.Line] = append(wants[d.Pos.Line][:i:i], wants[d.Pos.Line][i+1:]...)
				continue next
			}
		}
		t.Errorf("unexpected:\n%s", d)
	}
	for line, list := range wants {
		for _, want := range list {
			t.Errorf("line %d: no diagnostic matches %q", line, want)
		}
	}
}

// TestErrorsElsewhere is about diagnostics that are not in the kernel's own file.
func TestErrorsElsewhere(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string // position and message of each
	}{
		{"import cycle", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; func k() { b.F() }",
			"x.org/b/b.go": "package b; import \"x.org/c\"; func F() { c.F() }",
			"x.org/c/c.go": "package c; import \"x.org/b\"; func F() { b.F() }",
		}, []string{"x.org/c/c.go:1:19: import cycle not allowed: x.org/b imports x.org/c imports x.org/b"}},
		{"in another package", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; func k() { b.F(); b.H() }",
			"x.org/b/b.go": "package b; func F() { bad() }; func G() { bad() }",
		}, []string{"a/a.go:1:50: undefined: b.H", "x.org/b/b.go:1:23: undefined: bad"}},
		{"syntax errors in the kernel's file", map[string]string{
			"a/a.go": "package a; func k() { bad()\nx = = 1 }\nfunc f() { if { } }",
		}, []string{"a/a.go:2:5: syntax error: expected operand, found '='", "a/a.go:3:12: syntax error: expected ';', found 'if'"}},
		{"what is missing is behind a syntax error", map[string]string{
			"a/a.go": "package a; func k() { f() }",
			"a/b.go": "package a; func g() { ( }; func f() {}",
		}, []string{"a/a.go:1:23: undefined: f", "a/b.go:1:25: syntax error: expected operand, found '}'"}},
		{"reached function in a broken file", map[string]string{
			"a/a.go": "package a; func k() { f() }",
			"a/b.go": "package a; func f() {}; func g() { ( }",
		}, []string{"a/b.go:1:38: syntax error: expected operand, found '}'"}},
		{"type of a variable", map[string]string{
			"a/a.go": "package a; func k() { _ = v }; var v = f()",
			"a/b.go": "package a; import \"os\"; func f() os.File { bad() }",
		}, []string{"a/b.go:1:34: package os is not available in kernels"}},
		{"one line of a const declaration", map[string]string{
			"a/a.go": "package a; const ( a = 1; b = undefined; c = also ); func k() { _ = a + b }",
		}, []string{"a/a.go:1:31: undefined: undefined"}},
		{"name of another build", map[string]string{
			"a/a.go": "package a; func k() { f() }; func f() { bad1() }",
			"a/b.go": "package a; func f() { bad2() }",
		}, []string{"a/a.go:1:41: undefined: bad1"}},
		{"cgo", map[string]string{
			"a/a.go": "package a; import \"C\"; func k() { C.f() }",
		}, []string{"a/a.go:1:35: package C is not available in kernels"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Check(sources(test.files), Ref{Pkg: "a", Name: "k"})
			var ds *diag.Diagnostics
			if !errors.As(err, &ds) {
				t.Fatalf("error is %v", err)
			}
			var got []string
			for _, d := range ds.List {
				got = append(got, d.Pos.String()+": "+d.Msg)
			}
			if g, w := strings.Join(got, "\n"), strings.Join(test.want, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
		})
	}
}

type failing struct{ Map }

func (f failing) Package(path string) (*Package, error) {
	if path == "x.org/fails" {
		return nil, os.ErrPermission
	}
	return f.Map.Package(path)
}

func TestFailingSources(t *testing.T) {
	src := failing{sources(map[string]string{
		"a/a.go": "package a; import \"x.org/fails\"; func k() { fails.F() }; func ok() {}",
	})}
	_, err := Check(src, Ref{Pkg: "a", Name: "k"})
	if err == nil || !strings.Contains(err.Error(), "a/a.go:1:45: package x.org/fails cannot be read: permission denied") {
		t.Error(err)
	}
	mustCheck(t, src, Ref{Pkg: "a", Name: "ok"})

	_, err = Check(src, Ref{Pkg: "x.org/fails", Name: "k"})
	var nf *NotFoundError
	if !errors.As(err, &nf) || !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	src := sources(map[string]string{
		"a/a.go": `package a

type T struct{}
type G[X any] struct{}

func (T) Value()        {}
func (*T) Pointer()     {}
func (G[X]) Value()     {}
func (g *G[X]) Pointer() {}
func plain()            {}
func generic[X any]()   {}

var lit = func() {}

func outer() {
	_ = func() {}
}
`,
		"a/b.go": "package a\n\nfunc b() {}\nfunc b() {}\n",
		"a/c.go": "package a\n\nfunc broken() { ( }\nfunc lost() {}\n",
	})
	tests := []struct {
		ref  Ref
		want string // position of the kernel's name, or what the error contains
	}{
		{Ref{Name: "plain"}, "a/a.go:10:6"},
		{Ref{Name: "plain", File: "/home/me/a.go", Line: 10}, "a/a.go:10:6"},
		{Ref{Name: "T.Value"}, "a/a.go:6:10"},
		{Ref{Name: "(*T).Value"}, "a/a.go:6:10"},
		{Ref{Name: "T.Value-fm"}, "a/a.go:6:10"},
		{Ref{Name: "(*T).Pointer"}, "a/a.go:7:11"},
		{Ref{Name: "(*T).Pointer-fm"}, "a/a.go:7:11"},
		{Ref{Name: "G[...].Value"}, "a/a.go:8:13"},
		{Ref{Name: "(*G[...]).Pointer"}, "a/a.go:9:16"},
		{Ref{Name: "generic[...]"}, "a/a.go:11:6"},
		{Ref{Name: "generic[map[string]int]"}, "a/a.go:11:13: kernel generic cannot be instantiated: map[string]int is not a type that a kernel can have"},
		{Ref{Name: "generic[...]"}, "a/a.go:11:6"},
		{Ref{Name: "generic[[4]float32]"}, "a/a.go:11:6"},
		{Ref{Name: "glob..func1", File: "/home/me/a.go", Line: 13}, "no function literal at /home/me/a.go:13"}, // of a kernel's shape
		{Ref{Name: "outer.func1", File: "/home/me/a.go", Line: 17}, "no function literal at /home/me/a.go:17"},
		{Ref{Name: "b", File: "b.go", Line: 4}, "a/b.go:4:6"},
		{Ref{Name: "nothing"}, "syntax error"},
		{Ref{Name: "nothing", File: "a.go"}, "source of kernel nothing in package a is not found: none of a/a.go, a/b.go, a/c.go declares it; it must be on disk"},
		{Ref{Name: "T.nothing", File: "a.go"}, "is not found"},
		{Ref{Name: "T", File: "a.go"}, "is not found"},
		{Ref{Name: "lit", File: "a.go"}, "is not found"},
		{Ref{Name: "lost", File: "c.go"}, "a/c.go:3:19: syntax error"},
		{Ref{Name: "broken", File: "c.go"}, "a/c.go:3:19: syntax error"},
		{Ref{Pkg: "x.org/none", Name: "k"}, "source of kernel k in package x.org/none is not found: the source of the package is not available"},
		{Ref{Pkg: QDPath, Name: "k"}, "package qd_test"},
	}
	for _, test := range tests {
		if test.ref.Pkg == "" {
			test.ref.Pkg = "a"
		}
		p, err := Check(src, test.ref)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = p.Fset.Position(p.Kernels[0].Decl.Name.Pos()).String()
		}
		if err == nil && got != test.want || !strings.Contains(got, test.want) {
			t.Errorf("%+v:\n got %s\nwant %s", test.ref, got, test.want)
		}
		var nf *NotFoundError
		if wantNF := strings.Contains(test.want, "not found"); errors.As(err, &nf) != wantNF && wantNF {
			t.Errorf("%+v: error is a %T", test.ref, err)
		}
	}
}

func TestKernels(t *testing.T) {
	src := sources(map[string]string{
		"a/a.go": `package a

// first does.
//
//qd:kernel
func first() {}

// second does not: //qd:kernel
func second() {}

// third does not; qd:kernel is but mentioned.
func third() {}

// kernels
func fourth() {}

// T is a type.
type T struct{}

//qd:kernel
func (t *T) M() {}
`,
		"a/b.go": "package a\n\n//go:noinline\n//qd:kernel \nfunc (g G[E]) M() {}\n\ntype G[E any] struct{}\n",
		"b/b.go": "package b; func (",
	})
	refs, err := Kernels(src, "a")
	if err != nil {
		t.Fatal(err)
	}
	want := []Ref{
		{Pkg: "a", Name: "first", File: "a/a.go", Line: 6},
		{Pkg: "a", Name: "(*T).M", File: "a/a.go", Line: 21},
		{Pkg: "a", Name: "G.M", File: "a/b.go", Line: 5},
	}
	if len(refs) != len(want) {
		t.Fatalf("%+v", refs)
	}
	for i := range want {
		if refs[i] != want[i] {
			t.Errorf("%+v, want %+v", refs[i], want[i])
		}
	}
	if _, err := Check(src, refs...); err != nil {
		t.Error(err)
	}
	var ds *diag.Diagnostics
	if _, err := Kernels(src, "b"); !errors.As(err, &ds) {
		t.Errorf("error is %v", err)
	}
	var nf *NotFoundError
	if _, err := Kernels(src, "none"); !errors.As(err, &nf) {
		t.Errorf("error is %v", err)
	}
}

// What a kernel may not use of package qd says what it may.
func TestHintsAboutQD(t *testing.T) {
	for name, want := range map[string]string{
		"Array[int]": "make the parameter, or the field of one, a slice or a view such as qd.View2",
		"Device":     "kernels can use these parts of package qd",
	} {
		_, err := Check(sources(map[string]string{
			"a/a.go":                    "package a; import \"github.com/qdgen/qd\"; func k(x *qd." + name + ") {}",
			"github.com/qdgen/qd/qd.go": "package qd\n\ntype Thread struct{}\n",
		}), Ref{Pkg: "a", Name: "k"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
