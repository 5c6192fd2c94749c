package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// check reports a flow to a holder that lives longer than a variable that the pointers point to. If
// there are several such variables, it names the one that is declared first.
func (e *escape) check(f flow) {
	var worst location
	for l := range f.from {
		if !l.contains(f.holder) && !e.livesOn(l, f.holder) && (worst.obj == nil || l.before(worst)) {
			worst = l
		}
	}
	e.refuse(f, worst)
}

// refuse reports the flow of pointers to a variable.
func (e *escape) refuse(f flow, worst location) {
	what, hint := "", ""
	switch obj := worst.obj.(type) {
	case *types.Var:
		what, hint = obj.Name()+", which it points to", "declare "+obj.Name()+" before "+f.what
	case pointee:
		what, hint = "the call, whose "+obj.param.Name()+" it is", "keep the value instead of the pointer"
	case variadicArray:
		what, hint = "the array of the arguments of "+types.ExprString(obj.call.Fun), "declare an array before "+f.what+", and pass a slice of it with ..."
	case ast.Expr:
		what, hint = "the variable that it points to, made by "+types.ExprString(obj), "declare a variable before "+f.what+", and take its address"
		if call, ok := obj.(*ast.CallExpr); ok && !e.b.isNew(call) {
			name := types.ExprString(obj)
			hint = "declare a variable v before " + f.what + ", and keep the value in it: v = *" + name + ", and &v in the place of " + name
		}
		if IsSlice(e.b.GoType(obj)) {
			what, hint = "the array that it points to, made by "+types.ExprString(obj), "declare an array before "+f.what+", and slice it"
		}
	}
	if e.loops(worst, f.holder) {
		hint = "declare an array, as var pool [64]node, before the loop, and take the addresses of its elements"
		if v, ok := worst.obj.(*types.Var); ok && e.inHeader(v) {
			hint = "declare an array, as var pool [64]" + e.b.Syntax.TypeString(e.b.Subst(v.Type())) + ", before the loop, keep the values of " + v.Name() + " in it, and take the addresses of its elements"
		}
	}
	if f.holder.contains(callers) {
		hint = "return the value, or take a parameter that points to its destination"
	}
	e.b.Syntax.Refuse(f.at, hint, "%s outlives %s", f.what, what)
}

// loops reports whether a variable is made again and again in a loop, in front of which a holder was there.
func (e *escape) loops(l location, holder lifetime) (found bool) {
	if _, isVar := l.obj.(*types.Var); !isVar {
		if x, ok := l.obj.(ast.Expr); !ok || !IsPointer(e.b.GoType(x)) {
			return false
		}
	}
	made := func(in ast.Node) bool { return lifetimeOf(in).contains(l.lifetime) && !lifetimeOf(in).contains(holder) }
	ast.Inspect(e.whole, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			found = found || made(n.Body) || n.Post != nil && made(n.Post)
		case *ast.RangeStmt:
			found = found || made(n.Body)
		}
		return !found
	})
	return found
}

// inHeader reports whether the header of a loop declares a variable, which is a new one in each turn.
func (e *escape) inHeader(v *types.Var) (found bool) {
	ast.Inspect(e.whole, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			found = found || n.Pos() < v.Pos() && v.Pos() < n.Body.Pos()
		case *ast.RangeStmt:
			found = found || n.Pos() < v.Pos() && v.Pos() < n.Body.Pos()
		}
		return !found
	})
	return found
}

// before orders locations, so that the errors are the same each time.
func (l location) before(m location) bool {
	if a, b := l.position(), m.position(); a != b {
		return a < b
	}
	return l.from < m.from || l.from == m.from && l.to < m.to
}

// position is where an object is declared or made.
func (l location) position() token.Pos {
	switch obj := l.obj.(type) {
	case *types.Var:
		return obj.Pos()
	case pointee:
		return obj.param.Pos()
	case variadicArray:
		return obj.call.Pos()
	case ast.Expr:
		return obj.Pos()
	}
	return 0
}
