package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// wholeCell stands for all fields of a cell.
const wholeCell = -1

// A cellPart is a field of a cell as what can be assigned to.
type cellPart struct {
	of    *eval.Cell
	field int
	at    ast.Expr
}

// newOf is the address of a new variable that an expression makes, of a pointer type: a cell where only the front end
// has what it holds.
func (b *builder) newOf(e ast.Expr, pointer types.Type, val *ssa.Value) *ssa.Value {
	if a := eval.AggregateOf(val); a == nil || !check.IsStruct(a.Typ) || b.hasUnpacked(a.Typ) || !check.IsPointer(pointer) {
		return b.NewOf(e, val)
	}
	return b.NewCell(e, b.bodyNow(), val).Pointer(pointer)
}

// bodyNow is the function body that is being lowered, or the call of one that is lowered into its caller.
func (b *builder) bodyNow() any {
	if n := len(b.inlined); n > 0 {
		return b.inlined[n-1]
	}
	return b.Func
}

// hasUnpacked reports whether a struct has unpacked fields.
func (b *builder) hasUnpacked(t types.Type) bool {
	u, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < u.NumFields(); i++ {
		if _, unpacked := b.m.Unpacked(u, i); unpacked {
			return true
		}
	}
	return false
}

// derefFront is the cell that a pointer points to.
func (b *Places) derefFront(pos token.Pos, p *ssa.Value) ref {
	at := &ast.BadExpr{From: pos, To: pos + 1}
	view, _ := eval.ViewOf(p)
	switch c := eval.CellOf(p); {
	case c != nil:
		return ref{cell: c}
	case view != nil:
		b.Facts.Refuse(at, "index it, or assign *p to a variable", "a pointer that unsafe.Pointer has converted is used in a way that is not supported in a kernel")
	case eval.IsUnknown(p):
		b.RefuseUnknownValue(at, "the pointer used here", p)
	default:
		b.Facts.Refuse(b.UsersCall(at), "test it for nil first, or give it a value", "the pointer is nil here: in Go, this panics")
	}
	return ref{val: eval.Poison}
}

// whole is a ref with what a cell holds, where it is one.
func (b *Places) whole(pos token.Pos, r ref) ref {
	if r.cell != nil && r.val == nil {
		r.val = b.Contents(pos, r.cell)
	}
	return r
}

// cellField is a field of a cell.
func (b *Places) cellField(pos token.Pos, c *eval.Cell, i int) ref {
	addr, val, inner := b.CellField(pos, c, i)
	switch {
	case inner != nil:
		return ref{cell: inner}
	case addr != nil:
		return ref{addr: addr}
	}
	return ref{val: val, part: cellPart{of: c, field: i}}
}

// assignCell assigns to a field of a cell that is no variable in memory, or to all of one.
func (as assigner) assignCell(p cellPart, val *ssa.Value) {
	left := slices.ContainsFunc(as.b.segments, func(r *segment) bool {
		return len(r.exits) > 0 && p.of.LeftBy(r.exits[len(r.exits)-1].nth)
	})
	if left && !as.b.Dead {
		as.b.m.Refuse(p.at, "assign it where the struct is made, before the first return",
			"%s is known at compile time only: it cannot be assigned behind a return", types.ExprString(p.at))
		return
	}
	ok := true
	if p.field != wholeCell {
		ok = as.b.SetCell(p.at.Pos(), p.of, p.field, as.b.bodyNow(), as.b.CoerceTo(p.at.Pos(), val, p.of.Type(p.field)))
	} else {
		ok = as.b.SetWholeCell(p.at.Pos(), p.of, as.b.bodyNow(), val)
	}
	if !ok {
		as.b.m.Refuse(p.at, "assign it where the struct is made, in the same function, outside of branches and loops",
			"%s is known at compile time only: it cannot be assigned here", types.ExprString(p.at))
	}
}
