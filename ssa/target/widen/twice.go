package widen

import (
	"maps"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// maxApart is how many pairs of slices are compared when a kernel starts, so that threads may run twice.
const maxApart = 16

// twice finds the condition under which threads may run twice: that the slices of each pair have no memory in common. What
// a thread reads is then not written, and it writes the same to the same places again. ok is false if there is no such
// condition, or nobody can test it.
//
// The threads at the end of a row are fewer than a vector has lanes. They run in lanes all the same, with some that have
// run before.
func (w *widener) twice() (apart [][2]*ssa.RowValue, ok bool) {
	accessed := map[bool]map[string]*ssa.RowValue{false: {}, true: {}} // by whether it is written, and its name
	places := w.places()
	ok = true
	w.thread.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Blocks != nil:
		case in.Op == ssa.OpLoad || in.Op == ssa.OpStore:
			if slice, found := inParams(in.Args[0].Root(), places); found {
				accessed[in.Op == ssa.OpStore][slice.String()] = slice
			} else {
				ok = false
			}
		case in.Op == ssa.OpCall, w.summaries.Effects(in).Has(analysis.ReadsAny | analysis.Seen):
			ok = false
		}
	})
	reads, writes := slices.Sorted(maps.Keys(accessed[false])), slices.Sorted(maps.Keys(accessed[true]))
	if !ok || len(reads)*len(writes) > maxApart {
		return nil, false
	}
	for _, r := range reads {
		for _, v := range writes {
			if r == v {
				return nil, false
			}
			apart = append(apart, [2]*ssa.RowValue{accessed[false][r], accessed[true][v]})
		}
	}
	return apart, true
}
