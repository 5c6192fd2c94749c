package load

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// The same text has other names where it means something else, and the same ones where it does not.
func TestSiteNames(t *testing.T) {
	for _, test := range []struct{ around, want string }{ // the first line may be an import
		// Of what is declared in the package or predeclared nothing is said.
		{"func k(t qd.Thread) { qd.Static(C + len(table) + max(1, two)) }", ""},
		{"var k = func(t qd.Thread) { qd.Static(C) }", ""},
		// Imports: renamed, by convention, and of packages that nobody uses by their path's name.
		{"func k() { qd.Static(v2.F(y.G())) }", `import v2 "example.com/x/v2"; import y "example.com/y/v3"`},
		{"import other \"example.com/o\"\nfunc k() { qd.Static(other.F) }", `import other "example.com/o"`},
		{"import \"example.com/go-z\"\nfunc k() { qd.Static(z.F()) }", `import z "example.com/go-z"`},
		{"import . \"example.com/o\"\nfunc k() { qd.Static(F(c)) }", `import . "example.com/o"`},
		{"import . \"example.com/o\"\nfunc k() { qd.Static(f(c)) }", ""},
		// Local names of each kind.
		{"func (r *T[P]) k(t qd.Thread, n qd.Const[int]) { qd.Static(r.f(P(n.V), t)) }", "local r; local P; local n; local t"},
		{"func k[P any]() (res int) { type T int; var v P; qd.Static(T(res) + v) }", "local T; local res; local v"},
		{"func k(v2 struct{ F int }) { qd.Static(v2.F) }", "local v2"},
		{"func k() { { C := 1; _ = C }; qd.Static(C) }", ""},
		{"func k() { if C := f(); C { qd.Static(C) } }", "local C"},
		{"func k() { for C := range 3 { func(t qd.Thread) { qd.Static(C) }() } }", "local C"},
		{"func k(n int) { qd.Static(func(n int) int { C := n; return C }(1)) }", ""},
		{"func k(A, b int) { qd.Static(S{A: 1, b: f.b, C: b}) }", "local A; local b"},
		// Constants, with what they are made of where they are declared.
		{"func k() { const C = 3; qd.Static(C * 100) }", "const C = 3"},
		{"func k() { const C float32 = 3; qd.Static(C * 100) }", "const C float32 = 3"},
		{"func k() { const a, b = 2, y.N; const c = a*b + C; const C = 1; qd.Static(table[c]) }", `const c = a*b + C; const a = 2; const b = y.N; import y "example.com/y/v3"`},
		{"func k(n int) { const ( a = 1 << iota; b; c ); qd.Static(b + n) }", "const b = 1 << iota where iota is 1; local n"},
		{"func k() { const C = 3; { C := 4; qd.Static(C) } }", "local C"},
		{"func k() { { const C = 3 }; qd.Static(C) }", ""},
		{"func k(a [4]int) { const n = len(a); qd.Static(table[n]) }", "const n = len(a); local a"},
	} {
		first, text, ok := strings.Cut(test.around, "\n")
		if !ok {
			first, text = "", first
		}
		src := "package k\n" + first + "\nimport (\n\tv2 \"example.com/x/v2\"\n\t\"example.com/y/v3\"\n\t\"github.com/qdgen/qd\"\n)\n\nvar C, table = y.V, qd.Vec3f{}\n\n" + text + "\n"
		f, err := parser.ParseFile(token.NewFileSet(), "k.go", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		names := SiteNames(f, f.Decls[len(f.Decls)-1])
		if len(names) != 1 {
			t.Errorf("%s: %d sites", test.around, len(names))
		}
		for _, got := range names {
			if got != test.want {
				t.Errorf("%s:\n%s, want\n%s", test.around, got, test.want)
			}
		}
		bySyntax := FileSites(File{Name: "k.go", Src: []byte(src)})
		if len(bySyntax) != 1 || bySyntax[0].Names != test.want {
			t.Errorf("%s: %+v", test.around, bySyntax)
		}
	}
}
