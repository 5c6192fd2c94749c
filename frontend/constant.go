package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// constantExpr is an expression that go/types knows the value of: exact, as
// constant expressions are in Go, until it is rounded to its type here.
func (b *Values) constantExpr(e ast.Expr, tv types.TypeAndValue) *ssa.Value {
	tv.Type = b.subst(tv.Type)
	if invalid(tv.Type) {
		return b.noValue("a constant without a type")
	}
	if isBasic(tv.Type, types.IsString) && tv.Value.Kind() == constant.String {
		return str(constant.StringVal(tv.Value))
	}
	t, ok := b.m.typeOf(tv.Type)
	if !ok {
		why, hint := b.m.unsupportedType(tv.Type)
		b.m.refuse(e, hint, "%s in a kernel", why)
		return poison
	}
	return b.constantOf(e.Pos(), t, tv.Value)
}

// constantOf appends the constant of a type, which can hold it.
func (b *Code) constantOf(pos token.Pos, t ssa.Type, v constant.Value) *ssa.Value {
	c, ok := constOf(t, v)
	if !ok {
		return b.noValue("a constant " + v.ExactString() + " of type " + t.String())
	}
	return b.constant(pos, t, c)
}

// constOf is the constant of a type, and whether that can hold it.
func constOf(t ssa.Type, v constant.Value) (c ssa.Const, ok bool) {
	switch {
	case t == ssa.Bool:
		if v.Kind() == constant.Bool {
			return ssa.BoolConst(constant.BoolVal(v)), true
		}
	case ssa.IsInteger(t):
		v := constant.ToInt(v)
		if v.Kind() != constant.Int {
			break
		}
		if n, exact := constant.Int64Val(v); exact {
			return ssa.IntConst(t, uint64(n)), true
		}
		if n, exact := constant.Uint64Val(v); exact {
			return ssa.IntConst(t, n), true
		}
	case t == ssa.Float32: // not by way of float64, which would round twice
		if v = constant.ToFloat(v); v.Kind() == constant.Float {
			f, _ := constant.Float32Val(v)
			return ssa.Float32Const(f), true
		}
	case t == ssa.Float64:
		if v = constant.ToFloat(v); v.Kind() == constant.Float {
			f, _ := constant.Float64Val(v)
			return ssa.Float64Const(f), true
		}
	}
	return ssa.Const{}, false
}

// constantValue is a constant that may be missing.
func constantValue(v constant.Value) constant.Value {
	if v == nil {
		return constant.MakeUnknown()
	}
	return v
}
