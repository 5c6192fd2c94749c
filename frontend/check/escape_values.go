package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
)

// A function value, and a method of an interface, can return pointers to variables of its own too: it is known when the
// call is lowered, and is lowered into the place of the call. Only then is it found out whether these variables live
// long enough there. A function literal is looked at alone: which of its variables its results point to does not depend
// on the function around it.

// OwnOfLiteral are the variables of a function literal that its results point to, and the expressions that make such
// variables. They are made anew where the literal is called.
func (sc *Scope) OwnOfLiteral(lit *ast.FuncLit) map[any]bool {
	sig, ok := sc.Info.TypeOf(lit).(*types.Signature)
	if !ok || !MayHoldPointers(sig.Results()) || !sc.instantiated() {
		return nil
	}
	before := sc.Syntax.ofLiterals[lit]
	for _, r := range before {
		if SameTypeArgs(r.targs, sc.Targs) {
			return r.is.own
		}
	}
	own := sc.liftedOfLiteral(sig, lit, nil)
	if len(before) < maxReturnedOf {
		if sc.Syntax.ofLiterals == nil {
			sc.Syntax.ofLiterals = map[*ast.FuncLit][]*returnedOf{}
		}
		sc.Syntax.ofLiterals[lit] = append(before, &returnedOf{sc.Targs, &returned{own: own}})
	}
	return own
}

// liftedOfLiteral is OwnOfLiteral, with a call in the literal that gives variables of the function that it calls.
func (sc *Scope) liftedOfLiteral(sig *types.Signature, lit *ast.FuncLit, owner *ast.CallExpr) map[any]bool {
	if owner == nil && !sc.makesPointers(lit.Body) {
		return nil
	}
	e := sc.newEscape(sig, lit.Body)
	e.result, e.around, e.owner, e.silent = lifetimeOf(lit), lit, owner, true
	e.solve()
	return e.lifted
}

// ownOfLiteral is OwnOfLiteral of one in the function that is being looked at.
func (e *escape) ownOfLiteral(lit *ast.FuncLit) map[any]bool {
	sig, ok := e.b.Info.TypeOf(lit).(*types.Signature)
	if ok && e.owner != nil && lifetimeOf(lit).contains(lifetimeOf(e.owner)) && MayHoldPointers(sig.Results()) {
		return e.b.liftedOfLiteral(sig, lit, e.owner)
	}
	return e.b.OwnOfLiteral(lit)
}

// held is the set that the pointers in an object may point to. A function literal's own variables are made anew where it
// is called: in their place are those that these point to. What its parameters point to is what a call gives it.
func (e *escape) held(obj object) set {
	lit, ok := obj.(*ast.FuncLit)
	if !ok {
		return e.holds[obj]
	}
	out, seen := set{}, set{}
	own := e.lits[lifetimeOf(lit)]
	var add func(set)
	add = func(s set) {
		for l := range s {
			p, ok := l.obj.(pointee)
			switch {
			case seen[l] || ok && l.lifetime == lifetimeOf(lit) && p.param.Pos() < lit.Body.Pos():
			case own[l.obj]:
				seen[l] = true
				add(e.holds[l.obj])
			default:
				out[l] = true
			}
		}
	}
	add(e.holds[obj])
	return out
}

// captures reports whether a variable is one of the function around the literal that is looked at alone.
func (e *escape) captures(v *types.Var) bool {
	return e.around != nil && (v.Pos() < e.around.Pos() || v.Pos() >= e.around.End())
}

// owns reports whether a call is the one that gives variables of the function that it calls. The analysis is one of the
// source, of which the call may be a copy.
func (e *escape) owns(x *ast.CallExpr) bool {
	return e.owner != nil && x.Pos() == e.owner.Pos() && x.End() == e.owner.End()
}

// instantiated reports whether all type arguments of the function are known.
func (sc *Scope) instantiated() bool {
	if sc.Src == nil || sc.Src.Obj == nil {
		return false
	}
	params := sc.Src.Outer
	if params.Len() == 0 {
		params = typeParams(sc.Src.Obj)
	}
	for p := range params.TypeParams() {
		if sc.Targs[p] == nil {
			return false
		}
	}
	return true
}

// A ResultOf tells where the result of a call goes, if the called function gives pointers to variables of its own.
type ResultOf struct {
	Leaves bool // the function, or the innermost literal, that the call is in: it is in the results
	e      *escape
	bad    []badResult
}

// A badResult is a flow to a holder that outlives what the call makes.
type badResult struct {
	flow
	made location
}

// ResultOf finds out about a call in the function of the scope.
func (sc *Scope) ResultOf(call *ast.CallExpr) *ResultOf {
	of := resultKey{sc.Src.Decl, call.Pos(), call.End()}
	before := sc.Syntax.results[of]
	for _, r := range before {
		if SameTypeArgs(r.e.b.Targs, sc.Targs) {
			return r
		}
	}
	source := sc.Syntax.ScopeOf(sc.Src, sc.Targs)
	e := source.newEscape(sc.Src.Obj.Signature(), sc.Src.Decl.Body)
	e.owner, e.silent = call, true
	e.solve()
	r := &ResultOf{e: e}
	lifted := e.lifted
	ast.Inspect(sc.Src.Decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lifetimeOf(lit).contains(lifetimeOf(call)) {
			lifted = e.lits[lifetimeOf(lit)]
		}
		return true
	})
	for obj := range lifted {
		x, ok := obj.(*ast.CallExpr)
		r.Leaves = r.Leaves || ok && e.owns(x)
	}
	for _, f := range e.flows {
		for l := range f.from {
			if x, ok := l.obj.(*ast.CallExpr); ok && e.owns(x) && !l.contains(f.holder) && !e.livesOn(l, f.holder) {
				r.bad = append(r.bad, badResult{f, l})
			}
		}
	}
	sort.SliceStable(r.bad, func(i, j int) bool { // sets have no order
		if at, other := r.bad[i].at.Pos(), r.bad[j].at.Pos(); at != other {
			return at < other
		}
		return r.bad[i].what < r.bad[j].what
	})
	if sc.Syntax.results == nil {
		sc.Syntax.results = map[resultKey][]*ResultOf{}
	}
	sc.Syntax.results[of] = append(slices.Clip(before), r)
	return r
}

// A resultKey names a call in a declared function, and in all copies of that.
type resultKey struct {
	in       *ast.FuncDecl
	from, to token.Pos
}

// Refuse reports pointers that outlive the variables that the call makes. What is behind the call may be in a statement
// that is never lowered.
func (r *ResultOf) Refuse() {
	for _, f := range r.bad {
		if f.at.Pos() < r.e.owner.End() {
			r.e.refuse(f.flow, f.made)
			continue
		}
		r.e.b.Syntax.CheckEscapes(r.e.whole, func() { r.e.refuse(f.flow, f.made) })
	}
}
