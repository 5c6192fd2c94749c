package emit

import (
	"sort"

	"github.com/qdgen/qd/ssa"
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
		if in.Op != ssa.OpLoad || p.nonEscaping.MayChange(p.writes[i].in, in.Args[0]) {
			return true
		}
	}
	return false
}
