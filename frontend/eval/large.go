package eval

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

// WarnLarge notes a variable, a parameter or a result of very many elements. Where it is a
// generated function's, the user's call that leads there is a better place.
func (b *Variables) WarnLarge(v *types.Var, t ssa.Type) {
	if b.Within != nil {
		return
	}
	what := v.Name()
	if what == "" {
		what = "the result"
	}
	typ := b.Subst(v.Type())
	b.Facts.NoteLarge(v, what, typ, t, nil)
	if !b.Facts.Prog.Generated(v.Pos()) {
		return
	}
	for f := b.Function; f.Call != nil; f = f.Caller {
		if call, ok := f.Call.(*ast.CallExpr); ok && !b.Facts.Prog.Generated(call.Pos()) {
			b.Facts.NoteLarge(v, "a value in the call of "+types.ExprString(call.Fun), typ, t, call)
			return
		}
	}
}

// warnLargeNew notes a variable of very many elements that has no name: what new or & make.
func (b *Variables) warnLargeNew(e ast.Expr, val *ssa.Value) {
	if check.Invalid(b.GoType(e)) {
		return
	}
	p, ok := b.GoType(e).Underlying().(*types.Pointer)
	if !ok || b.Within != nil || val == Poison || IsFront(val) {
		return
	}
	b.Facts.KeepLarge(&check.LargeType{Node: e, What: "a new variable", Typ: p.Elem(), Rank: b.Facts.PlaceRank(e.Pos()) + 1}, val.Type)
}
