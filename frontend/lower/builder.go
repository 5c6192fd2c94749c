package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// Checks are made in a checked build, before operations that panic in Go.
type Checks struct{ eval.Variables }

// Places are the refs of expressions, and their parts.
type Places struct{ Checks }

// Flow is the control flow: ifs, loops and early exits.
type Flow struct {
	Places
	segments []*segment // those around, outermost first
	loops    []*loop    // the enclosing ones, outermost first
	scan     check.Scan

	// unsure is how many conditions around, or in front, depend on what only a launch knows, where a kernel is lowered
	// to find its errors: it may know that this is not reached. Unlike check.Report.Doubt it counts the turns of loops too.
	unsure int
}

// A builder lowers the body of one function.
type builder struct {
	Flow
	m *Module

	opened  eval.Opened  // with the parameters for what is in closed arguments
	params  int          // how many have been declared, the receiver among them
	results []*types.Var // the named results
	inlined []*inlining  // the bodies that are being lowered into the function's, outermost first

	automatic int64 // turns of the loops around that are unrolled unasked, 0 outside of one

	literals map[token.Pos]*literal // that have been met, by where they stand

	variadics map[*ssa.Instr]bool // that make the slices of variadic arguments

	dropped *ast.CallExpr // a statement, whose results nobody has

	liftedCalls map[*ast.CallExpr][]liftedVar // of calls in a body whose variables live on in its caller: see lift

	loweredFirst map[ast.Expr][]*ssa.Value // what callsFirst has lowered

	// The parts of the builder, by what they lower.
	assigner    assigner
	caller      caller
	inliner     inliner
	composer    composer
	intrinsics  intrinsics
	threads     threads
	markers     markers
	packageVars packageVars
	operands    operands
	looper      looper
	unroller    unroller
	printer     printer
	texts       texts
	switcher    switcher
	parameters  parameters
	ordering    ordering
	tiles       tiles
}

// newBuilder lowers a function's syntax into its body.
func newBuilder(m *Module, f *eval.Function, in check.Scope) *builder {
	b := &builder{m: m, Flow: Flow{Places: Places{Checks{eval.NewVariables(m.Facts, f, in)}}}}
	b.assigner = assigner{b}
	b.caller = caller{b}
	b.inliner = inliner{b}
	b.composer = composer{b}
	b.intrinsics = intrinsics{b}
	b.threads = threads{b}
	b.markers = markers{b}
	b.packageVars = packageVars{b: b, tables: tables{b: b}, placed: map[ast.Expr]ref{}}
	b.packageVars.tables.front = newTableFront(f.Fn.Body, nil)
	b.operands = operands{b}
	b.looper = looper{b}
	b.unroller = unroller{b}
	b.printer = printer{b}
	b.texts = texts{b}
	b.switcher = switcher{b}
	b.parameters = parameters{b}
	b.ordering = ordering{b}
	b.tiles = tiles{b}
	return b
}
