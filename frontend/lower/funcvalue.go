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
		c.b.m.RefuseInGo(e.Fun, "assign a function to it first", "%s is nil here", eval.FuncName(e.Fun))
	default:
		return c.callFunc(e, f)
	}
	return c.refused(e)
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
