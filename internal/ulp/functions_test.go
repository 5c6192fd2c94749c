package ulp

import (
	"math"
	"math/big"

	"github.com/qdgen/qd"
)

// A function is one of package math.
type function struct {
	name  string
	goes  func(x, y float64) float64         // in Go
	exact func(x, y *big.Float) *big.Float   // for arguments that ordinary says
	plain func(x, y float64) (float64, bool) // what is so near the exact value that it will do, and whether it is
	draw  func(r source) (x, y float64)      // arguments
	rare  bool                               // it may be off by more than 1
}

// A source of random numbers.
type source interface {
	Float64() float64
	Uint64() uint64
	IntN(n int) int
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}
func bigOne(f func(*big.Float) *big.Float) func(x, y *big.Float) *big.Float {
	return func(x, _ *big.Float) *big.Float { return f(x) }
}

func expm1(x *big.Float) *big.Float { return sub(exp(x), num(1)) }
func log1p(x *big.Float) *big.Float { return log(add(num(1), x)) }
func sin(x *big.Float) *big.Float   { s, _ := sinCos(x); return s }
func cos(x *big.Float) *big.Float   { _, c := sinCos(x); return c }
func tan(x *big.Float) *big.Float   { s, c := sinCos(x); return quo(s, c) }
func sinh(x *big.Float) *big.Float  { e := exp(x); return half(sub(e, quo(num(1), e))) }
func cosh(x *big.Float) *big.Float  { e := exp(x); return half(add(e, quo(num(1), e))) }
func tanh(x *big.Float) *big.Float {
	e := exp(mul(num(2), x))
	return quo(sub(e, num(1)), add(e, num(1)))
}

func acosh(x *big.Float) *big.Float {
	return log(add(x, root(mul(sub(x, num(1)), add(x, num(1))))))
}
func asinh(x *big.Float) *big.Float {
	y := log(add(zero().Abs(x), root(add(mul(x, x), num(1)))))
	if x.Signbit() {
		y.Neg(y)
	}
	return y
}
func atanh(x *big.Float) *big.Float { return half(log(quo(add(num(1), x), sub(num(1), x)))) }

// complement is the square root of 1 - x*x.
func complement(x *big.Float) *big.Float { return root(mul(sub(num(1), x), add(num(1), x))) }

// tiny says that a function is a multiple of a tiny x.
func tiny(times float64) func(x, y float64) (float64, bool) {
	return func(x, _ float64) (float64, bool) { return times * x, math.Abs(x) < 0x1p-500 }
}

// The functions, in the order of the kernels' cases.
var functions = []*function{
	{name: "Sqrt", goes: one(math.Sqrt), exact: bigOne(root), draw: positive},
	{name: "Exp", goes: one(math.Exp), exact: bigOne(exp), draw: within(-745, 709.7)},
	{name: "Exp2", goes: one(math.Exp2), exact: bigOne(func(x *big.Float) *big.Float { return exp(mul(x, ln2())) }), draw: within(-1074, 1023.9)},
	{name: "Expm1", goes: one(math.Expm1), exact: bigOne(expm1), plain: tiny(1), draw: within(-50, 709.7)},
	{name: "Log", goes: one(math.Log), exact: bigOne(log), draw: positive},
	{name: "Log2", goes: one(math.Log2), exact: bigOne(func(x *big.Float) *big.Float { return quo(log(x), ln2()) }), draw: positive},
	{name: "Log10", goes: one(math.Log10), exact: bigOne(func(x *big.Float) *big.Float { return quo(log(x), log(num(10))) }), draw: positive},
	{name: "Log1p", goes: one(math.Log1p), exact: bigOne(log1p), plain: tiny(1), draw: within(-0.9999999, 1e6)},
	{name: "Sin", goes: one(math.Sin), exact: bigOne(sin), plain: tiny(1), draw: angles},
	{name: "Cos", goes: one(math.Cos), exact: bigOne(cos), draw: angles},
	{name: "Tan", goes: one(math.Tan), exact: bigOne(tan), plain: tiny(1), draw: angles},
	{name: "Asin", goes: one(math.Asin), exact: bigOne(func(x *big.Float) *big.Float { return atan2(x, complement(x)) }), plain: tiny(1), draw: within(-1, 1)},
	{name: "Acos", goes: one(math.Acos), exact: bigOne(func(x *big.Float) *big.Float { return atan2(complement(x), x) }), draw: within(-1, 1)},
	{name: "Atan", goes: one(math.Atan), exact: bigOne(atan), plain: tiny(1), draw: anywhere},
	{name: "Atan2", goes: math.Atan2, exact: atan2, draw: points},
	{name: "Sinh", goes: one(math.Sinh), exact: bigOne(sinh), plain: tiny(1), draw: within(-710, 710)},
	{name: "Cosh", goes: one(math.Cosh), exact: bigOne(cosh), draw: within(-710, 710)},
	{name: "Tanh", goes: one(math.Tanh), exact: bigOne(tanh), plain: tiny(1), draw: within(-25, 25)},
	{name: "Pow", goes: math.Pow, exact: func(x, y *big.Float) *big.Float { return exp(mul(y, log(x))) }, draw: powers},
	{name: "Erf", goes: one(math.Erf), exact: bigOne(erf), plain: tiny(2 / math.SqrtPi), draw: within(-7, 7)},
	{name: "Erfc", goes: one(math.Erfc), exact: bigOne(func(x *big.Float) *big.Float { return sub(num(1), erf(x)) }), draw: within(-6, 27.2)},
	{name: "Cbrt", goes: one(math.Cbrt), exact: bigOne(cbrt), draw: anywhere},
	{name: "Hypot", goes: math.Hypot, exact: func(x, y *big.Float) *big.Float { return root(add(mul(x, x), mul(y, y))) }, draw: points},
	{name: "Asinh", goes: one(math.Asinh), exact: bigOne(asinh), plain: tiny(1), draw: anywhere, rare: true},
	{name: "Acosh", goes: one(math.Acosh), exact: bigOne(acosh), draw: within(1, 1e300), rare: true},
	{name: "Atanh", goes: one(math.Atanh), exact: bigOne(atanh), plain: tiny(1), draw: within(-0.999999, 0.999999), rare: true},
}

// apply computes the function of a number of functions, at x and y, in float64.
func apply(f int, x, y float64) float64 {
	switch f {
	case 0:
		return math.Sqrt(x)
	case 1:
		return math.Exp(x)
	case 2:
		return math.Exp2(x)
	case 3:
		return math.Expm1(x)
	case 4:
		return math.Log(x)
	case 5:
		return math.Log2(x)
	case 6:
		return math.Log10(x)
	case 7:
		return math.Log1p(x)
	case 8:
		return math.Sin(x)
	case 9:
		return math.Cos(x)
	case 10:
		return math.Tan(x)
	case 11:
		return math.Asin(x)
	case 12:
		return math.Acos(x)
	case 13:
		return math.Atan(x)
	case 14:
		return math.Atan2(x, y)
	case 15:
		return math.Sinh(x)
	case 16:
		return math.Cosh(x)
	case 17:
		return math.Tanh(x)
	case 18:
		return math.Pow(x, y)
	case 19:
		return math.Erf(x)
	case 20:
		return math.Erfc(x)
	case 21:
		return math.Cbrt(x)
	case 22:
		return math.Hypot(x, y)
	case 23:
		return math.Asinh(x)
	case 24:
		return math.Acosh(x)
	}
	return math.Atanh(x)
}

// apply32 does so in float32.
func apply32(f int, x, y float32) float32 {
	switch f {
	case 0:
		return qd.Sqrt(x)
	case 1:
		return qd.Exp(x)
	case 2:
		return qd.Exp2(x)
	case 3:
		return qd.Expm1(x)
	case 4:
		return qd.Log(x)
	case 5:
		return qd.Log2(x)
	case 6:
		return qd.Log10(x)
	case 7:
		return qd.Log1p(x)
	case 8:
		return qd.Sin(x)
	case 9:
		return qd.Cos(x)
	case 10:
		return qd.Tan(x)
	case 11:
		return qd.Asin(x)
	case 12:
		return qd.Acos(x)
	case 13:
		return qd.Atan(x)
	case 14:
		return qd.Atan2(x, y)
	case 15:
		return qd.Sinh(x)
	case 16:
		return qd.Cosh(x)
	case 17:
		return qd.Tanh(x)
	case 18:
		return qd.Pow(x, y)
	case 19:
		return qd.Erf(x)
	case 20:
		return qd.Erfc(x)
	case 21:
		return qd.Cbrt(x)
	case 22:
		return qd.Hypot(x, y)
	case 23:
		return qd.Asinh(x)
	case 24:
		return qd.Acosh(x)
	}
	return qd.Atanh(x)
}

// Map64 computes a function of many numbers.
//
//qd:kernel
func Map64(t qd.Thread, f int, x, y, z []float64) {
	i := t.ID()
	z[i] = apply(f, x[i], y[i])
}

// Map32 does so in float32.
//
//qd:kernel
func Map32(t qd.Thread, f int, x, y, z []float32) {
	i := t.ID()
	z[i] = apply32(f, x[i], y[i])
}

// Off32 measures how far a function of float32 is from that of float64, in units of the last place of float32, at the
// numbers whose bits are first, first+step and so on.
//
//qd:kernel
func Off32(t qd.Thread, f int, first, step uint32, other float32, off []float32) {
	i := t.ID()
	x := math.Float32frombits(first + uint32(i)*step)
	got, want := float64(apply32(f, x, other)), apply(f, float64(x), float64(other))
	if got == want || got != got && want != want {
		off[i] = 0
		return
	}
	// The unit of a number from 2^e on is 2^(e-23), and no less than 2^-149.
	e := max(int(math.Float64bits(want)>>52&0x7ff)-1023, -126)
	unit := math.Float64frombits(uint64(e-23+1023) << 52)
	const largest = 0x1.fffffep127
	switch {
	case math.IsInf(got, 0) && math.Abs(want) >= largest+unit/2:
		off[i] = 0 // it rounds to an infinity
	case got == 0 && want == 0:
		off[i] = 1e9
	case math.IsNaN(got) || math.IsInf(got, 0) || math.IsNaN(want) || math.IsInf(want, 0):
		off[i] = 1e9
	default:
		off[i] = float32(math.Abs(got-want) / unit)
	}
}
