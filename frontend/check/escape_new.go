package check

import (
	"go/ast"
	"go/types"
)

// AppendsToNothing reports whether a call is an append that always makes a new array, for the slice has no room:
// append([]T(nil), x...), append([]T{}, x...), append(x[:0:0], x...).
func (sc *Calls) AppendsToNothing(e *ast.CallExpr) bool {
	if len(e.Args) < 2 || sc.BuiltinName(e) != "append" {
		return false
	}
	switch x := ast.Unparen(e.Args[0]).(type) {
	case *ast.CallExpr:
		return len(x.Args) == 1 && sc.Info.Types[x.Fun].IsType() && sc.Info.Types[x.Args[0]].IsNil()
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.SliceExpr:
		most := sc.Info.Types[x.Max].Value
		return x.Slice3 && x.Low == nil && most != nil && most.String() == "0"
	}
	return false
}

// BuiltinName is the name of the predeclared function that is called, "" of any other call.
func (sc *Calls) BuiltinName(e *ast.CallExpr) string {
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if f, ok := sc.Info.Uses[id].(*types.Builtin); ok {
			return f.Name()
		}
	}
	return ""
}

// isNew reports whether a call makes a variable without a name: it is one of new, of make or of qd.Local, a
// conversion of a string to a slice, or an append to a slice without room.
func (sc *Calls) isNew(e *ast.CallExpr) bool {
	if len(e.Args) == 1 && sc.Info.Types[e.Fun].IsType() {
		return IsSlice(sc.GoType(e.Fun)) && IsBasic(sc.GoType(e.Args[0]), types.IsString)
	}
	if sc.IsMarker(e.Fun, "Local") || sc.AppendsToNothing(e) {
		return true
	}
	name := sc.BuiltinName(e)
	return name == "new" || name == "make"
}
