package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A caller lowers calls, conversions and method values.
type caller struct{ b *builder }

// call lowers what Go writes as a call: conversions, built-ins, the functions
// that have an operation of their own, and calls of functions in Go. It gives
// all the results.
func (c caller) call(e *ast.CallExpr) []*ssa.Value {
	if vals, ok := c.b.loweredFirst[e]; ok {
		delete(c.b.loweredFirst, e)
		return vals
	}
	if v, ok := c.b.markers.askStatic(e); ok {
		return []*ssa.Value{v}
	}
	if tv := c.b.Info.Types[e.Fun]; tv.IsType() {
		if !c.b.m.Arity(e, 1) {
			return eval.Poisons(1)
		}
		return []*ssa.Value{c.conversion(e, c.b.Subst(tv.Type))}
	}
	if name := check.CalleeName(e.Fun); name != nil {
		if builtin, ok := c.b.Info.Uses[name].(*types.Builtin); ok {
			return c.builtin(e, builtin.Name())
		}
	}
	fun := c.b.expr(e.Fun)
	f := eval.FuncOf(fun)
	if f == nil {
		if fun != eval.Poison {
			c.b.m.MustBeIllTyped("a call of what is no function")
		}
		return c.refused(e)
	}
	return c.callValue(e, f)
}

// refused are as many poisons as the call has results.
func (c caller) refused(e *ast.CallExpr) []*ssa.Value {
	switch t := c.b.GoType(e).(type) {
	case nil:
		return nil
	case *types.Tuple:
		return eval.Poisons(t.Len())
	default:
		return eval.Poisons(1)
	}
}

func (c caller) conversion(e *ast.CallExpr, typ types.Type) *ssa.Value {
	if check.Invalid(typ) {
		c.b.expr(e.Args[0])
		return c.b.NoValue("a conversion to no type")
	}
	if check.IsSlice(typ) && check.IsBasic(c.b.GoType(e.Args[0]), types.IsString) {
		return c.b.SlicedString(e, e.Args[0], typ, c.b.expr(e.Args[0]))
	}
	if len(e.Args) == 1 && check.IsThread(c.b.GoType(e.Args[0])) && !check.IsThread(typ) && !types.IsInterface(typ) {
		c.b.m.Refuse(e, "use the kernel's own qd.Thread", "a qd.Thread cannot be converted")
		return eval.Poison
	}
	if v, ok := c.b.operands.view(e); ok {
		return v
	}
	if c.b.m.IsFrontType(typ) {
		v := c.b.as(e.Args[0], c.b.expr(e.Args[0]), typ)
		if check.IsBasic(typ, types.IsString) {
			return c.b.StringConversion(e, v)
		}
		return c.b.CoerceTo(e.Pos(), v, typ)
	}
	t, ok := c.b.m.TypeOf(typ)
	if check.IsSlice(c.b.GoType(e.Args[0])) && check.IsArray(typ) && ok {
		return c.sliceToArray(e, t)
	}
	if p, ok := t.(ssa.Pointer); ok && check.IsSlice(c.b.GoType(e.Args[0])) {
		if number, _, ok := numbersOf(p.Elem); ok {
			return c.arrayOfSlice(e, typ, p.Elem, number)
		}
	}
	if !ok {
		why, hint := c.b.m.UnsupportedType(typ)
		c.b.m.Refuse(e, hint, "conversion to %s: %s", c.b.m.TypeString(typ), why)
		return eval.Poison
	}
	if from := c.b.GoType(e.Args[0]); load.HasOneAddress(from) && !load.HasOneAddress(typ) {
		c.b.m.Refuse(e, "convert what it points to, as in T(*p)", "a pointer of type %s is converted in a kernel, which has its own copies of tables: their addresses must not be compared", c.b.m.TypeString(from))
		return eval.Poison
	}
	return c.b.ConvertTo(e, c.b.expr(e.Args[0]), t)
}

func (c caller) builtin(e *ast.CallExpr, name string) []*ssa.Value {
	switch name {
	case "len", "cap", "new", "clear", "min", "max", "Sizeof", "Alignof":
		if !c.b.m.Arity(e, 1) {
			return eval.Poisons(1)
		}
	}
	switch name {
	case "len", "cap":
		return []*ssa.Value{c.b.intrinsics.length(e, name)}
	case "new":
		return []*ssa.Value{c.b.intrinsics.newVar(e)}
	case "real", "imag", "complex":
		return []*ssa.Value{c.b.intrinsics.complexBuiltin(e, name)}
	case "append":
		return []*ssa.Value{c.b.intrinsics.appendCall(e)}
	case "make":
		return []*ssa.Value{c.b.intrinsics.makeCall(e)}
	case "copy":
		return []*ssa.Value{c.b.intrinsics.copyCall(e)}
	case "clear":
		c.b.intrinsics.clearCall(e)
		return nil
	case "panic":
		c.b.intrinsics.panicCall(e)
		return nil
	case "Sizeof", "Alignof":
		return []*ssa.Value{c.b.intrinsics.sizeCall(e, name)}
	case "min", "max":
		op := ssa.OpMin
		if name == "max" {
			op = ssa.OpMax
		}
		args := c.b.exprList(e.Args)
		if len(args) == 0 {
			return []*ssa.Value{c.b.NoValue(name + " of nothing")}
		}
		v := args[0]
		for _, arg := range args[1:] {
			if eval.IsFront(v) || eval.IsFront(arg) {
				v = c.b.ExtremeString(e, op, v, arg)
				continue
			}
			v = c.b.Op(e.Pos(), op, v.Type, v, arg)
		}
		return []*ssa.Value{v}
	}
	r, ok := refusedBuiltins[name]
	if !ok {
		r.why, r.hint = name+" is not supported in a kernel", "write it in another way"
	}
	c.b.m.Refuse(e, r.hint, "%s", r.why)
	return c.refused(e)
}

// callFunc calls a declared function or method.
func (c caller) callFunc(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	if check.OnThread(f.Obj) {
		return c.b.intrinsics.threadCall(e, f.Recv, f.Obj.Name())
	}
	if check.OnBlock(f.Obj) {
		return c.b.threads.blockCall(e, f.Recv, f.Obj.Name())
	}
	if recv := f.Obj.Signature().Recv(); recv != nil && check.IsGrid(recv.Type()) {
		return c.b.threads.gridCall(e, f.Obj.Name())
	}
	if op := c.b.intrinsics.operation(f.Obj); op != nil {
		return op(e, f)
	}
	params, variadic := c.b.m.paramsOf(f)
	args, ok := c.callArgs(e, params, variadic)
	if !ok {
		return c.refused(e)
	}
	if f.Of != nil {
		if f = c.bindMethod(e.Fun, ref{val: args[0]}, f.Of, f.Obj); f == nil {
			return c.refused(e)
		}
		args = args[1:]
	}
	return c.callBound(e, f, args)
}

// callBound calls a declared function, or a method that has its receiver.
func (c caller) callBound(e *ast.CallExpr, f *eval.Func, args []*ssa.Value) []*ssa.Value {
	if f.Recv != nil {
		args = append([]*ssa.Value{f.Recv}, args...)
	}
	src := c.b.m.Prog.Function(f.Obj)
	if !c.mayCall(e, f, src, args) {
		return c.refused(e)
	}
	has := c.b.m.companions(f)
	if has.any() && !c.b.m.mayHaveCompanions(f, has) {
		return c.refused(e)
	}
	if !has.any() {
		if vals, ok := c.evaluated(e, f, args); ok {
			return vals
		}
	}
	known, ok := c.b.Specialize(f, args)
	switch {
	case known.All():
		has = companions{} // what is known has no derivative
	case has.any():
		known = nil // a companion takes all arguments
	}
	var closed *eval.Closed
	if !ok && !has.any() && !c.b.m.mustInline(f) && c.b.m.IsRecursive(f) {
		closed, known, ok = c.b.Close(e.Pos(), f, args)
	}
	if !ok || !has.any() && (c.b.m.mustInline(f) || c.b.givesRoom(f, args)) || c.b.Capacities.Calls[e] && !c.b.m.IsRecursive(f) {
		return c.b.inliner.inline(e, c.b.inliner.declaredBody(f), args)
	}
	known = c.generalized(f, args, known)
	given := args
	args = c.closedArgs(eval.RuntimeArgs(args, known), closed)
	callee := c.b.m.instance(f, known, closed)
	if callee == nil {
		if callee = c.lowerCallee(e, src, f, known, closed); callee == nil {
			return c.refused(e)
		}
	} else if callee.Open {
		return c.callOpen(e, f, callee, args, given)
	}
	c.b.Function.Refused = c.b.Function.Refused || callee.Refused
	if callee.Rank != 0 {
		c.b.threads.needRank(e, callee.Rank)
	}
	if callee.Failed != "" {
		c.b.markers.failAssertion(e, callee.Failed, true)
	}
	if callee.Bad || eval.AnyPoison(args) {
		return c.refused(e)
	}
	c.lowerCompanions(e, f, callee, has)
	in := c.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpCall, Callee: callee.Fn, Args: args}, callee.Fn.Results...)
	if closed == nil {
		c.b.NoteCall(in, src, f, given)
	}
	return in.Results
}

// mayCall reports whether a function with this source, nil for none, can be called. Where it cannot, that is an error.
func (c caller) mayCall(e *ast.CallExpr, f *eval.Func, src *load.Function, args []*ssa.Value) bool {
	if src == nil {
		if load.IsOwn(f.Obj.Pkg().Path()) {
			c.b.m.Refuse(e.Fun, "call it outside the kernel", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		} else {
			why, hint := c.b.m.Prog.Bodiless(f.Obj)
			c.b.m.Refuse(e.Fun, hint, "%s", why)
		}
		return false
	}
	if eval.AnyPoison(args) && c.b.m.takesFront(f) {
		return false
	}
	return true
}

// lowerCallee lowers a function that is called for the first time with these known arguments. It is nil where that
// would not end, which is an error.
func (c caller) lowerCallee(e *ast.CallExpr, src *load.Function, f *eval.Func, known eval.KnownArgs, closed *eval.Closed) *eval.Function {
	open := c.b.Function.OpenInstances(f)
	switch {
	case open > eval.MaxInstances || check.ManyParts(f.Targs) && open > 0:
		c.b.m.Refuse(e, "write it as a loop", "recursive call of %s, with other type arguments each time", f.Obj.Name())
		return nil
	case c.b.Function.Depth >= MaxDepth && c.b.Function.Recursions(f) > eval.MaxInstances:
		c.b.m.Refuse(e, "end it with an if on a compile-time value, or write it as a loop",
			"the recursion of %s does not end within %d calls", f.Obj.Name(), MaxDepth)
		return nil
	case c.b.Function.Depth >= MaxDepth:
		c.b.m.Refuse(e, "write it as a loop", "calls are nested deeper than %d functions", MaxDepth)
		return nil
	case known.Any() && !c.countSpecial(e):
		return nil
	}
	return c.b.m.lower(src, f.Targs, known, closed, c.b.Function, c.b.UsersCall(e))
}

// callOpen calls a function that is being lowered: the call leads back to it. The arguments are as the function takes
// them, and as they were given.
func (c caller) callOpen(e *ast.CallExpr, f *eval.Func, callee *eval.Function, args, given []*ssa.Value) []*ssa.Value {
	switch {
	case c.mayRecur(callee):
		if callee.Bad || eval.AnyPoison(args) {
			return c.refused(e)
		}
		return c.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpRecur, Callee: callee.Fn, Args: args}, callee.Fn.Results...).Results
	case c.b.AnySymbolic(given):
		return c.refused(e) // it may end
	}
	c.b.m.Refuse(e, "write it as a loop", "recursive call of %s%s", f.Obj.Name(), c.b.Function.Cycle(callee))
	return c.refused(e)
}

// generalized are the known arguments of a call that leads back to a function which is being lowered. Where a condition
// of the running kernel ends the recursion, known numbers do not: the function takes them as arguments then.
func (c caller) generalized(f *eval.Func, args []*ssa.Value, known eval.KnownArgs) eval.KnownArgs {
	m := c.b.m
	if !known.Any() || m.DemandsKnown(f.Obj) {
		return known
	}
	if again := branches(c.b.Function.Fn) && c.b.Function.Recursions(f) > 0; !again && !m.general[f.Obj] {
		return known
	}
	if m.general == nil {
		m.general = map[*types.Func]bool{}
	}
	m.general[f.Obj] = true
	var front eval.KnownArgs
	for i, v := range known {
		if v != nil && eval.IsFront(args[i]) {
			if front == nil {
				front = make(eval.KnownArgs, len(args))
			}
			front[i] = v
		}
	}
	return front
}

// mayRecur reports whether a function that is being lowered may be called: something in the functions on the way to
// here can end the recursion.
func (c caller) mayRecur(callee *eval.Function) bool {
	if callee.Fn.Kernel {
		return false
	}
	for g := c.b.Function; g != nil; g = g.Caller {
		if branches(g.Fn) {
			return true
		}
		if g == callee {
			break
		}
	}
	return false
}

// branches reports whether there is a branch of the running kernel in what a function has so far.
func branches(f *ssa.Func) bool {
	return slices.ContainsFunc(f.Body.Instrs, func(in *ssa.Instr) bool { return in.Blocks != nil })
}

// MaxDepth is how deep calls may be nested. A program that a person has written has
// no more; one of a machine's would exhaust the compiler's stack.
const MaxDepth = 500

// maxSpecial is how many instances for known arguments one kernel may have.
const maxSpecial = 4096

// countSpecial reports whether there may be another instance for known arguments.
func (c caller) countSpecial(e *ast.CallExpr) bool {
	c.b.m.special++
	if c.b.m.special == maxSpecial {
		c.b.m.Refuse(e, "pass the arguments that differ as ordinary arguments, or in a qd.Dynamic", "device functions are called with more than %d different lists of compile-time arguments", maxSpecial)
	}
	return c.b.m.special < maxSpecial
}

// variadic is the slice of the arguments that a variadic parameter takes.
func (c caller) variadic(e *ast.CallExpr, typ types.Type, args []*ssa.Value) *ssa.Value {
	if c.b.InStatic > 0 && check.IsSlice(typ) || c.b.m.IsFrontType(typ) {
		elem := typ.Underlying().(*types.Slice).Elem()
		var elems []*ssa.Value
		for _, arg := range args {
			if arg = c.b.CoerceTo(e.Pos(), arg, elem); arg == eval.Poison {
				return eval.Poison
			}
			elems = append(elems, arg)
		}
		if len(elems) == 0 {
			return eval.NilOf(typ)
		}
		return eval.List(typ, elems)
	}
	t, ok := c.b.m.TypeOf(typ)
	slice, isSlice := t.(ssa.Slice)
	if !ok || !isSlice {
		return eval.Poison // the parameter is refused where it is declared
	}
	for i, arg := range args {
		if args[i] = c.b.Coerce(e.Pos(), arg, slice.Elem); args[i] == eval.Poison {
			return eval.Poison
		}
	}
	if len(args) == 0 {
		return c.b.Op(e.Rparen, ssa.OpZero, slice)
	}
	array := ssa.Array{Elem: slice.Elem, Len: len(args)}
	list := c.b.Op(e.Pos(), ssa.OpSliceOf, slice, c.b.Fresh(e.Pos(), c.b.Op(e.Pos(), ssa.OpMake, array, args...)))
	if list.Def != nil {
		if c.b.variadics == nil {
			c.b.variadics = map[*ssa.Instr]bool{}
		}
		c.b.variadics[list.Def] = true
	}
	return list
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
func (c caller) callArgs(e *ast.CallExpr, params []types.Type, variadic bool) ([]*ssa.Value, bool) {
	args := c.b.asAll(e.Args, c.b.exprList(e.Args), func(i int) types.Type {
		switch last := len(params) - 1; {
		case variadic && i >= last && !e.Ellipsis.IsValid():
			return check.ElemType(params[last])
		case i < len(params):
			return params[i]
		}
		return nil
	})
	if n := len(params) - 1; variadic && !e.Ellipsis.IsValid() && len(args) >= n {
		args = append(args[:n:n], c.variadic(e, params[n], args[n:]))
	}
	if len(args) != len(params) {
		c.b.m.MustHaveFailed("a call with the wrong number of arguments")
		return nil, false
	}
	for i, arg := range args {
		args[i] = c.b.CoerceTo(e.Pos(), arg, params[i])
		if f := eval.FuncOf(args[i]); f != nil && f.Unknown {
			c.b.RefuseUnknown(e.Args[min(i, len(e.Args)-1)], f)
			args[i] = eval.Poison
		}
	}
	return args, true
}
