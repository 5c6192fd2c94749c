package emit

import (
	"sort"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file tells which reads of memory may be printed after which writes: those
// that the writes cannot change.

// A write is an instruction that may change memory, and its place in the text's order.
type write struct {
	pos int
	in  *ssa.Instr
}

// disturbed reports whether something between two places may change what in reads.
func (p *plan) disturbed(in *ssa.Instr, from, to int) bool {
	i := sort.Search(len(p.writes), func(i int) bool { return p.writes[i].pos >= from })
	for ; i < len(p.writes) && p.writes[i].pos < to; i++ {
		if in.Op != ssa.OpLoad || p.mayChange(p.writes[i].in, in.Args[0]) {
			return true
		}
	}
	return false
}

// mayChange reports whether a write may change what a pointer points to.
func (p *plan) mayChange(w *ssa.Instr, ptr *ssa.Value) bool {
	root := p.roots.Of(ptr)
	switch w.Op {
	case ssa.OpStore, ssa.OpAtomic:
		to := p.roots.Of(w.Args[0])
		switch {
		case to == root:
			return !analysis.Disjoint(w.Args[0], ptr)
		case root.IsLocal() && p.isArgument(to):
			return false
		case to.IsLocal():
			return !p.isArgument(root) && !root.IsLocal() && p.escapes(to)
		}
	case ssa.OpPrintf:
		return false
	}
	return !root.IsLocal() || p.escapes(root)
}

// isArgument reports whether a root is one that the launch, or the caller, gives: no
// variable of this function is in it.
func (p *plan) isArgument(root *ssa.Value) bool { return root.Def == nil && root.Block == p.fn.Body }

// escapes reports whether a variable may be reached otherwise than by its name.
func (p *plan) escapes(local *ssa.Value) bool { return p.privates.Variable(local) == nil }
