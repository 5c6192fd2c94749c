package emit_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// goMath is a function of package math on bits of its operands, for the float
// type t: computed in float64 and rounded.
func goMath(m ssa.Math, t ssa.Type, in []uint64) []uint64 {
	params, _ := m.Signature(t)
	var f []float64
	var n int
	for i, p := range params {
		switch {
		case p == ssa.Int64:
			n = int(in[i])
		case t == ssa.Float32:
			f = append(f, float64(fromBits[float32](in[i])))
		default:
			f = append(f, fromBits[float64](in[i]))
		}
	}
	float := func(xs ...float64) (bits []uint64) {
		for _, x := range xs {
			if t == ssa.Float32 {
				bits = append(bits, toBits(float32(x)))
			} else {
				bits = append(bits, toBits(x))
			}
		}
		return bits
	}
	and := func(x float64, n int) []uint64 { return append(float(x), uint64(n)) }
	if g := m.Single(); g != nil && t == ssa.Float32 {
		return float(float64(g(float32(f[0]))))
	}
	if g, ok := goUnary[m]; ok {
		return float(g(f[0]))
	}
	if g, ok := goBinary[m]; ok {
		return float(g(f[0], f[1]))
	}
	switch m {
	case ssa.FMA:
		if t == ssa.Float32 {
			return float(fma32(f[0], f[1], f[2]))
		}
		return float(math.FMA(f[0], f[1], f[2]))
	case ssa.Nextafter:
		if t == ssa.Float32 {
			return []uint64{toBits(math.Nextafter32(float32(f[0]), float32(f[1])))}
		}
		return float(math.Nextafter(f[0], f[1]))
	case ssa.Frexp:
		return and(math.Frexp(f[0]))
	case ssa.Lgamma:
		return and(math.Lgamma(f[0]))
	case ssa.Modf:
		return float(math.Modf(f[0]))
	case ssa.Sincos:
		return float(math.Sincos(f[0]))
	case ssa.Ilogb:
		return []uint64{uint64(math.Ilogb(f[0]))}
	case ssa.Inf:
		return float(math.Inf(n))
	case ssa.IsInf:
		return []uint64{toBits(math.IsInf(f[0], n))}
	case ssa.IsNaN:
		return []uint64{toBits(math.IsNaN(f[0]))}
	case ssa.Signbit:
		return []uint64{toBits(math.Signbit(f[0]))}
	case ssa.Jn:
		return float(math.Jn(n, f[0]))
	case ssa.Yn:
		return float(math.Yn(n, f[0]))
	case ssa.Ldexp:
		return float(math.Ldexp(f[0], n))
	case ssa.Pow10:
		return float(math.Pow10(n))
	}
	panic("no oracle for " + m.String())
}

// fma32 is x*y + z rounded once to float32: the product is exact in float64, and
// the sum, rounded to odd, rounds on as if it were exact.
func fma32(x, y, z float64) float64 {
	p := x * y
	s := p + z
	bb := s - p
	e := (p - (s - bb)) + (z - bb)
	if bits := math.Float64bits(s); e != 0 && !math.IsNaN(e) && bits&1 == 0 {
		if (e > 0) == (s > 0) {
			s = math.Float64frombits(bits + 1)
		} else {
			s = math.Float64frombits(bits - 1)
		}
	}
	return s
}

var goUnary = map[ssa.Math]func(float64) float64{
	ssa.Abs: math.Abs, ssa.Acos: math.Acos, ssa.Acosh: math.Acosh, ssa.Asin: math.Asin, ssa.Asinh: math.Asinh,
	ssa.Atan: math.Atan, ssa.Atanh: math.Atanh, ssa.Cbrt: math.Cbrt, ssa.Ceil: math.Ceil, ssa.Cos: math.Cos, ssa.Cosh: math.Cosh,
	ssa.Erf: math.Erf, ssa.Erfc: math.Erfc, ssa.Erfcinv: math.Erfcinv, ssa.Erfinv: math.Erfinv, ssa.Exp: math.Exp,
	ssa.Exp2: math.Exp2, ssa.Expm1: math.Expm1, ssa.Floor: math.Floor, ssa.Gamma: math.Gamma, ssa.J0: math.J0, ssa.J1: math.J1,
	ssa.Log: math.Log, ssa.Log10: math.Log10, ssa.Log1p: math.Log1p, ssa.Log2: math.Log2, ssa.Logb: math.Logb, ssa.Round: math.Round,
	ssa.RoundToEven: math.RoundToEven, ssa.Sin: math.Sin, ssa.Sinh: math.Sinh, ssa.Sqrt: math.Sqrt, ssa.Tan: math.Tan,
	ssa.Tanh: math.Tanh, ssa.Trunc: math.Trunc, ssa.Y0: math.Y0, ssa.Y1: math.Y1,
}

var goBinary = map[ssa.Math]func(x, y float64) float64{
	ssa.Atan2: math.Atan2, ssa.Copysign: math.Copysign, ssa.Dim: math.Dim, ssa.Hypot: math.Hypot, ssa.MathMax: math.Max,
	ssa.MathMin: math.Min, ssa.Mod: math.Mod, ssa.Pow: math.Pow, ssa.Remainder: math.Remainder,
}

// looser are bounds where Go's own results are further than a few units off, and
// absolute ones for functions that cross zero where no library is exact.
var looser = map[ssa.Math]struct{ ulps, abs float64 }{
	ssa.J0: {40, 1e-7}, ssa.J1: {40, 1e-7}, ssa.Jn: {400, 1e-7}, ssa.Y0: {40, 1e-7}, ssa.Y1: {40, 1e-7}, ssa.Yn: {400, 1e-7},
	ssa.Lgamma: {20, 1e-15}, ssa.Gamma: {200, 0}, ssa.Pow: {400, 0}, ssa.Sinh: {8, 0}, ssa.Cosh: {8, 0}, ssa.Erfc: {8, 0},
	ssa.Sin: {4, 1e-16}, ssa.Cos: {4, 1e-16}, ssa.Sincos: {4, 1e-16}, ssa.Tan: {40, 1e-16}, ssa.Asin: {40, 0}, ssa.Acos: {4, 1e-14},
}

// wrongInGo reports whether Go's own result is known to be wrong: its Log on
// amd64 takes denormal numbers for larger ones, and so do the functions that use it,
// Atan2 loses a quotient that underflows, and Pow digits.
func wrongInGo(m ssa.Math, t ssa.Type, in []uint64) bool {
	if t != ssa.Float64 {
		return false
	}
	denormal := func(bits uint64) bool {
		f := math.Abs(fromBits[float64](bits))
		return f != 0 && f < 0x1p-1022
	}
	switch m {
	case ssa.Log, ssa.Log10, ssa.Lgamma, ssa.Y0, ssa.Y1:
		return denormal(in[0])
	case ssa.Yn:
		return denormal(in[1])
	case ssa.Atan2:
		return denormal(in[0])
	case ssa.Pow: // loses digits for large powers of what is near 1
		x := math.Abs(fromBits[float64](in[0]))
		return x > 0.99 && x < 1 || denormal(in[0])
	}
	return false
}

// near judges a result of a function that Go does not fix. Infinities, NaNs,
// and zeros are special cases, which must be right.
func near(m ssa.Math) func(t ssa.Type, got, want uint64) bool {
	if m.Exact() {
		return nil
	}
	return func(t ssa.Type, got, want uint64) bool {
		var g, w, ulp float64
		switch t {
		case ssa.Float32:
			if m.Single() != nil {
				return false // the same on every device
			}
			x, y := fromBits[float32](got), fromBits[float32](want)
			g, w = float64(x), float64(y)
			ulp = math.Abs(float64(math.Nextafter32(y, 0)) - w)
		case ssa.Float64:
			if m == ssa.Erfinv || m == ssa.Erfcinv { // Go has tables of them, to the bit
				return false
			}
			g, w = fromBits[float64](got), fromBits[float64](want)
			ulp = math.Abs(math.Nextafter(w, 0) - w)
		default:
			return false
		}
		limit := looser[m]
		if limit.ulps == 0 {
			limit.ulps = 4
		}
		if g == 0 && w == 0 {
			return false // of the wrong sign
		}
		return math.Abs(g-w) <= max(limit.ulps*ulp, limit.abs)
	}
}

var mathInts = []uint64{0, 1, 2, 3, 4, 7, 10, 22, 100, 126, 149, 1022, 1023, 1074, 308, 309, 323, 324, 1000, 1 << 40, math.MaxInt64}

func mathInputs(m ssa.Math, t ssa.Type) [][]uint64 {
	params, _ := m.Signature(t)
	choices := make([][]uint64, len(params))
	for i, p := range params {
		if p != ssa.Int64 {
			choices[i] = special(p)
			if len(params) > 2 {
				choices[i] = append(choices[i][:30:30], special(p)[len(special(p))-9:]...)
			}
			continue
		}
		for _, n := range mathInts {
			if (m == ssa.Jn || m == ssa.Yn) && n > 100 || m == ssa.Ldexp && n == math.MaxInt64 {
				break // Jn takes a time of n; Go's Ldexp overflows
			}
			choices[i] = append(choices[i], n, -n)
		}
	}
	out := make([][]uint64, len(params))
	var walk func(row []uint64)
	walk = func(row []uint64) {
		if len(row) == len(params) {
			for i, v := range row {
				out[i] = append(out[i], v)
			}
			return
		}
		for _, v := range choices[len(row)] {
			walk(append(row, v))
		}
	}
	walk(make([]uint64, 0, len(params)))
	return out
}

// Every function of package math, for both float types, at all special cases.
func TestMath(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	for f := ssa.Abs; f <= ssa.Yn; f++ {
		for _, ty := range []ssa.Type{ssa.Float32, ssa.Float64} {
			params, results := f.Signature(ty)
			cases = append(cases, &mapCase{
				kernel: mapKernel(m, fmt.Sprintf("math_%v_%v", f, ty), params, results, func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
					return b.Append(&ssa.Instr{Op: ssa.OpMath, Math: f, Args: in}, results...).Results
				}),
				in: params, out: results,
				inputs: mathInputs(f, ty),
				want: func(in []uint64) []uint64 {
					if wrongInGo(f, ty, in) {
						return nil
					}
					return goMath(f, ty, in)
				},
				near: near(f),
			})
		}
	}
	checkAll(t, m, cases)
}
