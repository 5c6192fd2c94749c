package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// constantExpr is an expression that go/types knows the value of: exact, as
// constant expressions are in Go, until it is rounded to its type here.
func (b *builder) constantExpr(e ast.Expr, tv types.TypeAndValue) *ssa.Value {
	t, ok := typeOf(tv.Type)
	if !ok {
		why, hint := unsupportedType(tv.Type)
		b.m.refuse(e, hint, "%s in a kernel", why)
		return poison
	}
	return b.constant(e.Pos(), t, constOf(t, tv.Value))
}

// constOf is the constant of a type, which can hold it.
func constOf(t ssa.Type, v constant.Value) ssa.Const {
	switch {
	case t == ssa.Bool:
		return ssa.BoolConst(constant.BoolVal(v))
	case ssa.IsInteger(t):
		v := constant.ToInt(v)
		if n, exact := constant.Int64Val(v); exact {
			return ssa.IntConst(t, uint64(n))
		}
		if n, exact := constant.Uint64Val(v); exact {
			return ssa.IntConst(t, n)
		}
	case t == ssa.Float32: // not by way of float64, which would round twice
		f, _ := constant.Float32Val(constant.ToFloat(v))
		return ssa.Float32Const(f)
	case t == ssa.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return ssa.Float64Const(f)
	}
	panic("BUG: constant " + v.ExactString() + " of type " + t.String())
}
