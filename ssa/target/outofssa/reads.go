package outofssa

import (
	"slices"
	"sort"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file tells which reads of memory may be evaluated after which writes: those
// that the writes cannot change.

// A write is an instruction that may change memory, and its place in the text's order.
type write struct {
	pos int
	in  *ssa.Instr
}

// disturbed reports whether something between two places may change what in reads.
func (t *translation) disturbed(in *ssa.Instr, from, to int) bool {
	i := sort.Search(len(t.writes), func(i int) bool { return t.writes[i].pos >= from })
	for ; i < len(t.writes) && t.writes[i].pos < to; i++ {
		if in.Op != ssa.OpLoad || t.nonEscaping.MayChange(t.writes[i].in, in.Args[0]) {
			return true
		}
	}
	return false
}

// unchanged reports whether nothing that load reads is written between it and the last
// place where v, which depends on it, is evaluated.
func (t *translation) unchanged(v *ssa.Value, load *ssa.Instr) bool {
	for _, u := range t.users[v.ID] {
		if t.f.IsDead(u) {
			continue
		}
		if len(u.Results) == 1 && t.f.inline[u.Results[0].ID] {
			if !t.unchanged(u.Results[0], load) {
				return false
			}
			continue
		}
		for u.Block != load.Block {
			u = u.Block.Owner
		}
		end := pos(u)
		if u.Blocks != nil {
			end = pos(u.Block.Instrs[slices.Index(u.Block.Instrs, u)+1])
		}
		if t.disturbed(load, pos(load), end) {
			return false
		}
	}
	return true
}

// reads reports whether an instruction, which does not write, reads memory.
func (t *translation) reads(in *ssa.Instr) bool {
	return t.summaries.Effects(in).Has(analysis.ReadsAny)
}
