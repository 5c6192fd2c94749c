package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// sliceToArray is the conversion [n]T(s), a copy of the first elements of a slice.
func (c caller) sliceToArray(e *ast.CallExpr, t ssa.Type) *ssa.Value {
	pos := e.Pos()
	part := c.firstElements(e, t)
	if part == eval.Poison {
		return eval.Poison
	}
	addr := c.b.Fresh(pos, c.b.Zero(pos, t))
	if addr == eval.Poison {
		return eval.Poison
	}
	c.b.Op(pos, ssa.OpCopy, ssa.Int64, c.b.Op(pos, ssa.OpSliceOf, part.Type, addr), part)
	return c.b.load(pos, ref{addr: addr})
}

// arrayOfSlice is the conversion (*[n]T)(s) of numbers: a view of the first elements.
func (c caller) arrayOfSlice(e *ast.CallExpr, typ types.Type, t, number ssa.Type) *ssa.Value {
	part := c.firstElements(e, t)
	if part == eval.Poison {
		return eval.Poison
	}
	array := t.(ssa.Array)
	c.b.NoteCapacity(part, c.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(array.Len))))
	return (&eval.View{Base: part, Of: number, Slice: array.Elem == number}).Pointer(typ)
}

// firstElements are as many elements of the slice that a conversion converts as an array has.
func (c caller) firstElements(e *ast.CallExpr, t ssa.Type) *ssa.Value {
	array, ok := t.(ssa.Array)
	x := c.b.expr(e.Args[0])
	if eval.IsFront(x) && x != eval.Poison {
		if slice, ok := c.b.m.TypeOf(c.b.GoType(e.Args[0])); ok {
			x = c.b.Coerce(e.Pos(), x, slice)
		}
	}
	if x == eval.UntypedNil || x == eval.Poison {
		return eval.Poison
	}
	if _, isSlice := x.Type.(ssa.Slice); !ok || !isSlice || x.Type != ssa.Type(ssa.Slice{Elem: array.Elem}) {
		return c.b.NoValue("a conversion from " + x.Type.String() + " to " + t.String())
	}
	pos := e.Pos()
	zero, n := c.b.Zero(pos, ssa.Int64), c.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(array.Len)))
	if c.b.checked() {
		c.b.checkSaying(pos, ssa.CheckSlice, ssa.OfConversion, zero, n, c.b.Op(pos, ssa.OpLen, ssa.Int64, x))
	}
	return c.b.Op(pos, ssa.OpSubslice, x.Type, x, zero, n)
}

// arrayBehind is the conversion of a slice to a pointer to an array in *(*[n]T)(s), with the type of the array: nil of
// any other expression.
func (b *builder) arrayBehind(e *ast.StarExpr) (*ast.CallExpr, ssa.Type) {
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !b.Info.Types[call.Fun].IsType() {
		return nil, nil
	}
	p, ok := b.GoType(call.Fun).Underlying().(*types.Pointer)
	if !ok || !check.IsArray(p.Elem()) || !check.IsSlice(b.GoType(call.Args[0])) {
		return nil, nil
	}
	t, ok := b.m.TypeOf(b.Subst(p.Elem()))
	if !ok {
		return nil, nil
	}
	return call, t
}
