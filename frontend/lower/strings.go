package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// frontSlice is x[lo:hi] of a string or a list.
func (o operands) frontSlice(e *ast.SliceExpr, x *ssa.Value) *ssa.Value {
	if eval.IsUnknown(x) {
		o.b.RefuseUnknownValue(e.X, types.ExprString(e.X), x)
		return eval.Poison
	}
	n, _ := eval.LengthOf(x)
	if e.Slice3 {
		o.b.m.Refuse(e, "leave the capacity out: x[lo:hi]", "slices in a kernel have no capacity")
		return eval.Poison
	}
	lo, hi := 0, n
	for _, bound := range [...]struct {
		e  ast.Expr
		to *int
	}{{e.High, &hi}, {e.Low, &lo}} {
		if bound.e == nil {
			continue
		}
		v := o.index(bound.e)
		if v == eval.Poison {
			return eval.Poison
		}
		c, ok := o.b.KnownConst(v)
		switch {
		case !ok:
			o.b.m.Refuse(bound.e, "compute it from compile-time values", "a bound of a slice of %s is not known at compile time", types.ExprString(e.X))
			return eval.Poison
		case c.Int() < 0 || c.Int() > int64(hi):
			o.b.m.Refuse(bound.e, "use a valid bound", "slice bound %d out of range: %s has %d elements", c.Int(), types.ExprString(e.X), n)
			return eval.Poison
		}
		*bound.to = int(c.Int())
	}
	switch f := eval.FrontOf(x); f.Kind {
	case comptime.String:
		return eval.Str(f.Str[lo:hi])
	case comptime.Slice:
		part := *f
		part.Parts = f.Parts[lo:hi:hi]
		return part.Value()
	case comptime.Struct, comptime.Array:
		return o.b.RefuseSliced(e)
	}
	return o.b.NoValue("a slice of a " + x.Type.String())
}
