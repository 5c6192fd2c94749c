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
	if !ok || b.BuiltinName(call) != "make" || len(call.Args) != 2 || b.InStatic > 0 {
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
		is.refuseFull(e, 0)
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

// withRoom are what one can write in the place of functions of package slices that append to a slice without a
// capacity.
var withRoom = map[string]string{
	"slices.Concat":  "append the slices to one with room: append(make([]T, 0, 64), x...)",
	"slices.Collect": "call slices.AppendSeq with a slice that has room: slices.AppendSeq(make([]T, 0, 64), seq)",
	"slices.Sorted":  "sort a slice that has room: s := slices.AppendSeq(make([]T, 0, 64), seq), and slices.Sort(s)",
}

// refuseFull reports an append to a slice that has not enough room.
func (is intrinsics) refuseFull(e *ast.CallExpr, capacity int64) {
	is.b.refuseRoom(e, "make the slice with a capacity that is large enough: make([]T, 0, 64)",
		"a kernel cannot allocate memory: the capacity of %s is %d", types.ExprString(e.Args[0]), capacity)
}

// refuseRoom reports what is wrong with the capacity of a slice. In a function of package slices it says what to call
// instead.
func (b *builder) refuseRoom(e ast.Expr, hint, format string, args ...any) {
	for _, c := range b.m.Calls {
		if instead := withRoom[c.Name]; instead != "" {
			b.m.RefuseAdvised(e, instead, format, args...)
			return
		}
	}
	b.m.Refuse(e, hint, format, args...)
}

// appendToNothing lowers append to a slice that has no room: a new array of the elements, whose number must be known.
// Go decides how much room it gives the array.
func (is intrinsics) appendToNothing(e *ast.CallExpr, slice ssa.Slice, x, tail *ssa.Value, more []*ssa.Value, length *ssa.Value) *ssa.Value {
	pos := e.Pos()
	n, ok := is.b.KnownConst(length)
	switch {
	case !ok && is.b.IsSymbolic(length):
		return is.b.Symbolic(pos, is.b.GoType(e))
	case !ok:
		is.b.m.Refuse(e, "make a slice with a capacity that is large enough, make([]T, 0, 64), and append to that",
			"a kernel cannot allocate memory: the length of %s is not known at compile time", types.ExprString(e.Args[1]))
		return eval.Poison
	case n.Int() == 0:
		return x
	case !is.b.FitsLocal(e, slice, int(n.Int()), "the slice"):
		return eval.Poison
	}
	array := ssa.Array{Elem: slice.Elem, Len: int(n.Int())}
	var made *ssa.Value
	if tail == nil {
		for i, v := range more {
			more[i] = is.b.Coerce(pos, v, slice.Elem)
		}
		if eval.AnyPoison(more) {
			return eval.Poison
		}
		made = is.b.NewSlice(e, slice, is.b.Op(pos, ssa.OpMake, array, more...))
	} else {
		made = is.b.NewSlice(e, slice, is.b.Zero(pos, array))
		is.b.Op(pos, ssa.OpCopy, ssa.Int64, made, tail)
	}
	is.b.NoteCapacity(made, eval.Poison)
	return made
}
