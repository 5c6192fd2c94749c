package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// Of a loop whose turns are known, but not how many there are, one iteration is lowered, which
// stands for all: with variables that are known, but not what they hold.

// isSymbolicRange reports whether a range statement is such a loop.
func (b unroller) isSymbolicRange(s *ast.RangeStmt, count *ssa.Value) bool {
	if _, ok := b.KnownConst(count); ok || !b.m.Opts.Symbolic {
		return false
	}
	return b.MarkerCall(s.X, "Static") != nil || check.IsBasic(b.GoType(s.X), types.IsInteger) && count != eval.Poison && b.IsSymbolic(count)
}

// symbolicRange lowers such a range statement.
func (b unroller) symbolicRange(s *ast.RangeStmt, label string) {
	u := b.openUnrolling(s, s.Body, label, b.rangeVars(s))
	b.symbolicTurn(u, func() {
		value := func(e ast.Expr) *ssa.Value {
			if t := b.GoType(e); t != nil && !check.Invalid(t) {
				return b.Symbolic(e.Pos(), t)
			}
			return eval.Poison
		}
		counter := eval.Poison
		if s.Key != nil && !check.IsBlank(s.Key) {
			counter = value(s.Key)
		}
		b.startTurn(s, counter, func() *ssa.Value { return value(s.Value) })
	})
	u.close()
}

// symbolicTurn lowers the turn that stands for all, or for none.
func (b unroller) symbolicTurn(u *unrolling, start func()) {
	for _, v := range b.Expand(u.vars) {
		switch val := b.Vars[v]; {
		case val == nil || eval.IsUnknown(val):
		case eval.IsFront(val):
			b.Vars[v] = eval.Poison
		case b.AllKnown(val):
			b.Vars[v] = b.Symbolic(v.Pos(), b.Subst(v.Type()))
		}
	}
	br := b.openIf(u.s.Pos(), b.Symbolic(u.s.Pos(), types.Typ[types.Bool]), u.vars)
	u.turn("any turn", start)
	br.openElse()
	br.close()
}
