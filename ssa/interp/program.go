package interp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/qdgen/qd/ssa"
)

// A Program is a function that can be run. Runs may overlap.
type Program struct{ fn *function }

// Env is the environment of a run. An operation whose callback is missing is an error. An error of a
// callback ends the run, and is what errors.Is and errors.As find in the run's.
type Env struct {
	Memory Memory
	// Launch launches a kernel, in.Callee: dims are the sizes, args the bytes of
	// the arguments after its Thread.
	Launch func(in *ssa.Instr, dims []int64, args [][]byte) error
	// Snapshot notes what is in the memory that a value of the type of in's operand leads to. The bytes of the value are
	// another's when it has returned. Restore gives a value of the type of in's result for the number of a snapshot.
	Snapshot func(in *ssa.Instr, value []byte) (number int64, err error)
	Restore  func(in *ssa.Instr, number int64) (value []byte, err error)
	// Printf records arguments under the format in.Format, each as the bits that
	// an [ssa.Const] of its type has.
	Printf func(in *ssa.Instr, args []uint64) error
	// Sync comes back when all threads of the block have called it.
	Sync func(in *ssa.Instr) error
	// Agrees reports whether the threads of the block agree on a condition, when all of them have called it that come to
	// the check. Without it there is no other thread.
	Agrees func(in *ssa.Instr, cond bool) (bool, error)
	// Shared gives the address of the block's memory, or of the run's in host code, for an OpShared, zero at first.
	Shared func(in *ssa.Instr) (addr uint64, err error)
	Place  Place
	// Steps, if positive, is how many instructions may be executed before the run
	// ends in [ErrSteps].
	Steps int64
}

// Place is where in a launch a thread or a block is.
type Place struct {
	ID, Dim               [4]int64 // by axis; Dim is 1 past the launch's rank
	Flat                  int64    // of the thread
	Lane, Block, BlockDim int64
	BlockIndex            [4]int64
}

// ErrSteps ends a run that has used up its steps.
var ErrSteps = errors.New("too many steps")

// ErrDepth ends a run in which calls are nested too deep.
var ErrDepth = errors.New("stack overflow")

// maxDepth is how deep calls may be nested.
const maxDepth = 100_000

// A Fault ends a run in which a check failed or a panic was reached.
type Fault struct {
	Instr  *ssa.Instr // an OpCheck or an OpPanic, or one in lanes
	Lane   int        // which lane failed, 0 for what is not in lanes
	Values []uint64   // its operands, each as the bits that an [ssa.Const] has
}

func (f *Fault) Error() string {
	what := f.Instr.Op.String()
	if f.Instr.Op == ssa.OpCheck {
		what += " " + f.Instr.Check.String()
	}
	if f.Instr.Message != "" {
		what += " " + f.Instr.Message
	}
	for i, x := range f.Values {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		what += sep + formatted(f.Instr.Args[i].Type, x)
	}
	return what
}

func formatted(t ssa.Type, bits uint64) string {
	if t == ssa.Bool || ssa.IsNumeric(t) {
		return constant(t, bits).Format(t)
	}
	return fmt.Sprintf("%#x", bits)
}

// Run runs the program. There is one argument for each parameter that is no Thread
// or block; the results are copies.
func (p *Program) Run(env *Env, args [][]byte) (results [][]byte, err error) {
	m := machines.Get().(*machine)
	m.env, m.steps, m.limited = env, env.Steps, env.Steps > 0
	fr := m.frame(p.fn.size)
	i := 0
	for _, param := range p.fn.source.Params() {
		if isPlace(param.Type) {
			continue
		}
		if i == len(args) || len(args[i]) != param.Type.Size() {
			return nil, fmt.Errorf("interp: argument %d of %s is not the %d bytes of a %v", i, p.fn.source.Name, param.Type.Size(), param.Type)
		}
		fr.setBytes(p.fn.places[param.ID], param.Type, args[i])
		i++
	}
	if i < len(args) {
		return nil, fmt.Errorf("interp: %d arguments for the %d of %s", len(args), i, p.fn.source.Name)
	}
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			if !ok {
				panic(r)
			}
			results, err = nil, s.err
		}
		m.putBack()
	}()
	if rows := p.fn.source.Rows; rows != nil {
		m.inRows(fr, p.fn, rows)
	}
	p.fn.body.run(fr)
	for k, t := range p.fn.source.Results {
		at := p.fn.results[k]
		results = append(results, append([]byte(nil), fr.b[at:at+t.Size()]...))
	}
	return results, nil
}

// isPlace reports whether values of the type are where in the launch the code runs,
// and have no bytes.
func isPlace(t ssa.Type) bool { return t == ssa.Thread || t == ssa.BlockPlace }

// machine is the state of one run.
type machine struct {
	env     *Env
	stack   []byte // where frames are
	locals  []byte // local variables
	pushed  []byte // by OpPush
	buf     [8]byte
	steps   int64
	depth   int // of calls
	lane    int // whose turn it is, by OpAdvance
	limited bool

	seen struct { // what the watcher is told of
		frame    *frame
		compiler *compiler
	}
	value func(*ssa.Value) uint64 // of it
}

// machines are those of runs that have ended. A launch runs a program once for each thread, mostly for few instructions.
var machines = sync.Pool{New: func() any { return new(machine) }}

// putBack leaves the machine to another run.
func (m *machine) putBack() {
	*m = machine{stack: m.stack[:0], locals: m.locals[:0], pushed: m.pushed[:0]}
	machines.Put(m)
}

// stop is the panic value that ends a run.
type stop struct{ err error }

// fail ends the run at an instruction.
func fail(in *ssa.Instr, err error) {
	if in.Pos.Line != 0 {
		err = fmt.Errorf("%s:%d:%d: %w", in.Pos.File, in.Pos.Line, in.Pos.Col, err)
	}
	panic(stop{err})
}

// frame makes a frame of a function. Its bytes are anything.
func (m *machine) frame(size int) *frame {
	if len(m.stack)+size > cap(m.stack) {
		// The frames that there are keep theirs: only their room is to be left alone.
		m.stack = make([]byte, len(m.stack), max(4096, 2*(len(m.stack)+size)))
	}
	n := len(m.stack)
	m.stack = m.stack[:n+size]
	return &frame{m: m, b: m.stack[n : n+size : n+size]}
}
