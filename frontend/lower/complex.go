package lower

import (
	"go/ast"
	"go/token"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// Arithmetic of complex numbers is lowered to that of their parts, in the order in which Go's
// compiler computes it: every bit of a result depends on it.

// complexArith computes x op y of complex numbers of one type.
func (b *builder) complexArith(pos token.Pos, op token.Token, x, y *ssa.Value) *ssa.Value {
	if x.Type != y.Type {
		return b.NoValue(x.Type.String() + " " + op.String() + " " + y.Type.String())
	}
	t := x.Type
	switch op {
	case token.ADD, token.SUB:
		part := ssa.ComplexPart(t)
		xr, xi := b.ComplexParts(pos, x)
		yr, yi := b.ComplexParts(pos, y)
		return b.Op(pos, ssa.OpMake, t, b.Op(pos, eval.BinaryOps[op], part, xr, yr), b.Op(pos, eval.BinaryOps[op], part, xi, yi))
	case token.MUL:
		// Go's compiler computes both types in float64.
		xr, xi := b.ComplexParts(pos, b.ConvertComplex(pos, x, ssa.Complex128))
		yr, yi := b.ComplexParts(pos, b.ConvertComplex(pos, y, ssa.Complex128))
		mul := func(x, y *ssa.Value) *ssa.Value { return b.Op(pos, ssa.OpMul, ssa.Float64, x, y) }
		product := b.Op(pos, ssa.OpMake, ssa.Complex128,
			b.Op(pos, ssa.OpSub, ssa.Float64, mul(xr, yr), mul(xi, yi)),
			b.Op(pos, ssa.OpAdd, ssa.Float64, mul(xr, yi), mul(xi, yr)))
		return b.ConvertComplex(pos, product, t)
	case token.QUO:
		return b.ConvertComplex(pos, b.complexQuotient(pos, b.ConvertComplex(pos, x, ssa.Complex128), b.ConvertComplex(pos, y, ssa.Complex128)), t)
	}
	return b.NoValue(t.String() + " " + op.String() + " " + y.Type.String())
}

// complexQuotient divides numbers of type complex128, by a call as in compiled Go.
func (b *builder) complexQuotient(pos token.Pos, x, y *ssa.Value) *ssa.Value {
	if eval.AnyPoison([]*ssa.Value{x, y}) {
		return eval.Poison
	}
	call := &ast.CallExpr{Fun: &ast.BadExpr{From: pos, To: pos + 1}, Lparen: pos, Rparen: pos}
	vals := b.caller.callBound(call, &eval.Func{Obj: b.m.Prog.ComplexDivision()}, []*ssa.Value{x, y})
	if len(vals) != 1 {
		return eval.Poison
	}
	return vals[0]
}

// complexNeg is -x.
func (b *builder) complexNeg(pos token.Pos, x *ssa.Value) *ssa.Value {
	re, im := b.ComplexParts(pos, x)
	return b.Op(pos, ssa.OpMake, x.Type, b.Op(pos, ssa.OpNeg, re.Type, re), b.Op(pos, ssa.OpNeg, im.Type, im))
}

// complexBuiltin lowers real, imag and complex.
func (is intrinsics) complexBuiltin(e *ast.CallExpr, name string) *ssa.Value {
	args := is.b.exprList(e.Args)
	if eval.AnyPoison(args) {
		return eval.Poison
	}
	if name == "complex" {
		if len(args) == 2 && args[0].Type == args[1].Type {
			if t, ok := ssa.ComplexOf(args[0].Type); ok {
				return is.b.Op(e.Pos(), ssa.OpMake, t, args...)
			}
		}
		return is.b.NoValue("a complex number of other parts than two floats")
	}
	if len(args) != 1 || !ssa.IsComplex(args[0].Type) {
		return is.b.NoValue(name + " of what is no complex number")
	}
	re, im := is.b.ComplexParts(e.Pos(), args[0])
	if name == "real" {
		return re
	}
	return im
}
