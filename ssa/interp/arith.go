package interp

import (
	"math"
	"math/bits"

	"github.com/qdgen/qd/ssa"
)

// This file computes operations as Go itself does, at the type in question.

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// bitsFrom is an integer as an [ssa.Const] has it: a signed one is extended.
func bitsFrom[T integer](x T) uint64 { return uint64(x) }

func truth(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}

// float32Bits and float64Bits give a computed float; all NaNs have the same bits.
func float32Bits(x float32) uint64 {
	if x != x {
		return uint64(math.Float32bits(float32(math.NaN())))
	}
	return uint64(math.Float32bits(x))
}

func float64Bits(x float64) uint64 {
	if x != x {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x)
}

// operation is an operation of two operands of type t, or of one.
func operation(op ssa.Op, t ssa.Type) func(a, b uint64) uint64 {
	switch t {
	case ssa.Bool:
		return onBools(op)
	case ssa.Int8:
		return onIntegers[int8](op)
	case ssa.Int16:
		return onIntegers[int16](op)
	case ssa.Int32:
		return onIntegers[int32](op)
	case ssa.Int64:
		return onIntegers[int64](op)
	case ssa.Uint8:
		return onIntegers[uint8](op)
	case ssa.Uint16:
		return onIntegers[uint16](op)
	case ssa.Uint32:
		return onIntegers[uint32](op)
	case ssa.Uint64:
		return onIntegers[uint64](op)
	case ssa.Float32:
		if op == ssa.OpNeg {
			return func(a, _ uint64) uint64 { return a ^ 1<<31 }
		}
		f := onFloats[float32](op)
		return func(a, b uint64) uint64 {
			x, c, isFloat := f(math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)))
			if isFloat {
				return float32Bits(x)
			}
			return c
		}
	case ssa.Float64:
		if op == ssa.OpNeg {
			return func(a, _ uint64) uint64 { return a ^ 1<<63 }
		}
		f := onFloats[float64](op)
		return func(a, b uint64) uint64 {
			x, c, isFloat := f(math.Float64frombits(a), math.Float64frombits(b))
			if isFloat {
				return float64Bits(x)
			}
			return c
		}
	}
	panic("BUG: " + op.String() + " of " + t.String())
}

func onBools(op ssa.Op) func(a, b uint64) uint64 {
	switch op {
	case ssa.OpAnd:
		return func(a, b uint64) uint64 { return a & b }
	case ssa.OpOr:
		return func(a, b uint64) uint64 { return a | b }
	case ssa.OpXor, ssa.OpNe:
		return func(a, b uint64) uint64 { return a ^ b }
	case ssa.OpEq:
		return func(a, b uint64) uint64 { return a ^ b ^ 1 }
	case ssa.OpNot:
		return func(a, _ uint64) uint64 { return a ^ 1 }
	}
	panic("BUG: " + op.String() + " of bools")
}

func onIntegers[T integer](op ssa.Op) func(a, b uint64) uint64 {
	switch op {
	case ssa.OpAdd:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) + T(b)) }
	case ssa.OpSub:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) - T(b)) }
	case ssa.OpMul:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) * T(b)) }
	case ssa.OpDiv:
		return func(a, b uint64) uint64 {
			if T(b) == 0 {
				return 0
			}
			return bitsFrom(T(a) / T(b))
		}
	case ssa.OpRem:
		return func(a, b uint64) uint64 {
			if T(b) == 0 {
				return 0
			}
			return bitsFrom(T(a) % T(b))
		}
	case ssa.OpAnd:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) & T(b)) }
	case ssa.OpOr:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) | T(b)) }
	case ssa.OpXor:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) ^ T(b)) }
	case ssa.OpAndNot:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) &^ T(b)) }
	case ssa.OpShl: // the count is of any type: all of its bits count
		return func(a, b uint64) uint64 { return bitsFrom(T(a) << b) }
	case ssa.OpShr:
		return func(a, b uint64) uint64 { return bitsFrom(T(a) >> b) }
	case ssa.OpNeg:
		return func(a, _ uint64) uint64 { return bitsFrom(-T(a)) }
	case ssa.OpCom:
		return func(a, _ uint64) uint64 { return bitsFrom(^T(a)) }
	case ssa.OpMin:
		return func(a, b uint64) uint64 { return bitsFrom(min(T(a), T(b))) }
	case ssa.OpMax:
		return func(a, b uint64) uint64 { return bitsFrom(max(T(a), T(b))) }
	case ssa.OpEq:
		return func(a, b uint64) uint64 { return truth(a == b) }
	case ssa.OpNe:
		return func(a, b uint64) uint64 { return truth(a != b) }
	case ssa.OpLt:
		return func(a, b uint64) uint64 { return truth(T(a) < T(b)) }
	case ssa.OpLe:
		return func(a, b uint64) uint64 { return truth(T(a) <= T(b)) }
	case ssa.OpGt:
		return func(a, b uint64) uint64 { return truth(T(a) > T(b)) }
	case ssa.OpGe:
		return func(a, b uint64) uint64 { return truth(T(a) >= T(b)) }
	}
	panic("BUG: " + op.String() + " of integers")
}

// onFloats gives a float, or the bits of a bool.
func onFloats[T float32 | float64](op ssa.Op) func(x, y T) (f T, c uint64, isFloat bool) {
	switch op {
	case ssa.OpAdd:
		return func(x, y T) (T, uint64, bool) { return x + y, 0, true }
	case ssa.OpSub:
		return func(x, y T) (T, uint64, bool) { return x - y, 0, true }
	case ssa.OpMul:
		return func(x, y T) (T, uint64, bool) { return x * y, 0, true }
	case ssa.OpDiv:
		return func(x, y T) (T, uint64, bool) { return x / y, 0, true }
	case ssa.OpMin:
		return func(x, y T) (T, uint64, bool) { return min(x, y), 0, true }
	case ssa.OpMax:
		return func(x, y T) (T, uint64, bool) { return max(x, y), 0, true }
	case ssa.OpEq:
		return func(x, y T) (T, uint64, bool) { return 0, truth(x == y), false }
	case ssa.OpNe:
		return func(x, y T) (T, uint64, bool) { return 0, truth(x != y), false }
	case ssa.OpLt:
		return func(x, y T) (T, uint64, bool) { return 0, truth(x < y), false }
	case ssa.OpLe:
		return func(x, y T) (T, uint64, bool) { return 0, truth(x <= y), false }
	case ssa.OpGt:
		return func(x, y T) (T, uint64, bool) { return 0, truth(x > y), false }
	case ssa.OpGe:
		return func(x, y T) (T, uint64, bool) { return 0, truth(x >= y), false }
	}
	panic("BUG: " + op.String() + " of floats")
}

// conversion is Go's conversion between numeric types.
func conversion(to, from ssa.Type) func(x uint64) uint64 {
	switch {
	case ssa.IsInteger(from) && ssa.IsInteger(to):
		b := to.(ssa.Basic)
		return func(x uint64) uint64 { return extend(b, x) }
	case ssa.IsSigned(from) && to == ssa.Float32:
		return func(x uint64) uint64 { return float32Bits(float32(int64(x))) }
	case ssa.IsSigned(from) && to == ssa.Float64:
		return func(x uint64) uint64 { return float64Bits(float64(int64(x))) }
	case ssa.IsUnsigned(from) && to == ssa.Float32:
		return func(x uint64) uint64 { return float32Bits(float32(x)) }
	case ssa.IsUnsigned(from) && to == ssa.Float64:
		return func(x uint64) uint64 { return float64Bits(float64(x)) }
	case to == from:
		return func(x uint64) uint64 { return x }
	case to == ssa.Float32:
		return func(x uint64) uint64 { return float32Bits(float32(math.Float64frombits(x))) }
	case to == ssa.Float64:
		return func(x uint64) uint64 { return float64Bits(float64(math.Float32frombits(uint32(x)))) }
	case from == ssa.Float32:
		return func(x uint64) uint64 { return ssa.FloatToInteger(to, float64(math.Float32frombits(uint32(x)))) }
	}
	return func(x uint64) uint64 { return ssa.FloatToInteger(to, math.Float64frombits(x)) }
}

// bitsOf is a function of package math/bits.
func bitsOf(op ssa.BitsOp, t ssa.Type) func(x uint64) uint64 {
	width := ssa.Bits(t)
	switch op {
	case ssa.BitsLen:
		return func(x uint64) uint64 { return uint64(bits.Len64(x)) }
	case ssa.BitsTrailingZeros:
		return func(x uint64) uint64 { return uint64(min(bits.TrailingZeros64(x), width)) }
	case ssa.BitsOnesCount:
		return func(x uint64) uint64 { return uint64(bits.OnesCount64(x)) }
	case ssa.BitsReverse:
		return func(x uint64) uint64 { return bits.Reverse64(x) >> (64 - width) }
	}
	return func(x uint64) uint64 { return bits.ReverseBytes64(x) >> (64 - width) }
}
