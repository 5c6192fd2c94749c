package emit_test

import (
	"fmt"
	"math/bits"

	"github.com/qdgen/qd/ssa"
)

// This file is what Go says about operations: Go itself computes them, in the
// type in question.

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// goOp is a binary or unary operation, or a comparison, on bits of type t.
func goOp(o ssa.Op, t ssa.Type, a, b uint64) uint64 {
	switch t {
	case ssa.Int8:
		return onIntegers(o, fromBits[int8](a), fromBits[int8](b))
	case ssa.Int16:
		return onIntegers(o, fromBits[int16](a), fromBits[int16](b))
	case ssa.Int32:
		return onIntegers(o, fromBits[int32](a), fromBits[int32](b))
	case ssa.Int64:
		return onIntegers(o, fromBits[int64](a), fromBits[int64](b))
	case ssa.Uint8:
		return onIntegers(o, fromBits[uint8](a), fromBits[uint8](b))
	case ssa.Uint16:
		return onIntegers(o, fromBits[uint16](a), fromBits[uint16](b))
	case ssa.Uint32:
		return onIntegers(o, fromBits[uint32](a), fromBits[uint32](b))
	case ssa.Uint64:
		return onIntegers(o, a, b)
	case ssa.Float32:
		return onNumbers(o, fromBits[float32](a), fromBits[float32](b))
	case ssa.Float64:
		return onNumbers(o, fromBits[float64](a), fromBits[float64](b))
	case ssa.Bool:
		x, y := a != 0, b != 0
		return toBits(map[ssa.Op]bool{ssa.OpAnd: x && y, ssa.OpOr: x || y, ssa.OpXor: x != y, ssa.OpNot: !x, ssa.OpEq: x == y, ssa.OpNe: x != y}[o])
	}
	panic(fmt.Sprint("no oracle for ", t))
}

func onIntegers[T integer](o ssa.Op, a, b T) uint64 {
	var r T
	switch o {
	case ssa.OpDiv:
		if b != 0 {
			r = a / b
		}
	case ssa.OpRem:
		if b != 0 {
			r = a % b
		}
	case ssa.OpAnd:
		r = a & b
	case ssa.OpOr:
		r = a | b
	case ssa.OpXor:
		r = a ^ b
	case ssa.OpAndNot:
		r = a &^ b
	case ssa.OpCom:
		r = ^a
	default:
		return onNumbers(o, a, b)
	}
	return toBits(r)
}

func onNumbers[T number](o ssa.Op, a, b T) uint64 {
	var r T
	switch o {
	case ssa.OpAdd:
		r = a + b
	case ssa.OpSub:
		r = a - b
	case ssa.OpMul:
		r = a * b
	case ssa.OpDiv:
		r = a / b // of floats only
	case ssa.OpNeg:
		r = -a
	case ssa.OpMin:
		r = min(a, b)
	case ssa.OpMax:
		r = max(a, b)
	case ssa.OpEq:
		return toBits(a == b)
	case ssa.OpNe:
		return toBits(a != b)
	case ssa.OpLt:
		return toBits(a < b)
	case ssa.OpLe:
		return toBits(a <= b)
	case ssa.OpGt:
		return toBits(a > b)
	case ssa.OpGe:
		return toBits(a >= b)
	default:
		panic("no oracle for " + o.String())
	}
	return toBits(r)
}

// goShift shifts a value of type t by a count of any integer type, given sign-extended.
func goShift(o ssa.Op, t ssa.Type, a, count uint64) uint64 {
	switch t {
	case ssa.Int8:
		return shift(o, fromBits[int8](a), count)
	case ssa.Int16:
		return shift(o, fromBits[int16](a), count)
	case ssa.Int32:
		return shift(o, fromBits[int32](a), count)
	case ssa.Int64:
		return shift(o, fromBits[int64](a), count)
	case ssa.Uint8:
		return shift(o, fromBits[uint8](a), count)
	case ssa.Uint16:
		return shift(o, fromBits[uint16](a), count)
	case ssa.Uint32:
		return shift(o, fromBits[uint32](a), count)
	}
	return shift(o, a, count)
}

func shift[T integer](o ssa.Op, a T, count uint64) uint64 {
	if o == ssa.OpShl {
		return toBits(a << count)
	}
	return toBits(a >> count)
}

// extend gives bits of the integer type t, sign-extended to 64 if it is signed.
func extend(t ssa.Type, bits uint64) uint64 { return ssa.IntConst(t, bits).Uint() }

// goConvert converts bits of one numeric type to another.
func goConvert(to, from ssa.Type, x uint64) uint64 {
	switch from {
	case ssa.Int8:
		return convert(to, fromBits[int8](x))
	case ssa.Int16:
		return convert(to, fromBits[int16](x))
	case ssa.Int32:
		return convert(to, fromBits[int32](x))
	case ssa.Int64:
		return convert(to, fromBits[int64](x))
	case ssa.Uint8:
		return convert(to, fromBits[uint8](x))
	case ssa.Uint16:
		return convert(to, fromBits[uint16](x))
	case ssa.Uint32:
		return convert(to, fromBits[uint32](x))
	case ssa.Uint64:
		return convert(to, x)
	case ssa.Float32:
		return convert(to, fromBits[float32](x))
	}
	return convert(to, fromBits[float64](x))
}

func convert[T number](to ssa.Type, x T) uint64 {
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
	}
	return toBits(float64(x))
}

// goBits is a function of package math/bits.
func goBits(o ssa.BitsOp, t ssa.Type, x uint64) uint64 {
	spare := 64 - ssa.Bits(t)
	switch o {
	case ssa.BitsLen:
		return uint64(bits.Len64(x))
	case ssa.BitsTrailingZeros:
		return uint64(min(bits.TrailingZeros64(x), ssa.Bits(t)))
	case ssa.BitsOnesCount:
		return uint64(bits.OnesCount64(x))
	case ssa.BitsReverse:
		return bits.Reverse64(x) >> spare
	case ssa.BitsReverseBytes:
		return bits.ReverseBytes64(x) >> spare
	}
	panic("no oracle")
}
