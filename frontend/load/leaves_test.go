package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestLeaves looks into types, of which some contain themselves, or ever larger instances of themselves, once or more often:
// Go's type checker gives such types beside its error.
func TestLeaves(t *testing.T) {
	const text = `package p
type flat struct { a int; b [3]struct{ c string; d *flat } }
type none struct { a struct{}; b [0]int }
type grows[T any] struct { a T; b grows[[2]T]; c grows[struct{ x T }] }
type grown struct { a grows[int] }
type pair[T any] struct { a, b T }
type nested struct { a pair[pair[pair[float64]]] }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := types.Config{Error: func(error) {}}
	pkg, _ := cfg.Check("p", fset, []*ast.File{file}, nil)
	for name, want := range map[string]string{
		"flat": "int string *p.flat", "none": "", "nested": "float64 float64",
	} {
		var got []string
		for leaf := range Leaves(pkg.Scope().Lookup(name).Type()) {
			got = append(got, leaf.String())
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: got %q, want %q", name, g, want)
		}
	}
	self := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "self", nil), nil, nil)
	field := func(t types.Type) *types.Var { return types.NewField(token.NoPos, pkg, "_", t, false) }
	self.SetUnderlying(types.NewStruct([]*types.Var{field(types.NewArray(self, 2)), field(self), field(types.Typ[types.Bool])}, nil))
	for leaf := range Leaves(self) {
		if leaf != types.Typ[types.Bool] {
			t.Errorf("self has a leaf %v", leaf)
		}
	}
	grown := pkg.Scope().Lookup("grown").Type()
	n := 0
	for range Leaves(grown) {
		n++
	}
	if n > 1<<maxNested {
		t.Errorf("a growing type has %d leaves", n)
	}
	if !HoldsNothing(pkg.Scope().Lookup("none").Type()) || HoldsNothing(grown) {
		t.Error("none holds something, or grown nothing")
	}
}
