package widen

import (
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
	var reads, writes []*ssa.RowValue
	places := w.places()
	ok = true
	w.thread.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Blocks != nil:
		case isOfLocal(in): // nobody else's
		case in.Op == ssa.OpLoad || in.Op == ssa.OpStore:
			slice, found := inParams(in.Args[0].Root(), places)
			if ok = ok && found; !ok {
				return
			}
			if in.Op == ssa.OpLoad {
				reads = addOnce(reads, slice)
			} else {
				writes = addOnce(writes, slice)
			}
		case in.Op == ssa.OpCall, w.summaries.Effects(in).Has(analysis.ReadsAny | analysis.Seen):
			ok = false
		}
	})
	if !ok || len(reads)*len(writes) > maxApart {
		return nil, false
	}
	for _, r := range reads {
		for _, v := range writes {
			if r.String() == v.String() {
				return nil, false
			}
			apart = append(apart, [2]*ssa.RowValue{r, v})
		}
	}
	return apart, true
}

// addOnce adds a value to a list that does not have it yet.
func addOnce(list []*ssa.RowValue, v *ssa.RowValue) []*ssa.RowValue {
	for _, have := range list {
		if have.String() == v.String() {
			return list
		}
	}
	return append(list, v)
}
