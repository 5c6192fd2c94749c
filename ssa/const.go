package ssa

import (
	"fmt"
	"math"
	"strconv"
)

// A Const is a value known at compile time. It is lossless: integers are kept
// in two's complement, sign-extended to 64 bits when signed; floats as their
// IEEE bits, so that negative zero and the payload of a NaN survive. Two equal
// constants of equal type are equal Go values.
type Const struct {
	bits uint64
	str  string
}

// BoolConst is the constant of a bool.
func BoolConst(b bool) Const {
	if b {
		return Const{bits: 1}
	}
	return Const{}
}

// BitsConst is the constant that has these bits: those of a float are its IEEE ones.
func BitsConst(bits uint64) Const { return Const{bits: bits} }

// IntConst is the constant of a signed or unsigned integer type t, wrapped to
// its width as a Go conversion wraps it.
func IntConst(t Type, bits uint64) Const { return Const{bits: Wrap(t, bits)} }

// Float32Const is the constant of a float32.
func Float32Const(f float32) Const { return Const{bits: uint64(math.Float32bits(f))} }

// Float64Const is the constant of a float64.
func Float64Const(f float64) Const { return Const{bits: math.Float64bits(f)} }

// FloatConst is the constant of the float type t nearest to f.
func FloatConst(t Type, f float64) Const {
	if t == Float32 {
		return Float32Const(float32(f))
	}
	return Float64Const(f)
}

// StringConst is the constant of a string.
func StringConst(s string) Const { return Const{str: s} }

// Bool is the value of a bool constant.
func (c Const) Bool() bool { return c.bits != 0 }

// Int is the value of an integer constant; a uint64 past 1<<63 comes out negative.
func (c Const) Int() int64 { return int64(c.bits) }

// Uint is the value of an unsigned constant, and the raw bits of any other.
func (c Const) Uint() uint64 { return c.bits }

// Float is the value of a constant of the float type t.
func (c Const) Float(t Type) float64 {
	if t == Float32 {
		return float64(math.Float32frombits(uint32(c.bits)))
	}
	return math.Float64frombits(c.bits)
}

// Str is the value of a string constant.
func (c Const) Str() string { return c.str }

// Format is the constant of type t in Go's notation, exact: it parses back to
// the same bits (a NaN prints with its payload).
func (c Const) Format(t Type) string {
	switch {
	case t == Bool:
		return strconv.FormatBool(c.Bool())
	case t == String:
		return strconv.Quote(c.str)
	case IsUnsigned(t):
		return strconv.FormatUint(c.bits, 10)
	case IsInteger(t):
		return strconv.FormatInt(c.Int(), 10)
	case IsFloat(t):
		f := c.Float(t)
		if math.IsNaN(f) {
			return fmt.Sprintf("NaN(%#x)", c.bits)
		}
		return strconv.FormatFloat(f, 'g', -1, Bits(t))
	}
	panic(fmt.Sprintf("BUG: constant of type %v", t))
}

// IsConstType reports whether t is a type that a constant can have.
func IsConstType(t Type) bool { return t == Bool || t == String || IsNumeric(t) }

// Wrap reduces bits to the width of the integer type t.
func Wrap(t Type, bits uint64) uint64 {
	shift := 64 - uint(Bits(t))
	if IsSigned(t) {
		return uint64(int64(bits<<shift) >> shift)
	}
	return bits << shift >> shift
}

// ShiftsBy returns by how many bits a shift of a number shifts, if that is a constant below the number's width. It
// reports whether the instruction is such a shift.
func (in *Instr) ShiftsBy() (bits uint64, ok bool) {
	if !in.Op.IsShift() {
		return 0, false
	}
	c, ok := in.Args[1].Const()
	return c.Uint(), ok && c.Uint() < uint64(Bits(in.Args[0].Type))
}

// IsSafeDivisor reports whether a divisor is a constant that needs no care: not 0,
// and not -1, over which the smallest integer overflows.
func (v *Value) IsSafeDivisor() bool {
	c, ok := v.Const()
	return ok && c.Int() != 0 && (c.Int() != -1 || IsUnsigned(v.Type))
}
