package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// length lowers len and cap, of what go/types does not know it of.
func (b intrinsics) length(e *ast.CallExpr, name string) *ssa.Value {
	if sel, p, indices := b.unpackedArray(e.Args[0]); sel != nil {
		return b.operands.unpackedLen(e.Pos(), sel, p, indices)
	}
	x := b.expr(e.Args[0])
	if x == poison {
		return poison
	}
	t := x.Type
	if p, ok := t.(ssa.Pointer); ok {
		t = p.Elem
	}
	switch t := t.(type) {
	case *frontValue:
		return b.frontLength(e, name, x)
	case ssa.Array:
		return b.constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(t.Len)))
	case ssa.Slice:
		if name == "len" {
			return b.op(e.Pos(), ssa.OpLen, ssa.Int64, x)
		}
		b.m.refuse(e, "use len", "slices in a kernel have no capacity")
		return poison
	}
	return b.noValue(name + " of a " + x.Type.String())
}

// newVar lowers new(T) and new(x).
func (b intrinsics) newVar(e *ast.CallExpr) *ssa.Value {
	if tv := b.info.Types[e.Args[0]]; !tv.IsType() {
		return b.newOf(e, b.expr(e.Args[0]))
	}
	typ := b.goType(e.Args[0])
	if invalid(typ) {
		return b.noValue("new of no type")
	}
	t, ok := b.m.typeOf(typ)
	if !ok || isPlace(t) {
		why, hint := b.m.unsupportedType(typ)
		b.m.refuse(e, hint, "new(%s): %s", b.m.typeString(typ), why)
		return poison
	}
	return b.newOf(e, b.zero(e.Pos(), t))
}

func (b intrinsics) copyCall(e *ast.CallExpr) *ssa.Value {
	args := b.exprList(e.Args)
	if anyPoison(args) {
		return poison
	}
	if len(args) != 2 {
		return b.noValue("a copy of other than two")
	}
	_, isString := stringOf(args[1])
	if t, ok := args[0].Type.(ssa.Slice); ok && isString { // of bytes
		if args[1] = b.slicedString(e.Args[len(e.Args)-1], types.NewSlice(types.Typ[types.Byte]), args[1]); args[1] == poison {
			return poison
		}
		if args[1].Type != t {
			return b.noValue("a copy of a string to a " + t.String())
		}
	}
	for i, arg := range args {
		if isFront(arg) {
			arg := e.Args[min(i, len(e.Args)-1)]
			b.m.refuse(arg, "copy between arrays, or slices that the kernel takes", "%s is known at compile time only, and cannot be copied to or from", types.ExprString(arg))
			return poison
		}
	}
	if args[0].Type != args[1].Type {
		return b.noValue("a copy between different types")
	}
	return b.op(e.Pos(), ssa.OpCopy, ssa.Int64, args...)
}

// clearCall lowers clear of a slice: a loop that sets each element to zero.
func (b intrinsics) clearCall(e *ast.CallExpr) {
	x := b.expr(e.Args[0])
	if x == poison {
		return
	}
	if isFront(x) {
		b.m.refuse(e, "clear an array", "%s is known at compile time only: its elements cannot be assigned", types.ExprString(e.Args[0]))
		return
	}
	t, ok := x.Type.(ssa.Slice)
	if !ok {
		b.m.mustBeIllTyped("clear of a " + x.Type.String())
		return
	}
	pos := e.Pos()
	n := b.op(pos, ssa.OpLen, ssa.Int64, x)
	zero := b.zero(pos, t.Elem)
	l := b.openLoop(pos, "", nil, b.zero(pos, ssa.Int64), "")
	l.openBody(pos, b.op(pos, ssa.OpLt, ssa.Bool, l.counter, n))
	b.store(pos, b.op(pos, ssa.OpIndexAddr, ssa.Pointer(t), x, l.counter), zero)
	l.openPost()
	l.counter = b.op(pos, ssa.OpAdd, ssa.Int64, l.counter, b.one(pos, ssa.Int64))
	l.close(false)
}
