package lower

import (
	"go/ast"
	"go/types"
)

// A bodySyntax is what is looked for in the syntax of a body each time that it is lowered into a caller.
type bodySyntax struct {
	lits     []*ast.FuncLit
	callable []*ast.Ident // names of functions, and of variables that may have them

	assigned []assignedVar
	sliced   []*ast.SliceExpr
	grown    []*ast.CallExpr // of cap and append
	calls    []namedCall
}

// An assignedVar is a variable with what is assigned to it.
type assignedVar struct {
	to   *types.Var
	from ast.Expr // nil for one of several values
}

// A namedCall is a call of a function or method by its name.
type namedCall struct {
	*ast.CallExpr
	f *types.Func
}

// syntaxIn walks a body when it is first lowered.
func (m *Module) syntaxIn(b *Checks, body ast.Node) *bodySyntax {
	if in := m.bodies[body]; in != nil {
		return in
	}
	in := &bodySyntax{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			in.lits = append(in.lits, n)
		case *ast.Ident:
			if b.mayBeCalled(n) {
				in.callable = append(in.callable, n)
			}
		case *ast.AssignStmt:
			in.assign(b, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					in.assign(b, []ast.Expr{name}, n.Values[i:i+1])
				}
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				in.assign(b, []ast.Expr{n.Value, n.Value}, []ast.Expr{nil})
			}
		case *ast.SliceExpr:
			in.sliced = append(in.sliced, n)
		case *ast.CallExpr:
			if name := b.BuiltinName(n); (name == "cap" || name == "append") && len(n.Args) > 0 {
				in.grown = append(in.grown, n)
			} else if f, ok := b.Called(n); ok && f != nil {
				in.calls = append(in.calls, namedCall{n, f})
			}
		}
		return true
	})
	if m.bodies == nil {
		m.bodies = map[ast.Node]*bodySyntax{}
	}
	m.bodies[body] = in
	return in
}

func (in *bodySyntax) assign(b *Checks, lhs, rhs []ast.Expr) {
	for i, e := range lhs {
		v := b.anyVar(e)
		switch {
		case v == nil:
		case len(lhs) == len(rhs):
			in.assigned = append(in.assigned, assignedVar{v, rhs[i]})
		default:
			in.assigned = append(in.assigned, assignedVar{v, nil})
		}
	}
}

// mayBeCalled reports whether what is named is a function, or a variable that has one in some instance of the function
// around it.
func (b *Checks) mayBeCalled(name *ast.Ident) bool {
	switch b.Info.Uses[name].(type) {
	case *types.Func:
		return true
	case *types.Var:
		t := b.Info.TypeOf(name)
		if t == nil {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Signature, *types.Interface: // a type parameter's is an interface
			return true
		}
	}
	return false
}
