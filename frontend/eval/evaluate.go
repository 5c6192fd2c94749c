package eval

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// The result of a call is known if its arguments are: where it makes a difference, the
// function is run. It is lowered for that with checks, for these arguments alone, in a
// module of its own. What is not pure Go, or takes too long, is left to the running kernel.

// MaxSteps is how many instructions a call may take that is made at compile time.
const MaxSteps = 10_000_000

// A PendingCall is a call of which the results may be known.
type PendingCall struct {
	B    *Values
	Src  *load.Function
	F    *Func
	Args []*ssa.Value

	done    bool
	results []comptime.Value // nil if they are not known
	err     error            // what went wrong when it was made
}

// Facts are compile-time facts about the values of a module.
type Facts struct {
	*check.Syntax
	Opts Options

	pending  map[*ssa.Instr]*PendingCall
	Run      func(*PendingCall) ([]comptime.Value, error) // makes a call
	folded   map[*ssa.Value]folding
	symbols  map[*ssa.Value]bool // see Symbolic
	doubtful map[*ssa.Value]bool // see IsDoubtful
	Unsigned map[*ssa.Value]bool // indices and bounds that were uint64s

	Refs map[load.Ref]*Func // functions by what comptime values call them

	literals map[*Func]knownLiteral // those that are known as values

	closing []any // what the keys of closed arguments name by numbers

	dynamics []Dynamic // the dynamic types of interface values, by their numbers less 1

	Missing []load.Ref      // functions in values that the program lacks
	wanting map[string]bool // by instanceKey: see wantsKnown

	NeedKnown   map[*types.Func]bool // functions that are refused if they are lowered for all arguments
	KnownUnused bool                 // some call has known arguments, and its function does not want them

	keys    map[instance]string // see instanceKey
	reached map[string][]*Func  // by instanceKey: see reaches
	leading map[string]bool     // by instanceKey: see LeadsToRecursion
}

// A folding is the constant that a value folds to, if it is known.
type folding struct {
	v  comptime.Value
	ok bool
}

// NoteCall notes a call whose results may be asked for.
func (b *Values) NoteCall(in *ssa.Instr, src *load.Function, f *Func, args []*ssa.Value) {
	m := b.Facts
	for _, arg := range args {
		if arg == UntypedNil || check.HoldsPointers(arg.Type) || check.IsPlace(arg.Type) {
			return
		}
	}
	for _, t := range in.Callee.Results {
		if check.HoldsPointers(t) {
			return
		}
	}
	if len(in.Callee.Results) == 0 {
		return
	}
	if m.pending == nil {
		m.pending = map[*ssa.Instr]*PendingCall{}
	}
	m.pending[in] = &PendingCall{B: b, Src: src, F: f, Args: args}
}

// made gives the results of a call that is made at compile time; false if they are not
// known.
func (m *Facts) made(in *ssa.Instr) ([]comptime.Value, bool) {
	c := m.pending[in]
	if c == nil {
		return nil, false
	}
	if !c.done {
		c.done = true
		c.results, c.err = m.Run(c)
	}
	return c.results, c.results != nil
}

// computed is what a value comes to that is computed from constants and from the results
// of calls whose arguments are known; false if it is not. The value has no type names.
func (m *Facts) computed(v *ssa.Value) (comptime.Value, bool) {
	if v.Def == nil || IsFront(v) {
		return comptime.Value{}, false
	}
	if f, ok := m.folded[v]; ok {
		return f.v, f.ok
	}
	if m.folded == nil {
		m.folded = map[*ssa.Value]folding{}
	}
	m.folded[v] = folding{} // until it is known
	x, ok := m.compute(v)
	m.folded[v] = folding{x, ok}
	return x, ok
}

func (m *Facts) compute(v *ssa.Value) (none comptime.Value, ok bool) {
	in := v.Def
	switch in.Op {
	case ssa.OpConst:
		if v.Type == ssa.String {
			return none, false
		}
		return scalarValue(v.Type, in.Const), true
	case ssa.OpCall:
		results, ok := m.made(in)
		if !ok {
			return none, false
		}
		for i, r := range in.Results {
			if r == v {
				return results[i], true
			}
		}
		return none, false
	}
	if in.Op.Effect() != ssa.Pure || len(in.Args) == 0 || !isComputation(in.Op) {
		return none, false
	}
	xs := make([]comptime.Value, len(in.Args))
	for i, arg := range in.Args {
		if xs[i], ok = m.computed(arg); !ok {
			return none, false
		}
	}
	switch in.Op {
	case ssa.OpMake:
		return comptime.Value{Kind: compositeKind(v.Type), Elems: xs}, true
	case ssa.OpField:
		if int(in.Index) < len(xs[0].Elems) {
			return xs[0].Elems[in.Index], true
		}
		return none, false
	case ssa.OpElem:
		if i := xs[1].Bits; i < uint64(len(xs[0].Elems)) {
			return xs[0].Elems[i], true
		}
		return none, false
	}
	args := make([]*ssa.Value, len(xs))
	for i, x := range xs {
		if len(x.Elems) > 0 || x.Kind == comptime.Invalid {
			return none, false
		}
		args[i] = &ssa.Value{Type: in.Args[i].Type, Def: &ssa.Instr{Op: ssa.OpConst, Const: ssa.BitsConst(x.Bits)}}
	}
	tmp := *in
	tmp.Args = args
	switch in.Op {
	case ssa.OpDiv, ssa.OpRem, ssa.OpShl, ssa.OpShr:
		if panics(&tmp) {
			return none, false
		}
	}
	if c, ok := ssa.Fold(&tmp, v.Type); ok && len(in.Results) == 1 {
		return scalarValue(v.Type, c), true
	}
	return m.operate(&tmp, slices.Index(in.Results, v))
}

// operate is a result of an operation on constants, as the host computes it: a function of
// package math, say.
func (m *Facts) operate(in *ssa.Instr, result int) (none comptime.Value, ok bool) {
	fn := ssa.NewFunc("operation")
	op := &ssa.Instr{Op: in.Op, Math: in.Math, Bits: in.Bits}
	for _, arg := range in.Args {
		op.Args = append(op.Args, fn.Body.Append(&ssa.Instr{Op: ssa.OpConst, Const: arg.Def.Const}, arg.Type).Result())
	}
	for _, r := range in.Results {
		fn.Results = append(fn.Results, r.Type)
	}
	fn.Body.Append(op, fn.Results...)
	fn.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Args: op.Results})
	out, err := interp.Compile(fn).Run(&interp.Env{Steps: MaxSteps}, nil)
	if err != nil {
		return none, false
	}
	return ValueOf(fn.Results[result], out[result]), true
}

// AsKnown is a value that is demanded to be known: a constant in the place of what comes to
// one.
func (b *Values) AsKnown(e ast.Expr, v *ssa.Value) *ssa.Value {
	if IsFront(v) || IsKnown(v) {
		return v
	}
	t := b.GoType(e)
	x, ok := b.Known(v, t)
	if !ok {
		return v // symbolic
	}
	return b.FromKnown(e.Pos(), t, x)
}

// isComputation reports whether an operation gives numbers and bools of nothing but its operands.
func isComputation(op ssa.Op) bool {
	switch op {
	case ssa.OpThreadID, ssa.OpThreadDim, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpBlockIndex, ssa.OpOpaque:
		return false
	}
	return true
}

// withTypes is a value of a Go type with the names of its types.
func (m *Facts) withTypes(v comptime.Value, t types.Type) comptime.Value {
	v.Type = typeName(t)
	v.Elems = m.grouped(v.Elems, t)
	ts := check.PartTypes(t)
	if len(ts) != len(v.Elems) {
		return v
	}
	elems := make([]comptime.Value, len(ts))
	for i, e := range v.Elems {
		elems[i] = m.withTypes(e, ts[i])
	}
	v.Elems = elems
	return v
}

// whyNotMade says why a call has no known result, "" where it depends on the running
// kernel.
func (m *Facts) whyNotMade(in *ssa.Instr) string {
	c := m.pending[in]
	if c == nil || c.err == nil {
		return ""
	}
	var fault *interp.Fault
	switch {
	case errors.Is(c.err, interp.ErrSteps):
		return fmt.Sprintf("the call of %s takes more than %d steps", c.F.Obj.Name(), MaxSteps)
	case errors.As(c.err, &fault):
		at := fault.Instr.Pos
		return fmt.Sprintf("the call of %s panics at %s:%d: %s", c.F.Obj.Name(), at.File, at.Line, faultText(fault))
	}
	return ""
}

// faultText describes the fault of a call at compile time.
func faultText(f *interp.Fault) string {
	in := f.Instr
	value := func(i int) string { return ssa.BitsConst(f.Values[i]).Format(in.Args[i].Type) }
	if in.Op == ssa.OpPanic {
		if in.Message == "" && len(f.Values) > 0 {
			return value(0)
		}
		if len(f.Values) > 0 {
			args := make([]any, len(f.Values))
			for i, v := range f.Values {
				args[i] = printf.Arg{Kind: in.Args[i].Type.String()}.Value(v)
			}
			return fmt.Sprintf(in.Message, args...)
		}
		return in.Message
	}
	switch in.Check {
	case ssa.CheckIndex:
		return "index out of range [" + value(0) + "] with length " + value(1)
	case ssa.CheckDivide:
		return "integer divide by zero"
	case ssa.CheckShift:
		return "negative shift amount"
	case ssa.CheckNil:
		return "nil pointer dereference"
	case ssa.CheckAssert:
		return "assertion failed: " + in.Message
	}
	return "slice bounds out of range"
}
