package check

import (
	"go/ast"
	"go/token"
)

// jumpsOut are the statements that leave a loop or a switch from inside.
type jumpsOut struct{ Breaks, Continues bool }

// Jumps finds what leaves the loop or the switch that the statements stand in: a break
// or continue with its label, and one without that is not within another statement which
// it leaves instead.
func Jumps(stmts []ast.Stmt, label string) jumpsOut {
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
			j.found.Breaks = true
		case s.Tok == token.CONTINUE && (ours || s.Label == nil && continues):
			j.found.Continues = true
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

// Terminates reports whether it can be seen in the syntax alone that a statement never
// comes to its end; label is its own.
func (sc *Scope) Terminates(s ast.Stmt, label string) bool {
	last := func(list []ast.Stmt) bool { return len(list) > 0 && sc.Terminates(list[len(list)-1], "") }
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return ok && sc.Info.Types[call.Fun].IsBuiltin()
	case *ast.BlockStmt:
		return last(s.List)
	case *ast.LabeledStmt:
		return sc.Terminates(s.Stmt, s.Label.Name)
	case *ast.IfStmt:
		return s.Else != nil && last(s.Body.List) && sc.Terminates(s.Else, "")
	case *ast.ForStmt:
		return s.Cond == nil && !Jumps(s.Body.List, label).Breaks
	case *ast.SwitchStmt:
		hasDefault := false
		for _, clause := range s.Body.List {
			clause := clause.(*ast.CaseClause)
			hasDefault = hasDefault || clause.List == nil
			if !last(clause.Body) || Jumps(clause.Body, label).Breaks {
				return false
			}
		}
		return hasDefault
	}
	return false
}
