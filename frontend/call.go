package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A caller lowers calls, conversions and method values.
type caller struct{ *builder }

// call lowers what Go writes as a call: conversions, built-ins, the functions
// that have an operation of their own, and calls of functions in Go. It gives
// all the results.
func (b caller) call(e *ast.CallExpr) []*ssa.Value {
	if vals, ok := b.early[e]; ok {
		delete(b.early, e)
		return vals
	}
	if v, ok := b.markers.askStatic(e); ok {
		return []*ssa.Value{v}
	}
	if tv := b.info.Types[e.Fun]; tv.IsType() {
		if !b.m.arity(e, 1) {
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
func (b caller) refused(e *ast.CallExpr) []*ssa.Value {
	switch t := b.goType(e).(type) {
	case nil:
		return nil
	case *types.Tuple:
		return poisons(t.Len())
	default:
		return poisons(1)
	}
}

func (b caller) conversion(e *ast.CallExpr, typ types.Type) *ssa.Value {
	if invalid(typ) {
		b.expr(e.Args[0])
		return b.noValue("a conversion to no type")
	}
	if isSlice(typ) && isBasic(b.goType(e.Args[0]), types.IsString) {
		return b.slicedString(e, typ, b.expr(e.Args[0]))
	}
	if b.m.isFrontType(typ) {
		v := b.expr(e.Args[0])
		if isBasic(typ, types.IsString) {
			return b.stringConversion(e, v)
		}
		return b.coerceTo(e.Pos(), v, typ)
	}
	t, ok := b.m.typeOf(typ)
	if len(e.Args) == 1 && isThread(b.goType(e.Args[0])) && t != ssa.Thread {
		b.m.refuse(e, "use the kernel's own qd.Thread", "a qd.Thread cannot be converted")
		return poison
	}
	if !ok {
		why, hint := b.m.unsupportedType(typ)
		b.m.refuse(e, hint, "conversion to %s: %s", b.m.typeString(typ), why)
		return poison
	}
	return b.convertTo(e, b.expr(e.Args[0]), t)
}

func (b caller) builtin(e *ast.CallExpr, name string) []*ssa.Value {
	switch name {
	case "len", "cap", "new", "clear", "min", "max":
		if !b.m.arity(e, 1) {
			return poisons(1)
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
			return []*ssa.Value{b.noValue(name + " of nothing")}
		}
		v := args[0]
		for _, arg := range args[1:] {
			if isFront(v) || isFront(arg) {
				v = b.extremeString(e, op, v, arg)
				continue
			}
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
func (b caller) callFunc(e *ast.CallExpr, f *funcValue) []*ssa.Value {
	if onThread(f.obj) {
		return b.intrinsics.threadCall(e, f.recv, f.obj.Name())
	}
	if onBlock(f.obj) {
		return b.threads.blockCall(e, f.recv, f.obj.Name())
	}
	if recv := f.obj.Signature().Recv(); recv != nil && isGrid(recv.Type()) {
		return b.threads.gridCall(e, f.obj.Name())
	}
	if op := b.intrinsics.operation(f.obj); op != nil {
		return op(e, f)
	}
	params, variadic := b.m.paramsOf(f)
	args, ok := b.callArgs(e, params, variadic)
	if !ok {
		return b.refused(e)
	}
	if f.of != nil {
		if f = b.bindMethod(e.Fun, ref{val: args[0]}, f.of, f.obj); f == nil {
			return b.refused(e)
		}
		args = args[1:]
	}
	return b.callBound(e, f, args)
}

// callBound calls a declared function, or a method that has its receiver.
func (b caller) callBound(e *ast.CallExpr, f *funcValue, args []*ssa.Value) []*ssa.Value {
	if f.recv != nil {
		args = append([]*ssa.Value{f.recv}, args...)
	}
	src := b.m.prog.Function(f.obj)
	if src == nil {
		if f.obj.Pkg().Path() == load.QDPath {
			b.m.refuse(e.Fun, "call it outside the kernel", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		} else {
			b.m.refuse(e.Fun, "write it in Go", "%s is not supported in a kernel", types.ExprString(e.Fun))
		}
		return b.refused(e)
	}
	if anyPoison(args) && b.m.takesFront(f) {
		return b.refused(e)
	}
	known, ok := b.specialize(f, args)
	if !ok || b.m.mustInline(f) {
		return b.inliner.inline(e, b.inliner.declaredBody(f), args)
	}
	given := args
	args = runtimeArgs(args, known)
	callee := b.m.instance(f, known)
	switch {
	case callee == nil && b.f.openInstances(f) > maxInstances:
		b.m.refuse(e, "write it as a loop", "recursive call of %s, with other type arguments each time", f.obj.Name())
		return b.refused(e)
	case callee == nil:
		if depth := b.f.depth(); depth > maxDepth {
			if b.f.recursions(f) > maxInstances {
				b.m.refuse(e, "end it with an if on what is known at compile time, or write it as a loop",
					"the recursion of %s does not end within %d calls", f.obj.Name(), maxDepth)
				return b.refused(e)
			}
			b.m.refuse(e, "write it as a loop", "calls are nested deeper than %d functions", maxDepth)
			return b.refused(e)
		}
		if known.any() && !b.countSpecial(e) {
			return b.refused(e)
		}
		callee = b.m.lower(src, f.targs, known, b.f, e)
	case callee.open && b.anySymbolic(given):
		return b.refused(e) // it may end
	case callee.open:
		b.m.refuse(e, "write it as a loop", "recursive call of %s%s", f.obj.Name(), b.f.cycle(callee))
		return b.refused(e)
	}
	if callee.rank != 0 {
		b.threads.needRank(e, callee.rank)
	}
	if callee.failed != "" {
		b.markers.failAssertion(e, callee.failed, true)
	}
	if callee.bad || anyPoison(args) {
		return b.refused(e)
	}
	in := b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpCall, Callee: callee.fn, Args: args}, callee.fn.Results...)
	b.noteCall(in, src, f, given)
	return in.Results
}

// maxDepth is how deep calls may be nested. A program that a person has written has
// no more; one of a machine's would exhaust the compiler's stack.
const maxDepth = 500

// maxInstances is how many instances of one function may be nested in one another:
// by a method of a type argument a function can come to be called for another type.
const maxInstances = 16

// openInstances is how many of the function's callers are instances of another for other
// types.
func (g *function) openInstances(f *funcValue) (n int) {
	for ; g != nil; g = g.caller {
		if g.src.Obj == f.obj && !sameTypes(g.targs, f.targs) {
			n++
		}
	}
	return n
}

// maxSpecial is how many instances for known arguments one kernel may have.
const maxSpecial = 4096

// countSpecial reports whether there may be another instance for known arguments.
func (b caller) countSpecial(e *ast.CallExpr) bool {
	b.m.special++
	if b.m.special == maxSpecial {
		b.m.refuse(e, "pass what differs as an ordinary argument, or qd.Dynamic of it", "device functions are called with more than %d lists of known arguments", maxSpecial)
	}
	return b.m.special < maxSpecial
}

// depth is how many callers a function has.
func (g *function) depth() (n int) {
	for ; g != nil; g = g.caller {
		n++
	}
	return n
}

// variadic is the slice of the arguments that a variadic parameter takes.
func (b caller) variadic(e *ast.CallExpr, typ types.Type, args []*ssa.Value) *ssa.Value {
	if b.inStatic > 0 && isSlice(typ) || b.m.isFrontType(typ) {
		elem := typ.Underlying().(*types.Slice).Elem()
		var elems []*ssa.Value
		for _, arg := range args {
			if arg = b.coerceTo(e.Pos(), arg, elem); arg == poison {
				return poison
			}
			elems = append(elems, arg)
		}
		if len(elems) == 0 {
			return nilOf(typ)
		}
		return list(typ, elems)
	}
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

// paramsOf are the types of the parameters of a function, and whether it is variadic;
// a method expression has the receiver as the first.
func (m *module) paramsOf(f *funcValue) (params []types.Type, variadic bool) {
	obj, s := f.obj, m.with(f.typeArgs())
	if f.of != nil {
		params = append(params, f.of)
		if found, _, _ := types.LookupFieldOrMethod(f.of, true, obj.Pkg(), obj.Name()); found != nil {
			obj, _ = found.(*types.Func)
		}
	}
	for v := range obj.Signature().Params().Variables() {
		params = append(params, s.typ(v.Type()))
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
		b.m.mustHaveFailed("a call with the wrong number of arguments")
		return nil, false
	}
	for i, arg := range args {
		args[i] = b.coerceTo(e.Pos(), arg, params[i])
		if f := funcOf(args[i]); f != nil && f.unknown {
			b.refuseUnknown(e.Args[min(i, len(e.Args)-1)], f)
			args[i] = poison
		}
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
	for ; g.src.Obj != f.src.Obj; g = g.caller {
		path = g.src.Obj.Name() + " calls " + path
	}
	return ": " + f.src.Obj.Name() + " calls " + path
}
