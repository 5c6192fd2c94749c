package frontend

import (
	"go/ast"
	"go/token"
)

// jumpsOut are the statements that leave a loop or a switch from inside.
type jumpsOut struct{ breaks, continues bool }

// jumps finds what leaves the loop or the switch that the statements stand in: a break
// or continue with its label, and one without that is not within another statement which
// it leaves instead.
func jumps(stmts []ast.Stmt, label string) jumpsOut {
	j := jumpFinder{label: label}
	j.list(stmts, true, true)
	return j.found
}

type jumpFinder struct {
	label string
	found jumpsOut
}

// list looks into statements; breaks and continues say whether one without a label
// leaves what is looked at.
func (j *jumpFinder) list(stmts []ast.Stmt, breaks, continues bool) {
	for _, s := range stmts {
		j.stmt(s, breaks, continues)
	}
}

func (j *jumpFinder) stmt(s ast.Stmt, breaks, continues bool) {
	switch s := s.(type) {
	case *ast.BranchStmt:
		ours := s.Label != nil && s.Label.Name == j.label
		switch {
		case s.Tok == token.BREAK && (ours || s.Label == nil && breaks):
			j.found.breaks = true
		case s.Tok == token.CONTINUE && (ours || s.Label == nil && continues):
			j.found.continues = true
		}
	case *ast.BlockStmt:
		j.list(s.List, breaks, continues)
	case *ast.LabeledStmt:
		j.stmt(s.Stmt, breaks, continues)
	case *ast.IfStmt:
		j.stmt(s.Body, breaks, continues)
		j.stmt(s.Else, breaks, continues)
	case *ast.CaseClause:
		j.list(s.Body, breaks, continues)
	case *ast.SwitchStmt:
		j.list(s.Body.List, false, continues)
	case *ast.TypeSwitchStmt:
		j.list(s.Body.List, false, continues)
	case *ast.ForStmt:
		j.list(s.Body.List, false, false)
	case *ast.RangeStmt:
		j.list(s.Body.List, false, false)
	}
}
