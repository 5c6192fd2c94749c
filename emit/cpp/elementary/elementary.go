// Package elementary has the elementary functions of package math for CPUs, as pieces of the prelude.
//
// They are ours, and not those of a C library: templates that compute with numbers and with vectors alike, so that a
// thread's result is the same in a lane and alone. The files *.h have them: for float64, and for float32, which they
// compute in float64 with fewer operations, and round.
package elementary

import (
	"embed"
	"fmt"
	"strings"

	"github.com/qdgen/qd/emit/prelude"
	"github.com/qdgen/qd/ssa"
)

//go:embed *.h
var files embed.FS

// functions are these functions of package math, by their names in the files.
var functions = map[ssa.Math]string{
	ssa.Acos: "acos", ssa.Acosh: "acosh", ssa.Asin: "asin", ssa.Asinh: "asinh", ssa.Atan: "atan", ssa.Atan2: "atan2",
	ssa.Atanh: "atanh", ssa.Erfcinv: "erfcinv", ssa.Erfinv: "erfinv", ssa.Cbrt: "cbrt", ssa.Cos: "cos", ssa.Cosh: "cosh",
	ssa.Erf: "erf", ssa.Erfc: "erfc", ssa.Exp: "exp", ssa.Exp2: "exp2", ssa.Expm1: "expm1", ssa.Hypot: "hypot", ssa.Log: "log",
	ssa.Log10: "log10", ssa.Log1p: "log1p", ssa.Log2: "log2", ssa.Pow: "pow", ssa.Sin: "sin", ssa.Sinh: "sinh", ssa.Tan: "tan",
	ssa.Tanh: "tanh",
}

// outOfLine are the templates for float32 that are out of line themselves, conversions included. Clang takes 15% to 20% less
// time for a kernel that calls one of them, and the function 1% to 12% longer.
var outOfLine = map[ssa.Math]string{ssa.Erf: "error_single<false>", ssa.Erfc: "error_single<true>"}

// Pieces are their pieces, and those by which they stand in for the functions of package math.
func Pieces() string {
	var b strings.Builder
	for _, name := range []string{"types", "exp", "log", "trig", "atan", "other", "erf", "inverse", "single"} { // each builds on those before
		text, err := files.ReadFile(name + ".h")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		b.Write(text)
	}
	// In the text for CUDA these are functions of its own prelude.
	b.WriteString(strings.NewReplacer("of_bits32<V>(", "__builtin_bit_cast(V, ", "bits32(", "__builtin_bit_cast(words32<V>, ").Replace(prelude.Single))
	for m := ssa.Abs; m < ssa.NumMath; m++ {
		if name := functions[m]; name != "" {
			single := name
			if strings.Contains(b.String(), "//@ elementary."+name+"_single ") {
				single += "_single"
			}
			b.WriteString(standIn(m, name, single, prelude.InSingle(m)))
		}
	}
	b.WriteString(others)
	return b.String()
}

// standIn are the pieces of a function of package math for numbers, and for vectors of them: it is name for float64,
// and single for float32, or a function that computes in float32, if there is one.
//
// A long function of vectors is out of line: a call takes little of its time, and compilers take long for it. Then
// numbers need no code of their own either: they are the first lane of a vector. Functions for float32 alone are short,
// but for those in outOfLine, and Pow with a variable exponent, which takes 8% to 13% longer out of line. Tanh and Sin would take
// 14% and 18% longer, and Pow with a constant exponent 37%: see others.
func standIn(m ssa.Math, name, single, inSingle string) string {
	params, _ := m.Signature(ssa.Float64)
	xs := []string{"x", "y"}[:len(params)]
	each := func(format string) string {
		list := make([]string, len(xs))
		for i, x := range xs {
			list[i] = strings.ReplaceAll(format, "_", x)
		}
		return strings.Join(list, ", ")
	}
	long := func(t, kind, function, needs, result string) string {
		return fmt.Sprintf(`
//@ math.%[1]s.%[2]s needs elementary.%[3]s %[9]s$T
[[gnu::noinline]] static $T %[1]s(%[4]s) { return %[5]s; }

//@ math.%[1]sInLane.%[2]s needs math.%[1]s.%[2]s
$inline %[6]s %[1]s(%[7]s) { return %[1]s(%[8]s)[0]; }
`, m.GoName(), kind, function, each("$T _"), result, t, each(t+" _"), each("$T{_}"), needs)
	}
	wide := fmt.Sprintf("elementary::narrowed<$T>(elementary::%s(%s))", single, each("elementary::widened(_)"))
	text := fmt.Sprintf(`
//@ math.%[1]s.float64 needs elementary.%[2]s
$inline float64 %[1]s(%[3]s) { return elementary::%[2]s(%[4]s); }
`, m.GoName(), name, each("float64 _"), each("_")) + long("float64", "V64", name, "", "elementary::"+name+"("+each("_")+")")
	if inSingle != "" {
		return text + inSingle + fmt.Sprintf(`
//@ math.%[1]s.V32 needs elementary.%[2]s_32 $T
using elementary::%[1]s;
`, m.GoName(), name)
	}
	if t := outOfLine[m]; t != "" {
		return text + fmt.Sprintf(`
//@ math.%[1]s.float32 needs elementary.error_single elementary.one_lane
$inline float32 %[1]s(float32 x) { return elementary::%[2]s(x); }

//@ math.%[1]s.V32 needs elementary.error_single $T
$inline $T %[1]s($T x) { return elementary::%[2]s(x); }

//@ math.%[1]sInLane.V32 needs math.%[1]s.V32
$inline float32 %[1]s(float32 x) { return %[1]s($T{x})[0]; }
`, m.GoName(), t)
	}
	text += fmt.Sprintf(`
//@ math.%[1]s.float32 needs elementary.%[2]s
$inline float32 %[1]s(%[3]s) { return float32(elementary::%[2]s(%[4]s)); }
`, m.GoName(), single, each("float32 _"), each("float64(_)"))
	if single == name || m == ssa.Pow {
		return text + long("float32", "V32", single, "elementary.lanes ", wide)
	}
	return text + fmt.Sprintf(`
//@ math.%[1]s.V32 needs elementary.%[2]s elementary.lanes $T
$inline $T %[1]s(%[3]s) { return %[4]s; }
`, m.GoName(), single, each("$T _"), wide)
}

// others are functions that have several results, none but integers to tell their type, or several meanings.
const others = `
//@ math.Sincos.F needs math.Sin.F math.Cos.F
$inline pair<$T, $T> Sincos($T x) { return {Sin(x), Cos(x)}; }

//@ math.PowConst.V32 needs elementary.pow_single elementary.lanes $T
// With a constant exponent most of it is computed when it is compiled.
$inline $T Pow($T x, float32 y) {
    auto wide = elementary::widened(x);
    return elementary::narrowed<$T>(elementary::pow_single(wide, elementary::all<decltype(wide)>(y)));
}

//@ math.Pow10 needs elementary.pow10
template <class T> $inline T Pow10(int64 n) { return T(elementary::pow10(n)); }

//@ math.MulAdd.F needs elementary.mul_add.F
$inline $T MulAdd($T x, $T y, $T z) { return elementary::mul_add(x, y, z); }

//@ math.MulAdd.V64 needs elementary.mul_add.float64 elementary.mul_add_lanes $T
$inline $T MulAdd($T x, $T y, $T z) { return elementary::mul_add(x, y, z); }

//@ math.MulAdd.V32 needs elementary.mul_add.float32 elementary.mul_add_lanes $T
$inline $T MulAdd($T x, $T y, $T z) { return elementary::mul_add(x, y, z); }

//@ math.Abs.V64 needs $T
$inline $T Abs($T x) { return ($T)((decltype(x == x))x & 0x7fffffffffffffff); }

//@ math.Abs.V32 needs $T
$inline $T Abs($T x) { return ($T)((decltype(x == x))x & 0x7fffffff); }
`
