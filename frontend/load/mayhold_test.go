package load

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestMayHold tells by the Go compiler's name whether a literal is one of a declaration.
func TestMayHold(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\nfunc own() {}\nfunc (m Map[T]) Make() {}\nfunc init() {}\nvar v = 1", 0)
	if err != nil {
		t.Fatal(err)
	}
	const own, method, initializer, variable = 0, 1, 2, 3
	for _, test := range []struct {
		name string
		decl int
		want bool
	}{
		{"own.func1", own, true},
		{"own[...].func1.2", own, true},
		{"own-range1", own, true},
		{"main.own.func3", own, true}, // own is inlined
		{"main.Lit.func2", own, false},
		{"owner.func2", own, false},
		{"", own, true},
		{"(*Map[...]).Make.func1", method, true},
		{"Map[...].Other.func1", method, false},
		{"init.0.func1", initializer, true},
		{"glob..func1", variable, true},
		{"init.func1", variable, true},
	} {
		if got := mayHold(f.Decls[test.decl], test.name); got != test.want {
			t.Errorf("%s in declaration %d: %v", test.name, test.decl, got)
		}
	}
}
