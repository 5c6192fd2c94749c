package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// What a call of a declared function returns is known better than by its types: the pointers in its results come from
// some of its parameters only, or from variables of its own. Go moves those to the heap. Here the function is lowered
// into its callers, where they live as long as variables that are declared in the place of the call.

// returned says where the pointers in the results of a function come from.
type returned struct {
	params map[*types.Var]bool
	own    map[any]bool // variables of the function, and expressions that make one
}

// callers is the region of the variables that live on in the callers of a function.
var callers = region{0, 1<<30 - 1}

// resultsOf is the object that holds what a function returns.
type resultsOf struct{ body *ast.BlockStmt }

// ReturnsOwn are the variables of a function that its results point to, and the expressions that make such variables:
// nil of a function that can be called without being lowered into its callers.
func (sc *Scope) ReturnsOwn(sig *types.Signature, body *ast.BlockStmt) map[any]bool {
	if body == nil || !sc.mayLift() || !sc.makesPointers(body) {
		return nil
	}
	if r := sc.returns(sig, body); r != nil {
		return r.own
	}
	return nil
}

// mayLift reports whether the function is one whose variables can live on in its callers: not a generic one,
// which its callers do not see in their instance.
func (sc *Scope) mayLift() bool {
	return len(sc.Targs) == 0 && sc.Src != nil && sc.Src.Obj != nil && sc.Src.Obj.Signature().TypeParams() == nil && sc.Src.Obj.Signature().RecvTypeParams() == nil
}

// returns finds where the pointers in the results of a function come from, nil where that is not known.
func (sc *Scope) returns(sig *types.Signature, body *ast.BlockStmt) *returned {
	if r, ok := sc.Syntax.returned[body]; ok {
		return r // nil while it is being found
	}
	if sc.Syntax.returned == nil {
		sc.Syntax.returned = map[*ast.BlockStmt]*returned{}
	}
	sc.Syntax.returned[body] = nil
	e := sc.newEscape(sig, body)
	e.silent = true
	e.solve()
	r := &returned{params: map[*types.Var]bool{}, own: e.lifted}
	for l := range e.holds[resultsOf{body}] {
		if p, ok := l.obj.(pointee); ok {
			r.params[p.param] = true
		}
	}
	sc.Syntax.returned[body] = r
	return r
}

// calledReturns is returns of the function that a call names, and its signature; nil of any other call.
func (sc *Scope) calledReturns(x *ast.CallExpr) (*returned, *types.Signature) {
	f, _ := sc.Called(x)
	if f == nil || f.Origin() != f || f.Pkg() == nil {
		return nil, nil
	}
	sig := f.Signature()
	if recv := sig.Recv(); sig.TypeParams() != nil || sig.RecvTypeParams() != nil || recv != nil && types.IsInterface(recv.Type()) {
		return nil, nil
	}
	src := sc.Syntax.Prog.Function(f)
	if src == nil || src.Decl.Body == nil {
		return nil, nil
	}
	callee := sc.Syntax.ScopeOf(src, nil)
	return callee.returns(sig, src.Decl.Body), sig
}

// lift has a variable of the function live on in its callers, if it can; then all is looked at anew.
func (e *escape) lift(f flow) bool {
	if f.holder != callers {
		return false
	}
	lifted := false
	for l := range f.from {
		if l.contains(callers) || e.lifted[l.obj] {
			continue
		}
		switch obj := l.obj.(type) {
		case *types.Var:
		case *ast.UnaryExpr:
			if obj.Op != token.AND {
				return false
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(obj.Fun).(*ast.Ident); (!ok || id.Name != "new" && id.Name != "make") && !e.b.makesOwn(obj) {
				return false
			}
		case *ast.CompositeLit:
			if !IsSlice(e.b.GoType(obj)) {
				return false
			}
		default:
			return false
		}
		e.lifted[l.obj], lifted = true, true
	}
	return lifted
}

// mayReturn reports whether the results may point to what an argument does, the receiver being behind the others.
func (r *returned) mayReturn(sig *types.Signature, i, args int) bool {
	switch {
	case i < args && (i < sig.Params().Len()-1 || i < sig.Params().Len() && !sig.Variadic()) && args == sig.Params().Len():
		return r.params[sig.Params().At(i)]
	case i >= args && sig.Recv() != nil && !sig.Variadic():
		return r.params[sig.Recv()]
	}
	return true
}

// makesOwn reports whether a call gives pointers to variables that it makes here.
func (sc *Scope) makesOwn(x *ast.CallExpr) bool {
	r, _ := sc.calledReturns(x)
	return r != nil && len(r.own) > 0
}

// MayHoldPointers reports whether one of several values may be, or contain, a pointer.
func MayHoldPointers(list *types.Tuple) bool {
	for v := range list.Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Basic, *types.Signature:
		default:
			return true
		}
	}
	return false
}
