package ssa

// Math is a function of Go's package math, for OpMath.
type Math uint8

// The functions of package math that take and give floats; each means what the
// Go function of its name means, special cases included. For float32 they mean
// float32(F(float64(x))) up to the accuracy of the device's function.
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
	NumMath
)

// mathInfo is one row of the table of math functions. In a signature, f is the
// function's float type, i an int64 and b a bool.
type mathInfo struct {
	name  string
	sig   string // "ff:f" takes two floats and gives one
	exact bool   // Go fixes every bit of the result
}

var maths = [NumMath]mathInfo{
	mathInvalid: {name: "invalid"},

	Abs:         {"abs", "f:f", true},
	Acos:        {"acos", "f:f", false},
	Acosh:       {"acosh", "f:f", false},
	Asin:        {"asin", "f:f", false},
	Asinh:       {"asinh", "f:f", false},
	Atan:        {"atan", "f:f", false},
	Atan2:       {"atan2", "ff:f", false},
	Atanh:       {"atanh", "f:f", false},
	Cbrt:        {"cbrt", "f:f", false},
	Ceil:        {"ceil", "f:f", true},
	Copysign:    {"copysign", "ff:f", true},
	Cos:         {"cos", "f:f", false},
	Cosh:        {"cosh", "f:f", false},
	Dim:         {"dim", "ff:f", true},
	Erf:         {"erf", "f:f", false},
	Erfc:        {"erfc", "f:f", false},
	Erfcinv:     {"erfcinv", "f:f", false},
	Erfinv:      {"erfinv", "f:f", false},
	Exp:         {"exp", "f:f", false},
	Exp2:        {"exp2", "f:f", false},
	Expm1:       {"expm1", "f:f", false},
	FMA:         {"fma", "fff:f", true},
	Floor:       {"floor", "f:f", true},
	Frexp:       {"frexp", "f:fi", true},
	Gamma:       {"gamma", "f:f", false},
	Hypot:       {"hypot", "ff:f", false},
	Ilogb:       {"ilogb", "f:i", true},
	Inf:         {"inf", "i:f", true},
	IsInf:       {"isinf", "fi:b", true},
	IsNaN:       {"isnan", "f:b", true},
	J0:          {"j0", "f:f", false},
	J1:          {"j1", "f:f", false},
	Jn:          {"jn", "if:f", false},
	Ldexp:       {"ldexp", "fi:f", true},
	Lgamma:      {"lgamma", "f:fi", false},
	Log:         {"log", "f:f", false},
	Log10:       {"log10", "f:f", false},
	Log1p:       {"log1p", "f:f", false},
	Log2:        {"log2", "f:f", false},
	Logb:        {"logb", "f:f", true},
	MathMax:     {"mathmax", "ff:f", true},
	MathMin:     {"mathmin", "ff:f", true},
	Mod:         {"mod", "ff:f", true},
	Modf:        {"modf", "f:ff", true},
	Nextafter:   {"nextafter", "ff:f", true},
	Pow:         {"pow", "ff:f", false},
	Pow10:       {"pow10", "i:f", false},
	Remainder:   {"remainder", "ff:f", true},
	Round:       {"round", "f:f", true},
	RoundToEven: {"roundtoeven", "f:f", true},
	Signbit:     {"signbit", "f:b", true},
	Sin:         {"sin", "f:f", false},
	Sincos:      {"sincos", "f:ff", false},
	Sinh:        {"sinh", "f:f", false},
	Sqrt:        {"sqrt", "f:f", true},
	Tan:         {"tan", "f:f", false},
	Tanh:        {"tanh", "f:f", false},
	Trunc:       {"trunc", "f:f", true},
	Y0:          {"y0", "f:f", false},
	Y1:          {"y1", "f:f", false},
	Yn:          {"yn", "if:f", false},
}

// String is the function's name as the printer writes it: Go's, in lower case.
func (m Math) String() string {
	if m >= NumMath {
		m = mathInvalid
	}
	return maths[m].name
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
// integers.
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

// String is the operation's name as the printer writes it.
func (a Atomic) String() string {
	if a >= numAtomics {
		a = atomicInvalid
	}
	return atomics[a]
}
