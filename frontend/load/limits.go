package load

import (
	"go/ast"
	"go/token"
)

// maxConstString is the longest constant string, in bytes, that a program may build by
// concatenation.
const maxConstString = 1 << 20

// limitStrings reports constants that concatenate to very long strings. Twenty lines that
// double each other's make a string of a megabyte, sixty one that fits into no memory,
// and the type checker would build it.
//
// The bound is found by syntax, before type checking: a name stands for the longest
// constant or variable of that name anywhere in the program.
func (l *loader) limitStrings() {
	s := stringBounds{values: map[string][]ast.Expr{}, bounds: map[string]int{}}
	var sums []*ast.BinaryExpr // but for those in others, whose operands are shorter
	for _, p := range l.order {
		for _, f := range p.files {
			syntax := f.trimmed()
			if syntax == nil {
				continue
			}
			end := token.NoPos // of the last of sums
			ast.Inspect(syntax, func(n ast.Node) bool {
				if e, ok := n.(*ast.BinaryExpr); ok && e.Op == token.ADD && e.Pos() >= end {
					sums, end = append(sums, e), e.End()
				}
				return s.collect(n)
			})
		}
	}
	for _, e := range sums {
		if s.bound(e) > maxConstString {
			l.report(e.Pos(), e.End(), "pass long text as a slice of bytes", "constant string of more than a megabyte")
		}
	}
}

// stringBounds computes how long constant strings can be.
type stringBounds struct {
	values map[string][]ast.Expr // what constants of a name are declared as
	bounds map[string]int        // of names; 0 while it is being computed: Go refuses constants that need themselves
}

// collect notes the values of constants.
func (s *stringBounds) collect(n ast.Node) bool {
	decl, ok := n.(*ast.GenDecl)
	if !ok || decl.Tok != token.CONST {
		return true
	}
	var last []ast.Expr // repeated by the lines without values
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if spec.Values != nil {
			last = spec.Values
		}
		for i, name := range spec.Names {
			if i < len(last) {
				s.values[name.Name] = append(s.values[name.Name], last[i])
			}
		}
	}
	return true
}

// bound is how many bytes the string that an expression stands for can have, up to
// a little more than the limit.
func (s *stringBounds) bound(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return len(e.Value)
		}
	case *ast.ParenExpr:
		return s.bound(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return min(s.bound(e.X)+s.bound(e.Y), maxConstString+1)
		}
	case *ast.Ident:
		return s.name(e.Name)
	case *ast.SelectorExpr:
		return s.name(e.Sel.Name)
	case *ast.CallExpr: // a conversion, perhaps
		if len(e.Args) == 1 {
			return s.bound(e.Args[0])
		}
	}
	return 0
}

func (s *stringBounds) name(name string) int {
	if n, ok := s.bounds[name]; ok {
		return n
	}
	s.bounds[name] = 0
	longest := 0
	for _, v := range s.values[name] {
		longest = max(longest, s.bound(v))
	}
	s.bounds[name] = longest
	return longest
}
