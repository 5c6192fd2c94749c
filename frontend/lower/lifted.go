package lower

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// returnsOwn reports whether a function returns pointers to its own variables. It is lowered into its callers, where
// these live on.
func (m *Module) returnsOwn(f *eval.Func) bool {
	src := m.Prog.Function(f.Obj)
	if src == nil || !check.MayHoldPointers(f.Obj.Signature().Results()) {
		return false
	}
	sc := m.ScopeOf(src, f.TypeArgs())
	return len(sc.ReturnsOwn(f.Obj.Signature(), src.Decl.Body)) > 0
}

// A liftedVar is a variable of a body that is made in front of it, or those of a body that it calls in turn.
type liftedVar struct {
	addr  *ssa.Value // nil if its size is known only where it is made, or if it is refused there
	front eval.Front // where it goes in the first of these cases
	of    []liftedVar
}

// lift makes the variables of a body that its results point to: in front of the body, so that they are there behind it.
// They may have been made in front of the body around it, whose results point to them too.
func (il inliner) lift(in *inlining) {
	f := in.body
	call, _ := in.at.(*ast.CallExpr)
	made := il.b.liftedCalls[call]
	il.b.Lifted, il.b.LiftedTo, il.b.liftedCalls = nil, nil, nil
	if f.sig == nil || !check.MayHoldPointers(f.sig.Results()) {
		return
	}
	own := ownVars(&il.b.Scope, f.sig, f.stmts)
	if lit := in.literal(); lit != nil {
		own = inOrder(il.b.OwnOfLiteral(lit))
	}
	switch {
	case len(own) == 0:
		return
	case !in.isNamed(call):
		made = il.makeLiftedFor(in, own)
	case len(made) != len(own):
		made = il.makeLifted(own)
	}
	for i, obj := range own {
		if call, ok := obj.(*ast.CallExpr); ok && made[i].of != nil {
			if il.b.liftedCalls == nil {
				il.b.liftedCalls = map[*ast.CallExpr][]liftedVar{}
			}
			il.b.liftedCalls[call] = made[i].of
		} else if made[i].addr != nil {
			il.setLifted(obj, made[i].addr)
		} else {
			if il.b.LiftedTo == nil {
				il.b.LiftedTo = map[any]eval.Front{}
			}
			il.b.LiftedTo[obj] = made[i].front
		}
	}
}

// literal is the function literal whose body is lowered, perhaps a copy of the source's; nil of a declared function's.
func (in *inlining) literal() *ast.FuncLit {
	lit, ok := in.body.decl.(*ast.FuncLit)
	if ok && lit.Body != in.body.stmts {
		return in.copied
	}
	return lit
}

// isNamed reports whether a call names the declared function whose body is lowered.
func (in *inlining) isNamed(call *ast.CallExpr) bool {
	if _, literal := in.body.decl.(*ast.FuncLit); literal || call == nil {
		return false
	}
	named, _ := in.within.Called(call)
	return named != nil && named.Origin() == in.body.scope.Src.Obj
}

// makeLiftedFor makes the variables of a function that a call does not name: in front of the outermost body whose results
// point to them. Where pointers to them would live longer, that is an error.
func (il inliner) makeLiftedFor(in *inlining, own []any) (made []liftedVar) {
	front := in.front
	for k := len(il.b.inlined) - 1; k >= 0; k-- {
		in := il.b.inlined[k]
		front = in.front
		call, ok := in.at.(*ast.CallExpr)
		if !ok {
			break
		}
		of := in.within.ResultOf(call)
		of.Refuse()
		if !of.Leaves {
			break
		}
		if k == 0 && !il.b.Dead {
			il.noteReturning(il.b.Function.Src.Obj)
		}
	}
	il.b.InFront(front, func() { made = il.makeLifted(own) })
	if front == in.front {
		return made
	}
	for _, v := range made {
		v.each(func(addr *ssa.Value) { il.b.Escape(addr) }) // it is made again in each turn of the loops in between
	}
	return made
}

// noteReturning notes that a function returns variables of a function which it is given, so that it must be lowered into
// its callers.
func (il inliner) noteReturning(f *types.Func) {
	if il.b.m.nowReturning == nil {
		il.b.m.nowReturning = map[*types.Func]bool{}
	}
	il.b.m.nowReturning[f] = true
}

// each calls f for the address of each variable that is made.
func (v liftedVar) each(f func(addr *ssa.Value)) {
	for _, inner := range v.of {
		inner.each(f)
	}
	if v.addr != nil && !eval.IsFront(v.addr) {
		f(v.addr)
	}
}

// ownVars are the variables of a body that its results point to, in their order.
func ownVars(sc *check.Scope, sig *types.Signature, body *ast.BlockStmt) []any {
	return inOrder(sc.ReturnsOwn(sig, body))
}

func inOrder(own map[any]bool) []any {
	return slices.SortedFunc(maps.Keys(own), func(a, b any) int {
		return cmp.Compare(a.(interface{ Pos() token.Pos }).Pos(), b.(interface{ Pos() token.Pos }).Pos())
	})
}

// makeLifted makes variables of the body with the builder's scope.
func (il inliner) makeLifted(own []any) []liftedVar {
	list := make([]liftedVar, len(own))
	for i, obj := range own {
		if call, ok := obj.(*ast.CallExpr); ok {
			if f := il.ownCallee(call); f != nil {
				src := il.b.m.Prog.Function(f.Obj)
				scope := il.b.Scope
				il.b.Scope = il.b.m.ScopeOf(src, f.TypeArgs())
				list[i].of = il.makeLifted(ownVars(&il.b.Scope, src.Obj.Signature(), src.Decl.Body))
				il.b.Scope = scope
				continue
			}
		}
		list[i].addr = il.liftVar(obj)
		list[i].front = il.b.Front()
	}
	return list
}

// ownCallee is the function that a call calls whose results point to variables of its own, nil of another call.
func (il inliner) ownCallee(call *ast.CallExpr) *eval.Func {
	named, _ := il.b.Called(call)
	if named == nil {
		return nil
	}
	if f := il.b.instanceOf(check.CalleeName(call.Fun), named); il.b.m.returnsOwn(f) {
		return f
	}
	return nil
}

// liftVar makes a variable, or what an expression makes; nil if its size is not known here, or if it is refused where
// it is made.
func (il inliner) liftVar(obj any) *ssa.Value {
	var typ types.Type
	var at ast.Node
	switch obj := obj.(type) {
	case *types.Var:
		typ, at = obj.Type(), &ast.Ident{NamePos: obj.Pos(), Name: obj.Name()}
	case ast.Expr:
		made := il.b.GoType(obj)
		if check.Invalid(made) {
			return nil
		}
		p, ok := made.Underlying().(*types.Pointer)
		if !ok {
			return il.liftSlice(obj)
		}
		typ, at = p.Elem(), obj
		if _, ok := il.b.m.TypeOf(il.b.Subst(typ)); !ok && il.b.m.IsFrontType(made) {
			if cell := il.b.newOf(obj, made, il.b.ZeroOf(at.Pos(), il.b.Subst(typ))); cell != eval.Poison {
				return cell
			}
			return nil
		}
	}
	t, ok := il.b.m.TypeOf(il.b.Subst(typ))
	if !ok || ssa.IsTile(t) {
		return nil
	}
	return il.b.Fresh(at.Pos(), il.b.ZeroOf(at.Pos(), il.b.Subst(typ)))
}

func (il inliner) setLifted(obj any, addr *ssa.Value) {
	if il.b.Lifted == nil {
		il.b.Lifted = map[any]*ssa.Value{}
	}
	il.b.Lifted[obj] = addr
}

// liftSlice makes the array of a slice that make or a literal makes, where its length is a constant. What else is known
// at compile time, such as the length of a parameter, has no value yet.
func (il inliner) liftSlice(e ast.Expr) *ssa.Value {
	t, ok := il.b.m.TypeOf(il.b.GoType(e))
	slice, isSlice := t.(ssa.Slice)
	n := -1
	switch e := e.(type) {
	case *ast.CompositeLit:
		n, ok = il.b.composer.literalLen(e)
	case *ast.CallExpr:
		if il.b.AppendsToNothing(e) {
			break // its length is known where it is made
		}
		if c := il.b.Info.Types[e.Args[len(e.Args)-1]].Value; c != nil && len(e.Args) > 1 {
			if k, ok := check.ConstOf(ssa.Int64, c); ok && k.Int() >= 0 && k.Int() <= check.MaxTypeSize {
				n = int(k.Int())
			}
		}
	}
	if !ok || !isSlice || n < 0 || n > check.MaxTypeSize || n*slice.Elem.Size() > check.MaxTypeSize {
		return nil
	}
	return il.b.Fresh(e.Pos(), il.b.Zero(e.Pos(), ssa.Array{Elem: slice.Elem, Len: n}))
}
