package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// call lowers what Go writes as a call: conversions, built-ins, the functions
// that have an operation of their own, and calls of functions in Go. It gives
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
		return []*ssa.Value{b.conversion(e, b.subst(tv.Type))}
	}
	if name := calleeName(e.Fun); name != nil {
		if builtin, ok := b.info.Uses[name].(*types.Builtin); ok {
			return b.builtin(e, builtin.Name())
		}
	}
	fun := b.expr(e.Fun)
	f := funcOf(fun)
	if f == nil {
		if fun != poison {
			b.m.mustBeIllTyped("a call of what is no function")
		}
		return b.refused(e)
	}
	return b.callValue(e, f)
}

// calleeName is the identifier of the function in a called expression, nil if it is
// none that has a name.
func calleeName(fun ast.Expr) *ast.Ident {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	case *ast.IndexListExpr:
		return calleeName(f.X)
	case *ast.IndexExpr:
		return calleeName(f.X)
	}
	return nil
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
	if isFunc(typ) {
		return b.expr(e.Args[0])
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

// callFunc calls a declared function or method.
func (b *builder) callFunc(e *ast.CallExpr, f *funcValue) []*ssa.Value {
	sig := f.obj.Signature()
	if sig.Recv() != nil && isThread(sig.Recv().Type()) {
		return b.threadCall(e, f.recv, f.obj.Name())
	}
	if sig.Recv() != nil && isGrid(sig.Recv().Type()) {
		return b.gridCall(e, f.obj.Name())
	}
	if b.m.prog.Funcs[f.obj] == nil {
		switch f.obj.Pkg().Path() {
		case "math":
			return b.mathCall(e, f.obj)
		case load.QDPath:
			return b.qdCall(e, f)
		}
		// An operation to be, as those of math/bits.
		b.m.refuse(e.Fun, "write it in Go", "%s is not supported in a kernel", types.ExprString(e.Fun))
		return b.refused(e)
	}
	if b.m.mustInline(f) {
		args, ok := b.callArgs(e, sig, f.typeArgs())
		if !ok {
			return b.refused(e)
		}
		return b.inline(e, b.declaredBody(f), b.withReceiver(f, args))
	}
	callee := b.m.instance(f)
	switch {
	case callee == nil:
		callee = b.m.lower(b.m.prog.Funcs[f.obj], f.targs, b.f)
	case callee.open:
		b.m.refuse(e, "write it as a loop", "recursive call of %s%s", f.obj.Name(), b.f.cycle(callee))
		return b.refused(e)
	}
	args, ok := b.callArgs(e, sig, f.typeArgs())
	if callee.rank != 0 {
		b.needRank(e, callee.rank)
	}
	if !ok || callee.bad || anyPoison(args) {
		return b.refused(e)
	}
	args = b.withReceiver(f, args)
	return b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpCall, Callee: callee.fn, Args: args}, callee.fn.Results...).Results
}

// withReceiver puts the receiver in front of a method's arguments.
func (b *builder) withReceiver(f *funcValue, args []*ssa.Value) []*ssa.Value {
	if f.recv == nil {
		return args
	}
	return append([]*ssa.Value{f.recv}, args...)
}

// variadic is the slice of the arguments that a variadic parameter takes.
func (b *builder) variadic(e *ast.CallExpr, typ types.Type, args []*ssa.Value) *ssa.Value {
	t, ok := b.m.typeOf(typ)
	slice, isSlice := t.(ssa.Slice)
	if !ok || !isSlice {
		return poison // the parameter is refused where it is declared
	}
	for i, arg := range args {
		if args[i] = b.coerce(e.Pos(), arg, slice.Elem); args[i] == poison {
			return poison
		}
	}
	if len(args) == 0 {
		return b.op(e.Rparen, ssa.OpZero, slice)
	}
	array := ssa.Array{Elem: slice.Elem, Len: len(args)}
	return b.op(e.Pos(), ssa.OpSliceOf, slice, b.fresh(e.Pos(), b.op(e.Pos(), ssa.OpMake, array, args...)))
}

// callArgs evaluates the arguments of a call of a function in Go: as many values as
// the function has parameters.
func (b *builder) callArgs(e *ast.CallExpr, fun types.Type, targs typeArgs) ([]*ssa.Value, bool) {
	sig, ok := fun.(*types.Signature)
	if !ok {
		b.m.mustBeIllTyped("a call of what is no function")
		return nil, false
	}
	args := b.exprList(e.Args)
	if n := sig.Params().Len() - 1; sig.Variadic() && !e.Ellipsis.IsValid() && len(args) >= n {
		xs := substitution{b.m, targs}.typ(sig.Params().At(n).Type())
		args = append(args[:n:n], b.variadic(e, xs, args[n:]))
	}
	for i, arg := range args {
		if i < sig.Params().Len() {
			args[i] = b.coerceTo(e.Pos(), arg, substitution{b.m, targs}.typ(sig.Params().At(i).Type()))
		}
		if f := funcOf(args[i]); f != nil && f.unknown {
			b.refuseUnknown(e.Args[min(i, len(e.Args)-1)])
			args[i] = poison
		}
	}
	if len(args) != sig.Params().Len() {
		b.m.mustHaveFailed("a call with the wrong number of arguments")
		return nil, false
	}
	return args, true
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
