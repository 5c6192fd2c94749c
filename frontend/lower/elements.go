package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// frontElement evaluates the operands of x[i] where x is a front-end value. An index that
// is not known needs elements that the running kernel can have: of those an array is
// made.
func (o operands) frontElement(e *ast.IndexExpr, x *ssa.Value) (ref, *ssa.Value) {
	bad := ref{val: eval.Poison}
	if eval.IsUnknown(x) {
		o.b.expr(e.Index)
		o.b.RefuseUnknownValue(e.X, types.ExprString(e.X), x)
		return bad, eval.Poison
	}
	if eval.IsA(x, comptime.Map) {
		key := o.b.CoerceTo(e.Index.Pos(), o.b.expr(e.Index), eval.FrontOf(x).Typ.Underlying().(*types.Map).Key())
		return ref{val: x}, key
	}
	index := o.index(e.Index)
	if index == eval.Poison {
		return bad, eval.Poison
	}
	if _, ok := o.b.KnownConst(index); !ok {
		if eval.IsA(x, comptime.Slice) {
			if v := o.b.ArrayOf(e.Pos(), eval.FrontOf(x)); v != nil {
				return ref{val: v}, index
			}
		}
		if s, ok := eval.StringOf(x); ok && !o.b.IsSymbolic(index) {
			return ref{val: o.b.BytesOf(e.Pos(), s)}, index
		}
	}
	if o.isAnyElement(x, index) {
		return ref{val: x}, index
	}
	n, _ := eval.LengthOf(x)
	if _, ok := o.b.KnownIndex(e, index, n); !ok {
		return bad, eval.Poison
	}
	return ref{val: x}, index
}

// isAnyElement reports whether x[index] can be any of the elements, which are front-end values, and the running kernel
// can have parts of them.
func (o operands) isAnyElement(x, index *ssa.Value) bool {
	if !eval.IsA(x, comptime.Array) && !eval.IsA(x, comptime.Slice) {
		return false
	}
	_, known := o.b.KnownConst(index)
	return !known && !o.b.IsSymbolic(index) && o.b.HasNumbers(x)
}

// anyElement is x[index], if it can be any of the elements.
func (o operands) anyElement(e *ast.IndexExpr, x, index *ssa.Value) *ssa.Value {
	n, _ := eval.LengthOf(x)
	o.b.checkArrayIndex(e.Pos(), index, n)
	return o.b.SomeElem(e.Pos(), x, index, types.ExprString(e.X))
}

// rangeOverFront is rangeOver of a front-end value: of a list that qd.Static does not ask to
// be unrolled, and of which the running kernel can have the elements, an array.
func (lo looper) rangeOverFront(s *ast.RangeStmt, over *ssa.Value) (*ssa.Value, *ssa.Value) {
	if eval.IsUnknown(over) {
		lo.b.RefuseUnknownValue(s.X, types.ExprString(s.X), over)
		return eval.Poison, eval.Poison
	}
	n, ok := eval.LengthOf(over)
	if eval.IsA(over, comptime.Map) || !ok {
		lo.b.m.Refuse(s.X, "range over a slice of its keys", "cannot range over %s, which has no order", types.ExprString(s.X))
		return eval.Poison, eval.Poison
	}
	if eval.IsA(over, comptime.Slice) && lo.b.MarkerCall(s.X, "Static") == nil {
		if v := lo.b.ArrayOf(s.X.Pos(), eval.FrontOf(over)); v != nil {
			over = v
		}
	}
	if over == eval.Poison {
		return eval.Poison, eval.Poison
	}
	return over, lo.b.Constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
}

// commaOk evaluates x[k] for a v, ok := x[k] of a map.
func (o operands) commaOk(e *ast.IndexExpr) ([]*ssa.Value, bool) {
	x := o.b.expr(e.X)
	if !eval.IsA(x, comptime.Map) {
		return nil, false
	}
	m := eval.FrontOf(x)
	key := o.b.CoerceTo(e.Index.Pos(), o.b.expr(e.Index), m.Typ.Underlying().(*types.Map).Key())
	v, found := o.b.LookUp(e.Pos(), m, key)
	return []*ssa.Value{v, found}, true
}
