package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

// A program with type errors is lowered too, for what else is wrong in it. What
// the type checker gave no type, or a wrong one, becomes poison without a word: the
// checker has said what there is to say. So lowering asks in two ways: where a
// well-typed program may lead it says what is wrong with it, and where only an
// ill-typed one can it calls mustBeIllTyped.

// IllTyped reports whether the program has type errors.
func (m *Report) IllTyped() bool { return len(m.Prog.Problems) > 0 || m.Prog.Incomplete }

// MustBeIllTyped is called where Go's own rules do not let a program get.
func (m *Report) MustBeIllTyped(what string) {
	if !m.IllTyped() {
		panic(fmt.Sprintf("BUG: %s, which Go refuses", what))
	}
}

// MustHaveFailed is called where a program gets only by way of something that has
// been refused, or that nobody knows the value of.
func (m *Report) MustHaveFailed(what string) {
	if m.Diags.Len() == 0 && !m.symbolic {
		panic(fmt.Sprintf("BUG: %s, and nothing has been refused", what))
	}
}

// Arity reports whether a call has at least so many argument expressions, as calls have
// that the type checker let pass.
func (m *Report) Arity(e *ast.CallExpr, n int) bool {
	if len(e.Args) >= n {
		return true
	}
	m.MustBeIllTyped("a call with too few arguments")
	return false
}

// Invalid reports whether a type is one that the type checker could not make out, or is built from one.
func Invalid(t types.Type) bool { return load.Invalid(t) }

// isFollowUp reports whether the type checker has found fault with the very thing
// that is about to be refused: then there is no need for a second word.
func (m *Report) isFollowUp(n ast.Node) bool {
	if !m.IllTyped() {
		return false
	}
	pos, end := head(n)
	at := m.Prog.Diagnostic(pos, end, "", "")
	for _, p := range m.Prog.Problems {
		if p.Pos.Filename == at.Pos.Filename && before(p.Pos, at.End) && before(at.Pos, p.End) {
			return true
		}
	}
	return false
}

func before(a, b token.Position) bool { return a.Offset < b.Offset }

// head is the part of a construct that makes it what it is: its operands may have
// faults of their own.
func head(n ast.Node) (pos, end token.Pos) {
	switch n := n.(type) {
	case *ast.CallExpr:
		return n.Fun.Pos(), n.Fun.End()
	case *ast.CompositeLit:
		if n.Type != nil {
			return n.Type.Pos(), n.Type.End()
		}
		return n.Lbrace, n.Lbrace + 1
	case *ast.UnaryExpr:
		return n.OpPos, n.X.Pos()
	case *ast.BinaryExpr:
		return n.OpPos, n.Y.Pos()
	case *ast.SliceExpr:
		return n.Lbrack, n.Lbrack + 1
	case *ast.FuncType, *ast.FieldList, *ast.Ellipsis:
		return n.Pos(), n.Pos() + 1
	}
	return n.Pos(), n.End()
}
