package interp

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// unary are the functions of one float, and others of two.
var unary = map[ssa.Math]func(float64) float64{
	ssa.Acos: math.Acos, ssa.Acosh: math.Acosh, ssa.Asin: math.Asin, ssa.Asinh: math.Asinh,
	ssa.Atan: math.Atan, ssa.Atanh: math.Atanh, ssa.Cbrt: math.Cbrt, ssa.Ceil: math.Ceil, ssa.Cos: math.Cos,
	ssa.Cosh: math.Cosh, ssa.Erf: math.Erf, ssa.Erfc: math.Erfc, ssa.Erfcinv: math.Erfcinv, ssa.Erfinv: math.Erfinv,
	ssa.Exp: math.Exp, ssa.Exp2: math.Exp2, ssa.Expm1: math.Expm1, ssa.Floor: math.Floor, ssa.Gamma: math.Gamma,
	ssa.J0: math.J0, ssa.J1: math.J1, ssa.Log: math.Log, ssa.Log10: math.Log10, ssa.Log1p: math.Log1p, ssa.Log2: math.Log2,
	ssa.Logb: math.Logb, ssa.Round: math.Round, ssa.RoundToEven: math.RoundToEven, ssa.Sin: math.Sin, ssa.Sinh: math.Sinh,
	ssa.Sqrt: math.Sqrt, ssa.Tan: math.Tan, ssa.Tanh: math.Tanh, ssa.Trunc: math.Trunc, ssa.Y0: math.Y0, ssa.Y1: math.Y1,
}

var ofTwo = map[ssa.Math]func(x, y float64) float64{
	ssa.Atan2: math.Atan2, ssa.Dim: math.Dim, ssa.Hypot: math.Hypot, ssa.MathMax: math.Max, ssa.MathMin: math.Min,
	ssa.Mod: math.Mod, ssa.Pow: math.Pow, ssa.Remainder: math.Remainder,
}

// math compiles an OpMath. On float32 a function is that of float64, rounded, but
// for those that are defined by the type, or compute in float32.
func (c *compiler) math(in *ssa.Instr) step {
	var x [3]int
	var t ssa.Type = ssa.Float64
	for i, a := range in.Args {
		x[i] = c.at(a)
		if ssa.IsFloat(a.Type) {
			t = a.Type
		}
	}
	if in.Math == ssa.Inf || in.Math == ssa.Pow10 {
		t = in.Results[0].Type
	}
	single := t == ssa.Float32
	d := c.at(in.Results[0])
	get := func(fr *frame, i int) float64 {
		if single {
			return float64(math.Float32frombits(uint32(fr.get(x[i]))))
		}
		return math.Float64frombits(fr.get(x[i]))
	}
	put := func(fr *frame, d int, v float64) {
		if single {
			fr.set(d, float32Bits(float32(v)))
		} else {
			fr.set(d, float64Bits(v))
		}
	}
	integer := func(fr *frame, i int) int { return int(int64(fr.get(x[i]))) }
	sign := uint64(1) << (ssa.Bits(t) - 1)

	if f := in.Math.Single(); f != nil && single {
		return plain(func(fr *frame) { fr.set(d, float32Bits(f(math.Float32frombits(uint32(fr.get(x[0])))))) })
	}
	if f := unary[in.Math]; f != nil {
		return plain(func(fr *frame) { put(fr, d, f(get(fr, 0))) })
	}
	if f := ofTwo[in.Math]; f != nil {
		return plain(func(fr *frame) { put(fr, d, f(get(fr, 0), get(fr, 1))) })
	}
	pair := func(f func(fr *frame) (a, b float64)) step {
		e := c.at(in.Results[1])
		return plain(func(fr *frame) {
			a, b := f(fr)
			put(fr, d, a)
			put(fr, e, b)
		})
	}
	withInt := func(f func(x float64) (float64, int)) step {
		e := c.at(in.Results[1])
		return plain(func(fr *frame) {
			a, n := f(get(fr, 0))
			put(fr, d, a)
			fr.set(e, uint64(n))
		})
	}
	switch in.Math {
	case ssa.Abs:
		return plain(func(fr *frame) { fr.set(d, fr.get(x[0])&^sign) })
	case ssa.Copysign:
		return plain(func(fr *frame) { fr.set(d, fr.get(x[0])&^sign|fr.get(x[1])&sign) })
	case ssa.Signbit:
		return plain(func(fr *frame) { fr.setBool(d, fr.get(x[0])&sign != 0) })
	case ssa.IsNaN:
		return plain(func(fr *frame) { fr.setBool(d, math.IsNaN(get(fr, 0))) })
	case ssa.IsInf:
		return plain(func(fr *frame) { fr.setBool(d, math.IsInf(get(fr, 0), integer(fr, 1))) })
	case ssa.Inf:
		return plain(func(fr *frame) { put(fr, d, math.Inf(integer(fr, 0))) })
	case ssa.Pow10:
		return plain(func(fr *frame) { put(fr, d, math.Pow10(integer(fr, 0))) })
	case ssa.Ilogb:
		return plain(func(fr *frame) { fr.set(d, uint64(math.Ilogb(get(fr, 0)))) })
	case ssa.Ldexp:
		return plain(func(fr *frame) { put(fr, d, math.Ldexp(get(fr, 0), integer(fr, 1))) })
	case ssa.Jn:
		return plain(func(fr *frame) { put(fr, d, math.Jn(integer(fr, 0), get(fr, 1))) })
	case ssa.Yn:
		return plain(func(fr *frame) { put(fr, d, math.Yn(integer(fr, 0), get(fr, 1))) })
	case ssa.FMA, ssa.MulAdd:
		if single {
			return plain(func(fr *frame) { fr.set(d, float32Bits(ssa.FMA32(get(fr, 0), get(fr, 1), get(fr, 2)))) })
		}
		return plain(func(fr *frame) { put(fr, d, math.FMA(get(fr, 0), get(fr, 1), get(fr, 2))) })
	case ssa.Nextafter:
		if single {
			return plain(func(fr *frame) {
				fr.set(d, float32Bits(math.Nextafter32(float32(get(fr, 0)), float32(get(fr, 1)))))
			})
		}
		return plain(func(fr *frame) { put(fr, d, math.Nextafter(get(fr, 0), get(fr, 1))) })
	case ssa.Frexp:
		return withInt(math.Frexp)
	case ssa.Lgamma:
		return withInt(math.Lgamma)
	case ssa.Modf:
		return pair(func(fr *frame) (whole, frac float64) { return math.Modf(get(fr, 0)) })
	case ssa.Sincos:
		return pair(func(fr *frame) (sin, cos float64) { return math.Sincos(get(fr, 0)) })
	}
	panic("BUG: cannot run math " + in.Math.String())
}
