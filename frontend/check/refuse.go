package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// IsGrid reports whether t is qd.Grid.
func IsGrid(t types.Type) bool { return isQD(t, "Grid") }

// RefuseCaptive refuses an assignment, in a parallel loop of a kernel of a kind, to a variable that is declared outside
// of the loop.
func (m *Report) RefuseCaptive(n ast.Node, name string, kind ssa.Kind) {
	hint := "the iterations run at the same time and cannot share it: write to an element of a slice; for a sum, use qd.AtomicAdd"
	if kind == ssa.BlockKernel {
		hint = "the lanes run at the same time: keep what lanes write in memory of the block, such as qd.Shared[float32](b, n) with an element for each lane; for a sum, use qd.AtomicAdd"
	}
	m.Refuse(n, hint, "%s is declared outside the parallel loop, and the body of the loop cannot write to it", name)
}

// RefuseShapes refuses a variable that holds tiles of different lengths where paths meet.
func (m *Report) RefuseShapes(n ast.Node, name string, x, y ssa.TileType) {
	words := func(t ssa.TileType) string {
		if t.Rank < 0 {
			return "no lengths"
		}
		return t.Lengths() + " elements"
	}
	m.Refuse(n, "the lengths of a tile must be known at compile time: use one variable for each tile, and assign it before the loop or the if",
		"%s has tiles of %s and of %s here", name, words(x), words(y))
}

// At is a place of an instruction, as a node of one byte.
func (m *Report) At(p ssa.Pos) ast.Node {
	at := token.NoPos
	m.Prog.Fset.Iterate(func(f *token.File) bool {
		if f.Name() == p.File && p.Line <= f.LineCount() {
			at = f.LineStart(p.Line) + token.Pos(p.Col-1)
		}
		return at == token.NoPos
	})
	return &ast.BadExpr{From: at, To: at + 1}
}

// A Report collects the diagnostics of a kernel and of everything that it reaches.
type Report struct {
	Prog     *load.Program
	Pkg      *types.Package // the kernel's: its functions go by their plain names
	symbolic bool           // values that a launch would give are not there: see Options.Symbolic
	Diags    diag.List
	warning  func(diag.Diagnostic) // takes what is hardly meant; nil drops it
	Calls    []diag.Call           // of the functions that are being lowered, from the kernel on

	// Complained holds the objects that a diagnostic has named already, where one
	// is enough however often the object is used.
	Complained map[types.Object]bool
	doubted    map[types.Object]bool // those that one has named that is doubtful
	Doubt      int                   // how many reasons there are to doubt that a launch gets here
	warned     map[warning]bool      // that have been given

	untaken []untaken          // found where nothing may be lowered
	lowered map[token.Pos]bool // where the statements begin that are, if that matters: whether certainly
}

// Refuse reports something that a kernel may not say, and what to do instead. In code of others it says what to do in
// one's own.
func (m *Report) Refuse(n ast.Node, hint, format string, args ...any) {
	m.refuse(n, false, hint, format, args...)
}

// lastNamed is the name of the function that was called last. A function literal has none.
func (m *Report) lastNamed() string {
	for _, c := range slices.Backward(m.Calls) {
		if !strings.HasPrefix(c.Name, "a function literal") {
			return c.Name
		}
	}
	return m.Calls[0].Name
}

// RefuseInGo is Refuse of what compiled Go could not do either.
func (m *Report) RefuseInGo(n ast.Node, hint, format string, args ...any) {
	m.refuse(n, true, hint, format, args...)
}

func (m *Report) refuse(n ast.Node, inGo bool, hint, format string, args ...any) {
	if hint != "" && len(m.Calls) > 0 && load.IsOthers(m.Prog.Fset.Position(n.Pos()).Filename) {
		hint = fmt.Sprintf("compute %s before the launch and pass the result as an argument, or call a copy of your own of %s that differs: %s",
			m.Calls[0].Name, m.lastNamed(), hint)
	}
	m.refuseAdvised(n, inGo, hint, format, args...)
}

// RefuseAdvised is Refuse with advice that can be followed wherever the code is.
func (m *Report) RefuseAdvised(n ast.Node, hint, format string, args ...any) {
	m.refuseAdvised(n, false, hint, format, args...)
}

func (m *Report) refuseAdvised(n ast.Node, inGo bool, hint, format string, args ...any) {
	if m.isFollowUp(n) {
		return
	}
	d := m.Prog.Diagnostic(n.Pos(), n.End(), hint, format, args...)
	d.Doubtful, d.InGo = m.Doubt > 0, inGo
	if len(m.Calls) > 0 && filepath.Dir(d.Pos.Filename) != filepath.Dir(m.Calls[0].Pos.Filename) {
		d.Calls = diag.FormatCalls(m.Calls)
	}
	m.Diags.Add(d)
}

// Enter notes that a called function is lowered. What it returns notes the end of that.
func (m *Report) Enter(call ast.Node, name string) (leave func()) {
	if call == nil {
		return func() {}
	}
	n := len(m.Calls)
	m.Calls = append(m.Calls, diag.Call{Pos: m.Prog.Fset.PositionFor(call.Pos(), false), Name: name})
	return func() { m.Calls = m.Calls[:n] }
}

// A warning is one that has been given.
type warning struct {
	pos    token.Pos
	format string
}

// Warn tells of what is hardly meant, once for each place.
func (m *Report) Warn(n ast.Node, hint, format string, args ...any) {
	m.WarnOf("", n, hint, format, args...)
}

// WarnOf is Warn of what concerns one device.
func (m *Report) WarnOf(device string, n ast.Node, hint, format string, args ...any) {
	if m.warned == nil {
		m.warned = map[warning]bool{}
	}
	if w := (warning{n.Pos(), format}); m.warning != nil && !m.warned[w] {
		m.warned[w] = true
		d := m.Prog.Diagnostic(n.Pos(), n.End(), hint, format, args...)
		d.Device = device
		m.warning(d)
	}
}

// Complain reports whether to say something about an object: only once.
func (m *Report) Complain(obj types.Object) bool {
	if m.Complained[obj] {
		return false
	}
	if m.Doubt > 0 {
		if m.doubted[obj] {
			return false
		}
		if m.doubted == nil {
			m.doubted = map[types.Object]bool{}
		}
		m.doubted[obj] = true
		return true
	}
	if m.Complained == nil {
		m.Complained = map[types.Object]bool{}
	}
	m.Complained[obj] = true
	return true
}

// A Mark is a state of a report.
type Mark struct {
	diags               diag.List
	complained, doubted map[types.Object]bool
}

// Mark gives the present state.
func (m *Report) Mark() Mark {
	return Mark{m.Diags, maps.Clone(m.Complained), maps.Clone(m.doubted)}
}

// Since are the diagnostics that have been added since a mark.
func (m *Report) Since(k Mark) []diag.Diagnostic { return m.Diags.Since(k.diags.Len()) }

// TakeBack makes the report what it was at a mark.
func (m *Report) TakeBack(to Mark) {
	m.Diags, m.Complained, m.doubted = to.diags, to.complained, to.doubted
}

// RefuseStmt reports a statement that has no meaning in a kernel. What is inside
// is not looked at: it goes with the statement.
func (sc *Scope) RefuseStmt(s ast.Stmt) {
	var what, hint string
	switch s := s.(type) {
	case *ast.GoStmt:
		what, hint = "go statements are", "launch more threads: threads run in parallel"
	case *ast.DeferStmt:
		what, hint = "defer statements are", "call the function before each return"
	case *ast.SelectStmt, *ast.SendStmt:
		what, hint = "channels are", "exchange values through slices and qd.AtomicAdd"
	case *ast.BranchStmt: // package load has rewritten each goto that is right
		sc.Syntax.MustBeIllTyped("a " + s.Tok.String() + " that leads nowhere")
		return
	default:
		sc.Syntax.MustBeIllTyped(fmt.Sprintf("a statement %T", s))
		return
	}
	sc.Syntax.Refuse(FirstToken{Stmt: s}, hint, "%s not supported in a kernel", what)
}

// FirstToken is a statement of which only the start is marked.
type FirstToken struct{ ast.Stmt }

// End implements [ast.Node].
func (s FirstToken) End() token.Pos { return s.Pos() + 1 }
