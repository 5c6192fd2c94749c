package cpp

import (
	"embed"
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// The elementary functions are ours, and not those of a C library: templates that compute with numbers and with vectors
// alike, so that a thread's result is the same in a lane and alone. Files of elementary/ have them, as pieces of the prelude:
// for float64, and for float32, which they compute in float64 with fewer operations, and round.
//
//go:embed elementary/*.h
var elementaryFiles embed.FS

// elementary are these functions of package math, by their names in elementary/.
var elementary = map[ssa.Math]string{
	ssa.Acos: "acos", ssa.Acosh: "acosh", ssa.Asin: "asin", ssa.Asinh: "asinh", ssa.Atan: "atan", ssa.Atan2: "atan2",
	ssa.Atanh: "atanh", ssa.Erfcinv: "erfcinv", ssa.Erfinv: "erfinv", ssa.Cbrt: "cbrt", ssa.Cos: "cos", ssa.Cosh: "cosh",
	ssa.Erf: "erf", ssa.Erfc: "erfc", ssa.Exp: "exp", ssa.Exp2: "exp2", ssa.Expm1: "expm1", ssa.Hypot: "hypot", ssa.Log: "log",
	ssa.Log10: "log10", ssa.Log1p: "log1p", ssa.Log2: "log2", ssa.Pow: "pow", ssa.Sin: "sin", ssa.Sinh: "sinh", ssa.Tan: "tan",
	ssa.Tanh: "tanh",
}

// elementaryPieces are their pieces, and those by which they stand in for the functions of package math.
func elementaryPieces() string {
	var b strings.Builder
	for _, name := range []string{"types", "exp", "log", "trig", "atan", "other", "erf", "inverse", "single"} { // each builds on those before
		text, err := elementaryFiles.ReadFile("elementary/" + name + ".h")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		b.Write(text)
	}
	for m := ssa.Abs; m < ssa.NumMath; m++ {
		if name := elementary[m]; name != "" {
			single := name
			if strings.Contains(b.String(), "//@ elementary."+name+"_single ") {
				single += "_single"
			}
			b.WriteString(standIn(m, name, single))
		}
	}
	b.WriteString(others)
	return b.String()
}

// standIn are the pieces of a function of package math for numbers, and for vectors of them: it is name for float64, and
// single for float32.
func standIn(m ssa.Math, name, single string) string {
	params, _ := m.Signature(ssa.Float64)
	xs := []string{"x", "y"}[:len(params)]
	each := func(format string) string {
		list := make([]string, len(xs))
		for i, x := range xs {
			list[i] = strings.ReplaceAll(format, "_", x)
		}
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf(`
//@ math.%[1]s.float64 needs elementary.%[2]s
$inline float64 %[1]s(%[3]s) { return elementary::%[2]s(%[4]s); }
//@ math.%[1]s.float32 needs elementary.%[9]s
$inline float32 %[1]s(%[5]s) { return float32(elementary::%[9]s(%[6]s)); }
//@ math.%[1]s.vec needs elementary.%[2]s elementary.%[9]s elementary.lanes
template <class V> $inline V %[1]s(%[7]s) {
    if constexpr (elementary::is_single<V>) return elementary::narrowed<V>(elementary::%[9]s(%[8]s));
    else return elementary::%[2]s(%[4]s);
}
`, m.GoName(), name, each("float64 _"), each("_"), each("float32 _"), each("float64(_)"), each("V _"), each("elementary::widened(_)"), single)
}

// others are functions that have several results, none but integers to tell their type, or several meanings.
const others = `
//@ math.Sincos.F needs math.Sin.F math.Cos.F
$inline pair<$T, $T> Sincos($T x) { return {Sin(x), Cos(x)}; }

//@ math.Pow10 needs elementary.pow10
template <class T> $inline T Pow10(int64 n) { return T(elementary::pow10(n)); }

//@ math.MulAdd.F
// One operation where the processor has it.
$inline $T MulAdd($T x, $T y, $T z) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma$f(x, y, z);
#else
    return x * y + z;
#endif
}

//@ math.MulAdd.vec needs math.MulAdd.float32 math.MulAdd.float64
template <class V> $inline V MulAdd(V x, V y, V z) {
    V v;
#pragma clang loop unroll(full)
    for (uint64 i = 0; i < sizeof(V) / sizeof(x[0]); i++) v[i] = MulAdd(x[i], y[i], z[i]);
    return v;
}
`
