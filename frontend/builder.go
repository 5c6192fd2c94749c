package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// A Code is the code of one function as far as there is some. What is known at compile time
// is computed where it is appended.
type Code struct {
	Scope
	m  *Facts
	f  *function
	fn *ssa.Func

	cur    *ssa.Block // where instructions go
	dead   bool       // cur cannot be reached: it is thrown away, and lowered for its errors only
	gone   bool       // what has been lowered of the current list never comes to its end: see stmts
	stmt   *ssa.Stmt  // what is being lowered
	turn   string     // of the unrolled loops around, as ssa.Stmt has it
	within *site      // the call of a function of package qd that is being lowered into the function
	memory memory     // what is known of variables in memory

	inStatic int // how many arguments of qd.Static are around
}

// An Env is what the variables hold where code goes.
type Env struct {
	Code
	vars      map[*types.Var]*ssa.Value // each variable's value here
	births    map[*types.Var]int        // how often each has been declared
	inMemory  map[*types.Var]bool       // those that are not in vars but in memory
	locals    map[*types.Var]*ssa.Value // the addresses of those that have been declared
	pointedTo map[*types.Var]bool       // those of inMemory that more than the assignment of parts needs the address of
	parallel  *parallel                 // the parallel loop whose body is being lowered, nil outside of one
}

// Values convert between what is known at compile time and what code has.
type Values struct{ Env }

// Variables declare and assign variables.
type Variables struct{ Values }

// Checks are made in a checked build, in front of what panics in Go.
type Checks struct{ Variables }

// Places are what expressions refer to, and the parts of it.
type Places struct{ Checks }

// Flow is the control flow: ifs, loops and what is left early.
type Flow struct {
	Places
	segments []*segment // those around, outermost first
	loops    []*loop    // the enclosing ones, outermost first
	scan     scan
}

// A builder lowers the body of one function.
type builder struct {
	Flow
	m *module

	params  int          // how many have been declared, the receiver among them
	results []*types.Var // the named results
	inlined []*inlining  // the bodies that are being lowered into the function's, outermost first

	automatic int64 // turns of the loops around that are unrolled unasked, 0 outside of one

	literals map[token.Pos]*literal // that have been met, by where they stand

	early map[ast.Expr][]*ssa.Value // what callsFirst has lowered

	// What of it lowers what.
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
	switcher    switcher
	parameters  parameters
	ordering    ordering
}

// newVariables are those of a function's body, of which there are none yet.
func newVariables(m *Facts, f *function, in Scope) Variables {
	code := Code{Scope: in, m: m, f: f, fn: f.fn, cur: f.fn.Body}
	return Variables{Values{Env{Code: code, vars: map[*types.Var]*ssa.Value{}}}}
}

// newBuilder lowers a function's syntax into its body.
func newBuilder(m *module, f *function, in Scope) *builder {
	b := &builder{m: m, Flow: Flow{Places: Places{Checks{newVariables(m.Facts, f, in)}}}}
	b.assigner = assigner{b}
	b.caller = caller{b}
	b.inliner = inliner{b}
	b.composer = composer{b}
	b.intrinsics = intrinsics{b}
	b.threads = threads{b}
	b.markers = markers{b}
	b.packageVars = packageVars{b}
	b.operands = operands{b}
	b.looper = looper{b}
	b.unroller = unroller{b}
	b.printer = printer{b}
	b.switcher = switcher{b}
	b.parameters = parameters{b}
	b.ordering = ordering{b}
	return b
}

// A site is where a call of a function of package qd stands. What is lowered for it is
// at the call's place: but for what the function is given to call, which is the user's.
type site struct {
	call  ast.Node
	pos   ssa.Pos
	stmt  *ssa.Stmt
	users bool // the user's code, which package qd calls, is being lowered
}

// poison stands for the value of what has been refused.
var poison = &ssa.Value{Type: ssa.Invalid, Name: "poison"}

// poisons are n of them.
func poisons(n int) []*ssa.Value {
	vs := make([]*ssa.Value, n)
	for i := range vs {
		vs[i] = poison
	}
	return vs
}

// anyPoison reports whether one of the values is poison.
func anyPoison(vs []*ssa.Value) bool {
	for _, v := range vs {
		if v == poison {
			return true
		}
	}
	return false
}

// pos is a place in the function's file, by the name that the sources give it.
func (b *Code) pos(p token.Pos) ssa.Pos {
	if b.inLibrary() {
		return b.within.pos
	}
	at := b.file.PositionFor(p, false)
	return ssa.Pos{File: b.src.File.Name, Line: at.Line, Col: at.Column}
}

// inLibrary reports whether a function of package qd is being lowered into the user's.
func (b *Code) inLibrary() bool { return b.within != nil && !b.within.users }

// newStmt makes the statement record that instructions share.
func (b *Code) newStmt(n ast.Node) *ssa.Stmt {
	if b.within != nil {
		return b.within.stmt
	}
	return &ssa.Stmt{Pos: b.pos(n.Pos()), Text: strings.TrimSpace(b.m.prog.Line(n.Pos())), Turn: b.turn}
}

// emit appends an instruction.
func (b *Code) emit(pos token.Pos, in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	in.Pos = b.pos(pos)
	in.Stmt = b.stmt
	b.cur.Append(in, results...)
	b.remember(in)
	return in
}

// op appends an instruction with one result. Of poison it makes poison.
func (b *Code) op(pos token.Pos, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	if anyPoison(args) {
		return poison
	}
	return b.compute(pos, &ssa.Instr{Op: op, Args: args}, t)
}

// constant appends a constant.
func (b *Code) constant(pos token.Pos, t ssa.Type, c ssa.Const) *ssa.Value {
	return b.emit(pos, &ssa.Instr{Op: ssa.OpConst, Const: c}, t).Result()
}

// zero appends the zero value of a type.
func (b *Code) zero(pos token.Pos, t ssa.Type) *ssa.Value {
	if _, ok := t.(ssa.Basic); !ok {
		return b.op(pos, ssa.OpZero, t)
	}
	return b.constant(pos, t, ssa.Const{})
}

// one appends the 1 of a numeric type.
func (b *Code) one(pos token.Pos, t ssa.Type) *ssa.Value {
	switch {
	case ssa.IsFloat(t):
		return b.constant(pos, t, ssa.FloatConst(t, 1))
	case ssa.IsInteger(t):
		return b.constant(pos, t, ssa.IntConst(t, 1))
	case t == ssa.Invalid: // of poison
		return poison
	}
	return b.noValue("a 1 of type " + t.String())
}

// convert appends Go's conversion between numeric types; between types that
// differ only in their Go names there is nothing to do.
func (b *Code) convert(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if v == poison || v.Type == t {
		return v
	}
	return b.op(pos, ssa.OpConvert, t, v)
}

// leave appends a terminator. What follows it in the source cannot be reached
// and goes to a block that nobody owns.
func (b *Code) leave(pos token.Pos, in *ssa.Instr) {
	b.emit(pos, in)
	b.dead, b.gone = true, true
	b.cur = &ssa.Block{Func: b.fn}
}
