package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A switcher lowers switches.
type switcher struct{ b *builder }

// switchStmt lowers a switch as the chain of Ifs that it abbreviates. If a break
// leaves it from inside a case, the chain stands in a segment, so that there is
// something to leave.
func (sw switcher) switchStmt(s *ast.SwitchStmt, label string) {
	sw.b.simple(s.Init)
	header := sw.b.Stmt
	c := chain{b: sw.b, header: header, label: label, vars: sw.b.assigned(s)}
	if s.Tag != nil {
		c.tagged = true
		sw.b.ordering.callsFirst(s.Tag)
		bytes := sw.b.switchedBytes(s)
		c.tagExpr, c.tag, c.ofBytes = s.Tag, sw.b.comparedBytes(s.Tag, bytes), bytes != nil
	}
	broken, falls := false, false
	for i, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		c.all = append(c.all, clause)
		if clause.List == nil {
			c.fallback = i
			c.hasFallback = true
		} else {
			c.clauses = append(c.clauses, i)
		}
		broken = broken || check.Jumps(clauseBody(clause, label), label).Breaks
		falls = falls || fallsThrough(clause)
	}
	lower := func() {
		if !falls {
			c.lower(0)
			return
		}
		c.numbers(0, c.number(0))
	}
	if !broken {
		lower()
		return
	}
	l := &loop{b: &sw.b.Flow, label: label, isSwitch: true, whole: sw.b.openSegment(s.Switch, label, c.vars, nil)}
	sw.b.loops = append(sw.b.loops, l)
	lower()
	sw.b.Stmt = header
	sw.b.loops = sw.b.loops[:len(sw.b.loops)-1]
	l.whole.close()
}

// A chain is the cases of a switch, in the order they are tried.
type chain struct {
	b           *builder
	header      *ssa.Stmt
	label       string
	vars        []*types.Var
	tagged      bool
	tagExpr     ast.Expr
	tag         *ssa.Value
	ofBytes     bool              // the tag is a slice in the place of the string that its bytes make
	all         []*ast.CaseClause // in source order
	clauses     []int             // of all, those with values
	fallback    int               // default's
	hasFallback bool
}

// lower lowers the cases from the i-th on.
func (c *chain) lower(i int) {
	b := c.b
	if i == len(c.clauses) {
		if c.hasFallback {
			b.stmts(clauseBody(c.all[c.fallback], c.label))
		}
		return
	}
	clause := c.all[c.clauses[i]]
	cond, header := c.tests(clause)
	if taken, ok := b.KnownBool(cond); ok {
		if taken {
			b.stmts(clauseBody(clause, c.label))
		} else {
			c.lower(i + 1)
		}
		return
	}
	br := b.openIf(clause.Case, cond, c.vars)
	b.stmts(clauseBody(clause, c.label))
	b.Stmt = header
	br.openElse()
	c.lower(i + 1)
	b.Stmt = header
	br.close()
}

// tests is whether a clause is the one that is taken, if those before it are not.
func (c *chain) tests(clause *ast.CaseClause) (cond *ssa.Value, header *ssa.Stmt) {
	b := c.b
	b.Stmt = b.NewStmt(clause)
	cond = c.test(clause.List[0])
	for _, e := range clause.List[1:] {
		cond = b.shortCircuit(e.Pos(), token.LOR, cond, e, func() *ssa.Value { return c.test(e) })
	}
	return cond, b.Stmt
}

// number computes the number, in source order, of the first clause from the i-th on that matches. If none does, it is
// the number of the clause that is taken then. A switch with fallthrough computes this number first, and then runs the
// clauses that it leads to.
func (c *chain) number(i int) *ssa.Value {
	b := c.b
	if i == len(c.clauses) {
		n := len(c.all)
		if c.hasFallback {
			n = c.fallback
		}
		return c.constant(n)
	}
	cond, header := c.tests(c.all[c.clauses[i]])
	if taken, ok := b.KnownBool(cond); ok {
		if taken {
			return c.constant(c.clauses[i])
		}
		return c.number(i + 1)
	}
	pos := c.all[c.clauses[i]].Case
	br := b.openIf(pos, cond, c.vars)
	taken := c.constant(c.clauses[i])
	br.openElse()
	rest := c.number(i + 1)
	b.Stmt = header
	return br.closeWith(taken, rest)
}

func (c *chain) constant(n int) *ssa.Value {
	return c.b.Constant(c.all[0].Case, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
}

// numbers lowers the clauses from the first-th on, for the number of the one that is
// taken: runs of those that fall through, each an If in the else of the one before.
func (c *chain) numbers(first int, taken *ssa.Value) {
	b := c.b
	if first == len(c.all) {
		return
	}
	last := first
	for last < len(c.all)-1 && fallsThrough(c.all[last]) {
		last++
	}
	if last == len(c.all)-1 && c.hasFallback {
		c.Run(first, last, taken)
		return
	}
	// The runs are tried in order, so that the number is at least first's.
	pos := c.all[first].Case
	b.Stmt = c.header
	isIn := b.Op(pos, ssa.OpLe, ssa.Bool, taken, c.constant(last))
	if yes, ok := b.KnownBool(isIn); ok {
		if yes {
			c.Run(first, last, taken)
		} else {
			c.numbers(last+1, taken)
		}
		return
	}
	br := b.openIf(pos, isIn, c.vars)
	c.Run(first, last, taken)
	b.Stmt = c.header
	br.openElse()
	c.numbers(last+1, taken)
	b.Stmt = c.header
	br.close()
}

// Run lowers a run of clauses of which each but the last falls through.
func (c *chain) Run(first, last int, taken *ssa.Value) {
	b := c.b
	for i := first; i <= last; i++ {
		clause := c.all[i]
		b.Stmt = b.NewStmt(clause)
		if i == last {
			b.stmts(clauseBody(clause, c.label))
			return
		}
		header := b.Stmt
		isIn := b.Op(clause.Case, ssa.OpLe, ssa.Bool, taken, c.constant(i))
		if yes, ok := b.KnownBool(isIn); ok {
			if yes {
				b.stmts(clauseBody(clause, c.label))
			}
			if b.Gone {
				return
			}
			continue
		}
		br := b.openIf(clause.Case, isIn, c.vars)
		b.stmts(clauseBody(clause, c.label))
		b.Stmt = header
		br.openElse()
		br.close()
	}
}

// fallsThrough reports whether a clause ends in fallthrough.
func fallsThrough(c *ast.CaseClause) bool {
	_, s := lastStmt(c.Body)
	return s != nil && s.Tok == token.FALLTHROUGH
}

// lastStmt is the last statement of a list that is not empty, with its index, if it
// is a branch, with a label or without.
func lastStmt(list []ast.Stmt) (int, *ast.BranchStmt) {
	n := len(list) - 1
	for ; n >= 0; n-- {
		if _, empty := list[n].(*ast.EmptyStmt); !empty {
			break
		}
	}
	if n < 0 {
		return 0, nil
	}
	s := list[n]
	for {
		labeled, ok := s.(*ast.LabeledStmt)
		if !ok {
			break
		}
		s = labeled.Stmt
	}
	branch, _ := s.(*ast.BranchStmt)
	return n, branch
}

// test compares one value of a case with the tag; without a tag it is the test.
func (c *chain) test(e ast.Expr) *ssa.Value {
	c.b.ordering.callsFirst(e)
	if !c.tagged {
		return c.b.expr(e)
	}
	if c.ofBytes {
		return c.b.equalBytes(e, e.Pos(), token.EQL, [2]ast.Expr{c.tagExpr, e}, []*ssa.Value{c.tag, c.b.comparedBytes(e, c.b.bytesOf(e))})
	}
	if c.b.operands.comparesTables(e, c.tagExpr, e) {
		return eval.Poison
	}
	return c.b.Compare(e, token.EQL, c.b.comparedWith(c.tagExpr, c.tag, e), c.b.comparedWith(e, c.b.expr(e), c.tagExpr))
}

// clauseBody is a case's statements without a break at their end, which says
// nothing, and without fallthrough, which numbers knows of.
func clauseBody(c *ast.CaseClause, label string) []ast.Stmt {
	n, s := lastStmt(c.Body)
	if s != nil && (s.Tok == token.FALLTHROUGH || s.Tok == token.BREAK && (s.Label == nil || s.Label.Name == label)) {
		return c.Body[:n]
	}
	return c.Body
}
