package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Cooperate is for a target that runs the code of a block by all of its threads. Between the parallel loops of a
// Block kernel all of them compute the same, each for itself. What they would do to memory that they share is done by one of
// them, between barriers, and shared with the others: its results, and the variables that it may have changed.
func Cooperate(m *ssa.Module, known *analysis.Summaries) {
	for _, f := range m.Kernels() {
		if f.Kind == ssa.BlockKernel {
			cooperate(f.Body, known, known.Memory(f))
		}
	}
}

// cooperate decides about the instructions of a block of a Block kernel, outside of its parallel loops.
func cooperate(b *ssa.Block, known *analysis.Summaries, memory *analysis.Memory) {
	for _, in := range b.Instrs {
		if in.Op == ssa.OpFor || in.Op == ssa.OpMultiply {
			continue
		}
		in.Once = in.Blocks == nil && known.Effects(in).Has(analysis.SeenByOthers)
		switch in.Op {
		case ssa.OpStore, ssa.OpAtomic, ssa.OpCopy, ssa.OpCall, ssa.OpRecur:
			in.Changes = nil
			for _, a := range in.Args {
				for _, local := range memory.Variables(a) {
					if v := local.Result(); !slices.Contains(in.Changes, v) {
						in.Changes = append(in.Changes, v)
					}
				}
			}
		}
		for _, nested := range in.Blocks {
			cooperate(nested, known, memory)
		}
	}
}
