package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// An ordering lowers calls before the rest of a statement.
type ordering struct{ b *builder }

// callsFirst lowers the function calls in the expressions of one statement, in
// the order in which they stand, before anything else in them.
//
// In x[0] + f(x), Go's specification fixes the order of calls among each other,
// and leaves open whether x[0] is read before or after f has run. Go's compiler
// makes all calls of a statement first, and what f changes is seen. All devices
// do the same, because the function itself, run as Go, is what they are compared
// with. Like calls it takes the built-in functions, && and ||, and slice
// expressions; the right side of && and || has its own calls first.
func (o ordering) callsFirst(list ...ast.Expr) {
	var effects, loads bool
	for _, e := range list {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if o.onlyCompiles(n) {
					return false
				}
				effects = effects || o.hasEffects(n)
			case *ast.IndexExpr:
				loads = loads || o.b.LikeField(n) == nil
			case *ast.StarExpr:
				loads = true
			case *ast.SelectorExpr:
				sel := o.b.Info.Selections[n]
				loads = loads || sel != nil && sel.Kind() == types.FieldVal && o.b.Root(n) == nil
			case *ast.Ident:
				v, ok := o.b.Info.Uses[n].(*types.Var)
				loads = loads || o.b.Funcs || ok && o.b.InMemory[v] // a literal's call may change the variable
			}
			return !effects || !loads
		})
	}
	if !effects || !loads {
		return // any order gives the same
	}
	for _, e := range list {
		if e != nil {
			o.hoist(e)
		}
	}
}

// onlyCompiles reports whether all that a call does is done when the kernel is compiled.
func (o ordering) onlyCompiles(e *ast.CallExpr) bool {
	return o.b.IsMarker(e.Fun, "Static") || o.b.IsMarker(e.Fun, "Capture")
}

// hasEffects reports whether a call may write what the rest of a statement reads:
// whether it is one of a device function, a function value or an atomic operation.
func (o ordering) hasEffects(e *ast.CallExpr) bool {
	f, ok := o.b.Called(e)
	if f == nil || f.Pkg() == nil {
		return ok
	}
	if check.OnThread(f) || check.OnBlock(f) && f.Name() != "For" {
		return false
	}
	switch f.Pkg().Path() {
	case "math", "math/bits", "errors", "fmt":
		return false
	case load.QDPath, load.MathPath:
		return o.b.intrinsics.operation(f) == nil || strings.HasPrefix(f.Name(), "Atomic")
	}
	return true
}

// hoist lowers the calls in an expression, inner before outer, and what goes with
// them, and keeps their values for when the expression is lowered.
func (o ordering) hoist(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op != token.LAND && n.Op != token.LOR {
				return true
			}
			o.hoist(n.X)
			o.keep(n, []*ssa.Value{o.b.anyExpr(n)})
			return false
		case *ast.SliceExpr:
			o.hoist(n.X)
			for _, bound := range [...]ast.Expr{n.Low, n.High, n.Max} {
				if bound == nil {
					continue
				}
				o.hoist(bound)
				// Go's compiler reads plain variables after the calls in the other bounds, and other bounds before.
				if bound = ast.Unparen(bound); o.isComputed(bound) {
					o.keep(bound, []*ssa.Value{o.b.anyExpr(bound)})
				}
			}
			o.keep(n, []*ssa.Value{o.b.anyExpr(n)})
			return false
		case *ast.CallExpr:
			if o.b.Info.Types[n].Value != nil || o.onlyCompiles(n) {
				return false
			}
			f, ok := o.b.Called(n)
			if !ok && !o.b.Info.Types[n.Fun].IsBuiltin() || f != nil && (check.IsPrintf(f) || check.OnThread(f) || check.OnBlock(f)) {
				return true // its arguments only
			}
			o.hoist(n.Fun) // where a receiver or a function comes from
			for _, arg := range n.Args {
				o.hoist(arg)
			}
			o.keep(n, o.b.caller.call(n))
			return false
		}
		return true
	})
}

// isComputed reports whether an expression is neither a constant nor a plain variable.
func (o ordering) isComputed(e ast.Expr) bool {
	_, named := e.(*ast.Ident)
	return !named && o.b.Info.Types[e].Value == nil
}

// keep keeps the values of an expression that has been lowered before its turn.
func (o ordering) keep(e ast.Expr, vals []*ssa.Value) {
	if o.b.loweredFirst == nil {
		o.b.loweredFirst = make(map[ast.Expr][]*ssa.Value)
	}
	o.b.loweredFirst[e] = vals
}
