package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// CheckSyncs puts a check in front of each condition on which it depends whether the threads of a block come to
// a barrier together, and of which that is not known.
func CheckSyncs(f *ssa.Func, d *analysis.Divergence) {
	checked := make(map[*ssa.Instr]bool)
	for _, sync := range analysis.Syncs(f) {
		for _, at := range d.Conditions(sync) {
			if checked[at] || d.Of(analysis.Condition(at)) != analysis.Unknown {
				continue
			}
			checked[at] = true
			before := at
			if at.Op == ssa.OpLoop {
				before = at.Cond().Terminator()
			}
			b := before.Block
			check := &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckSync, Args: []*ssa.Value{analysis.Condition(at)}, Block: b, Pos: at.Pos, Stmt: at.Stmt}
			b.Instrs = slices.Insert(b.Instrs, slices.Index(b.Instrs, before), check)
		}
	}
}
