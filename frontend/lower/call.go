package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A caller lowers calls, conversions and method values.
type caller struct{ *builder }

// call lowers what Go writes as a call: conversions, built-ins, the functions
// that have an operation of their own, and calls of functions in Go. It gives
// all the results.
func (b caller) call(e *ast.CallExpr) []*ssa.Value {
	if vals, ok := b.loweredFirst[e]; ok {
		delete(b.loweredFirst, e)
		return vals
	}
	if v, ok := b.markers.askStatic(e); ok {
		return []*ssa.Value{v}
	}
	if tv := b.Info.Types[e.Fun]; tv.IsType() {
		if !b.m.Arity(e, 1) {
			return eval.Poisons(1)
		}
		return []*ssa.Value{b.conversion(e, b.Subst(tv.Type))}
	}
	if name := check.CalleeName(e.Fun); name != nil {
		if builtin, ok := b.Info.Uses[name].(*types.Builtin); ok {
			return b.builtin(e, builtin.Name())
		}
	}
	fun := b.expr(e.Fun)
	f := eval.FuncOf(fun)
	if f == nil {
		if fun != eval.Poison {
			b.m.MustBeIllTyped("a call of what is no function")
		}
		return b.refused(e)
	}
	return b.callValue(e, f)
}

// refused are as many poisons as the call has results.
func (b caller) refused(e *ast.CallExpr) []*ssa.Value {
	switch t := b.GoType(e).(type) {
	case nil:
		return nil
	case *types.Tuple:
		return eval.Poisons(t.Len())
	default:
		return eval.Poisons(1)
	}
}

func (b caller) conversion(e *ast.CallExpr, typ types.Type) *ssa.Value {
	if check.Invalid(typ) {
		b.expr(e.Args[0])
		return b.NoValue("a conversion to no type")
	}
	if check.IsSlice(typ) && check.IsBasic(b.GoType(e.Args[0]), types.IsString) {
		return b.SlicedString(e, e.Args[0], typ, b.expr(e.Args[0]))
	}
	if b.m.IsFrontType(typ) {
		v := b.expr(e.Args[0])
		if check.IsBasic(typ, types.IsString) {
			return b.StringConversion(e, v)
		}
		return b.CoerceTo(e.Pos(), v, typ)
	}
	t, ok := b.m.TypeOf(typ)
	if len(e.Args) == 1 && check.IsThread(b.GoType(e.Args[0])) && t != ssa.Thread {
		b.m.Refuse(e, "use the kernel's own qd.Thread", "a qd.Thread cannot be converted")
		return eval.Poison
	}
	if !ok {
		why, hint := b.m.UnsupportedType(typ)
		b.m.Refuse(e, hint, "conversion to %s: %s", b.m.TypeString(typ), why)
		return eval.Poison
	}
	return b.ConvertTo(e, b.expr(e.Args[0]), t)
}

func (b caller) builtin(e *ast.CallExpr, name string) []*ssa.Value {
	switch name {
	case "len", "cap", "new", "clear", "min", "max":
		if !b.m.Arity(e, 1) {
			return eval.Poisons(1)
		}
	}
	switch name {
	case "len", "cap":
		return []*ssa.Value{b.intrinsics.length(e, name)}
	case "new":
		return []*ssa.Value{b.intrinsics.newVar(e)}
	case "copy":
		return []*ssa.Value{b.intrinsics.copyCall(e)}
	case "clear":
		b.intrinsics.clearCall(e)
		return nil
	case "panic":
		b.intrinsics.panicCall(e)
		return nil
	case "min", "max":
		op := ssa.OpMin
		if name == "max" {
			op = ssa.OpMax
		}
		args := b.exprList(e.Args)
		if len(args) == 0 {
			return []*ssa.Value{b.NoValue(name + " of nothing")}
		}
		v := args[0]
		for _, arg := range args[1:] {
			if eval.IsFront(v) || eval.IsFront(arg) {
				v = b.ExtremeString(e, op, v, arg)
				continue
			}
			v = b.Op(e.Pos(), op, v.Type, v, arg)
		}
		return []*ssa.Value{v}
	}
	r, ok := refusedBuiltins[name]
	if !ok {
		r.why, r.hint = name+" is not supported in a kernel", "write it in another way"
	}
	if t := b.GoType(e); name == "make" && t != nil {
		switch t.Underlying().(type) {
		case *types.Map, *types.Chan: // there is nothing to pass instead
			r.why, r.hint = b.m.UnsupportedType(t)
		}
	}
	b.m.Refuse(e, r.hint, "%s", r.why)
	return b.refused(e)
}

// callFunc calls a declared function or method.
func (b caller) callFunc(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	if check.OnThread(f.Obj) {
		return b.intrinsics.threadCall(e, f.Recv, f.Obj.Name())
	}
	if check.OnBlock(f.Obj) {
		return b.threads.blockCall(e, f.Recv, f.Obj.Name())
	}
	if recv := f.Obj.Signature().Recv(); recv != nil && check.IsGrid(recv.Type()) {
		return b.threads.gridCall(e, f.Obj.Name())
	}
	if op := b.intrinsics.operation(f.Obj); op != nil {
		return op(e, f)
	}
	params, variadic := b.m.paramsOf(f)
	args, ok := b.callArgs(e, params, variadic)
	if !ok {
		return b.refused(e)
	}
	if f.Of != nil {
		if f = b.bindMethod(e.Fun, ref{val: args[0]}, f.Of, f.Obj); f == nil {
			return b.refused(e)
		}
		args = args[1:]
	}
	return b.callBound(e, f, args)
}

// callBound calls a declared function, or a method that has its receiver.
func (b caller) callBound(e *ast.CallExpr, f *eval.Func, args []*ssa.Value) []*ssa.Value {
	if f.Recv != nil {
		args = append([]*ssa.Value{f.Recv}, args...)
	}
	src := b.m.Prog.Function(f.Obj)
	if src == nil {
		if load.IsOwn(f.Obj.Pkg().Path()) {
			b.m.Refuse(e.Fun, "call it outside the kernel", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		} else {
			b.m.Refuse(e.Fun, "write it in Go", "%s is not supported in a kernel", types.ExprString(e.Fun))
		}
		return b.refused(e)
	}
	if eval.AnyPoison(args) && b.m.takesFront(f) {
		return b.refused(e)
	}
	known, ok := b.Specialize(f, args)
	if !ok || b.m.mustInline(f) {
		return b.inliner.inline(e, b.inliner.declaredBody(f), args)
	}
	given := args
	args = eval.RuntimeArgs(args, known)
	callee := b.m.instance(f, known)
	switch {
	case callee == nil && b.Function.OpenInstances(f) > eval.MaxInstances:
		b.m.Refuse(e, "write it as a loop", "recursive call of %s, with other type arguments each time", f.Obj.Name())
		return b.refused(e)
	case callee == nil:
		if b.Function.Depth >= MaxDepth {
			if b.Function.Recursions(f) > eval.MaxInstances {
				b.m.Refuse(e, "end it with an if on a compile-time value, or write it as a loop",
					"the recursion of %s does not end within %d calls", f.Obj.Name(), MaxDepth)
				return b.refused(e)
			}
			b.m.Refuse(e, "write it as a loop", "calls are nested deeper than %d functions", MaxDepth)
			return b.refused(e)
		}
		if known.Any() && !b.countSpecial(e) {
			return b.refused(e)
		}
		callee = b.m.lower(src, f.Targs, known, b.Function, e)
	case callee.Open && b.AnySymbolic(given):
		return b.refused(e) // it may end
	case callee.Open:
		b.m.Refuse(e, "write it as a loop", "recursive call of %s%s", f.Obj.Name(), b.Function.Cycle(callee))
		return b.refused(e)
	}
	if callee.Rank != 0 {
		b.threads.needRank(e, callee.Rank)
	}
	if callee.Failed != "" {
		b.markers.failAssertion(e, callee.Failed, true)
	}
	if callee.Bad || eval.AnyPoison(args) {
		return b.refused(e)
	}
	in := b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpCall, Callee: callee.Fn, Args: args}, callee.Fn.Results...)
	b.NoteCall(in, src, f, given)
	return in.Results
}

// MaxDepth is how deep calls may be nested. A program that a person has written has
// no more; one of a machine's would exhaust the compiler's stack.
const MaxDepth = 500

// maxSpecial is how many instances for known arguments one kernel may have.
const maxSpecial = 4096

// countSpecial reports whether there may be another instance for known arguments.
func (b caller) countSpecial(e *ast.CallExpr) bool {
	b.m.special++
	if b.m.special == maxSpecial {
		b.m.Refuse(e, "pass the arguments that differ as ordinary arguments, or in a qd.Dynamic", "device functions are called with more than %d different lists of compile-time arguments", maxSpecial)
	}
	return b.m.special < maxSpecial
}

// variadic is the slice of the arguments that a variadic parameter takes.
func (b caller) variadic(e *ast.CallExpr, typ types.Type, args []*ssa.Value) *ssa.Value {
	if b.InStatic > 0 && check.IsSlice(typ) || b.m.IsFrontType(typ) {
		elem := typ.Underlying().(*types.Slice).Elem()
		var elems []*ssa.Value
		for _, arg := range args {
			if arg = b.CoerceTo(e.Pos(), arg, elem); arg == eval.Poison {
				return eval.Poison
			}
			elems = append(elems, arg)
		}
		if len(elems) == 0 {
			return eval.NilOf(typ)
		}
		return eval.List(typ, elems)
	}
	t, ok := b.m.TypeOf(typ)
	slice, isSlice := t.(ssa.Slice)
	if !ok || !isSlice {
		return eval.Poison // the parameter is refused where it is declared
	}
	for i, arg := range args {
		if args[i] = b.Coerce(e.Pos(), arg, slice.Elem); args[i] == eval.Poison {
			return eval.Poison
		}
	}
	if len(args) == 0 {
		return b.Op(e.Rparen, ssa.OpZero, slice)
	}
	array := ssa.Array{Elem: slice.Elem, Len: len(args)}
	return b.Op(e.Pos(), ssa.OpSliceOf, slice, b.Fresh(e.Pos(), b.Op(e.Pos(), ssa.OpMake, array, args...)))
}

// paramsOf are the types of the parameters of a function, and whether it is variadic;
// a method expression has the receiver as the first.
func (m *Module) paramsOf(f *eval.Func) (params []types.Type, variadic bool) {
	obj, s := f.Obj, m.With(f.TypeArgs())
	if f.Of != nil {
		params = append(params, f.Of)
		if found, _, _ := types.LookupFieldOrMethod(f.Of, true, obj.Pkg(), obj.Name()); found != nil {
			obj, _ = found.(*types.Func)
		}
	}
	for v := range obj.Signature().Params().Variables() {
		params = append(params, s.Typ(v.Type()))
	}
	return params, obj.Signature().Variadic()
}

// callArgs evaluates the arguments of a call of a function in Go: as many values as
// the function has parameters.
func (b caller) callArgs(e *ast.CallExpr, params []types.Type, variadic bool) ([]*ssa.Value, bool) {
	args := b.exprList(e.Args)
	if n := len(params) - 1; variadic && !e.Ellipsis.IsValid() && len(args) >= n {
		args = append(args[:n:n], b.variadic(e, params[n], args[n:]))
	}
	if len(args) != len(params) {
		b.m.MustHaveFailed("a call with the wrong number of arguments")
		return nil, false
	}
	for i, arg := range args {
		args[i] = b.CoerceTo(e.Pos(), arg, params[i])
		if f := eval.FuncOf(args[i]); f != nil && f.Unknown {
			b.RefuseUnknown(e.Args[min(i, len(e.Args)-1)], f)
			args[i] = eval.Poison
		}
	}
	return args, true
}
