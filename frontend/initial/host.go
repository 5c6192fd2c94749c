package initial

import (
	"math"
	"math/bits"
	"math/cmplx"
	"strings"
)

// hosts are functions that have their meaning from the Go compiler, or code in assembly: they are those of this
// program, as they are in the initialization of the package.
var hosts = map[string]any{
	"math.Abs": math.Abs, "math.Acos": math.Acos, "math.Acosh": math.Acosh, "math.Asin": math.Asin, "math.Asinh": math.Asinh,
	"math.Atan": math.Atan, "math.Atanh": math.Atanh, "math.Cbrt": math.Cbrt, "math.Ceil": math.Ceil, "math.Cos": math.Cos,
	"math.Cosh": math.Cosh, "math.Erf": math.Erf, "math.Erfc": math.Erfc, "math.Exp": math.Exp, "math.Exp2": math.Exp2,
	"math.Expm1": math.Expm1, "math.Floor": math.Floor, "math.Gamma": math.Gamma, "math.Log": math.Log, "math.Log10": math.Log10,
	"math.Log1p": math.Log1p, "math.Log2": math.Log2, "math.Round": math.Round, "math.RoundToEven": math.RoundToEven,
	"math.Sin": math.Sin, "math.Sinh": math.Sinh, "math.Sqrt": math.Sqrt, "math.Tan": math.Tan, "math.Tanh": math.Tanh,
	"math.Trunc": math.Trunc, "math.Atan2": math.Atan2, "math.Copysign": math.Copysign, "math.Dim": math.Dim, "math.Hypot": math.Hypot,
	"math.FMA": math.FMA, "math.Max": math.Max, "math.Min": math.Min, "math.Mod": math.Mod, "math.Pow": math.Pow, "math.Remainder": math.Remainder,
	"math.Nextafter": math.Nextafter, "math.Float64bits": math.Float64bits, "math.Float64frombits": math.Float64frombits,
	"math.Float32bits": func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) },
	"math.Float32frombits": func(x uint64) float64 {
		return float64(math.Float32frombits(uint32(x)))
	},
	// These make strings in memory of their own, which is more than a machine has.
	"strings.Repeat":  func(s string, n int64) string { return strings.Repeat(s, int(n)) },
	"strings.ToUpper": strings.ToUpper, "strings.ToLower": strings.ToLower, "strings.ToTitle": strings.ToTitle, "strings.ReplaceAll": strings.ReplaceAll,
	"math.Inf":    func(sign int64) float64 { return math.Inf(int(max(-1, min(1, sign)))) },
	"math.NaN":    math.NaN,
	"math.Sincos": math.Sincos, "math.Modf": math.Modf,
	"math.Frexp": func(x float64) (float64, int64) { f, e := math.Frexp(x); return f, int64(e) },
	"math.IsNaN": math.IsNaN, "math.IsInf": func(x float64, sign int64) bool { return math.IsInf(x, int(max(-1, min(1, sign)))) },
	"math.Ldexp":    func(x float64, e int64) float64 { return math.Ldexp(x, int(max(-1<<20, min(1<<20, e)))) },
	"math.Signbit":  math.Signbit,
	"math/bits.Len": length, "math/bits.Len64": length, "math/bits.Len32": length, "math/bits.Len16": length, "math/bits.Len8": length,
	"math/bits.OnesCount": ones, "math/bits.OnesCount64": ones, "math/bits.OnesCount32": ones, "math/bits.OnesCount16": ones, "math/bits.OnesCount8": ones,
	"math/bits.TrailingZeros": func(x uint64) int64 { return int64(min(bits.TrailingZeros64(x), intSize)) }, "math/bits.TrailingZeros64": func(x uint64) int64 { return int64(bits.TrailingZeros64(x)) },
	"math/bits.TrailingZeros32": func(x uint64) int64 { return int64(bits.TrailingZeros32(uint32(x))) },
	"math/bits.TrailingZeros16": func(x uint64) int64 { return int64(bits.TrailingZeros16(uint16(x))) },
	"math/bits.TrailingZeros8":  func(x uint64) int64 { return int64(bits.TrailingZeros8(uint8(x))) },
	"math/bits.Reverse64":       bits.Reverse64, "math/bits.Reverse": func(x uint64) uint64 { return bits.Reverse64(x) >> (64 - intSize) },
	"math/bits.Reverse32":      func(x uint64) uint64 { return uint64(bits.Reverse32(uint32(x))) },
	"math/bits.Reverse16":      func(x uint64) uint64 { return uint64(bits.Reverse16(uint16(x))) },
	"math/bits.Reverse8":       func(x uint64) uint64 { return uint64(bits.Reverse8(uint8(x))) },
	"math/bits.ReverseBytes64": bits.ReverseBytes64, "math/bits.ReverseBytes": func(x uint64) uint64 { return bits.ReverseBytes64(x) >> (64 - intSize) },
	"math/bits.ReverseBytes32": func(x uint64) uint64 { return uint64(bits.ReverseBytes32(uint32(x))) },
	"math/bits.ReverseBytes16": func(x uint64) uint64 { return uint64(bits.ReverseBytes16(uint16(x))) },
	"math/bits.Mul64":          bits.Mul64, "math/bits.divide": bits.Div64,
	"math/cmplx.Exp": cmplx.Exp, "math/cmplx.Sqrt": cmplx.Sqrt, "math/cmplx.Abs": cmplx.Abs,
}

func length(x uint64) int64 { return int64(bits.Len64(x)) }

func ones(x uint64) int64 { return int64(bits.OnesCount64(x)) }

// hostSteps is how many steps a call of one of them counts for. One that makes a string counts as a sum of strings
// does.
func hostSteps(f any, args []any) int {
	switch f.(type) {
	case func(string) string:
		return len(args[0].(string)) / 8
	case func(string, string, string) string:
		text, old, replacement := args[0].(string), args[1].(string), args[2].(string)
		return (len(text) + strings.Count(text, old)*len(replacement)) / 8
	case func(string, int64) string:
		text, n := args[0].(string), args[1].(int64)
		if n < 0 || n > MaxSteps {
			return MaxSteps + 1 // it panics, or is too much even of the empty string
		}
		return len(text) * int(n) / 8
	}
	return 0
}

// hostCall calls one of them. Several results are a slice, which no function has for its only result.
func hostCall(f any, args []any) any {
	switch f := f.(type) {
	case func(string) string:
		return f(args[0].(string))
	case func(string, int64) string:
		return f(args[0].(string), args[1].(int64))
	case func(string, string, string) string:
		return f(args[0].(string), args[1].(string), args[2].(string))
	case func(float64) float64:
		return f(args[0].(float64))
	case func(float64, float64) float64:
		return f(args[0].(float64), args[1].(float64))
	case func(float64, float64, float64) float64:
		return f(args[0].(float64), args[1].(float64), args[2].(float64))
	case func(float64) (float64, float64):
		x, y := f(args[0].(float64))
		return []any{x, y}
	case func(float64) (float64, int64):
		x, y := f(args[0].(float64))
		return []any{x, y}
	case func(float64) uint64:
		return f(args[0].(float64))
	case func(uint64) float64:
		return f(args[0].(uint64))
	case func(int64) float64:
		return f(args[0].(int64))
	case func() float64:
		return f()
	case func(float64) bool:
		return f(args[0].(float64))
	case func(float64, int64) bool:
		return f(args[0].(float64), args[1].(int64))
	case func(float64, int64) float64:
		return f(args[0].(float64), args[1].(int64))
	case func(uint64) int64:
		return f(args[0].(uint64))
	case func(uint64) uint64:
		return f(args[0].(uint64))
	case func(uint64, uint64) (uint64, uint64):
		x, y := f(args[0].(uint64), args[1].(uint64))
		return []any{x, y}
	case func(uint64, uint64, uint64) (uint64, uint64):
		x, y := f(args[0].(uint64), args[1].(uint64), args[2].(uint64))
		return []any{x, y}
	case func(complex128) complex128:
		return f(args[0].(complex128))
	case func(complex128) float64:
		return f(args[0].(complex128))
	}
	panic("BUG: a function of the host of another type")
}
