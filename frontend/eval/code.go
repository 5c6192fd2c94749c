package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

// A Code is the code of one function that has been appended so far. Compile-time values are computed as
// they are appended.
type Code struct {
	check.Scope
	Facts    *Facts
	Function *Function
	Func     *ssa.Func

	Cur    *ssa.Block   // where instructions go
	Dead   bool         // Cur cannot be reached: it is thrown away, and lowered for its errors only
	Gone   bool         // what has been lowered of the current list never comes to its end: see stmts
	Stmt   *ssa.Stmt    // what is being lowered
	Turn   string       // of the unrolled loops around, as ssa.Stmt has it
	Within *LibraryCall // the call of a function of package qd that is being lowered into the function
	Memory Memory       // what is known of variables in memory

	InStatic int // how many arguments of qd.Static are around
}

// An Env maps variables to their values at the current place.
type Env struct {
	Code
	Vars      map[*types.Var]*ssa.Value // each variable's value here
	Births    map[*types.Var]int        // how often each has been declared
	ended     map[life]lastValue        // what those of bodies lowered into their callers held at the end
	Once      map[*ssa.Instr]bool       // the loops with one iteration, which are straight-line code that can be left early
	InMemory  map[*types.Var]bool       // those that are not in Vars but in memory
	Locals    map[*types.Var]*ssa.Value // the addresses of those that have been declared
	pointedTo map[*types.Var]bool       // those of InMemory that more than the assignment of parts needs the address of
	Lifted    map[any]*ssa.Value        // those of the variables of a body lowered into its caller that live on there, and of the expressions that make such
	LiftedTo  map[any]Front             // where those go whose size is known only where they are made
	Exits     int                       // how many places have been lowered where control leaves a segment, a body lowered into its caller
	Parallel  *Parallel                 // the parallel loop whose body is being lowered, nil outside of one

	Capacities Capacities
}

// Values convert between compile-time values and values in code.
type Values struct{ Env }

// Unknowns say why values are not known.
type Unknowns struct{ Values }

// Elements are parts of values that only the front end has.
type Elements struct{ Unknowns }

// Conversions implement Go's conversions between types.
type Conversions struct{ Elements }

// Comparisons compare values, and join strings.
type Comparisons struct{ Conversions }

// Asking ask the running program.
type Asking struct{ Comparisons }

// Variables declare and assign variables.
type Variables struct{ Asking }

// NewVariables returns the empty set of variables of a function's body.
func NewVariables(m *Facts, f *Function, in check.Scope) Variables {
	var b Variables
	b.Code = Code{Scope: in, Facts: m, Function: f, Func: f.Fn, Cur: f.Fn.Body}
	b.Vars = map[*types.Var]*ssa.Value{}
	return b
}

// A LibraryCall is the place of a call of a function of package qd. Code that is lowered for the
// function has the position of the call. Function arguments, which belong to the user, keep their own
// positions.
type LibraryCall struct {
	Call  ast.Node
	Pos   ssa.Pos
	Stmt  *ssa.Stmt
	Users bool // the user's code, which package qd calls, is being lowered
}

// Poison is the value of an expression that was reported as an error.
var Poison = &ssa.Value{Type: ssa.Invalid, Name: "poison"}

// Poisons are n of them.
func Poisons(n int) []*ssa.Value {
	vs := make([]*ssa.Value, n)
	for i := range vs {
		vs[i] = Poison
	}
	return vs
}

// AnyPoison reports whether one of the values is poison.
func AnyPoison(vs []*ssa.Value) bool {
	for _, v := range vs {
		if v == Poison {
			return true
		}
	}
	return false
}

// Pos is a place in the function's file, by the name that the sources give it.
func (b *Code) Pos(p token.Pos) ssa.Pos {
	if b.InLibrary() {
		return b.Within.Pos
	}
	at := b.File.PositionFor(p, false)
	return ssa.Pos{File: b.Src.File.Name, Line: at.Line, Col: at.Column}
}

// InLibrary reports whether a function of package qd is being lowered into the user's.
func (b *Code) InLibrary() bool { return b.Within != nil && !b.Within.Users }

// NewStmt makes the statement record that instructions share.
func (b *Code) NewStmt(n ast.Node) *ssa.Stmt {
	if b.Within != nil {
		return b.Within.Stmt
	}
	return &ssa.Stmt{Pos: b.Pos(n.Pos()), Text: strings.TrimSpace(b.Facts.Prog.Line(n.Pos())), Turn: b.Turn}
}

// Emit appends an instruction.
func (b *Code) Emit(pos token.Pos, in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	in.Pos = b.Pos(pos)
	in.Stmt = b.Stmt
	b.Cur.Append(in, results...)
	b.remember(in)
	return in
}

// Op appends an instruction with one result. If an operand is poison, the result is poison.
func (b *Code) Op(pos token.Pos, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	if AnyPoison(args) {
		return Poison
	}
	return b.Compute(pos, &ssa.Instr{Op: op, Args: args}, t)
}

// Constant appends a constant.
func (b *Code) Constant(pos token.Pos, t ssa.Type, c ssa.Const) *ssa.Value {
	return b.Emit(pos, &ssa.Instr{Op: ssa.OpConst, Const: c}, t).Result()
}

// Zero appends the zero value of a type.
func (b *Code) Zero(pos token.Pos, t ssa.Type) *ssa.Value {
	if _, ok := t.(ssa.Basic); !ok {
		return b.Op(pos, ssa.OpZero, t)
	}
	return b.Constant(pos, t, ssa.Const{})
}

// One appends the 1 of a numeric type.
func (b *Code) One(pos token.Pos, t ssa.Type) *ssa.Value {
	switch {
	case ssa.IsFloat(t):
		return b.Constant(pos, t, ssa.FloatConst(t, 1))
	case ssa.IsInteger(t):
		return b.Constant(pos, t, ssa.IntConst(t, 1))
	case ssa.IsComplex(t):
		part := ssa.ComplexPart(t)
		return b.Op(pos, ssa.OpMake, t, b.One(pos, part), b.Zero(pos, part))
	case t == ssa.Invalid: // of poison
		return Poison
	}
	return b.NoValue("a 1 of type " + t.String())
}

// Convert appends Go's conversion between numeric types; between types that
// differ only in their Go names there is nothing to do.
func (b *Code) Convert(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if v == Poison || v.Type == t {
		return v
	}
	return b.Op(pos, ssa.OpConvert, t, v)
}

// Leave appends a terminator. The code after it in the source is unreachable and goes to a block without
// an owner.
func (b *Code) Leave(pos token.Pos, in *ssa.Instr) {
	b.Emit(pos, in)
	b.Dead, b.Gone = true, true
	b.Cur = &ssa.Block{Func: b.Func}
}

// UsersCall returns, for a node in the source of package qd, the call in the user's source that led
// there: the one that the user can change.
func (b *Code) UsersCall(n ast.Node) ast.Node {
	if b.InLibrary() {
		n = b.Within.Call
	}
	for f := b.Function; f.Call != nil && check.IsLibrary(f.Src.Pkg.Path()); f = f.Caller {
		n = f.Call
	}
	return n
}
