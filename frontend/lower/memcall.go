package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// length lowers len and cap, of what go/types does not know it of.
func (is intrinsics) length(e *ast.CallExpr, name string) *ssa.Value {
	if sel, p, indices := is.b.UnpackedArray(e.Args[0]); sel != nil {
		return is.b.operands.unpackedLen(e.Pos(), sel, p, indices)
	}
	x := is.b.expr(e.Args[0])
	if x == eval.Poison {
		return eval.Poison
	}
	t := x.Type
	if p, ok := t.(ssa.Pointer); ok {
		t = p.Elem
	}
	switch t := t.(type) {
	case *eval.FrontValue:
		return is.b.FrontLength(e, name, x)
	case ssa.Array:
		return is.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(t.Len)))
	case ssa.Slice:
		if name == "len" {
			return is.b.Op(e.Pos(), ssa.OpLen, ssa.Int64, x)
		}
		return is.b.capacity(e.Args[0], x)
	}
	return is.b.NoValue(name + " of a " + x.Type.String())
}

// newVar lowers new(T) and new(x).
func (is intrinsics) newVar(e *ast.CallExpr) *ssa.Value {
	if tv := is.b.Info.Types[e.Args[0]]; !tv.IsType() {
		return is.b.newOf(e, is.b.GoType(e), is.b.expr(e.Args[0]))
	}
	typ := is.b.GoType(e.Args[0])
	if check.Invalid(typ) {
		return is.b.NoValue("new of no type")
	}
	t, ok := is.b.m.TypeOf(typ)
	if made := is.b.GoType(e); !ok && is.b.m.IsFrontType(made) {
		return is.b.newOf(e, made, is.b.ZeroOf(e.Pos(), typ))
	}
	if !ok || check.IsPlace(t) {
		why, hint := is.b.m.UnsupportedType(typ)
		is.b.m.Refuse(e, hint, "new(%s): %s", is.b.m.TypeString(typ), why)
		return eval.Poison
	}
	return is.b.NewOf(e, is.b.Zero(e.Pos(), t))
}

// sizeCall is unsafe.Sizeof or unsafe.Alignof of a value whose type depends on a type parameter: of all others, the
// type checker knows the constant. The operand is not evaluated.
func (is intrinsics) sizeCall(e *ast.CallExpr, name string) *ssa.Value {
	typ := is.b.GoType(e.Args[0])
	t, ok := is.b.m.TypeOf(is.b.GoType(e))
	if typ == nil || check.Invalid(typ) || !ok {
		return is.b.NoValue("the size of no type")
	}
	size := load.Sizes().Sizeof
	if name == "Alignof" {
		size = load.Sizes().Alignof
	}
	return is.b.Constant(e.Pos(), t, ssa.IntConst(t, uint64(size(typ))))
}

func (is intrinsics) copyCall(e *ast.CallExpr) *ssa.Value {
	args := is.b.exprList(e.Args)
	if eval.AnyPoison(args) {
		return eval.Poison
	}
	if len(args) != 2 {
		return is.b.NoValue("a copy of other than two")
	}
	isString := check.IsBasic(is.b.GoType(e.Args[len(e.Args)-1]), types.IsString)
	if t, ok := args[0].Type.(ssa.Slice); ok && isString { // of bytes
		if args[1] = is.b.BytesOfString(e.Args[len(e.Args)-1], args[1]); args[1] == eval.Poison {
			return eval.Poison
		}
		if args[1].Type != t {
			return is.b.NoValue("a copy of a string to a " + t.String())
		}
	}
	for i, arg := range args {
		if eval.IsFront(arg) {
			arg := e.Args[min(i, len(e.Args)-1)]
			is.b.m.Refuse(arg, "copy between arrays, or slices that the kernel takes", "%s is known at compile time only, and cannot be copied to or from", types.ExprString(arg))
			return eval.Poison
		}
	}
	if args[0].Type != args[1].Type {
		return is.b.NoValue("a copy between different types")
	}
	return is.b.Op(e.Pos(), ssa.OpCopy, ssa.Int64, args...)
}

// clearCall lowers clear of a slice: a loop that sets each element to zero.
func (is intrinsics) clearCall(e *ast.CallExpr) {
	x := is.b.expr(e.Args[0])
	if x == eval.Poison {
		return
	}
	if eval.IsFront(x) {
		is.b.m.Refuse(e, "clear an array", "%s is known at compile time only: its elements cannot be assigned", types.ExprString(e.Args[0]))
		return
	}
	if _, ok := x.Type.(ssa.Slice); !ok {
		is.b.m.MustBeIllTyped("clear of a " + x.Type.String())
		return
	}
	is.clearSlice(e, x)
}

// clearSlice sets the elements of a slice to zero.
func (is intrinsics) clearSlice(e *ast.CallExpr, x *ssa.Value) {
	pos, t := e.Pos(), x.Type.(ssa.Slice)
	n := is.b.Op(pos, ssa.OpLen, ssa.Int64, x)
	zero := is.b.Zero(pos, t.Elem)
	l := is.b.openLoop(pos, "", nil, is.b.Zero(pos, ssa.Int64), "")
	l.openBody(pos, is.b.Op(pos, ssa.OpLt, ssa.Bool, l.counter, n))
	is.b.Store(pos, is.b.Op(pos, ssa.OpIndexAddr, ssa.Pointer(t), x, l.counter), zero)
	l.openPost()
	l.counter = is.b.Op(pos, ssa.OpAdd, ssa.Int64, l.counter, is.b.One(pos, ssa.Int64))
	l.close(false)
}
