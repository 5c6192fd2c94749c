package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// length lowers len and cap, of what go/types does not know it of.
func (b intrinsics) length(e *ast.CallExpr, name string) *ssa.Value {
	if sel, p, indices := b.UnpackedArray(e.Args[0]); sel != nil {
		return b.operands.unpackedLen(e.Pos(), sel, p, indices)
	}
	x := b.expr(e.Args[0])
	if x == eval.Poison {
		return eval.Poison
	}
	t := x.Type
	if p, ok := t.(ssa.Pointer); ok {
		t = p.Elem
	}
	switch t := t.(type) {
	case *eval.FrontValue:
		return b.FrontLength(e, name, x)
	case ssa.Array:
		return b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(t.Len)))
	case ssa.Slice:
		if name == "len" {
			return b.Op(e.Pos(), ssa.OpLen, ssa.Int64, x)
		}
		b.m.Refuse(e, "use len", "slices in a kernel have no capacity")
		return eval.Poison
	}
	return b.NoValue(name + " of a " + x.Type.String())
}

// newVar lowers new(T) and new(x).
func (b intrinsics) newVar(e *ast.CallExpr) *ssa.Value {
	if tv := b.Info.Types[e.Args[0]]; !tv.IsType() {
		return b.NewOf(e, b.expr(e.Args[0]))
	}
	typ := b.GoType(e.Args[0])
	if check.Invalid(typ) {
		return b.NoValue("new of no type")
	}
	t, ok := b.m.TypeOf(typ)
	if !ok || check.IsPlace(t) {
		why, hint := b.m.UnsupportedType(typ)
		b.m.Refuse(e, hint, "new(%s): %s", b.m.TypeString(typ), why)
		return eval.Poison
	}
	return b.NewOf(e, b.Zero(e.Pos(), t))
}

func (b intrinsics) copyCall(e *ast.CallExpr) *ssa.Value {
	args := b.exprList(e.Args)
	if eval.AnyPoison(args) {
		return eval.Poison
	}
	if len(args) != 2 {
		return b.NoValue("a copy of other than two")
	}
	_, isString := eval.StringOf(args[1])
	if t, ok := args[0].Type.(ssa.Slice); ok && isString { // of bytes
		from := e.Args[len(e.Args)-1]
		if args[1] = b.SlicedString(from, from, types.NewSlice(types.Typ[types.Byte]), args[1]); args[1] == eval.Poison {
			return eval.Poison
		}
		if args[1].Type != t {
			return b.NoValue("a copy of a string to a " + t.String())
		}
	}
	for i, arg := range args {
		if eval.IsFront(arg) {
			arg := e.Args[min(i, len(e.Args)-1)]
			b.m.Refuse(arg, "copy between arrays, or slices that the kernel takes", "%s is known at compile time only, and cannot be copied to or from", types.ExprString(arg))
			return eval.Poison
		}
	}
	if args[0].Type != args[1].Type {
		return b.NoValue("a copy between different types")
	}
	return b.Op(e.Pos(), ssa.OpCopy, ssa.Int64, args...)
}

// clearCall lowers clear of a slice: a loop that sets each element to zero.
func (b intrinsics) clearCall(e *ast.CallExpr) {
	x := b.expr(e.Args[0])
	if x == eval.Poison {
		return
	}
	if eval.IsFront(x) {
		b.m.Refuse(e, "clear an array", "%s is known at compile time only: its elements cannot be assigned", types.ExprString(e.Args[0]))
		return
	}
	t, ok := x.Type.(ssa.Slice)
	if !ok {
		b.m.MustBeIllTyped("clear of a " + x.Type.String())
		return
	}
	pos := e.Pos()
	n := b.Op(pos, ssa.OpLen, ssa.Int64, x)
	zero := b.Zero(pos, t.Elem)
	l := b.openLoop(pos, "", nil, b.Zero(pos, ssa.Int64), "")
	l.openBody(pos, b.Op(pos, ssa.OpLt, ssa.Bool, l.counter, n))
	b.Store(pos, b.Op(pos, ssa.OpIndexAddr, ssa.Pointer(t), x, l.counter), zero)
	l.openPost()
	l.counter = b.Op(pos, ssa.OpAdd, ssa.Int64, l.counter, b.One(pos, ssa.Int64))
	l.close(false)
}
