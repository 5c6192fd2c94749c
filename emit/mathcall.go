package emit

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

// templated are the functions whose float type no argument tells.
var templated = map[ssa.Math]bool{ssa.Inf: true, ssa.Pow10: true}

// mathCall is the call of a function of package math, and requires what it needs.
func (p *printer) mathCall(in *ssa.Instr) string { return p.mathCallOf(in, p.arguments(in.Args)) }

// mathCallOf is the call with these arguments.
func (p *printer) mathCallOf(in *ssa.Instr, args string) string {
	name := in.Math.GoName()
	t := floatType(in)
	call := "math::" + name
	if templated[in.Math] {
		p.need("math." + name)
		call += "<" + p.typeName(t) + ">"
	} else {
		p.needMath(name, t)
	}
	return call + "(" + args + ")"
}

func (p *printer) needMath(name string, t ssa.Type) { p.need("math." + name + "." + p.typeName(t)) }

// floatType is the float type that an OpMath works in.
func floatType(in *ssa.Instr) ssa.Type {
	for _, vs := range [][]*ssa.Value{in.Args, in.Results} {
		for _, v := range vs {
			if t := ssa.ElemOf(v.Type); ssa.IsFloat(t) {
				return t
			}
		}
	}
	panic("BUG: a math function without a float: " + in.Math.String())
}
