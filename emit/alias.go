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
	root := ptr.Root()
	switch w.Op {
	case ssa.OpStore, ssa.OpAtomic:
		to := w.Args[0].Root()
		switch {
		case to == root:
			return !analysis.Disjoint(w.Args[0], ptr)
		case isLocal(root) && p.isArgument(to):
			return false
		case isLocal(to):
			return !p.isArgument(root) && !isLocal(root) && p.escapes(to)
		}
	case ssa.OpPrintf:
		return false
	}
	return !isLocal(root) || p.escapes(root)
}

// isArgument reports whether a root is one that the launch, or the caller, gives: no
// variable of this function is in it.
func (p *plan) isArgument(root *ssa.Value) bool { return root.Def == nil && root.Block == p.fn.Body }

// escapes reports whether a variable may be reached otherwise than by its name: whether its address,
// or one within it, is used for anything but to read and write there.
func (p *plan) escapes(local *ssa.Value) bool {
	known, ok := p.escaping[local]
	if !ok {
		known = p.leaks(local)
		p.escaping[local] = known
	}
	return known
}

func (p *plan) leaks(ptr *ssa.Value) bool {
	for _, u := range p.users[ptr.ID] {
		switch {
		case u.Op == ssa.OpLoad, u.Op == ssa.OpCheck, u.Op == ssa.OpStore && u.Args[1] != ptr, u.Op == ssa.OpAtomic && u.Args[0] == ptr:
		case u.Op == ssa.OpFieldAddr, u.Op == ssa.OpElemAddr:
			if p.leaks(u.Results[0]) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
