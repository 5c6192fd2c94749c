package prelude

import "github.com/qdgen/qd/ssa"

// plainMath are the functions of package math, which the prelude has under their names, that C has under another one
// and with the same meaning: the prelude's versions only call them.
var plainMath = map[string]string{
	"Abs": "fabs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atan2": "atan2",
	"Atanh": "atanh", "Cbrt": "cbrt", "Ceil": "ceil", "Copysign": "copysign", "Cos": "cos", "Cosh": "cosh", "Erf": "erf",
	"Erfc": "erfc", "Exp": "exp", "Exp2": "exp2", "Expm1": "expm1", "FMA": "fma", "Floor": "floor", "Gamma": "tgamma",
	"Hypot": "hypot", "J0": "j0", "J1": "j1", "Log": "log", "Log10": "log10", "Log1p": "log1p", "Log2": "log2",
	"Logb": "logb", "Mod": "fmod", "Pow": "pow", "Remainder": "remainder", "Round": "round", "RoundToEven": "rint",
	"Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh", "Trunc": "trunc", "Y0": "y0", "Y1": "y1",
}

// plainMathPieces are the pieces of plainMath, for both float types.
func plainMathPieces() []piece {
	var pieces []piece
	for m := ssa.Abs; m <= ssa.Yn; m++ {
		name := m.GoName()
		c, ok := plainMath[name]
		if !ok {
			continue
		}
		params, _ := m.Signature(ssa.Float64)
		decl, args := "", ""
		for i := range params {
			if i > 0 {
				decl, args = decl+", ", args+", "
			}
			x := string("xyz"[i])
			decl, args = decl+"$T "+x, args+x
		}
		p := piece{name: "math." + name + ".F", text: "$inline $T " + name + "(" + decl + ") { return $math_" + c + "$f(" + args + "); }\n"}
		pieces = append(pieces, p.expand()...)
	}
	return pieces
}
