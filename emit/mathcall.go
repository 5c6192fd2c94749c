package emit

import "github.com/qdgen/qd/ssa"

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
