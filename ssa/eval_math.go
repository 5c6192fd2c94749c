package ssa

import (
	"math"
	"math/bits"
)

// evalMath computes a function of package math with one result whose bits Go fixes. For float32 it rounds the result of
// the float64 function. Only FMA and Nextafter are computed in float32.
func evalMath(in *Instr, x []Const) (Const, bool) {
	if !in.Math.Exact() {
		return Const{}, false
	}
	if in.Math == Inf {
		sign := 1
		if x[0].Int() < 0 {
			sign = -1
		}
		return FloatConst(in.Results[0].Type, math.Inf(sign)), true
	}

	t := in.Args[0].Type
	var f [3]float64 // the float operands; an integer one is the last of x
	for i := range x {
		if IsFloat(in.Args[i].Type) {
			f[i] = x[i].Float(t)
		}
	}
	last := x[len(x)-1]
	var r float64
	switch in.Math {
	case Abs:
		return Const{bits: x[0].bits &^ SignBit(t)}, true
	case Copysign:
		return Const{bits: x[0].bits&^SignBit(t) | x[1].bits&SignBit(t)}, true
	case IsNaN:
		return BoolConst(math.IsNaN(f[0])), true
	case IsInf:
		sign := last.Int()
		return BoolConst(sign >= 0 && math.IsInf(f[0], 1) || sign <= 0 && math.IsInf(f[0], -1)), true
	case Signbit:
		return BoolConst(x[0].bits&SignBit(t) != 0), true
	case Ilogb:
		return IntConst(Int64, uint64(math.Ilogb(f[0]))), true
	case FMA:
		if t == Float32 {
			return floatConst(FMA32(f[0], f[1], f[2]))
		}
		r = math.FMA(f[0], f[1], f[2])
	case Nextafter:
		if t == Float32 {
			return floatConst(math.Nextafter32(float32(f[0]), float32(f[1])))
		}
		r = math.Nextafter(f[0], f[1])
	case Ldexp:
		exp := last.Int()
		if int64(int(exp)) != exp {
			return Const{}, false
		}
		r = math.Ldexp(f[0], int(exp))
	case Ceil:
		r = math.Ceil(f[0])
	case Dim:
		r = math.Dim(f[0], f[1])
	case Floor:
		r = math.Floor(f[0])
	case Logb:
		r = math.Logb(f[0])
	case MathMax:
		r = math.Max(f[0], f[1])
	case MathMin:
		r = math.Min(f[0], f[1])
	case Mod:
		r = math.Mod(f[0], f[1])
	case Remainder:
		r = math.Remainder(f[0], f[1])
	case Round:
		r = math.Round(f[0])
	case RoundToEven:
		r = math.RoundToEven(f[0])
	case Sqrt:
		r = math.Sqrt(f[0])
	case Trunc:
		r = math.Trunc(f[0])
	default:
		return Const{}, false
	}
	if t == Float32 {
		return floatConst(float32(r))
	}
	return floatConst(r)
}

// EvaluatePair computes a pure instruction of two results on constants, as Evaluate does one of one result.
func EvaluatePair(in *Instr, x []Const) (a, b Const, ok bool) {
	switch in.Op {
	case OpMulWide:
		hi, lo := bits.Mul64(x[0].bits, x[1].bits)
		return Const{bits: hi}, Const{bits: lo}, true
	case OpDivWide:
		quo, rem := DivWide(x[0].bits, x[1].bits, x[2].bits)
		return Const{bits: quo}, Const{bits: rem}, true
	case OpMath:
		return evalMathPair(in, x[0])
	}
	return Const{}, Const{}, false
}

// DivWide computes an OpDivWide.
func DivWide(hi, lo, y uint64) (quo, rem uint64) {
	if y <= hi {
		return 0, 0
	}
	return bits.Div64(hi, lo, y)
}

// evalMathPair computes the functions of package math with two results.
func evalMathPair(in *Instr, x Const) (a, b Const, ok bool) {
	t := in.Args[0].Type
	f := x.Float(t)
	if math.IsNaN(f) {
		return Const{}, Const{}, false
	}
	switch in.Math {
	case Frexp:
		frac, exp := math.Frexp(f)
		return FloatConst(t, frac), IntConst(Int64, uint64(exp)), true
	case Modf:
		whole, frac := math.Modf(f)
		if math.IsNaN(frac) {
			return Const{}, Const{}, false
		}
		return FloatConst(t, whole), FloatConst(t, frac), true
	}
	return Const{}, Const{}, false
}

// FMA32 is x*y + z of float32 values, rounded once. The product is exact in
// float64. The sum is rounded to odd there, by its exact error: then rounding
// to float32 gives what a single rounding would.
func FMA32(x, y, z float64) float32 {
	p := x * y
	s := p + z
	zz := s - p
	err := (p - (s - zz)) + (z - zz)
	bits := math.Float64bits(s)
	if err == 0 || math.IsNaN(err) || bits&1 != 0 {
		return float32(s)
	}
	if (err > 0) == (s > 0) {
		return float32(math.Float64frombits(bits + 1))
	}
	return float32(math.Float64frombits(bits - 1))
}
