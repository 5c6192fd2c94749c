package opt

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// The oracle computes operations by Go's own, at the type in question: it is
// what fold is compared with, and what the interpreter of the tests computes by.

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type number interface {
	integer | float32 | float64
}

// toBits is a Go value as a Const keeps it.
func toBits[T number](x T) uint64 {
	switch x := any(x).(type) {
	case float32:
		return uint64(math.Float32bits(x))
	case float64:
		return math.Float64bits(x)
	}
	return uint64(x) // extends the sign of a signed x
}

func boolBits(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// goInt is a binary operation on integers of type T.
func goInt[T integer](op ssa.Op, a, b uint64) uint64 {
	x, y := T(a), T(b)
	switch op {
	case ssa.OpAdd:
		return uint64(x + y)
	case ssa.OpSub:
		return uint64(x - y)
	case ssa.OpMul:
		return uint64(x * y)
	case ssa.OpDiv:
		if y == 0 {
			return 0
		}
		return uint64(x / y)
	case ssa.OpRem:
		if y == 0 {
			return 0
		}
		return uint64(x % y)
	case ssa.OpAnd:
		return uint64(x & y)
	case ssa.OpOr:
		return uint64(x | y)
	case ssa.OpXor:
		return uint64(x ^ y)
	case ssa.OpAndNot:
		return uint64(x &^ y)
	case ssa.OpShl:
		return uint64(x << b) // the count is of any type: all of its bits count
	case ssa.OpShr:
		return uint64(x >> b)
	case ssa.OpMin:
		return uint64(min(x, y))
	case ssa.OpMax:
		return uint64(max(x, y))
	case ssa.OpNeg:
		return uint64(-x)
	case ssa.OpCom:
		return uint64(^x)
	}
	return goCompare(op, x, y)
}

func goCompare[T number](op ssa.Op, x, y T) uint64 {
	switch op {
	case ssa.OpEq:
		return boolBits(x == y)
	case ssa.OpNe:
		return boolBits(x != y)
	case ssa.OpLt:
		return boolBits(x < y)
	case ssa.OpLe:
		return boolBits(x <= y)
	case ssa.OpGt:
		return boolBits(x > y)
	case ssa.OpGe:
		return boolBits(x >= y)
	}
	panic("oracle: " + op.String())
}

// goFloat is an operation on floats of type T.
func goFloat[T float32 | float64](op ssa.Op, x, y T) uint64 {
	switch op {
	case ssa.OpAdd:
		return toBits(x + y)
	case ssa.OpSub:
		return toBits(x - y)
	case ssa.OpMul:
		return toBits(x * y)
	case ssa.OpDiv:
		return toBits(x / y)
	case ssa.OpMin:
		return toBits(min(x, y))
	case ssa.OpMax:
		return toBits(max(x, y))
	case ssa.OpNeg:
		return toBits(-x)
	}
	return goCompare(op, x, y)
}

func goBool(op ssa.Op, x, y bool) uint64 {
	switch op {
	case ssa.OpAnd:
		return boolBits(x && y)
	case ssa.OpOr:
		return boolBits(x || y)
	case ssa.OpXor, ssa.OpNe:
		return boolBits(x != y)
	case ssa.OpEq:
		return boolBits(x == y)
	case ssa.OpNot:
		return boolBits(!x)
	}
	panic("oracle: " + op.String())
}

// goOp is an operation of one or two operands on values of type t.
func goOp(op ssa.Op, t ssa.Type, a, b uint64) uint64 {
	switch t {
	case ssa.Bool:
		return goBool(op, a != 0, b != 0)
	case ssa.Int8:
		return goInt[int8](op, a, b)
	case ssa.Int16:
		return goInt[int16](op, a, b)
	case ssa.Int32:
		return goInt[int32](op, a, b)
	case ssa.Int64:
		return goInt[int64](op, a, b)
	case ssa.Uint8:
		return goInt[uint8](op, a, b)
	case ssa.Uint16:
		return goInt[uint16](op, a, b)
	case ssa.Uint32:
		return goInt[uint32](op, a, b)
	case ssa.Uint64:
		return goInt[uint64](op, a, b)
	case ssa.Float32:
		return goFloat(op, math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)))
	case ssa.Float64:
		return goFloat(op, math.Float64frombits(a), math.Float64frombits(b))
	}
	panic("oracle: " + t.String())
}

// goConvert is the conversion of a value from one numeric type to another.
func goConvert(to, from ssa.Type, x uint64) uint64 {
	switch from {
	case ssa.Int8:
		return convertFrom(to, int8(x))
	case ssa.Int16:
		return convertFrom(to, int16(x))
	case ssa.Int32:
		return convertFrom(to, int32(x))
	case ssa.Int64:
		return convertFrom(to, int64(x))
	case ssa.Uint8:
		return convertFrom(to, uint8(x))
	case ssa.Uint16:
		return convertFrom(to, uint16(x))
	case ssa.Uint32:
		return convertFrom(to, uint32(x))
	case ssa.Uint64:
		return convertFrom(to, x)
	case ssa.Float32:
		return convertFrom(to, math.Float32frombits(uint32(x)))
	case ssa.Float64:
		return convertFrom(to, math.Float64frombits(x))
	}
	panic("oracle: " + from.String())
}

func convertFrom[T number](to ssa.Type, x T) uint64 {
	switch to {
	case ssa.Int8:
		return toBits(int8(x))
	case ssa.Int16:
		return toBits(int16(x))
	case ssa.Int32:
		return toBits(int32(x))
	case ssa.Int64:
		return toBits(int64(x))
	case ssa.Uint8:
		return toBits(uint8(x))
	case ssa.Uint16:
		return toBits(uint16(x))
	case ssa.Uint32:
		return toBits(uint32(x))
	case ssa.Uint64:
		return toBits(uint64(x))
	case ssa.Float32:
		return toBits(float32(x))
	case ssa.Float64:
		return toBits(float64(x))
	}
	panic("oracle: " + to.String())
}

// goMath is a function of package math whose result Go fixes, on floats f and
// an integer i, as package qd has it for both float types.
func goMath(m ssa.Math, t ssa.Type, f []float64, i int64) []uint64 {
	float := func(x float64) uint64 {
		if t == ssa.Float32 {
			return toBits(float32(x))
		}
		return toBits(x)
	}
	one := func(x float64) []uint64 { return []uint64{float(x)} }
	switch m {
	case ssa.Abs:
		return one(math.Abs(f[0]))
	case ssa.Ceil:
		return one(math.Ceil(f[0]))
	case ssa.Copysign:
		return one(math.Copysign(f[0], f[1]))
	case ssa.Dim:
		return one(math.Dim(f[0], f[1]))
	case ssa.FMA:
		return one(math.FMA(f[0], f[1], f[2]))
	case ssa.Floor:
		return one(math.Floor(f[0]))
	case ssa.Frexp:
		frac, exp := math.Frexp(f[0])
		return []uint64{float(frac), uint64(exp)}
	case ssa.Ilogb:
		return []uint64{uint64(math.Ilogb(f[0]))}
	case ssa.Inf:
		return one(math.Inf(int(i)))
	case ssa.IsInf:
		return []uint64{boolBits(math.IsInf(f[0], int(i)))}
	case ssa.IsNaN:
		return []uint64{boolBits(math.IsNaN(f[0]))}
	case ssa.Ldexp:
		return one(math.Ldexp(f[0], int(i)))
	case ssa.Logb:
		return one(math.Logb(f[0]))
	case ssa.MathMax:
		return one(math.Max(f[0], f[1]))
	case ssa.MathMin:
		return one(math.Min(f[0], f[1]))
	case ssa.Mod:
		return one(math.Mod(f[0], f[1]))
	case ssa.Modf:
		whole, frac := math.Modf(f[0])
		return []uint64{float(whole), float(frac)}
	case ssa.Nextafter:
		if t == ssa.Float32 {
			return []uint64{toBits(math.Nextafter32(float32(f[0]), float32(f[1])))}
		}
		return one(math.Nextafter(f[0], f[1]))
	case ssa.Remainder:
		return one(math.Remainder(f[0], f[1]))
	case ssa.Round:
		return one(math.Round(f[0]))
	case ssa.RoundToEven:
		return one(math.RoundToEven(f[0]))
	case ssa.Signbit:
		return []uint64{boolBits(math.Signbit(f[0]))}
	case ssa.Sqrt:
		return one(math.Sqrt(f[0]))
	case ssa.Trunc:
		return one(math.Trunc(f[0]))
	}
	panic("oracle: " + m.String())
}
