package ssa

import "strings"

// Math is a function of Go's package math, for OpMath.
type Math uint8

// The functions of package math that take and give floats; each means what the
// Go function of its name means, special cases included. For float32 they mean
// float32(F(float64(x))) up to the accuracy of the device's function, or what [Math.Single] says.
const (
	mathInvalid Math = iota
	Abs
	Acos
	Acosh
	Asin
	Asinh
	Atan
	Atan2
	Atanh
	Cbrt
	Ceil
	Copysign
	Cos
	Cosh
	Dim
	Erf
	Erfc
	Erfcinv
	Erfinv
	Exp
	Exp2
	Expm1
	FMA
	Floor
	Frexp
	Gamma
	Hypot
	Ilogb
	Inf
	IsInf
	IsNaN
	J0
	J1
	Jn
	Ldexp
	Lgamma
	Log
	Log10
	Log1p
	Log2
	Logb
	MathMax // math.Max, not the built-in: an infinity beats a NaN
	MathMin // math.Min
	Mod
	Modf
	Nextafter
	Pow
	Pow10
	Remainder
	Round
	RoundToEven
	Signbit
	Sin
	Sincos
	Sinh
	Sqrt
	Tan
	Tanh
	Trunc
	Y0
	Y1
	Yn
	MulAdd // x*y + z, with the product rounded or not, as is faster: not of Go's package
	NumMath
)

// mathInfo is one row of the table of math functions. In a signature, f is the
// function's float type, i an int64 and b a bool.
type mathInfo struct {
	name  string // Go's
	sig   string // "ff:f" takes two floats and gives one
	exact bool   // Go fixes every bit of the result
}

var maths = [NumMath]mathInfo{
	mathInvalid: {name: "Invalid"},

	Abs:         {"Abs", "f:f", true},
	Acos:        {"Acos", "f:f", false},
	Acosh:       {"Acosh", "f:f", false},
	Asin:        {"Asin", "f:f", false},
	Asinh:       {"Asinh", "f:f", false},
	Atan:        {"Atan", "f:f", false},
	Atan2:       {"Atan2", "ff:f", false},
	Atanh:       {"Atanh", "f:f", false},
	Cbrt:        {"Cbrt", "f:f", false},
	Ceil:        {"Ceil", "f:f", true},
	Copysign:    {"Copysign", "ff:f", true},
	Cos:         {"Cos", "f:f", false},
	Cosh:        {"Cosh", "f:f", false},
	Dim:         {"Dim", "ff:f", true},
	Erf:         {"Erf", "f:f", false},
	Erfc:        {"Erfc", "f:f", false},
	Erfcinv:     {"Erfcinv", "f:f", false},
	Erfinv:      {"Erfinv", "f:f", false},
	Exp:         {"Exp", "f:f", false},
	Exp2:        {"Exp2", "f:f", false},
	Expm1:       {"Expm1", "f:f", false},
	FMA:         {"FMA", "fff:f", true},
	Floor:       {"Floor", "f:f", true},
	Frexp:       {"Frexp", "f:fi", true},
	Gamma:       {"Gamma", "f:f", false},
	Hypot:       {"Hypot", "ff:f", false},
	Ilogb:       {"Ilogb", "f:i", true},
	Inf:         {"Inf", "i:f", true},
	IsInf:       {"IsInf", "fi:b", true},
	IsNaN:       {"IsNaN", "f:b", true},
	J0:          {"J0", "f:f", false},
	J1:          {"J1", "f:f", false},
	Jn:          {"Jn", "if:f", false},
	Ldexp:       {"Ldexp", "fi:f", true},
	Lgamma:      {"Lgamma", "f:fi", false},
	Log:         {"Log", "f:f", false},
	Log10:       {"Log10", "f:f", false},
	Log1p:       {"Log1p", "f:f", false},
	Log2:        {"Log2", "f:f", false},
	Logb:        {"Logb", "f:f", true},
	MathMax:     {"Max", "ff:f", true},
	MathMin:     {"Min", "ff:f", true},
	Mod:         {"Mod", "ff:f", true},
	Modf:        {"Modf", "f:ff", true},
	Nextafter:   {"Nextafter", "ff:f", true},
	Pow:         {"Pow", "ff:f", false},
	Pow10:       {"Pow10", "i:f", false},
	Remainder:   {"Remainder", "ff:f", true},
	Round:       {"Round", "f:f", true},
	RoundToEven: {"RoundToEven", "f:f", true},
	Signbit:     {"Signbit", "f:b", true},
	Sin:         {"Sin", "f:f", false},
	Sincos:      {"Sincos", "f:ff", false},
	Sinh:        {"Sinh", "f:f", false},
	Sqrt:        {"Sqrt", "f:f", true},
	Tan:         {"Tan", "f:f", false},
	Tanh:        {"Tanh", "f:f", false},
	Trunc:       {"Trunc", "f:f", true},
	Y0:          {"Y0", "f:f", false},
	Y1:          {"Y1", "f:f", false},
	Yn:          {"Yn", "if:f", false},
	MulAdd:      {"MulAdd", "fff:f", false},
}

// GoName is the function's name in package math.
func (m Math) GoName() string {
	if m >= NumMath {
		m = mathInvalid
	}
	return maths[m].name
}

// String is the function's name as the printer writes it: Go's, in lower case, apart from the built-ins.
func (m Math) String() string {
	name := strings.ToLower(m.GoName())
	if m == MathMax || m == MathMin {
		return "math" + name
	}
	return name
}

// Exact reports whether Go fixes every bit of the function's result, so that
// all devices agree on it.
func (m Math) Exact() bool { return maths[m].exact }

// Signature gives the types of the function's operands and results, for the
// float type f.
func (m Math) Signature(f Type) (params, results []Type) {
	out := &params
	for _, c := range maths[m].sig {
		switch c {
		case 'f':
			*out = append(*out, f)
		case 'i':
			*out = append(*out, Int64)
		case 'b':
			*out = append(*out, Bool)
		case ':':
			out = &results
		}
	}
	return params, results
}

// Atomic is the operation of an OpAtomic. AtomicAdd, AtomicExch and AtomicCAS
// take every 32- and 64-bit numeric type, AtomicMin and AtomicMax too, the bitwise ones 32- and 64-bit
// integers. AtomicCAS takes uint16 too.
type Atomic uint8

// The atomic operations.
const (
	atomicInvalid Atomic = iota
	AtomicAdd
	AtomicMin
	AtomicMax
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicExch
	AtomicCAS
	numAtomics
)

var atomics = [numAtomics]string{
	atomicInvalid: "invalid",
	AtomicAdd:     "add", AtomicMin: "min", AtomicMax: "max", AtomicAnd: "and",
	AtomicOr: "or", AtomicXor: "xor", AtomicExch: "exch", AtomicCAS: "cas",
}

// values is how many values an operation takes.
func (a Atomic) values() int {
	if a == AtomicCAS {
		return 2
	}
	return 1
}

// Joins reports whether an operation makes one number of what is in memory and another, in any order of several
// integers.
func (a Atomic) Joins() bool { return a >= AtomicAdd && a <= AtomicXor }

// String is the operation's name as the printer writes it.
func (a Atomic) String() string {
	if a >= numAtomics {
		a = atomicInvalid
	}
	return atomics[a]
}

// IsOperation reports whether a function is an operation of processors, or a few of them, and no long code.
func (m Math) IsOperation() bool {
	switch m {
	case Sqrt, Abs, Floor, Ceil, Trunc, RoundToEven, Copysign, IsNaN, IsInf, Signbit, MathMax, MathMin, MulAdd:
		return true
	}
	return false
}
