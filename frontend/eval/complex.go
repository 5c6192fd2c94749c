package eval

import (
	"go/token"

	"github.com/qdgen/qd/ssa"
)

// ComplexParts are the real and the imaginary part of a complex number.
func (b *Code) ComplexParts(pos token.Pos, x *ssa.Value) (re, im *ssa.Value) {
	part := ssa.ComplexPart(x.Type)
	return b.Field(pos, x, 0, part), b.Field(pos, x, 1, part)
}

// ConvertComplex is Go's conversion between complex types.
func (b *Code) ConvertComplex(pos token.Pos, x *ssa.Value, t ssa.Type) *ssa.Value {
	if x == Poison || x.Type == t {
		return x
	}
	re, im := b.ComplexParts(pos, x)
	part := ssa.ComplexPart(t)
	return b.Op(pos, ssa.OpMake, t, b.Convert(pos, re, part), b.Convert(pos, im, part))
}

// compareComplex compares complex numbers of one type for equality: their parts, which may be known.
func (b *Code) compareComplex(pos token.Pos, op token.Token, x, y *ssa.Value) *ssa.Value {
	xr, xi := b.ComplexParts(pos, x)
	yr, yi := b.ComplexParts(pos, y)
	both := ssa.OpAnd
	if op == token.NEQ {
		both = ssa.OpOr
	}
	return b.Op(pos, both, ssa.Bool, b.Op(pos, BinaryOps[op], ssa.Bool, xr, yr), b.Op(pos, BinaryOps[op], ssa.Bool, xi, yi))
}
