package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// localArray lowers qd.Local: all of a new array of zeros, whose length is known.
func (is intrinsics) localArray(e *ast.CallExpr, f *eval.Func) *ssa.Value {
	if len(f.Targs) == 0 || !is.b.m.Arity(e, 1) {
		is.b.exprList(e.Args)
		return is.b.NoValue("a call of Local without a type argument")
	}
	length := is.b.expr(e.Args[0])
	typ := types.NewSlice(f.Targs[0])
	t, ok := is.b.m.TypeOf(typ)
	if !ok {
		why, hint := is.b.m.UnsupportedType(typ)
		is.b.m.Refuse(e.Fun, hint, "a local array cannot have elements of type %s: %s", is.b.m.TypeString(f.Targs[0]), why)
		return eval.Poison
	}
	slice := t.(ssa.Slice)
	if length == eval.Poison {
		return eval.Poison
	}
	c, ok := is.b.KnownConst(length)
	switch n := c.Int(); {
	case !ok && is.b.IsSymbolic(length): // of which there is no array, but a slice
		return is.b.Symbolic(e.Pos(), typ)
	case !ok:
		is.b.DemandKnown(e.Args[0], length, "the length of a local array")
	case n < 0:
		is.b.m.Refuse(e.Args[0], "the minimum is 0", "a local array of %d elements", n)
	case !is.b.FitsLocal(e, slice, int(n), "a local array"):
	default:
		return is.b.NewSlice(e, slice, is.b.Zero(e.Pos(), ssa.Array{Elem: slice.Elem, Len: int(n)}))
	}
	return eval.Poison
}
