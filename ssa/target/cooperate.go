package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Cooperate is for a target that runs the code of a block by all of its threads. Between the parallel loops of a Block
// kernel all of them compute the same, each for itself. What they would do to memory that they share is done by one of
// them, between barriers, and shared with the others: its results, and the variables that it may have changed. Before
// and after a loop over a matrix in registers, threads wait for each other only if one sees what another one does
// there.
func Cooperate(m *ssa.Module, summaries *analysis.Summaries) {
	for _, f := range m.Kernels() {
		if f.Kind == ssa.BlockKernel {
			cooperate(f.Body, summaries, summaries.Memory(f))
		}
	}
}

// cooperate decides about the instructions of a block of a Block kernel, outside of its parallel loops.
func cooperate(b *ssa.Block, summaries *analysis.Summaries, memory *analysis.Memory) {
	for _, in := range b.Instrs {
		if in.Op == ssa.OpFor || in.Op == ssa.OpMultiply {
			in.Async = in.Async || in.Spread && !seenByOthers(in.Blocks[0], summaries)
			continue
		}
		in.Once = in.Blocks == nil && summaries.Effects(in).Has(analysis.SeenByOthers)
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
			cooperate(nested, summaries, memory)
		}
	}
}

// seenByOthers reports whether other threads may see what the body of a loop over a matrix in registers does, besides
// what it stores in that.
func seenByOthers(body *ssa.Block, summaries *analysis.Summaries) (seen bool) {
	body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Blocks != nil || in.Op.IsTerminator() || seen:
		case in.Op == ssa.OpStore && in.Args[0].Def != nil && in.Args[0].Def.Op == ssa.OpIndexAddr && in.Args[0].Def.Args[0].SpreadMatrix() != nil:
		default:
			seen = summaries.Effects(in).Has(analysis.SeenByOthers)
		}
	})
	return seen
}
