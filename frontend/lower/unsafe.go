package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A kernel has no unsafe.Pointer, but *(*uint32)(unsafe.Pointer(&f)) is how Go code read the bits of a number before
// package math could, and how some reads the bytes of a slice as a number. Both have a meaning without memory.

// bitsRead is the place that *(*T)(unsafe.Pointer(&x)) reads as a T, nil of any other expression.
func (o operands) bitsRead(e *ast.StarExpr) (x ast.Expr, to types.Type) {
	from, to := o.unsafePointer(e.X)
	and, ok := from.(*ast.UnaryExpr)
	if !ok || and.Op != token.AND {
		return nil, nil
	}
	return and.X, to.Underlying().(*types.Pointer).Elem()
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// readBits reads a place as a number of another type. It is not ok where that has no meaning but in memory.
func (o operands) readBits(e *ast.StarExpr) (v *ssa.Value, ok bool) {
	x, typ := o.bitsRead(e)
	if x == nil {
		return nil, false
	}
	to, ok := o.b.m.TypeOf(typ)
	from, ok2 := o.b.m.TypeOf(o.b.GoType(x))
	if !ok || !ok2 || !isNumeric(to) || !isNumeric(from) {
		return nil, false
	}
	if from.Size() == to.Size() {
		return o.castBits(e.Pos(), o.b.expr(x), to), true
	}
	if index, isIndex := ast.Unparen(x).(*ast.IndexExpr); isIndex && from == ssa.Uint8 && to.Size() > 1 {
		return o.readBytes(e, index, to), true
	}
	return nil, false
}

// A bitsPlace is a number that is assigned as one of another type.
type bitsPlace struct {
	pos    token.Pos
	as, of ssa.Type // that of what is assigned, and that of the number
}

// bitsPlace is the place that *(*T)(unsafe.Pointer(&x)) assigns to, where that is of x's size. It is not ok for any
// other expression.
func (as assigner) bitsPlace(e *ast.StarExpr) (p place, ok bool) {
	x, typ := as.b.operands.bitsRead(e)
	if x == nil {
		return place{}, false
	}
	to, ok := as.b.m.TypeOf(typ)
	of, ok2 := as.b.m.TypeOf(as.b.GoType(x))
	if !ok || !ok2 || !isNumeric(to) || !isNumeric(of) {
		return place{}, false
	}
	if to.Size() != of.Size() {
		return place{}, false
	}
	p = as.place(x)
	p.bits = &bitsPlace{e.Pos(), to, of}
	return p, true
}

// bitsOf are the types of numbers of so many bytes that are nothing but bits.
var bitsOf = map[int]ssa.Type{1: ssa.Uint8, 2: ssa.Uint16, 4: ssa.Uint32, 8: ssa.Uint64}

func isNumeric(t ssa.Type) bool { return ssa.IsInteger(t) || ssa.IsFloat(t) }

// castBits is a number with the bits of another.
func (o operands) castBits(pos token.Pos, v *ssa.Value, to ssa.Type) *ssa.Value {
	if v == eval.Poison {
		return v
	}
	bits := bitsOf[to.Size()]
	switch {
	case v.Type == to:
		return v
	case ssa.IsFloat(v.Type):
		v = o.b.Op(pos, ssa.OpBitcast, bits, v)
	case ssa.IsFloat(to):
		v = o.b.Convert(pos, v, bits)
	}
	if ssa.IsFloat(to) {
		return o.b.Op(pos, ssa.OpBitcast, to, v)
	}
	return o.b.Convert(pos, v, to)
}

// readBytes reads the bytes from an element on as a number, the least significant first, as all devices have them.
func (o operands) readBytes(e *ast.StarExpr, at *ast.IndexExpr, to ssa.Type) *ssa.Value {
	x, index := o.element(at)
	if x.val == eval.Poison || index == eval.Poison {
		return eval.Poison
	}
	sum := o.b.Constant(e.Pos(), ssa.Uint64, ssa.IntConst(ssa.Uint64, 0))
	for i := range to.Size() {
		place := o.b.Op(at.Pos(), ssa.OpAdd, ssa.Int64, index, o.b.Constant(at.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))))
		one := o.b.Convert(at.Pos(), o.b.load(at.Pos(), o.b.elem(at.Pos(), x, place)), ssa.Uint64)
		one = o.b.Op(at.Pos(), ssa.OpShl, ssa.Uint64, one, o.b.Constant(at.Pos(), ssa.Uint64, ssa.IntConst(ssa.Uint64, uint64(8*i))))
		sum = o.b.Op(at.Pos(), ssa.OpOr, ssa.Uint64, sum, one)
	}
	return o.castBits(e.Pos(), o.b.Convert(e.Pos(), sum, bitsOf[to.Size()]), to)
}
