// Package mathx has the functions of package math that kernels seldom call, for float32 and float64: the Gamma and
// Bessel functions, the inverse error functions, and those that take a number apart. Package qd has the others.
//
// The special cases are those of package math. Device "go" computes in float64 and rounds. Other devices may differ in
// the last bits where IEEE 754 does not fix the result: docs/mathematics.md says by how much.
package mathx

import (
	"math"
	"unsafe"

	"github.com/qdgen/qd"
)

// Erfcinv is math.Erfcinv: the inverse function of Erfc, at x.
func Erfcinv[T qd.Float](x T) T { return T(math.Erfcinv(float64(x))) }

// Erfinv is math.Erfinv: the inverse function of Erf, at x.
func Erfinv[T qd.Float](x T) T { return T(math.Erfinv(float64(x))) }

// Frexp is math.Frexp: f = frac * 2**exp with frac in [0.5, 1).
func Frexp[T qd.Float](f T) (frac T, exp int) {
	r, e := math.Frexp(float64(f))
	return T(r), e
}

// Gamma is math.Gamma: the Gamma function of x.
func Gamma[T qd.Float](x T) T { return T(math.Gamma(float64(x))) }

// Ilogb is math.Ilogb: the binary exponent of x as an integer.
func Ilogb[T qd.Float](x T) int { return math.Ilogb(float64(x)) }

// J0 is math.J0: the order-zero Bessel function of the first kind of x.
func J0[T qd.Float](x T) T { return T(math.J0(float64(x))) }

// J1 is math.J1: the order-one Bessel function of the first kind of x.
func J1[T qd.Float](x T) T { return T(math.J1(float64(x))) }

// Jn is math.Jn: the order-n Bessel function of the first kind.
func Jn[T qd.Float](n int, x T) T { return T(math.Jn(n, float64(x))) }

// Ldexp is math.Ldexp: frac * 2**exp.
func Ldexp[T qd.Float](frac T, exp int) T { return T(math.Ldexp(float64(frac), exp)) }

// Lgamma is math.Lgamma: the logarithm of the absolute value of Gamma(x), and its sign.
func Lgamma[T qd.Float](x T) (lgamma T, sign int) {
	l, s := math.Lgamma(float64(x))
	return T(l), s
}

// Logb is math.Logb: the binary exponent of x.
func Logb[T qd.Float](x T) T { return T(math.Logb(float64(x))) }

// Nextafter is math.Nextafter, and math.Nextafter32 for float32: the next value of T after x towards y.
func Nextafter[T qd.Float](x, y T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(math.Nextafter32(float32(x), float32(y)))
	}
	return T(math.Nextafter(float64(x), float64(y)))
}

// Pow10 is math.Pow10: 10 to the power n.
func Pow10[T qd.Float](n int) T { return T(math.Pow10(n)) }

// Y0 is math.Y0: the order-zero Bessel function of the second kind of x.
func Y0[T qd.Float](x T) T { return T(math.Y0(float64(x))) }

// Y1 is math.Y1: the order-one Bessel function of the second kind of x.
func Y1[T qd.Float](x T) T { return T(math.Y1(float64(x))) }

// Yn is math.Yn: the order-n Bessel function of the second kind.
func Yn[T qd.Float](n int, x T) T { return T(math.Yn(n, float64(x))) }
