package check

import (
	"go/ast"
	"go/token"

	"github.com/qdgen/qd/frontend/diag"
)

// Where pointers go is checked before a function is lowered, in all of its syntax. What
// that finds in statements which turn out not to be lowered, since a condition is known,
// is not said.

// An untaken has the findings in a statement that may not be lowered.
type untaken struct {
	stmt token.Pos
	diag diag.Diagnostic
}

// CheckEscapes runs the check of a body.
func (m *Report) CheckEscapes(body *ast.BlockStmt, check func()) {
	before := m.Diags.Len()
	check()
	for _, d := range m.Diags.Since(before) {
		if stmt := m.statementAt(body, d.Pos); stmt.IsValid() {
			m.untaken = append(m.untaken, untaken{stmt, d})
		}
	}
}

// statementAt is where the innermost statement of a list begins that a position is in.
func (m *Report) statementAt(body *ast.BlockStmt, at token.Position) (stmt token.Pos) {
	file := m.Prog.Fset.File(body.Pos())
	if at.Offset >= file.Size() {
		return token.NoPos
	}
	pos := file.Pos(at.Offset)
	in := func(list []ast.Stmt) {
		for _, s := range list {
			if s.Pos() <= pos && pos < s.End() {
				stmt = s.Pos()
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			in(n.List)
		case *ast.CaseClause:
			in(n.Body)
		}
		return n != nil && n.Pos() <= pos && pos < n.End()
	})
	return stmt
}

// NoteLowered notes that a statement is lowered.
func (m *Report) NoteLowered(s ast.Stmt) {
	if len(m.untaken) == 0 {
		return
	}
	if m.lowered == nil {
		m.lowered = map[token.Pos]bool{}
	}
	m.lowered[s.Pos()] = m.lowered[s.Pos()] || m.Doubt == 0
}

// DropUntaken takes back what has been said of statements that have not been lowered, and doubts what
// has been said of those for which that depends on the launch.
func (m *Report) DropUntaken() {
	if len(m.untaken) == 0 {
		return
	}
	var doubtful []diag.Diagnostic
	m.Diags.Remove(func(d diag.Diagnostic) bool {
		for _, u := range m.untaken {
			if u.diag != d {
				continue
			}
			certain, lowered := m.lowered[u.stmt]
			if lowered && !certain {
				d.Doubtful = true
				doubtful = append(doubtful, d)
			}
			return !certain
		}
		return false
	})
	m.Diags.Add(doubtful...)
}
