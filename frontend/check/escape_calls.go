package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

// What a call of a declared function returns is known better than by its types: the pointers in its results come from
// some of its parameters only, or from variables of its own. Go moves those to the heap. Here the function is lowered
// into its callers, where they live as long as variables that are declared in the place of the call. Which function a
// value or a method of an interface is, is known only when the call of it is lowered: see ResultOf.

// returned says where the pointers in the results of a function come from.
type returned struct {
	params map[*types.Var]bool
	own    map[any]bool // variables of the function, and expressions that make one
}

// callers is the lifetime of the variables that live on in the callers of a function.
var callers = lifetime{0, 1<<30 - 1}

// resultsOf is the object that holds what a function returns.
type resultsOf struct{ body *ast.BlockStmt }

// ReturnsOwn are the variables of a function that its results point to, and the expressions that make such variables:
// nil of a function that can be called without being lowered into its callers.
func (sc *Scope) ReturnsOwn(sig *types.Signature, body *ast.BlockStmt) map[any]bool {
	if body == nil || !sc.mayLift() || sc.pointersOf(body).none {
		return nil
	}
	if r := sc.returns(sig, body); r != nil {
		return r.own
	}
	return nil
}

// mayLift reports whether the function is one whose variables can live on in its callers: not one that was made of a
// literal in a generic function, nor a generic one of which the instance is not known.
func (sc *Scope) mayLift() bool {
	if sc.Src == nil || sc.Src.Obj == nil || sc.Src.Outer.Len() > 0 {
		return false
	}
	params := typeParams(sc.Src.Obj)
	for p := range params.TypeParams() {
		if sc.Targs[p] == nil {
			return false
		}
	}
	return params.Len() == len(sc.Targs)
}

// typeParams are the type parameters of a function, or of the receiver's type.
func typeParams(f *types.Func) *types.TypeParamList {
	if f.Signature().Recv() != nil {
		return f.Signature().RecvTypeParams()
	}
	return f.Signature().TypeParams()
}

// A returnedOf is what is known of an instance of a function.
type returnedOf struct {
	targs TypeArgs
	is    *returned // nil while it is being found
}

// maxReturnedOf is of how many instances of a function it is found out: one may call another one for ever larger types.
const maxReturnedOf = 64

// returns finds where the pointers in the results of a function come from, nil where that is not known.
func (sc *Scope) returns(sig *types.Signature, body *ast.BlockStmt) *returned {
	before := sc.Syntax.returned[body]
	for _, r := range before {
		if SameTypeArgs(r.targs, sc.Targs) {
			return r.is
		}
	}
	if len(before) >= maxReturnedOf {
		return nil
	}
	if sc.Syntax.returned == nil {
		sc.Syntax.returned = map[*ast.BlockStmt][]*returnedOf{}
	}
	of := &returnedOf{targs: sc.Targs}
	sc.Syntax.returned[body] = append(before, of)
	e := sc.newEscape(sig, body)
	e.silent = true
	sc.Syntax.returning++
	e.solve()
	sc.Syntax.returning--
	r := &returned{params: map[*types.Var]bool{}, own: e.lifted}
	for l := range e.holds[resultsOf{body}] {
		if p, ok := l.obj.(pointee); ok {
			r.params[p.param] = true
		}
	}
	of.is = r
	return r
}

// calledReturns is returns of the function that a call names, and its signature; nil of any other call.
func (sc *Scope) calledReturns(x *ast.CallExpr) (*returned, *types.Signature) {
	f, _ := sc.Called(x)
	if f == nil || f.Pkg() == nil {
		return nil, nil
	}
	targs, ok := sc.typeArgs(CalleeName(x.Fun), f)
	if recv := f.Signature().Recv(); !ok || recv != nil && types.IsInterface(recv.Type()) {
		return nil, nil
	}
	if len(targs) > 0 && load.IsOwn(f.Pkg().Path()) { // as qd.Local, which is no call
		return nil, nil
	}
	src := sc.Syntax.Prog.Function(f.Origin())
	if src == nil || src.Decl.Body == nil {
		return nil, nil
	}
	callee := sc.Syntax.ScopeOf(src, targs)
	if !callee.mayLift() {
		return nil, nil
	}
	sig := f.Origin().Signature()
	return callee.returns(sig, src.Decl.Body), sig
}

// typeArgs are the type arguments of a function that a name names, not ok where they are not there.
func (sc *Instance) typeArgs(name *ast.Ident, f *types.Func) (targs TypeArgs, ok bool) {
	params := typeParams(f.Origin())
	if params.Len() == 0 {
		return nil, true
	}
	list := sc.Info.Instances[name].TypeArgs
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, isPointer := t.(*types.Pointer); isPointer {
			t = p.Elem()
		}
		if n, isNamed := types.Unalias(t).(*types.Named); isNamed {
			list = n.TypeArgs()
		}
	}
	if list.Len() != params.Len() {
		return nil, false
	}
	targs = make(TypeArgs, params.Len())
	for i := range params.Len() {
		targs[params.At(i)] = sc.Subst(list.At(i))
	}
	return targs, true
}

// lift has a variable of the function live on in its callers, if it can; then all is looked at anew.
func (e *escape) lift(f flow) bool {
	if f.holder != e.result || e.result == everywhere {
		return false
	}
	lifted := false
	for l := range f.from {
		if l.contains(e.result) || e.lifted[l.obj] {
			continue
		}
		switch obj := l.obj.(type) {
		case *types.Var:
		case *ast.UnaryExpr:
			if obj.Op != token.AND {
				return false
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(obj.Fun).(*ast.Ident); (!ok || id.Name != "new" && id.Name != "make") && !e.b.AppendsToNothing(obj) && !e.b.makesOwn(obj) && !e.owns(obj) {
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
func (r *returned) mayReturn(sig *types.Signature, i, args, list int) bool {
	last := sig.Params().Len() - 1
	switch {
	case sig.Variadic() && (i == list || i < args && i >= last):
		return r.params[sig.Params().At(last)]
	case i < args && i <= last && (sig.Variadic() && args >= last || args == last+1):
		return r.params[sig.Params().At(i)]
	case i >= args && i != list && sig.Recv() != nil:
		return r.params[sig.Recv()]
	}
	return true
}

// makesOwn reports whether a call gives pointers to variables that it makes here.
func (sc *Scope) makesOwn(x *ast.CallExpr) bool {
	if OnlyBasic(sc.GoType(x)) {
		return false
	}
	r, _ := sc.calledReturns(x)
	return r != nil && len(r.own) > 0
}

// OnlyBasic reports whether a value, or each of several, is a number, a bool or a string.
func OnlyBasic(t types.Type) bool {
	switch t := t.(type) {
	case nil:
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			if !OnlyBasic(v.Type()) {
				return false
			}
		}
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
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
