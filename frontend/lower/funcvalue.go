package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// callValue calls a function value.
func (c caller) callValue(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	switch {
	case f.Unknown:
		c.b.RefuseUnknown(e.Fun, f)
	case f.Lit != nil:
		body := c.b.inliner.literalBody(f)
		if body.sig == nil {
			break
		}
		var params []types.Type
		for v := range body.sig.Params().Variables() {
			params = append(params, c.b.m.With(f.Scope.Targs).Typ(v.Type()))
		}
		if args, ok := c.callArgs(e, params, body.sig.Variadic()); ok {
			return c.b.inliner.inline(e, body, args)
		}
	case f.Obj == nil:
		c.b.inliner.refuseNil(e.Fun)
	default:
		return c.callFunc(e, f)
	}
	return c.refused(e)
}

// inlineValue lowers a call of a function literal or of a known function here.
func (il inliner) inlineValue(fun ast.Expr, args []*ssa.Value) []*ssa.Value {
	v := il.b.expr(fun)
	f := eval.FuncOf(v)
	if f == nil {
		return nil
	}
	switch {
	case f.Lit != nil:
		return il.inline(fun, il.literalBody(f), args)
	case f.Obj != nil && il.b.m.Prog.Function(f.Obj) != nil:
		if f.Recv != nil {
			args = append([]*ssa.Value{f.Recv}, args...)
		}
		return il.inline(fun, il.declaredBody(f), args)
	}
	switch {
	case f.Ended != "":
		il.b.RefuseUnknown(fun, f)
		return nil
	case !f.Unknown && f.Obj == nil:
		il.refuseNil(fun)
		return nil
	}
	il.b.m.Refuse(fun, "write a function literal", "the function in %s is not known at compile time", eval.FuncName(fun))
	return nil
}

// refuseNil refuses the call of a nil function. One that package qd calls has been given to it.
func (il inliner) refuseNil(fun ast.Expr) {
	if call, ok := il.b.UsersCall(fun).(*ast.CallExpr); ok && il.b.InLibrary() {
		if name := check.CalleeName(call.Fun); name != nil {
			il.b.m.RefuseInGo(call, "give it a function", "%s is given a function that is nil here", name.Name)
			return
		}
	}
	il.b.m.RefuseInGo(fun, "assign a function to it first", "%s is nil here", eval.FuncName(fun))
}

// funcLit is a function literal as a value.
func (il inliner) funcLit(e *ast.FuncLit) *ssa.Value {
	if !check.IsFunc(il.b.Info.TypeOf(e)) {
		return il.b.NoValue("a function literal without a type")
	}
	f := &eval.Func{Lit: e, Scope: il.b.Scope}
	il.b.Capture(f)
	il.meet(f)
	return f.Value()
}
