package ssa

import (
	"cmp"
	"math"
	"math/bits"
)

// Fold computes a pure instruction with one result, of type t, whose operands are all
// constants, as evaluate does; the instruction need not stand anywhere yet.
func Fold(in *Instr, t Type) (Const, bool) {
	var x [3]Const
	if in.Op.Effect() != Pure || len(in.Args) > len(x) {
		return Const{}, false
	}
	for i, a := range in.Args {
		c, ok := a.Const()
		if !ok {
			return Const{}, false
		}
		x[i] = c
	}
	whole := *in
	whole.Results = []*Value{{Type: t}}
	return Evaluate(&whole, x[:len(in.Args)])
}

// Evaluate computes a pure instruction of one result on constants, exactly as
// Go does at run time. It gives false where the instruction has no constant value,
// and where the value is a NaN whose bits processors choose differently: the
// emitted text must not depend on the machine that made it.
func Evaluate(in *Instr, x []Const) (Const, bool) {
	if len(in.Results) != 1 || len(x) == 0 {
		return Const{}, false
	}
	t := in.Args[0].Type
	switch in.Op {
	case OpConvert:
		return evalConvert(in.Results[0].Type, t, x[0])
	case OpBitcast:
		return x[0], true
	case OpMath:
		return evalMath(in, x)
	case OpNot:
		return BoolConst(!x[0].Bool()), true
	case OpNeg:
		return evalNeg(t, x[0])
	case OpCom:
		return IntConst(t, ^x[0].bits), true
	case OpBits:
		return evalBits(in.Bits, t, x[0]), true
	}
	if len(x) != 2 {
		return Const{}, false
	}
	switch {
	case t == Bool:
		return evalBool(in.Op, x[0].Bool(), x[1].Bool())
	case t == Float32:
		return evalFloat(in.Op, math.Float32frombits(uint32(x[0].bits)), math.Float32frombits(uint32(x[1].bits)))
	case t == Float64:
		return evalFloat(in.Op, math.Float64frombits(x[0].bits), math.Float64frombits(x[1].bits))
	case IsSigned(t):
		return evalSigned(in.Op, t, x[0].Int(), x[1].Int())
	case IsUnsigned(t):
		return evalUnsigned(in.Op, t, x[0].bits, x[1].bits)
	}
	return Const{}, false
}

func evalBool(op Op, a, b bool) (Const, bool) {
	switch op {
	case OpAnd:
		return BoolConst(a && b), true
	case OpOr:
		return BoolConst(a || b), true
	case OpXor, OpNe:
		return BoolConst(a != b), true
	case OpEq:
		return BoolConst(a == b), true
	}
	return Const{}, false
}

// evalCompare is a comparison of values of one ordered type.
func evalCompare[T cmp.Ordered](op Op, a, b T) (Const, bool) {
	switch op {
	case OpEq:
		return BoolConst(a == b), true
	case OpNe:
		return BoolConst(a != b), true
	case OpLt:
		return BoolConst(a < b), true
	case OpLe:
		return BoolConst(a <= b), true
	case OpGt:
		return BoolConst(a > b), true
	case OpGe:
		return BoolConst(a >= b), true
	}
	return Const{}, false
}

// evalSigned works in 64 bits: the sum, the product and the shifts of
// sign-extended operands wrap to the narrower width rightly.
func evalSigned(op Op, t Type, a, b int64) (Const, bool) {
	switch op {
	case OpDiv, OpRem:
		switch {
		case b == 0:
			return Const{}, true
		case op == OpDiv:
			return IntConst(t, uint64(a/b)), true
		}
		return IntConst(t, uint64(a%b)), true
	case OpShr:
		return IntConst(t, uint64(a>>uint64(b))), true
	case OpMin:
		return IntConst(t, uint64(min(a, b))), true
	case OpMax:
		return IntConst(t, uint64(max(a, b))), true
	}
	if c, ok := evalCompare(op, a, b); ok {
		return c, true
	}
	return evalUnsigned(op, t, uint64(a), uint64(b))
}

func evalUnsigned(op Op, t Type, a, b uint64) (Const, bool) {
	switch op {
	case OpAdd:
		return IntConst(t, a+b), true
	case OpSub:
		return IntConst(t, a-b), true
	case OpMul:
		return IntConst(t, a*b), true
	case OpDiv, OpRem:
		switch {
		case b == 0:
			return Const{}, true
		case op == OpDiv:
			return IntConst(t, a/b), true
		}
		return IntConst(t, a%b), true
	case OpAnd:
		return IntConst(t, a&b), true
	case OpOr:
		return IntConst(t, a|b), true
	case OpXor:
		return IntConst(t, a^b), true
	case OpAndNot:
		return IntConst(t, a&^b), true
	case OpShl:
		return IntConst(t, a<<b), true
	case OpShr:
		return IntConst(t, a>>b), true
	case OpMin:
		return IntConst(t, min(a, b)), true
	case OpMax:
		return IntConst(t, max(a, b)), true
	}
	return evalCompare(op, a, b)
}

func evalFloat[T float32 | float64](op Op, a, b T) (Const, bool) {
	switch op {
	case OpAdd:
		return floatConst(a + b)
	case OpSub:
		return floatConst(a - b)
	case OpMul:
		return floatConst(a * b)
	case OpDiv:
		return floatConst(a / b)
	case OpMin:
		return floatConst(min(a, b))
	case OpMax:
		return floatConst(max(a, b))
	}
	return evalCompare(op, a, b)
}

// floatConst is the constant of a computed float, unless it is a NaN.
func floatConst[T float32 | float64](f T) (Const, bool) {
	if f != f {
		return Const{}, false
	}
	switch f := any(f).(type) {
	case float32:
		return Float32Const(f), true
	case float64:
		return Float64Const(f), true
	}
	panic("BUG: not a float")
}

// evalNeg flips the sign of a float, that of a NaN and of a zero too.
func evalNeg(t Type, x Const) (Const, bool) {
	if IsFloat(t) {
		return Const{bits: x.bits ^ SignBit(t)}, true
	}
	return IntConst(t, -x.bits), true
}

// SignBit is the bit of a float type that holds the sign.
func SignBit(t Type) uint64 { return 1 << (Bits(t) - 1) }

func evalConvert(to, from Type, x Const) (Const, bool) {
	switch {
	case to == from:
		return x, true
	case IsInteger(from) && IsInteger(to):
		return IntConst(to, x.bits), true
	case IsSigned(from) && to == Float32:
		return floatConst(float32(x.Int()))
	case IsSigned(from) && to == Float64:
		return floatConst(float64(x.Int()))
	case IsUnsigned(from) && to == Float32:
		return floatConst(float32(x.bits))
	case IsUnsigned(from) && to == Float64:
		return floatConst(float64(x.bits))
	case to == Float32:
		return floatConst(float32(x.Float(from)))
	case to == Float64:
		return floatConst(x.Float(from))
	}
	return Const{bits: FloatToInteger(to, x.Float(from))}, true
}

// FloatToInteger is what OpConvert makes of a float, as the bits of a [Const] of the
// integer type.
func FloatToInteger(t Type, f float64) uint64 { return Wrap(t, truncate(t, f)) }

// Truncated is the type of the integer that a float becomes on the way to an integer type, which has bits of it: int32
// for itself and narrower types, int64 for uint32 and itself, and uint64.
func Truncated(to Type) Basic {
	switch to {
	case Uint32, Int64:
		return Int64
	case Uint64:
		return Uint64
	}
	return Int32
}

// truncate converts a float to an integer type as Go on amd64 does. For int32 and narrower types it uses a 32-bit
// instruction, otherwise a 64-bit one. Each instruction gives its smallest integer for a NaN and for a float that does
// not fit. A uint64 of 1<<63 or more is converted after 1<<63 is subtracted.
func truncate(t Type, f float64) uint64 {
	const two31, two63 = 1 << 31, 1 << 63
	switch Truncated(t) {
	case Int32:
		if f > -two31-1 && f < two31 {
			return uint64(int64(f))
		}
		return two31
	case Uint64:
		if f >= two63 && f < 2*two63 {
			return uint64(int64(f-two63)) + two63
		}
	}
	if f >= -two63 && f < two63 {
		return uint64(int64(f))
	}
	return two63
}

// evalBits computes an OpBits on a constant.
func evalBits(op BitsOp, t Type, x Const) Const {
	width := Bits(t)
	switch op {
	case BitsLen:
		return Const{bits: uint64(bits.Len64(x.bits))}
	case BitsTrailingZeros:
		return Const{bits: uint64(min(bits.TrailingZeros64(x.bits), width))}
	case BitsOnesCount:
		return Const{bits: uint64(bits.OnesCount64(x.bits))}
	case BitsReverse:
		return Const{bits: bits.Reverse64(x.bits) >> (64 - width)}
	default:
		return Const{bits: bits.ReverseBytes64(x.bits) >> (64 - width)}
	}
}
