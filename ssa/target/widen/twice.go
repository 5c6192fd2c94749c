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
	params := make(map[*ssa.Value]int)
	for i, p := range w.thread.Params()[1:] {
		params[p] = i
	}
	ok = true
	w.thread.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Blocks != nil || in.Op == ssa.OpLocal:
		case in.Op == ssa.OpLoad || in.Op == ssa.OpStore:
			root := in.Args[0].Root()
			if root.Def != nil && root.Def.Op == ssa.OpLocal {
				return // each run has its own
			}
			if slice, found := sliceOf(root, params); found {
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

// sliceOf finds where a slice is in a kernel's parameters.
func sliceOf(v *ssa.Value, params map[*ssa.Value]int) (r *ssa.RowValue, ok bool) {
	if _, isSlice := v.Type.(ssa.Slice); !isSlice {
		return nil, false
	}
	return inParams(v, params)
}

// inParams finds where a value is in a kernel's parameters.
func inParams(v *ssa.Value, params map[*ssa.Value]int) (r *ssa.RowValue, ok bool) {
	if i, isParam := params[v]; isParam {
		return &ssa.RowValue{Type: v.Type, Index: i}, true
	}
	if v.Def == nil || v.Def.Op != ssa.OpField {
		return nil, false
	}
	of, ok := inParams(v.Def.Args[0], params)
	return &ssa.RowValue{Op: ssa.OpField, Type: v.Type, Index: int(v.Def.Index), Args: []*ssa.RowValue{of}}, ok
}
