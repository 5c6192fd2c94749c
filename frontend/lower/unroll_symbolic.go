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
func (un unroller) isSymbolicRange(s *ast.RangeStmt, count *ssa.Value) bool {
	if _, ok := un.b.KnownConst(count); ok || !un.b.m.Opts.Symbolic {
		return false
	}
	return un.b.MarkerCall(s.X, "Static") != nil || check.IsBasic(un.b.GoType(s.X), types.IsInteger) && count != eval.Poison && un.b.IsSymbolic(count)
}

// symbolicRange lowers such a range statement.
func (un unroller) symbolicRange(s *ast.RangeStmt, label string) {
	u := un.openUnrolling(s, s.Body, label, un.rangeVars(s))
	un.symbolicTurn(u, func() {
		value := func(e ast.Expr) *ssa.Value {
			if t := un.b.GoType(e); t != nil && !check.Invalid(t) {
				return un.b.Symbolic(e.Pos(), t)
			}
			return eval.Poison
		}
		counter := eval.Poison
		if s.Key != nil && !check.IsBlank(s.Key) {
			counter = value(s.Key)
		}
		un.startTurn(s, counter, func() *ssa.Value { return value(s.Value) })
	})
	u.close()
}

// symbolicTurn lowers the turn that stands for all, or for none.
func (un unroller) symbolicTurn(u *unrolling, start func()) {
	for _, v := range un.b.Expand(u.vars) {
		switch val := un.b.Vars[v]; {
		case val == nil || eval.IsUnknown(val):
		case eval.IsFront(val):
			un.b.Vars[v] = eval.Poison
		case un.b.AllKnown(val):
			un.b.Vars[v] = un.b.Symbolic(v.Pos(), un.b.Subst(v.Type()))
		}
	}
	br := un.b.openIf(u.s.Pos(), un.b.Symbolic(u.s.Pos(), types.Typ[types.Bool]), u.vars)
	br.certain() // a loop that has no turn is none that anybody writes
	u.turn("any turn", start)
	br.openElse()
	br.close()
}
