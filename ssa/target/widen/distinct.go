package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// maxDistinct is how many pairs of slices are compared before a loop over threads, so that loads may run before stores.
const maxDistinct = 8

// areDistinct reports whether a slice may be taken for one that has no memory in common with others, or is one with them,
// and takes it for that from then on. It is so if it can be tested when a kernel starts: all are arguments.
func (w *widener) areDistinct(slice *ssa.Value, others []*ssa.Value) bool {
	if len(others) == 0 {
		return true
	}
	if w != w.calls.root {
		return false
	}
	places := w.places()
	of, ok := inParams(slice, places)
	list := slices.Clip(w.distinct)
	for _, other := range others {
		from, found := inParams(other, places)
		if ok = ok && found; !ok {
			return false
		}
		list = addPair(list, of, from)
	}
	if len(list) > maxDistinct {
		return false
	}
	w.distinct = list
	return true
}

// addPair adds a pair of slices to a list that does not have it yet.
func addPair(list [][2]*ssa.RowValue, x, y *ssa.RowValue) [][2]*ssa.RowValue {
	pair := [2]*ssa.RowValue{x, y}
	if ssa.HasPair(list, pair) {
		return list
	}
	return append(list, pair)
}
