package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// (*[4]uint32)(unsafe.Pointer(p)) leads to numbers as numbers of another type: see eval.View. It can be kept in a
// variable, indexed and handed to functions, which are lowered into their caller then.

// unsafePointer is what a conversion by way of unsafe.Pointer converts, nil for any other expression.
func (o operands) unsafePointer(e ast.Expr) (from ast.Expr, to types.Type) {
	conversion := func(e ast.Expr) (types.Type, ast.Expr) {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !o.b.Info.Types[call.Fun].IsType() {
			return nil, nil
		}
		return o.b.GoType(call.Fun), ast.Unparen(call.Args[0])
	}
	to, inner := conversion(e)
	if inner == nil || !check.IsPointer(to) {
		return nil, nil
	}
	by, from := conversion(inner)
	if from == nil || !isUnsafePointer(by) || !check.IsPointer(o.b.GoType(from)) {
		return nil, nil
	}
	return from, to
}

// numbersOf are the numbers that a type consists of, of one type each. It is not ok for other types.
func numbersOf(t ssa.Type) (number ssa.Type, n int, ok bool) {
	if a, isArray := t.(ssa.Array); isArray {
		number, n, ok = numbersOf(a.Elem)
		return number, n * a.Len, ok && a.Len > 0
	}
	return t, 1, isNumeric(t)
}

// view is the pointer that a conversion by way of unsafe.Pointer gives. It is not ok for any other expression, and
// where it leads to anything else than numbers.
func (o operands) view(e ast.Expr) (v *ssa.Value, ok bool) {
	from, to := o.unsafePointer(e)
	if from == nil {
		return nil, false
	}
	t, valid := o.b.m.TypeOf(to.Underlying().(*types.Pointer).Elem())
	source, valid2 := o.b.m.TypeOf(o.b.GoType(from).Underlying().(*types.Pointer).Elem())
	if !valid || !valid2 {
		return nil, false
	}
	number, n, ok := numbersOf(t)
	of, there, ok2 := numbersOf(source)
	if !ok || !ok2 {
		return nil, false
	}
	if and, isAddress := from.(*ast.UnaryExpr); isAddress && and.Op == token.AND {
		if v, isViewed := o.viewed(and.X); isViewed {
			p := o.addrOfView(e, v)
			if w, _ := eval.ViewOf(p); w != nil {
				p = w.Pointer(to)
			}
			return p, true
		}
		if at, isIndex := ast.Unparen(and.X).(*ast.IndexExpr); isIndex && isNumeric(source) {
			return o.viewFrom(e, at, to, of), true
		}
	}
	p := o.b.expr(from)
	if p == eval.Poison {
		return p, true
	}
	if w, _ := eval.ViewOf(p); w != nil {
		return w.Pointer(to), true
	}
	if _, isPointer := p.Type.(ssa.Pointer); !isPointer {
		return nil, false
	}
	if t == source {
		return p, true
	}
	if size, room := n*number.Size(), there*of.Size(); size > room {
		o.b.m.Refuse(e, "convert the address of an array that is as large, or of an element of a slice", "the pointer leads to %d bytes, of which there are %d", size, room)
		return eval.Poison, true
	}
	return (&eval.View{Base: p, Of: of, Len: there}).Pointer(to), true
}

// viewFrom is a pointer that leads to an element of a slice or an array, and to those behind it.
func (o operands) viewFrom(e ast.Expr, at *ast.IndexExpr, to types.Type, of ssa.Type) *ssa.Value {
	if o.b.GlobalRoot(at) != nil {
		o.b.packageVars.refuseGlobal(at, addressTaken)
		return eval.Poison
	}
	x, index, n := o.firstOf(at)
	switch t := x.typ().(type) {
	case ssa.Slice:
		return (&eval.View{Base: x.val, At: index, Of: of}).Pointer(to)
	case ssa.Array:
		if x.addr != nil {
			return (&eval.View{Base: x.addr, At: index, Of: of, Len: n * t.Len}).Pointer(to)
		}
	}
	if x.val != eval.Poison {
		o.b.m.Refuse(e, "copy it to a variable first", "%s is known at compile time only, and has no address", types.ExprString(at.X))
	}
	return eval.Poison
}

// firstOf is the slice or the outermost array that an element such as x[i][j] belongs to, the number of it that the
// element begins with, and how many numbers each of its elements has.
func (o operands) firstOf(at *ast.IndexExpr) (x ref, index *ssa.Value, n int) {
	if outer, ok := ast.Unparen(at.X).(*ast.IndexExpr); ok && check.IsArray(o.b.GoType(at.X)) && !check.IsMap(o.b.GoType(outer.X)) {
		if t, ok := o.b.m.TypeOf(o.b.GoType(at.X)); ok {
			a := t.(ssa.Array)
			_, inner, _ := numbersOf(a.Elem)
			if x, index, n = o.firstOf(outer); x.val == eval.Poison {
				return x, index, n
			}
			last := o.index(at.Index)
			if last == eval.Poison {
				return ref{val: eval.Poison}, nil, 0
			}
			o.b.checkArrayIndex(at.Pos(), last, a.Len)
			return x, o.sum(at.Pos(), index, o.times(at.Pos(), last, inner)), n
		}
	}
	x, index = o.element(at)
	if x.val == eval.Poison || index == eval.Poison {
		return ref{val: eval.Poison}, nil, 0
	}
	n = 1
	switch t := x.typ().(type) {
	case ssa.Slice:
		_, n, _ = numbersOf(t.Elem)
		o.b.checkIndex(at.Pos(), index, x.val)
	case ssa.Array:
		_, n, _ = numbersOf(t.Elem)
		o.b.checkArrayIndex(at.Pos(), index, t.Len)
	}
	return x, o.times(at.Pos(), index, n), n
}

// A viewed is a number, or an array of them, that a view leads to.
type viewed struct {
	*eval.View
	pos    token.Pos
	typ    ssa.Type   // of what it is read as
	number ssa.Type   // that this consists of
	index  *ssa.Value // how many such numbers are in front of it
	goType types.Type
}

// viewed is what an expression such as p[i][j] or *p selects behind a view. It is not ok for any other expression.
func (o operands) viewed(e ast.Expr) (v viewed, ok bool) {
	var indices []ast.Expr // the last one first
	root := ast.Unparen(e)
	for through := false; !through; {
		switch x := root.(type) {
		case *ast.StarExpr:
			root, through = ast.Unparen(x.X), true
		case *ast.IndexExpr:
			if check.IsFunc(o.b.Info.TypeOf(x.X)) || check.IsMap(o.b.GoType(x.X)) {
				return v, false
			}
			indices, root = append(indices, x.Index), ast.Unparen(x.X)
			through = check.IsPointer(o.b.GoType(root))
		default:
			return v, false
		}
	}
	p, ok := o.viewAt(root)
	if !ok {
		return v, false
	}
	v.pos = e.Pos()
	view, t := eval.ViewOf(p)
	if view == nil {
		return v, true
	}
	if here := func(x *ssa.Value) bool { return x == nil || o.b.Dead || eval.VisibleIn(o.b.Cur, x) }; !here(view.Base) || !here(view.At) {
		o.b.RefuseEnded(e, types.ExprString(root), "what it points to")
		return v, true
	}
	v.goType = t.Underlying().(*types.Pointer).Elem()
	v.typ, _ = o.b.m.TypeOf(o.b.Subst(v.goType))
	if v.number, _, ok = numbersOf(v.typ); !ok {
		o.b.m.MustBeIllTyped("a view of what are no numbers")
		return v, true
	}
	number := o.b.Zero(e.Pos(), ssa.Int64)
	for i := len(indices) - 1; i >= 0; i-- {
		index := o.index(indices[i])
		a, isArray := v.typ.(ssa.Array)
		if index == eval.Poison || !isArray {
			return v, true
		}
		o.b.checkArrayIndex(e.Pos(), index, a.Len)
		_, n, _ := numbersOf(a.Elem)
		number = o.sum(e.Pos(), number, o.times(e.Pos(), index, n))
		v.typ, v.goType = a.Elem, v.goType.Underlying().(*types.Array).Elem()
	}
	v.View, v.index = view, number
	return v, true
}

// viewAt is the pointer at the root of an expression, where it leads to a view.
func (o operands) viewAt(root ast.Expr) (p *ssa.Value, ok bool) {
	switch x := root.(type) {
	case *ast.Ident:
		if v, isVar := o.b.Info.ObjectOf(x).(*types.Var); isVar {
			if w, _ := eval.ViewOf(o.b.Vars[v]); w != nil {
				return o.b.Vars[v], true
			}
		}
	case *ast.CallExpr:
		if p, ok := o.view(x); ok {
			if w, _ := eval.ViewOf(p); w != nil || p == eval.Poison {
				return p, true
			}
			if o.b.loweredFirst == nil { // it is lowered, and is no view
				o.b.loweredFirst = map[ast.Expr][]*ssa.Value{}
			}
			o.b.loweredFirst[x] = []*ssa.Value{p}
		}
	}
	return nil, false
}

// times and sum are indices.
func (o operands) times(pos token.Pos, x *ssa.Value, n int) *ssa.Value {
	if n == 1 {
		return x
	}
	return o.b.Op(pos, ssa.OpMul, ssa.Int64, x, o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))))
}

func (o operands) sum(pos token.Pos, x, y *ssa.Value) *ssa.Value {
	if c, ok := x.Const(); ok && c.Int() == 0 {
		return y
	}
	return o.b.Op(pos, ssa.OpAdd, ssa.Int64, x, y)
}
