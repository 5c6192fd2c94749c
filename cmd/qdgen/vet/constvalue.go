package vet

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/qdgen/qd/frontend/comptime"
)

// ErrNoConstant says that a value is not one of go/types' constants.
var ErrNoConstant = errors.New("it is not a constant")

// ConstantValue is a constant of go/types as a value of a type, which has a name as package comptime has
// them. The error is ErrNoConstant where Go has to run to know.
func ConstantValue(tv types.TypeAndValue, t types.Type, name string) (comptime.Value, error) {
	basic, ok := t.Underlying().(*types.Basic)
	untyped := tv.Type != nil && types.Default(tv.Type) != tv.Type
	if tv.Value == nil || !ok || !untyped && !types.Identical(tv.Type, t) {
		return comptime.Value{}, ErrNoConstant
	}
	v := comptime.Value{Type: name}
	wrong := fmt.Errorf("%s is not a value of type %s", tv.Value, types.TypeString(t, (*types.Package).Name))
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0 && tv.Value.Kind() == constant.Bool:
		v.Kind = comptime.Bool
		if constant.BoolVal(tv.Value) {
			v.Bits = 1
		}
	case info&types.IsString != 0 && tv.Value.Kind() == constant.String:
		v.Kind, v.Str = comptime.String, constant.StringVal(tv.Value)
	case info&types.IsInteger != 0:
		x := constant.ToInt(tv.Value)
		bits, unsigned := intSize(basic), info&types.IsUnsigned != 0
		if x.Kind() != constant.Int || !fitsInt(x, bits, unsigned) {
			return comptime.Value{}, wrong
		}
		v.Kind = comptime.Int
		if unsigned {
			v.Kind = comptime.Uint
			v.Bits, _ = constant.Uint64Val(x)
		} else {
			signed, _ := constant.Int64Val(x)
			v.Bits = uint64(signed)
		}
	case info&types.IsFloat != 0:
		x := constant.ToFloat(tv.Value)
		if x.Kind() != constant.Float && x.Kind() != constant.Int {
			return comptime.Value{}, wrong
		}
		if basic.Kind() == types.Float32 {
			f, _ := constant.Float32Val(x)
			v.Kind, v.Bits = comptime.Float32, uint64(math.Float32bits(f))
			if math.IsInf(float64(f), 0) {
				return comptime.Value{}, wrong
			}
			return v, nil
		}
		f, _ := constant.Float64Val(x)
		v.Kind, v.Bits = comptime.Float64, math.Float64bits(f)
		if math.IsInf(f, 0) {
			return comptime.Value{}, wrong
		}
	case info&types.IsComplex != 0:
		x := constant.ToComplex(tv.Value)
		if x.Kind() != constant.Complex && x.Kind() != constant.Float && x.Kind() != constant.Int {
			return comptime.Value{}, wrong
		}
		part := types.Typ[types.Float64]
		if basic.Kind() == types.Complex64 {
			part = types.Typ[types.Float32]
		}
		v.Kind = comptime.Struct
		for _, c := range []constant.Value{constant.Real(x), constant.Imag(x)} {
			e, err := ConstantValue(types.TypeAndValue{Type: part, Value: c}, part, part.Name())
			if err != nil {
				return comptime.Value{}, wrong
			}
			v.Elems = append(v.Elems, e)
		}
	default:
		return comptime.Value{}, wrong
	}
	return v, nil
}

// intSize is the size of an integer type in bits; kernels' int has 64.
func intSize(t *types.Basic) uint {
	switch t.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// fitsInt reports whether an integer is a value of a type of so many bits.
func fitsInt(x constant.Value, bits uint, unsigned bool) bool {
	if unsigned {
		return constant.Sign(x) >= 0 && constant.BitLen(x) <= int(bits)
	}
	if constant.Sign(x) < 0 {
		x = constant.BinaryOp(x, token.ADD, constant.MakeInt64(1)) // -128 has as many bits as 127
	}
	return constant.BitLen(x) < int(bits)
}
