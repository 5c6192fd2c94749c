package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// switchStmt lowers a switch as the chain of Ifs that it abbreviates. If a break
// leaves it from inside a case, the chain stands in a Loop of one turn, so that
// there is something to leave.
func (b *builder) switchStmt(s *ast.SwitchStmt, label string) {
	b.simple(s.Init)
	header := b.stmt
	c := chain{b: b, header: header, label: label, vars: b.assigned(s)}
	if s.Tag != nil {
		c.tagged = true
		b.callsFirst(s.Tag)
		c.tag = b.expr(s.Tag)
	}
	broken := false
	for _, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		if clause.List == nil {
			c.fallback = clause
		} else {
			c.clauses = append(c.clauses, clause)
		}
		broken = broken || breaksOut(clauseBody(clause, label), label, false)
	}
	if !broken {
		c.lower(0)
		return
	}
	l := b.openLoop(s.Switch, label, c.vars, nil, "")
	l.isSwitch = true
	l.openBody(s.Switch, b.constant(s.Switch, ssa.Bool, ssa.BoolConst(true)))
	c.lower(0)
	b.stmt = header
	if !b.dead {
		l.breaks++
		b.leave(s.Switch, &ssa.Instr{Op: ssa.OpBreak, Target: l.in, Args: l.values()})
	}
	l.openPost()
	l.close(true)
}

// A chain is the cases of a switch, in the order they are tried.
type chain struct {
	b        *builder
	header   *ssa.Stmt
	label    string
	vars     []*types.Var
	tagged   bool
	tag      *ssa.Value
	clauses  []*ast.CaseClause
	fallback *ast.CaseClause // default
}

// lower lowers the cases from the i-th on.
func (c *chain) lower(i int) {
	b := c.b
	if i == len(c.clauses) {
		if c.fallback != nil {
			b.stmts(clauseBody(c.fallback, c.label))
		}
		return
	}
	clause := c.clauses[i]
	b.stmt = b.newStmt(clause)
	header := b.stmt
	cond := c.test(clause.List[0])
	for _, e := range clause.List[1:] {
		cond = b.shortCircuit(e.Pos(), token.LOR, cond, b.speculable(e), func() *ssa.Value { return c.test(e) })
	}
	br := b.openIf(clause.Case, cond, c.vars)
	b.stmts(clauseBody(clause, c.label))
	b.stmt = header
	br.openElse()
	c.lower(i + 1)
	b.stmt = header
	br.close()
}

// test compares one value of a case with the tag; without a tag it is the test.
func (c *chain) test(e ast.Expr) *ssa.Value {
	c.b.callsFirst(e)
	if !c.tagged {
		return c.b.expr(e)
	}
	return c.b.compare(e, token.EQL, c.tag, c.b.operand(e))
}

// clauseBody is a case's statements without a break at their end, which says
// nothing.
func clauseBody(c *ast.CaseClause, label string) []ast.Stmt {
	if n := len(c.Body); n > 0 {
		if s, ok := c.Body[n-1].(*ast.BranchStmt); ok && s.Tok == token.BREAK && (s.Label == nil || s.Label.Name == label) {
			return c.Body[:n-1]
		}
	}
	return c.Body
}

// breaksOut reports whether a break among the statements leaves the switch they
// stand in: one with its label, or one with none that is not within another
// statement that it leaves instead.
func breaksOut(stmts []ast.Stmt, label string, nested bool) bool {
	for _, s := range stmts {
		if breakIn(s, label, nested) {
			return true
		}
	}
	return false
}

func breakIn(s ast.Stmt, label string, nested bool) bool {
	switch s := s.(type) {
	case *ast.BranchStmt:
		if s.Tok != token.BREAK {
			return false
		}
		if s.Label == nil {
			return !nested
		}
		return s.Label.Name == label
	case *ast.BlockStmt:
		return breaksOut(s.List, label, nested)
	case *ast.LabeledStmt:
		return breakIn(s.Stmt, label, nested)
	case *ast.IfStmt:
		return breakIn(s.Body, label, nested) || s.Else != nil && breakIn(s.Else, label, nested)
	case *ast.CaseClause:
		return breaksOut(s.Body, label, nested)
	}
	if label == "" {
		return false // only a label reaches out of what follows
	}
	switch s := s.(type) {
	case *ast.ForStmt:
		return breakIn(s.Body, label, true)
	case *ast.RangeStmt:
		return breakIn(s.Body, label, true)
	case *ast.SwitchStmt:
		return breakIn(s.Body, label, true)
	}
	return false
}
