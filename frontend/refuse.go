package frontend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A Report is what there is to say of a kernel and of all that it reaches.
type Report struct {
	prog     *load.Program
	pkg      *types.Package // the kernel's: its functions go by their plain names
	symbolic bool           // values that a launch would give are not there: see Options.Symbolic
	diags    diag.List
	warning  func(diag.Diagnostic) // takes what is hardly meant; nil drops it

	// complained holds the objects that a diagnostic has named already, where one
	// is enough however often the object is used.
	complained map[types.Object]bool
	warned     map[warning]bool // that have been given

	untaken []untaken          // found where nothing may be lowered
	lowered map[token.Pos]bool // where the statements begin that are, if that matters
}

// refuse reports something that a kernel may not say, and what to do instead.
func (m *Report) refuse(n ast.Node, hint, format string, args ...any) {
	if m.isFollowUp(n) {
		return
	}
	m.diags.Add(m.prog.Diagnostic(n.Pos(), n.End(), hint, format, args...))
}

// A warning is one that has been given.
type warning struct {
	pos    token.Pos
	format string
}

// warn tells of what is hardly meant, once for each place.
func (m *Report) warn(n ast.Node, hint, format string, args ...any) {
	if m.warned == nil {
		m.warned = map[warning]bool{}
	}
	if w := (warning{n.Pos(), format}); m.warning != nil && !m.warned[w] {
		m.warned[w] = true
		m.warning(m.prog.Diagnostic(n.Pos(), n.End(), hint, format, args...))
	}
}

// complain reports whether to say something about an object: only once.
func (m *Report) complain(obj types.Object) bool {
	if m.complained[obj] {
		return false
	}
	if m.complained == nil {
		m.complained = map[types.Object]bool{}
	}
	m.complained[obj] = true
	return true
}

// refuseStmt reports a statement that has no meaning in a kernel. What is inside
// is not looked at: it goes with the statement.
func (b *Scope) refuseStmt(s ast.Stmt) {
	var what, hint string
	switch s := s.(type) {
	case *ast.GoStmt:
		what, hint = "go statements are", "launch more threads: they are what runs in parallel"
	case *ast.DeferStmt:
		what, hint = "defer statements are", "call the function before each return"
	case *ast.SelectStmt, *ast.SendStmt:
		what, hint = "channels are", "exchange values through slices and qd.AtomicAdd"
	case *ast.TypeSwitchStmt:
		what, hint = "type switches are", "use concrete types: only switch any(x).(type) of an x whose type is known is"
	case *ast.BranchStmt:
		what, hint = "goto statements are", "leave loops with break, continue and return, and put what is to be skipped into an if"
		if label, ok := b.info.Uses[s.Label].(*types.Label); ok && label.Pos() < s.Pos() {
			hint = "write a for statement where the label is"
		}
		if s.Tok == token.FALLTHROUGH {
			b.m.mustBeIllTyped("a fallthrough that ends no case")
			return
		}
	default:
		b.m.mustBeIllTyped(fmt.Sprintf("a statement %T", s))
		return
	}
	b.m.refuse(firstToken{Stmt: s}, hint, "%s not supported in a kernel", what)
}

// firstToken is a statement of which only the start is marked.
type firstToken struct{ ast.Stmt }

// End implements [ast.Node].
func (s firstToken) End() token.Pos { return s.Pos() + 1 }

// refuseExpr reports an expression that has no meaning in a kernel.
func (b *builder) refuseExpr(e ast.Expr) *ssa.Value {
	if assert, ok := e.(*ast.TypeAssertExpr); ok {
		return b.switcher.assertion(assert)
	}
	return b.noValue(fmt.Sprintf("an expression %T", e))
}

// refusedBuiltins are the predeclared functions that a kernel cannot call.
var refusedBuiltins = map[string]struct{ why, hint string }{
	"append":  {"a kernel cannot allocate memory", "pass a slice that is large enough and write its elements"},
	"close":   {"channels are not supported", "exchange values through slices and qd.AtomicAdd"},
	"complex": {"complex numbers are not supported", "use two floats"},
	"delete":  {"maps are not supported", "keep the values in a slice that the kernel takes"},
	"imag":    {"complex numbers are not supported", "use two floats"},
	"make":    {"a kernel cannot allocate memory", "pass the slice as an argument"},
	"print":   {"print is not supported", "use qd.Printf"},
	"println": {"println is not supported", "use qd.Printf"},
	"real":    {"complex numbers are not supported", "use two floats"},
	"recover": {"recover is not supported", "test for the error before it happens"},
}
