package split

import "github.com/qdgen/qd/ssa"

// maxScale is the largest number that an index is multiplied by before it is tested.
const maxScale = 1 << 16

// scaled is the form of x*y, x+y or x-y if that is a multiple of an index, plus a constant.
func scaled(op ssa.Op, x, y form) (form, bool) {
	if y.kind != formUniform || !y.at.constant {
		return form{}, false
	}
	c := y.at.offset
	switch {
	case op == ssa.OpMul && x.kind == formIndex && 1 < c && c <= maxScale:
		x.kind, x.scale = formScaled, c
		return x, true
	case op == ssa.OpAdd && x.kind == formScaled && near(c):
		x.plus += c
	case op == ssa.OpSub && x.kind == formScaled && near(c):
		x.plus -= c
	default:
		return form{}, false
	}
	return x, near(x.plus)
}

// unscaled is a test of an index in the place of one of a multiple of it: a*x+c < n is x < (n-c+a-1)/a, which is the quotient
// of n-c rounded up. The division of a negative number rounds once more, but to no positive one, so that nothing is in the
// interior all the same. For that, x must not be less than the index of the thread. So constants in x become a part of c.
// Where a number of the row is in x, which may be negative, n must not be negative. The index is none if there is no such test.
func (f form) unscaled(op ssa.Op, with form) (index form, _ ssa.Op, than form) {
	n := with.at
	f.plus, f.offset = f.plus+f.scale*f.offset, 0
	if with.kind != formUniform || n.constant || !near(f.plus) || !n.bounded && (f.low != nil || f.high != nil) {
		return form{}, op, with
	}
	switch op {
	case ssa.OpLt, ssa.OpGe:
	case ssa.OpLe:
		op, n.offset = ssa.OpLt, n.offset+1
	case ssa.OpGt:
		op, n.offset = ssa.OpGe, n.offset+1
	default:
		return form{}, op, with
	}
	n.offset += f.scale - 1 - f.plus
	// What is added to n must not wrap to a large number. To a negative one it may.
	less := int64(0)
	if n.offset < 0 {
		less = (f.scale - 1 - n.offset) / f.scale
		n.offset += less * f.scale
	}
	by := &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64, Const: f.scale}
	quotient := &ssa.RowValue{Op: ssa.OpDiv, Type: ssa.Int64, Args: []*ssa.RowValue{n.value(), by}}
	if !near(n.offset) || parts(quotient) > maxBound {
		return form{}, op, with
	}
	f.kind = formIndex
	return f, op, form{kind: formUniform, at: uniform{base: quotient, offset: -less, bounded: true}}
}
