package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// isNil ends what is said of the call of a function value that is nil.
const isNil = " is nil here"

// callValue calls a function value.
func (b caller) callValue(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	switch {
	case f.Unknown:
		b.RefuseUnknown(e.Fun, f)
	case f.Lit != nil:
		body := b.inliner.literalBody(f)
		if body.sig == nil {
			break
		}
		var params []types.Type
		for v := range body.sig.Params().Variables() {
			params = append(params, b.m.With(f.Scope.Targs).Typ(v.Type()))
		}
		if args, ok := b.callArgs(e, params, body.sig.Variadic()); ok {
			return b.inliner.inline(e, body, args)
		}
	case f.Obj == nil:
		b.m.Refuse(e.Fun, "assign a function to it first", "%s"+isNil, eval.FuncName(e.Fun))
	default:
		return b.callFunc(e, f)
	}
	return b.refused(e)
}

// funcLit is a function literal as a value.
func (b inliner) funcLit(e *ast.FuncLit) *ssa.Value {
	if !check.IsFunc(b.Info.TypeOf(e)) {
		return b.NoValue("a function literal without a type")
	}
	f := &eval.Func{Lit: e, Scope: b.Scope}
	b.Capture(f)
	b.meet(f)
	return f.Value()
}
