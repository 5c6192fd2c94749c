package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// Of a loop whose turns are known, but not how many there are, one turn is lowered, which
// stands for all: with variables that are known, but not what they hold.

// isSymbolicRange reports whether a range statement is such a loop.
func (b unroller) isSymbolicRange(s *ast.RangeStmt, count *ssa.Value) bool {
	if _, ok := b.knownConst(count); ok || !b.m.opts.Symbolic {
		return false
	}
	return b.markerCall(s.X, "Static") != nil || isBasic(b.goType(s.X), types.IsInteger) && count != poison && b.isSymbolic(count)
}

// symbolicRange lowers such a range statement.
func (b unroller) symbolicRange(s *ast.RangeStmt, label string) {
	u := b.openUnrolling(s, s.Body, label, b.rangeVars(s))
	b.symbolicTurn(u, func() {
		value := func(e ast.Expr) *ssa.Value {
			if t := b.goType(e); t != nil && !invalid(t) {
				return b.symbolic(e.Pos(), t)
			}
			return poison
		}
		counter := poison
		if s.Key != nil && !isBlank(s.Key) {
			counter = value(s.Key)
		}
		b.startTurn(s, counter, func() *ssa.Value { return value(s.Value) })
	})
	u.close()
}

// symbolicTurn lowers the turn that stands for all, or for none.
func (b unroller) symbolicTurn(u *unrolling, start func()) {
	for _, v := range b.expand(u.vars) {
		switch val := b.vars[v]; {
		case val == nil || isUnknown(val):
		case isFront(val):
			b.vars[v] = poison
		case b.allKnown(val):
			b.vars[v] = b.symbolic(v.Pos(), b.subst(v.Type()))
		}
	}
	br := b.openIf(u.s.Pos(), b.symbolic(u.s.Pos(), types.Typ[types.Bool]), u.vars)
	u.turn("any turn", start)
	br.openElse()
	br.close()
}
