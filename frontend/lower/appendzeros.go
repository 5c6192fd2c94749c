package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// append(x, make([]T, n)...) makes x longer by n zeros. It needs no array of n elements, so that n need not be known.

// zerosOf is the call of make in such an append, nil of any other.
func (is intrinsics) zerosOf(e *ast.CallExpr) *ast.CallExpr {
	b := is.b
	if !e.Ellipsis.IsValid() || len(e.Args) != 2 || b.AppendsToNothing(e) {
		return nil
	}
	call, ok := ast.Unparen(e.Args[1]).(*ast.CallExpr)
	if !ok || b.builtinName(call) != "make" || len(call.Args) != 2 || b.InStatic > 0 {
		return nil
	}
	if t := b.GoType(call.Args[1]); t == nil || !check.IsBasic(t, types.IsInteger) {
		return nil
	}
	return call
}

// appendZeros lowers such an append.
func (is intrinsics) appendZeros(e *ast.CallExpr, typ types.Type, zeros *ast.CallExpr) *ssa.Value {
	b, pos := is.b, e.Pos()
	x := b.expr(e.Args[0])
	n := b.operands.index(zeros.Args[1])
	t, ok := b.m.TypeOf(typ)
	slice, isSlice := t.(ssa.Slice)
	if x == eval.Poison || n == eval.Poison {
		return eval.Poison
	}
	if x = b.CoerceTo(pos, x, typ); !ok || !isSlice || x.Type != ssa.Type(slice) {
		return b.NoValue("append to what is no slice")
	}
	capacity := b.capacity(e.Args[0], x)
	if capacity == eval.Poison {
		return eval.Poison
	}
	zero := b.Zero(pos, ssa.Int64)
	if c, ok := capacity.Const(); ok && c.Int() == 0 {
		b.m.Refuse(e, "make the slice with a capacity that is large enough: make([]T, 0, 64)",
			"a kernel cannot allocate memory: the capacity of %s is 0", types.ExprString(e.Args[0]))
		return eval.Poison
	}
	if b.checked() && !b.panicIf(e, b.Op(pos, ssa.OpLt, ssa.Bool, n, zero), "runtime error: makeslice: len out of range") {
		return eval.Poison
	}
	old := b.Op(pos, ssa.OpLen, ssa.Int64, x)
	length := b.Op(pos, ssa.OpAdd, ssa.Int64, old, n)
	if !b.panicIf(e, b.Op(pos, ssa.OpGt, ssa.Bool, length, capacity), "append to a full slice: a kernel cannot allocate memory for more than its capacity") {
		return eval.Poison
	}
	whole := b.Op(pos, ssa.OpSubslice, slice, x, zero, length)
	b.NoteCapacity(whole, capacity)
	is.clearSlice(e, b.Op(pos, ssa.OpSubslice, slice, whole, old, length))
	return whole
}
