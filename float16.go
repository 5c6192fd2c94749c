package qd

import "math"

// Float16 is a float of 16 bits for storage: IEEE 754's binary16, with 5 bits of
// exponent and 11 of precision, from 6e-8 to 65504. Kernels compute in float32:
//
//	h := y[i]                                   // y: []qd.Float16
//	y[i] = qd.ToFloat16(a*h.Float32() + x[i])
//
// Values are compared by == as bits: compare their Float32 to compare numbers. Code for several
// types of elements has the constraint [Storage].
type Float16 struct{ bits uint16 }

// ToFloat16 is the Float16 nearest to x; of two that are equally near, the one
// whose last bit is 0. From 65520 on that is infinity. A NaN stays one, quiet, with the
// first bits of its payload.
func ToFloat16(x float32) Float16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return Float16{sign | 0x7e00 | uint16(b>>13&0x3ff)}
	case b >= 0x477ff000: // 65520
		return Float16{sign | 0x7c00}
	case b >= 0x38800000: // 2^-14, the least normal one
		// A carry out of the mantissa is one into the exponent, as it should be.
		b += 0xfff + b>>13&1
		return Float16{sign | uint16((b-0x38000000)>>13)}
	}
	// What is left is a multiple of 2^-24, the last bit of float32's 0.5: the
	// addition does the rounding.
	b = math.Float32bits(math.Float32frombits(b) + 0.5)
	return Float16{sign | uint16(b-0x3f000000)}
}

// Float16FromBits is the Float16 of IEEE 754's representation.
func Float16FromBits(bits uint16) Float16 { return Float16{bits} }

// Bits is the IEEE 754 representation.
func (h Float16) Bits() uint16 { return h.bits }

// Float32 is the same number as a float32, which can hold all of them. NaNs
// become quiet.
func (h Float16) Float32() float32 {
	sign := uint32(h.bits&0x8000) << 16
	b := uint32(h.bits & 0x7fff)
	switch {
	case b > 0x7c00:
		return math.Float32frombits(sign | 0x7fc00000 | b<<13)
	case b == 0x7c00:
		return math.Float32frombits(sign | 0x7f800000)
	case b >= 0x400:
		return math.Float32frombits(sign | (b<<13 + 0x38000000))
	}
	return math.Float32frombits(sign | math.Float32bits(float32(b)*0x1p-24))
}

// Float64 is the same number as a float64.
func (h Float16) Float64() float64 { return float64(h.Float32()) }

// IsNaN reports whether the value is not a number.
func (h Float16) IsNaN() bool { return h.bits&0x7fff > 0x7c00 }

// BFloat16 is a float of 16 bits for storage: the upper half of a float32, with 8
// bits of exponent and 8 of precision, from 9e-41 to 3.4e38. It is used as a
// [Float16] is.
type BFloat16 struct{ bits uint16 }

// ToBFloat16 is the BFloat16 nearest to x; of two that are equally near, the one
// whose last bit is 0. A NaN stays one, quiet, with the first bits of its payload.
func ToBFloat16(x float32) BFloat16 {
	b := math.Float32bits(x)
	if b&0x7fffffff > 0x7f800000 {
		return BFloat16{uint16(b>>16) | 0x40}
	}
	return BFloat16{uint16((b + 0x7fff + b>>16&1) >> 16)}
}

// BFloat16FromBits is the BFloat16 of the upper half of a float32's bits.
func BFloat16FromBits(bits uint16) BFloat16 { return BFloat16{bits} }

// Bits is the upper half of the bits of the float32 that the value is.
func (h BFloat16) Bits() uint16 { return h.bits }

// Float32 is the same number as a float32, which can hold all of them. NaNs
// become quiet.
func (h BFloat16) Float32() float32 {
	b := uint32(h.bits) << 16
	if b&0x7fffffff > 0x7f800000 {
		b |= 0x400000
	}
	return math.Float32frombits(b)
}

// Float64 is the same number as a float64.
func (h BFloat16) Float64() float64 { return float64(h.Float32()) }

// IsNaN reports whether the value is not a number.
func (h BFloat16) IsNaN() bool { return h.bits&0x7fff > 0x7f80 }

// To32 is the number that is stored in x. It does nothing with a float32:
//
//	func axpy[T qd.Storage](t qd.Thread, a float32, x, y []T) {
//		i := t.ID()
//		y[i] = qd.From32[T](a*qd.To32(x[i]) + qd.To32(y[i]))
//	}
func To32[T Storage](x T) float32 {
	switch x := any(x).(type) {
	case Float16:
		return x.Float32()
	case BFloat16:
		return x.Float32()
	}
	return any(x).(float32)
}

// From32 is the T nearest to x, as [ToFloat16] and [ToBFloat16] have it. It does nothing for float32.
func From32[T Storage](x float32) T {
	var stored T
	switch any(stored).(type) {
	case Float16:
		return any(ToFloat16(x)).(T)
	case BFloat16:
		return any(ToBFloat16(x)).(T)
	}
	return any(x).(T)
}
