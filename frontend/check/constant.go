package check

import (
	"go/ast"
	"go/constant"

	"github.com/qdgen/qd/ssa"
)

// LiteralKey is the index that a key in a literal is, and whether it is one.
func (sc *Instance) LiteralKey(kv *ast.KeyValueExpr) (int, bool) {
	key, ok := ConstOf(ssa.Int64, constantValue(sc.Info.Types[kv.Key].Value))
	return int(key.Int()), ok && key.Int() >= 0
}

// ConstOf is the constant of a type, and whether that can hold it.
func ConstOf(t ssa.Type, v constant.Value) (c ssa.Const, ok bool) {
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
