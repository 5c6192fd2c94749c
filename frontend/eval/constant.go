package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

// ConstantExpr is an expression that go/types knows the value of: exact, as
// constant expressions are in Go, until it is rounded to its type here.
func (b *Values) ConstantExpr(e ast.Expr, tv types.TypeAndValue) *ssa.Value {
	tv.Type = b.Subst(tv.Type)
	if check.Invalid(tv.Type) {
		return b.NoValue("a constant without a type")
	}
	if check.IsBasic(tv.Type, types.IsString) && tv.Value.Kind() == constant.String {
		return Str(constant.StringVal(tv.Value))
	}
	t, ok := b.Facts.TypeOf(tv.Type)
	if !ok {
		why, hint := b.Facts.UnsupportedType(tv.Type)
		b.Facts.Refuse(e, hint, "%s in a kernel", why)
		return Poison
	}
	return b.ConstantOf(e.Pos(), t, tv.Value)
}

// ConstantOf appends the constant of a type, which can hold it.
func (b *Code) ConstantOf(pos token.Pos, t ssa.Type, v constant.Value) *ssa.Value {
	if v.Kind() == constant.Complex || ssa.IsComplex(t) {
		v = constant.ToComplex(v)
	}
	if ssa.IsComplex(t) && v.Kind() == constant.Complex {
		part := ssa.ComplexPart(t)
		return b.Op(pos, ssa.OpMake, t, b.ConstantOf(pos, part, constant.Real(v)), b.ConstantOf(pos, part, constant.Imag(v)))
	}
	c, ok := check.ConstOf(t, v)
	if !ok {
		return b.NoValue("a constant " + v.ExactString() + " of type " + t.String())
	}
	return b.Constant(pos, t, c)
}
