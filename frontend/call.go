package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// call lowers what Go writes as a call: conversions, built-ins, the functions
// that have an operation of their own, and calls of device functions. It gives
// all the results.
func (b *builder) call(e *ast.CallExpr) []*ssa.Value {
	if vals, ok := b.early[e]; ok {
		delete(b.early, e)
		return vals
	}
	if tv := b.info.Types[e.Fun]; tv.IsType() {
		if !b.arity(e, 1) {
			return poisons(1)
		}
		return []*ssa.Value{b.conversion(e, tv.Type)}
	}
	fun, name := callee(e.Fun)
	var obj types.Object
	if name != nil {
		obj = b.info.Uses[name]
	}
	switch obj := obj.(type) {
	case *types.Builtin:
		return b.builtin(e, obj.Name())
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return b.method(e, fun, obj)
		}
		switch path := obj.Pkg().Path(); {
		case path == "math":
			return b.mathCall(e, obj)
		case path == load.QDPath:
			return b.qdCall(e, name, obj)
		}
		return b.deviceCall(e, obj)
	}
	if lit, ok := fun.(*ast.FuncLit); ok {
		b.refuseExpr(lit)
	} else if b.expr(fun) != poison {
		b.m.mustBeIllTyped("a call of a function value that was not refused")
	}
	return b.refused(e)
}

// callee is the called expression without parentheses and type arguments, and
// the identifier of the function in it, nil if it is none that has a name.
func callee(fun ast.Expr) (ast.Expr, *ast.Ident) {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f, f
	case *ast.SelectorExpr:
		return f, f.Sel
	case *ast.IndexListExpr:
		return callee(f.X)
	case *ast.IndexExpr:
		if inner, name := callee(f.X); name != nil {
			return inner, name
		}
		return f, nil
	default:
		return f, nil
	}
}

// refused are as many poisons as the call has results.
func (b *builder) refused(e *ast.CallExpr) []*ssa.Value {
	switch t := b.goType(e).(type) {
	case nil:
		return nil
	case *types.Tuple:
		return poisons(t.Len())
	default:
		return poisons(1)
	}
}

func (b *builder) conversion(e *ast.CallExpr, typ types.Type) *ssa.Value {
	if invalid(typ) {
		b.expr(e.Args[0])
		return b.noValue("a conversion to no type")
	}
	t, ok := b.m.typeOf(typ)
	if !ok {
		why, hint := b.m.unsupportedType(typ)
		b.m.refuse(e, hint, "conversion to %s: %s", b.m.typeString(typ), why)
		return poison
	}
	return b.convertTo(e, b.expr(e.Args[0]), t)
}

func (b *builder) builtin(e *ast.CallExpr, name string) []*ssa.Value {
	switch name {
	case "len", "cap", "new", "clear", "min", "max":
		if !b.arity(e, 1) {
			return poisons(1)
		}
	}
	switch name {
	case "len", "cap":
		return []*ssa.Value{b.length(e, name)}
	case "new":
		return []*ssa.Value{b.newVar(e)}
	case "copy":
		return []*ssa.Value{b.copyCall(e)}
	case "clear":
		b.clearCall(e)
		return nil
	case "min", "max":
		op := ssa.OpMin
		if name == "max" {
			op = ssa.OpMax
		}
		args := b.exprList(e.Args)
		if len(args) == 0 {
			return []*ssa.Value{b.noValue(name + " of nothing")}
		}
		v := args[0]
		for _, arg := range args[1:] {
			v = b.op(e.Pos(), op, v.Type, v, arg)
		}
		return []*ssa.Value{v}
	}
	r, ok := refusedBuiltins[name]
	if !ok {
		r.why, r.hint = name+" is not supported in a kernel", "write it in another way"
	}
	if t := b.goType(e); name == "make" && t != nil {
		switch t.Underlying().(type) {
		case *types.Map, *types.Chan: // there is nothing to pass instead
			r.why, r.hint = b.m.unsupportedType(t)
		}
	}
	b.m.refuse(e, r.hint, "%s", r.why)
	return b.refused(e)
}

// method lowers a method call: only those of a qd.Thread exist.
func (b *builder) method(e *ast.CallExpr, fun ast.Expr, obj *types.Func) []*ssa.Value {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || b.info.Selections[sel] == nil || b.info.Selections[sel].Kind() != types.MethodVal {
		b.refuseFuncValue(e.Fun)
		return b.refused(e)
	}
	recv := obj.Signature().Recv().Type()
	if isThread(recv) {
		if thread := b.expr(sel.X); thread != poison {
			return b.threadCall(e, thread, obj.Name())
		}
		return b.refused(e)
	}
	if b.expr(sel.X) != poison {
		b.m.refuse(e.Fun, "declare a function and pass it the receiver as an argument", "methods are not supported yet")
	}
	return b.refused(e)
}

// deviceCall lowers a call of another function of Go: that is lowered first, if
// this is the first call of it.
func (b *builder) deviceCall(e *ast.CallExpr, obj *types.Func) []*ssa.Value {
	m := b.m
	f := m.funcs[obj]
	switch {
	case obj.Signature().TypeParams().Len() > 0:
		m.refuse(e.Fun, "write one function for each type", "generic functions are not supported yet")
		return b.refused(e)
	case f == nil:
		src := m.prog.Funcs[obj]
		if src == nil { // an operation to be, as those of math/bits
			m.refuse(e.Fun, "write it in Go", "%s is not supported in a kernel", types.ExprString(e.Fun))
			return b.refused(e)
		}
		f = m.lower(src, b.f)
	case f.open:
		m.refuse(e, "write it as a loop", "recursive call of %s%s", obj.Name(), b.f.cycle(f))
		return b.refused(e)
	}
	args := b.exprList(e.Args)
	for i, p := range f.fn.Params() {
		if i < len(args) {
			args[i] = b.coerce(e.Pos(), args[i], p.Type)
		}
	}
	if f.rank != 0 {
		b.needRank(e, f.rank)
	}
	if f.bad || anyPoison(args) {
		return b.refused(e)
	}
	return b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpCall, Callee: f.fn, Args: args}, f.fn.Results...).Results
}

// cycle names the functions between a call of f in g and f's own: "" where f
// calls itself.
func (g *function) cycle(f *function) string {
	if g == f {
		return ""
	}
	path := f.src.Obj.Name()
	for ; g != f; g = g.caller {
		path = g.src.Obj.Name() + " calls " + path
	}
	return ": " + f.src.Obj.Name() + " calls " + path
}
