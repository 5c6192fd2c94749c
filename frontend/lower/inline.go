package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// copyBody has a body be lowered from a copy of its syntax.
func (il inliner) copyBody(in *inlining) {
	f := *in.body
	node, info, vars := check.CloneFunc(f.scope.Info, f.decl)
	il.b.m.Copies++
	f.scope.Info, f.scope.Copy = info, il.b.m.Copies
	if il.b.m.CopyOf == nil {
		il.b.m.CopyOf = map[*types.Var]int{}
	}
	if il.b.m.Originals == nil {
		il.b.m.Originals = map[*types.Var]*types.Var{}
	}
	for old, v := range vars {
		il.b.m.CopyOf[v] = il.b.m.Copies
		il.b.m.Originals[v] = il.b.m.Original(old)
	}
	switch n := node.(type) {
	case *ast.FuncLit:
		f.typ, f.stmts, in.copied = n.Type, n.Body, n
	case *ast.FuncDecl:
		f.typ, f.stmts = n.Type, n.Body
	}
	in.body, in.fresh = &f, vars
}

// Some calls are lowered into the caller: those of function literals, of functions
// that take functions, and of functions that only make sense in the kernel itself.
// The parameters become variables, and captured variables are simply the caller's.
// Where a return stands in the middle the body becomes a segment, which the returns
// leave.

// Limits on what one kernel lowers into callers, which end recursion that is not
// seen as such, and calls that double from function to function.
const (
	maxInlineDepth = 64
	MaxInlined     = 8 << 20 // bytes of source
	inlineCost     = 256     // that a call counts for besides those of its body
	copyCost       = 4       // as many times those of a body that is copied
)

// An inliner lowers what is called into the caller.
type inliner struct{ b *builder }

// inlines reports whether a call in an expression may be lowered into the caller.
func (il inliner) inlines(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		f, ok := il.b.Called(call)
		switch {
		case !ok:
		case f == nil || f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) || il.b.m.Prog.Function(f.Origin()) != nil && il.b.m.mayBeInlined(il.b.instanceOf(check.CalleeName(call.Fun), f)):
			found = true
		default:
			found = found || slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return check.IsFunc(il.b.GoType(arg)) })
		}
		return !found
	})
	return found
}

// instanceOf is the instance of a declared function, or of a method, that a name stands for, in a call or elsewhere.
func (b *builder) instanceOf(name *ast.Ident, f *types.Func) *eval.Func {
	inst, ok := b.m.Named(f, b.Subst)
	if ok {
		return inst
	}
	if recv := f.Signature().Recv(); recv != nil {
		inst.Targs = eval.TypeArgsOf(recv.Type())
	} else if list := b.Info.Instances[name].TypeArgs; list != nil {
		inst.Targs = slices.Collect(list.Types())
	}
	for i, t := range inst.Targs {
		inst.Targs[i] = b.Subst(t)
	}
	return inst
}

// A body is the function body of a call that is lowered into its caller.
type body struct {
	decl  ast.Node // the declaration or literal, as the source has it
	name  string
	scope check.Scope
	value *eval.Func // of a literal
	recv  *types.Var // nil without one
	sig   *types.Signature
	typ   *ast.FuncType
	stmts *ast.BlockStmt
}

// literalBody is the body of a function literal.
func (il inliner) literalBody(f *eval.Func) *body {
	sig, _ := f.Scope.Info.TypeOf(f.Lit).(*types.Signature)
	return &body{decl: f.Lit, value: f, name: "a function literal", scope: f.Scope, sig: sig, typ: f.Lit.Type, stmts: f.Lit.Body}
}

// bodyName is the name of what is called.
func (m *Module) bodyName(f *body) string {
	if f.value != nil {
		return f.name
	}
	return m.FuncName(f.scope.Src.Obj, nil)
}

// sameAs reports whether two bodies, of one piece of syntax, are the same instance of it.
func (f *body) sameAs(g *body) bool {
	return check.SameTypeArgs(f.scope.Targs, g.scope.Targs) && (f.value == nil || eval.SameCaptures(f.value.Captures, g.value.Captures))
}

// An inlining is a body that is being lowered into its caller.
type inlining struct {
	body    *body
	at      ast.Node    // the call
	within  check.Scope // of the call
	front   eval.Front  // in front of the body
	args    []*ssa.Value
	fresh   map[*types.Var]*types.Var // the variables of a copy
	copied  *ast.FuncLit              // the copy of a literal
	results []*types.Var              // what hold the results in a loop; the named ones anyhow
	named   bool
	segment *segment // that a return leaves, nil where the only one ends the body
	left    bool     // by that
	vals    []*ssa.Value
}

// inline lowers a call into the caller. The receiver is the first argument.
func (il inliner) inline(at ast.Node, f *body, args []*ssa.Value) []*ssa.Value {
	if eval.AnyPoison(args) {
		il.refuseList(f)
		return eval.Poisons(f.sig.Results().Len())
	}
	lit, ok := f.decl.(*ast.FuncLit)
	if !ok {
		return il.inlineCall(at, f, args)
	}
	il.calledHere(lit)
	undo, ok := il.b.Rebind(at, f.value)
	if !ok {
		return eval.Poisons(f.sig.Results().Len())
	}
	defer undo()
	return il.inlineCall(at, f, args)
}

// refuseList refuses the variadic parameter of a body whose type is not supported. A function that is lowered for
// itself refuses it where it declares its parameters.
func (il inliner) refuseList(f *body) {
	if !f.sig.Variadic() {
		return
	}
	scope := il.b.Scope
	il.b.Scope = f.scope
	defer func() { il.b.Scope = scope }()
	list := f.sig.Params().At(f.sig.Params().Len() - 1)
	fields(f.typ.Params, f.sig.Params(), func(v *types.Var, typ ast.Expr) {
		if v == list && !il.b.m.IsFrontType(il.b.Subst(v.Type())) {
			il.b.DeclaredType(typ, v, "parameter")
		}
	})
}

// inlineCall is inline of arguments that may be poison.
func (il inliner) inlineCall(at ast.Node, f *body, args []*ssa.Value) []*ssa.Value {
	in := &inlining{body: f, at: at, within: il.b.Scope, args: args}
	defer il.b.m.Enter(at, il.b.m.bodyName(f))()
	if !il.mayInline(at, in) {
		return eval.Poisons(f.sig.Results().Len())
	}
	if !check.IsLibrary(f.scope.Src.Pkg.Path()) {
		il.b.remark("inline", ssa.Done, at, "%s is put in the place of the call: it takes, gives or captures what there is only when the kernel is compiled", f.name)
	}
	f = in.body // or a copy of it
	saved, doubt := *il.b, il.b.m.Doubt
	il.b.inlined = append(il.b.inlined, in)
	il.b.Scope, il.b.loops, il.b.loweredFirst, il.b.scan, il.b.results = f.scope, nil, nil, check.Scan{}, nil
	switch library := check.IsLibrary(f.scope.Src.Pkg.Path()); {
	case library && !il.b.InLibrary():
		il.b.Within = &eval.LibraryCall{Call: at, Pos: saved.Pos(at.Pos()), Stmt: saved.Stmt}
	case !library && il.b.InLibrary():
		il.b.Within = &eval.LibraryCall{Stmt: il.b.Within.Stmt, Users: true}
	}
	il.b.Stmt = il.b.NewStmt(f.decl)
	il.b.MemoryIn(f.stmts)
	il.b.sharedIn(f.stmts)
	il.b.capacitiesIn(f.stmts)
	if _, literal := f.decl.(*ast.FuncLit); !literal && f.scope.Copy == 0 { // a literal's goes with the function around it
		il.b.m.CheckEscapes(f.stmts, func() { il.b.EscapeRule(f.sig, f.stmts) })
	}
	in.front = il.b.Front()
	il.lift(in)
	ok := il.bind(in, args)
	if ok {
		il.inlineBody(in)
	}
	il.dropVars(in)
	il.b.Lifted, il.b.LiftedTo, il.b.liftedCalls = saved.Lifted, saved.LiftedTo, saved.liftedCalls
	il.b.m.Doubt, il.b.unsure = doubt, saved.unsure
	il.b.inlined, il.b.Scope, il.b.loops, il.b.loweredFirst, il.b.scan, il.b.results, il.b.Stmt, il.b.Within =
		saved.inlined, saved.Scope, saved.loops, saved.loweredFirst, saved.scan, saved.results, saved.Stmt, saved.Within
	if !ok || len(in.vals) != f.sig.Results().Len() { // dead: the end is not reached
		return eval.Poisons(f.sig.Results().Len())
	}
	return in.vals
}

// mayInline reports whether a call may be lowered here, and copies a body that is
// being lowered already: its variables live on under the copy's.
func (il inliner) mayInline(at ast.Node, in *inlining) bool {
	const hint = "write it as a loop"
	m, f := il.b.m, in.body
	// A call in the body itself finds that body's variables in use, also where the function around it is lowered as
	// a function of its own.
	again := contains(f.decl, at) && !contains(at, f.decl)
	for _, outer := range il.b.inlined {
		if outer.body.decl != f.decl {
			// The variables of a literal that stands in the body, and those that it captures of
			// it, are in use.
			again = again || contains(f.decl, outer.body.decl)
			continue
		}
		if outer.body.sameAs(f) && il.b.SameFuncs(outer.args, in.args) {
			if il.b.AnySymbolic(in.args) {
				return false // it may end
			}
			instead := hint
			if slices.ContainsFunc(in.args, func(arg *ssa.Value) bool { f := eval.FuncOf(arg); return f != nil && f.Lit != nil }) {
				instead = "give it a declared function instead of a function literal, or write it as a loop"
			}
			m.Refuse(at, instead, "recursive call of %s", f.name)
			return false
		}
		if il.b.AnySymbolic(in.args) {
			return false // it may end
		}
		again = true
	}
	again = again || il.b.capturesOf(f.decl)
	if len(il.b.inlined) > maxInlineDepth {
		m.Refuse(at, hint, "calls of functions that take functions or interfaces are nested too deep: recursion cannot be compiled")
		return false
	}
	size := int(f.stmts.End() - f.stmts.Pos())
	if again {
		size *= copyCost
	} else if contains(at, f.decl) {
		return true // a literal where it stands is as much code as its source, and counts with what is around it
	}
	before := m.inlined
	if m.inlined += inlineCost + size; m.inlined > MaxInlined {
		if before <= MaxInlined {
			m.Refuse(at, "pass functions to fewer functions, in fewer places",
				"the kernel's calls of functions that take functions or interfaces come to more than %d bytes of source, because each call is compiled separately", MaxInlined)
		}
		return false
	}
	m.copied.count(m, f, inlineCost+size)
	if again {
		il.copyBody(in)
	}
	return true
}

// contains reports whether a piece of syntax stands in another one.
func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// bind gives the parameters and the named results their first values.
func (il inliner) bind(in *inlining, args []*ssa.Value) bool {
	f, ok := in.body, true
	if f.recv != nil {
		il.b.Define(in.own(f.recv), args[0])
		args = args[1:]
	}
	i := 0
	fields(f.typ.Params, f.sig.Params(), func(v *types.Var, typ ast.Expr) {
		if t := il.b.Subst(v.Type()); !il.b.m.IsFrontType(t) && !check.IsGrid(t) {
			if _, good := il.b.DeclaredType(typ, v, "parameter"); !good {
				ok = false
			}
		}
		if i < len(args) {
			il.b.Define(in.own(v), args[i])
		}
		i++
	})
	fields(f.typ.Results, f.sig.Results(), func(v *types.Var, typ ast.Expr) {
		front := il.b.m.IsFrontType(il.b.Subst(v.Type()))
		if !front {
			if _, good := il.b.parameters.resultType(typ, v); !good {
				ok = false
				return
			}
		}
		in.named = in.named || v.Name() != ""
		if v.Name() == "" || v.Name() == "_" {
			v = types.NewVar(token.NoPos, nil, "", il.b.Subst(v.Type()))
		} else {
			v = in.own(v)
		}
		in.results = append(in.results, v)
		if check.IsSlice(il.b.Subst(v.Type())) && len(il.b.Capacities.Needed) > 0 {
			il.b.Capacities.Needed[v], il.b.Capacities.Moving[v] = true, true
			il.b.Capacities.Must[v] = len(il.b.Capacities.Must) > 0
		}
		if in.named {
			il.b.Define(v, il.b.ZeroOf(typ.Pos(), il.b.Subst(v.Type())))
		}
	})
	if in.named {
		il.b.results = in.results
	}
	return ok && i == len(args)
}

// own is the variable of this body that a declared one of the source is.
func (in *inlining) own(v *types.Var) *types.Var {
	if fresh, ok := in.fresh[v]; ok {
		return fresh
	}
	return v
}

// inlineBody lowers the body and collects the results.
func (il inliner) inlineBody(in *inlining) {
	f := in.body
	if !returnsEarly(f.stmts) {
		il.b.block(f.stmts)
		if !il.b.Dead && !in.left && (in.named || len(in.results) == 0) {
			in.vals = il.resultValues(in)
		}
		return
	}
	if !in.named {
		for _, v := range in.results {
			if t := il.b.Subst(v.Type()); il.b.m.IsFrontType(t) {
				il.b.Define(v, il.b.ZeroOf(f.stmts.Lbrace, t)) // it may have parts that differ
			}
		}
	}
	header := il.b.Stmt
	assigned := append(il.b.assignedIn(f), il.b.WithCapacities(il.capturedParams(in))...)
	in.segment = il.b.openSegment(f.stmts.Lbrace, "", assigned, append(slices.Clip(in.results), il.b.CapacityVars(in.results)...))
	il.b.block(f.stmts)
	il.b.Stmt = header
	in.segment.close()
	if !il.b.Dead {
		in.vals = il.resultValues(in)
	}
}

// capturedParams are the parameters of a body that it assigns to and that literals in it capture: a literal that it
// returns finds what they held at the return that was taken.
func (il inliner) capturedParams(in *inlining) (vars []*types.Var) {
	scope, seen := in.body.scope, map[*types.Var]bool{}
	assigned := il.b.Facts.Reassigned(scope.Src.Decl, scope.Src.Info)
	ast.Inspect(in.body.stmts, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		ast.Inspect(lit, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := scope.Info.Uses[id].(*types.Var)
			if ok && !seen[v] && assigned[il.b.Facts.Original(v)] && v.Pos() < in.body.stmts.Pos() && il.ownedBy(v, in.body.decl, scope.Copy) {
				seen[v] = true
				vars = append(vars, v)
			}
			return true
		})
		return false
	})
	return vars
}

// resultValues are the values of the results.
func (il inliner) resultValues(in *inlining) []*ssa.Value {
	vals := make([]*ssa.Value, 0, len(in.results))
	for _, v := range in.results {
		vals = append(vals, il.b.Value(v))
	}
	return vals
}

// inlineReturn lowers a return of the innermost inlined body.
func (il inliner) inlineReturn(s *ast.ReturnStmt, vals []*ssa.Value) {
	in := il.b.inlined[len(il.b.inlined)-1]
	for i, v := range vals {
		if i < len(in.results) {
			vals[i] = il.b.CoerceTo(s.Pos(), v, in.results[i].Type())
		}
	}
	if in.segment == nil {
		in.left, in.vals = true, vals
		return
	}
	// The variables keep their values for what is lowered after this, where the
	// return is not taken.
	results := map[*types.Var]*ssa.Value{}
	if len(vals) == len(in.results) {
		for i, v := range in.results {
			if il.b.Locals[v] != nil {
				il.b.Set(v, vals[i])
			} else {
				il.b.Flatten(results, v, il.b.Typed(vals[i], il.b.Subst(v.Type())))
				il.b.GiveCapacity(results, v, vals[i])
			}
		}
	}
	in.segment.leave(s.Pos(), results)
}

// dropVars forgets the variables of a body that has been lowered: the next call
// has its own, and no loop around is to carry them.
func (il inliner) dropVars(in *inlining) {
	for _, v := range in.results {
		delete(il.b.Vars, v)
	}
	f := in.body
	for v := range il.b.Vars {
		if il.ownedBy(v, f.decl, f.scope.Copy) {
			il.b.End(v)
			delete(il.b.Vars, v)
		}
	}
	for v := range il.b.Locals {
		if il.ownedBy(v, f.decl, f.scope.Copy) {
			delete(il.b.Locals, v)
		}
	}
}

// ownedBy reports whether a variable is declared in a piece of syntax, or in a
// copy of it.
func (il inliner) ownedBy(v *types.Var, n ast.Node, copy int) bool {
	return n.Pos() <= v.Pos() && v.Pos() < n.End() && il.b.m.CopyOf[v] == copy
}

// returnsEarly reports whether a body has a return other than as its last statement.
func returnsEarly(body *ast.BlockStmt) bool {
	early := false
	for i, s := range body.List {
		if _, ok := s.(*ast.ReturnStmt); ok && i == len(body.List)-1 {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				early = true
			}
			return !early
		})
	}
	return early
}

// smallSource is how much of the limits of unrolled and of inlined code there is for a
// small kernel: some milliseconds' worth.
const smallSource = 16 << 10
