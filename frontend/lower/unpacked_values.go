package lower

import (
	"go/ast"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// scalars evaluates the literal of an unpacked field, an array with these dimensions, and appends the elements to a
// list. It reports whether there was no error.
func (c composer) scalars(e ast.Expr, field string, dims []int, to []*ssa.Value, elem ssa.Type) bool {
	lit := c.b.UnpackedLit(e, field)
	if lit == nil {
		return false
	}
	ok := true
	n, next := len(to)/dims[0], 0
	for _, elt := range lit.Elts {
		if kv, isKeyed := elt.(*ast.KeyValueExpr); isKeyed {
			elt = kv.Value
			if next, isKeyed = c.b.LiteralKey(kv); !isKeyed {
				next = -1
			}
		}
		switch {
		case next < 0 || next >= dims[0]:
			c.b.expr(elt)
			c.b.NoValue("a literal with an element that its type does not have")
			ok = false
		case len(dims) > 1:
			ok = c.scalars(elt, field, dims[1:], to[next*n:(next+1)*n], elem) && ok
		default:
			to[next] = c.part(elt, c.b.expr(elt), elem)
			ok = to[next] != eval.Poison && ok
		}
		next++
	}
	return ok
}
