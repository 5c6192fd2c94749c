package target

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// CPUStack is how many bytes of stack recursion may take on a CPU in a checked build. On a GPU it is [abi.GPUStack].
const CPUStack = 2 << 20

// BoundDepth has functions that call themselves count how deep they are, so that recursion which is too deep for a
// stack of so many bytes is a fault and no crash.
func BoundDepth(m *ssa.Module, stack int) {
	d := &depthCounter{on: onCycles(m)}
	if len(d.on) == 0 {
		return
	}
	frame := 0
	stacks := newStacks(frameOf, d.on)
	depths := make(map[*ssa.Func]*ssa.Value, len(d.on))
	for f := range d.on {
		frame = max(frame, stacks.Of(f).bytes)
		depths[f] = f.Body.AddParam(ssa.Int64, "depth")
	}
	d.limit = int64(max(stack/frame, 1))
	for _, f := range m.Funcs {
		d.depth = depths[f]
		f.Body.InFront(d.call)
	}
}

// onCycles are the functions that lead to themselves and can take one more argument, with their names in Go.
func onCycles(m *ssa.Module) map[*ssa.Func]string {
	on := make(map[*ssa.Func]string)
	companions := m.Companions()
	for _, group := range analysis.Cycles(m.Funcs) {
		if !analysis.LeadsToItself(group) {
			continue
		}
		counted := group
		if slices.ContainsFunc(group, func(f *ssa.Func) bool { return companions[f] || f.Gradient != nil || f.Replay != nil }) {
			counted = below(m, group)
		}
		for i, f := range counted {
			on[f] = group[i].Name
		}
	}
	return on
}

// below gives the functions of a cycle copies for the calls that lead back, and returns the copies in the same order. The
// functions themselves take what they took: their derivatives take the same. Their other calls stay too, so that a function
// with a derivative is called where it is without checks.
func below(m *ssa.Module, group []*ssa.Func) (list []*ssa.Func) {
	copies := make(map[*ssa.Func]*ssa.Func, len(group))
	for _, f := range group {
		g := f.Clone(f.Name + ".again")
		g.Gradient, g.Replay = nil, nil
		copies[f] = g
		list = append(list, g)
	}
	for i, f := range group {
		g := list[i]
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpRecur {
				in.Callee = copies[in.Callee]
			}
		})
		g.Body.Walk(func(in *ssa.Instr) {
			if c := copies[in.Callee]; c != nil {
				in.Callee = c
			}
		})
		m.Funcs = slices.Insert(m.Funcs, slices.Index(m.Funcs, f), g)
	}
	return list
}

// A depthCounter gives the calls in a function the depth.
type depthCounter struct {
	on    map[*ssa.Func]string // the functions that take it, with their names in Go
	limit int64
	depth *ssa.Value // of the function itself, nil for one that is not counted
}

// call counts an instruction that is to be appended to a block, if it is such a call.
func (d *depthCounter) call(b *ssa.Block, call *ssa.Instr) {
	if call.Op != ssa.OpCall && call.Op != ssa.OpRecur || d.on[call.Callee] == "" {
		return
	}
	emit := func(b *ssa.Block, in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
		in.Pos, in.Stmt = call.Pos, call.Stmt
		return b.Append(in, results...)
	}
	constant := func(n int64) *ssa.Value {
		return emit(b, &ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(n))}, ssa.Int64).Result()
	}
	if d.depth == nil {
		call.Args = append(call.Args[:len(call.Args):len(call.Args)], constant(0))
		return
	}
	if call.Op == ssa.OpRecur {
		deep := emit(b, &ssa.Instr{Op: ssa.OpGe, Args: []*ssa.Value{d.depth, constant(d.limit)}}, ssa.Bool).Result()
		branch := emit(b, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{deep}})
		message := "runtime error: stack overflow: more than " + strconv.FormatInt(d.limit, 10) + " calls of " + d.on[call.Callee] + " in one another"
		emit(branch.NewBlock(), &ssa.Instr{Op: ssa.OpPanic, Message: message})
		emit(branch.NewBlock(), &ssa.Instr{Op: ssa.OpYield})
	}
	next := emit(b, &ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{d.depth, constant(1)}}, ssa.Int64).Result()
	call.Args = append(call.Args[:len(call.Args):len(call.Args)], next)
}
