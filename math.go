package qd

import (
	"math"
	"unsafe"

	"github.com/qdgen/qd/internal/single"
)

// This file has the functions of package math, for float32 and float64, with the same special
// cases. Package mathx has those that kernels seldom call. [Exp], [Exp2] and [Log] of float32 compute in float32, by the same
// operations on every device, and are within 1 unit of the last place. The others device "go" computes in float64 and
// rounds. Device "cpu" gives nearly always the same for float32; other devices use their own function for the type. If
// IEEE 754 does not fix the result (sines, powers, ...), devices may differ in the last bits: docs/mathematics.md says by how
// much. There is no math.Dim: [Dim] is the size of a launch.

// Abs is math.Abs: the absolute value of x.
func Abs[T Float](x T) T { return T(math.Abs(float64(x))) }

// Acos is math.Acos: the arccosine of x, in radians.
func Acos[T Float](x T) T { return T(math.Acos(float64(x))) }

// Acosh is math.Acosh: the inverse hyperbolic cosine of x.
func Acosh[T Float](x T) T { return T(math.Acosh(float64(x))) }

// Asin is math.Asin: the arcsine of x, in radians.
func Asin[T Float](x T) T { return T(math.Asin(float64(x))) }

// Asinh is math.Asinh: the inverse hyperbolic sine of x.
func Asinh[T Float](x T) T { return T(math.Asinh(float64(x))) }

// Atan is math.Atan: the arctangent of x, in radians.
func Atan[T Float](x T) T { return T(math.Atan(float64(x))) }

// Atanh is math.Atanh: the inverse hyperbolic tangent of x.
func Atanh[T Float](x T) T { return T(math.Atanh(float64(x))) }

// Cbrt is math.Cbrt: the cube root of x.
func Cbrt[T Float](x T) T { return T(math.Cbrt(float64(x))) }

// Ceil is math.Ceil: the least integer value not below x.
func Ceil[T Float](x T) T { return T(math.Ceil(float64(x))) }

// Cos is math.Cos: the cosine of x radians.
func Cos[T Float](x T) T { return T(math.Cos(float64(x))) }

// Cosh is math.Cosh: the hyperbolic cosine of x.
func Cosh[T Float](x T) T { return T(math.Cosh(float64(x))) }

// Erf is math.Erf: the error function of x.
func Erf[T Float](x T) T { return T(math.Erf(float64(x))) }

// Erfc is math.Erfc: the complementary error function of x.
func Erfc[T Float](x T) T { return T(math.Erfc(float64(x))) }

// Exp is math.Exp: the base-e exponential of x.
func Exp[T Float](x T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(single.Exp(float32(x)))
	}
	return T(math.Exp(float64(x)))
}

// Exp2 is math.Exp2: the base-2 exponential of x.
func Exp2[T Float](x T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(single.Exp2(float32(x)))
	}
	return T(math.Exp2(float64(x)))
}

// Expm1 is math.Expm1: the base-e exponential of x minus 1, accurate near zero.
func Expm1[T Float](x T) T { return T(math.Expm1(float64(x))) }

// Floor is math.Floor: the greatest integer value not above x.
func Floor[T Float](x T) T { return T(math.Floor(float64(x))) }

// Log is math.Log: the natural logarithm of x.
func Log[T Float](x T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(single.Log(float32(x)))
	}
	return T(math.Log(float64(x)))
}

// Log10 is math.Log10: the decimal logarithm of x.
func Log10[T Float](x T) T { return T(math.Log10(float64(x))) }

// Log1p is math.Log1p: the natural logarithm of 1+x, accurate near zero.
func Log1p[T Float](x T) T { return T(math.Log1p(float64(x))) }

// Log2 is math.Log2: the binary logarithm of x.
func Log2[T Float](x T) T { return T(math.Log2(float64(x))) }

// Round is math.Round: the integer nearest to x, with halves rounded away from zero.
func Round[T Float](x T) T { return T(math.Round(float64(x))) }

// RoundToEven is math.RoundToEven: the integer nearest to x, with halves rounded to the even
// one.
func RoundToEven[T Float](x T) T { return T(math.RoundToEven(float64(x))) }

// Sin is math.Sin: the sine of x radians.
func Sin[T Float](x T) T { return T(math.Sin(float64(x))) }

// Sinh is math.Sinh: the hyperbolic sine of x.
func Sinh[T Float](x T) T { return T(math.Sinh(float64(x))) }

// Sqrt is math.Sqrt: the square root of x.
func Sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// Tan is math.Tan: the tangent of x radians.
func Tan[T Float](x T) T { return T(math.Tan(float64(x))) }

// Tanh is math.Tanh: the hyperbolic tangent of x.
func Tanh[T Float](x T) T { return T(math.Tanh(float64(x))) }

// Trunc is math.Trunc: the integer part of x.
func Trunc[T Float](x T) T { return T(math.Trunc(float64(x))) }

// Atan2 is math.Atan2: the angle of the point (x, y), in radians.
func Atan2[T Float](y, x T) T { return T(math.Atan2(float64(y), float64(x))) }

// Copysign is math.Copysign: the magnitude of f with the sign of sign.
func Copysign[T Float](f, sign T) T { return T(math.Copysign(float64(f), float64(sign))) }

// FMA is math.FMA: x*y + z rounded once, in T.
func FMA[T Float](x, y, z T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(fma32(float64(x), float64(y), float64(z)))
	}
	return T(math.FMA(float64(x), float64(y), float64(z)))
}

// fma32 is the fused multiply-add of three float32 values, rounded once to
// float32. The product is exact in float64; the sum is rounded to odd there, after
// which rounding to float32 gives what a single rounding would (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
func fma32(x, y, z float64) float32 {
	p := x * y
	s := p + z
	// The exact error of the sum (Knuth's TwoSum).
	zz := s - p
	err := (p - (s - zz)) + (z - zz)
	if err != 0 && !math.IsNaN(err) && math.Float64bits(s)&1 == 0 {
		if (err > 0) == (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) + 1)
		} else {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return float32(s)
}

// Hypot is math.Hypot: the square root of p*p + q*q without undue overflow.
func Hypot[T Float](p, q T) T { return T(math.Hypot(float64(p), float64(q))) }

// Inf is math.Inf: infinity, positive if sign >= 0, negative otherwise.
func Inf[T Float](sign int) T { return T(math.Inf(sign)) }

// IsInf is math.IsInf: whether f is an infinity with the sign of sign, or any infinity if sign
// is 0.
func IsInf[T Float](f T, sign int) bool { return math.IsInf(float64(f), sign) }

// IsNaN is math.IsNaN: whether f is not a number.
func IsNaN[T Float](f T) bool { return f != f }

// Max is math.Max: the larger of x and y. Unlike the built-in max, it returns +Inf if one is
// +Inf and the other is NaN.
func Max[T Float](x, y T) T { return T(math.Max(float64(x), float64(y))) }

// Min is math.Min: the smaller of x and y. Unlike the built-in min, it returns -Inf if one is
// -Inf and the other is NaN.
func Min[T Float](x, y T) T { return T(math.Min(float64(x), float64(y))) }

// Mod is math.Mod: the remainder of x/y, with the sign of x.
func Mod[T Float](x, y T) T { return T(math.Mod(float64(x), float64(y))) }

// Modf is math.Modf: the integer and fractional parts of f, both with its sign.
func Modf[T Float](f T) (int, frac T) {
	i, r := math.Modf(float64(f))
	return T(i), T(r)
}

// NaN is math.NaN: a value that is not a number.
func NaN[T Float]() T { return T(math.NaN()) }

// Pow is math.Pow: x to the power y.
func Pow[T Float](x, y T) T { return T(math.Pow(float64(x), float64(y))) }

// Remainder is math.Remainder: the IEEE 754 remainder of x/y.
func Remainder[T Float](x, y T) T { return T(math.Remainder(float64(x), float64(y))) }

// Signbit is math.Signbit: whether x is negative or negative zero.
func Signbit[T Float](x T) bool { return math.Signbit(float64(x)) }

// Sincos is math.Sincos: the sine and the cosine of x radians.
func Sincos[T Float](x T) (sin, cos T) {
	s, c := math.Sincos(float64(x))
	return T(s), T(c)
}
