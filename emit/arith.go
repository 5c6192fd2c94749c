package emit

import (
	"strconv"

	"github.com/qdgen/qd/ssa"
)

// arithmetic is a binary operation that wraps as in Go: with C++'s operator
// where that means the same, through the prelude otherwise.
func (p *printer) arithmetic(in *ssa.Instr) expr {
	t := in.Results[0].Type
	op, ok := p.plainOperator(in)
	switch {
	case !ok:
		return p.helper(in)
	case in.Fit == ssa.FitShort:
		x, y := call("uint32("+p.expr(in.Args[0]).text+")"), call("uint32("+p.expr(in.Args[1]).text+")")
		return call(p.typeName(t) + "(" + infix(op, x, y).text + ")")
	}
	a, b := p.expr(in.Args[0]), p.expr(in.Args[1])
	if in.Op == ssa.OpAndNot {
		b = p.complement(in.Args[1])
	}
	if !a.exact && !isSmall(t) && (!b.exact || precShift == op.prec) {
		a = p.exactly(t, a) // two literals would be computed as int
	}
	return p.wrapSmall(t, infix(op, a, b), in.Op)
}

// complement is the right operand of Go's &^, for C++'s &. A literal that is an int is
// extended to the left operand's type by its sign, which the complement has turned to 1.
func (p *printer) complement(v *ssa.Value) expr {
	e := p.expr(v)
	return expr{"~" + e.in(precPostfix), precUnary, e.exact}
}

// wrapSmall makes what C++ computed as int the integer type t that is narrower;
// where the operation cannot leave t's range, only the C++ type is not exact.
func (p *printer) wrapSmall(t ssa.Type, e expr, op ...ssa.Op) expr {
	if !isSmall(t) {
		return e
	}
	for _, op := range op {
		switch op {
		case ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpShr, ssa.OpDiv, ssa.OpRem:
			e.exact = false
			return e
		}
	}
	return call(p.typeName(t) + "(" + e.text + ")")
}

var (
	boolOperators = map[ssa.Op]string{ssa.OpAnd: "&&", ssa.OpOr: "||", ssa.OpXor: "!="}
	sums          = map[ssa.Op]operator{ssa.OpAdd: {"+", precAdd}, ssa.OpSub: {"-", precAdd}, ssa.OpMul: {"*", precMul}}
)

// plainOperator gives the operator that computes in, apart from cutting the
// result to a type narrower than int.
func (p *printer) plainOperator(in *ssa.Instr) (operator, bool) {
	t := in.Results[0].Type
	if t == ssa.Bool {
		op := boolOperators[in.Op]
		return operator{op, precedences[op]}, true
	}
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		return sums[in.Op], p.wraps(in)
	case ssa.OpDiv:
		return operator{"/", precMul}, ssa.IsFloat(t) || in.Fit != ssa.FitUnknown
	case ssa.OpRem:
		return operator{"%", precMul}, in.Fit != ssa.FitUnknown
	case ssa.OpAnd:
		return operator{"&", precAnd}, true
	case ssa.OpOr:
		return operator{"|", precOr}, true
	case ssa.OpXor:
		return operator{"^", precXor}, true
	case ssa.OpAndNot:
		return operator{"&", precAnd}, true
	case ssa.OpShl:
		// The shift of a negative number to the left is undefined in C++17.
		_, ok := in.ShiftsBy()
		return operator{"<<", precShift}, ok && (p.d.SignedWraps || ssa.IsUnsigned(t))
	case ssa.OpShr:
		_, ok := in.ShiftsBy()
		return operator{">>", precShift}, ok
	}
	panic("BUG: " + in.Op.String() + " is no arithmetic")
}

// wraps reports whether C++'s operator for an addition, subtraction or
// multiplication wraps as Go's does, or cannot overflow.
func (p *printer) wraps(in *ssa.Instr) bool {
	switch t := in.Results[0].Type; {
	case ssa.IsFloat(t), p.d.SignedWraps:
		return true
	case t == ssa.Uint16:
		return in.Op != ssa.OpMul // computed as int
	case isSmall(t), ssa.IsUnsigned(t):
		return true
	}
	return in.Fit != ssa.FitUnknown
}

// helper is an operation through the prelude, or, in a type that C++ computes in another one, with casts.
func (p *printer) helper(in *ssa.Instr) expr {
	t := in.Results[0].Type
	switch in.Op {
	case ssa.OpMul:
		if t == ssa.Uint16 {
			return call("uint16(" + infix(operator{"*", precMul}, call("uint32("+p.expr(in.Args[0]).text+")"), p.expr(in.Args[1])).text + ")")
		}
		fallthrough
	case ssa.OpAdd, ssa.OpSub:
		p.need("go." + in.Op.String() + "." + p.typeName(t))
		return call("go::" + in.Op.String() + strconv.Itoa(ssa.Bits(t)) + "(" + p.arguments(in.Args) + ")")
	case ssa.OpShl:
		if _, ok := in.ShiftsBy(); ok {
			u := unsignedName(t)
			shifted := call(u+"("+p.expr(in.Args[0]).text+")").text + " << " + p.expr(in.Args[1]).in(precUnary)
			return call(p.typeName(t) + "(" + shifted + ")")
		}
		p.need("go.shl")
		return call("go::shl(" + p.typed(in.Args[0]) + ", " + p.expr(in.Args[1]).text + ")")
	case ssa.OpShr:
		p.need("go.shr")
		return call("go::shr(" + p.typed(in.Args[0]) + ", " + p.expr(in.Args[1]).text + ")")
	case ssa.OpDiv, ssa.OpRem:
		p.need("go." + in.Op.String())
		return call("go::" + in.Op.String() + "(" + p.typedArguments(in.Args) + ")")
	}
	panic("BUG: no helper for " + in.Op.String())
}

// negation is OpNeg: the sign of a float flipped, an integer subtracted from 0.
func (p *printer) negation(in *ssa.Instr) expr {
	t := in.Results[0].Type
	if !p.d.SignedWraps && (t == ssa.Int32 || t == ssa.Int64) && in.Fit == ssa.FitUnknown {
		p.need("go.neg." + p.typeName(t))
		return call("go::neg" + strconv.Itoa(ssa.Bits(t)) + "(" + p.expr(in.Args[0]).text + ")")
	}
	return p.unary("-", in)
}

// unary is an operator on an integer or a float.
func (p *printer) unary(op string, in *ssa.Instr) expr {
	t, x := in.Results[0].Type, p.expr(in.Args[0])
	if !isSmall(t) {
		x = p.exactly(t, x) // of a literal it would be an int
	}
	return p.wrapSmall(t, expr{op + x.in(precPostfix), precUnary, true})
}
