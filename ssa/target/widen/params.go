package widen

import "github.com/qdgen/qd/ssa"

// stride is a distance of the lanes' elements: a constant times a number of the thread's code that lanes agree on.
type stride struct {
	c  int64
	of *ssa.Value
}

// maxStrides is how many strides are compared with 1 before a loop over threads.
const maxStrides = 8

// mostlyOne finds the strides of a kernel's elements in its parameters, nil if one of them is computed: only an argument,
// such as a view, is so often made for rows that the code for rows alone is worth its time.
func (w *widener) mostlyOne() (list []*ssa.RowValue) {
	places := w.places()
	for _, s := range w.strides {
		r, ok := inParams(s.of, places)
		if !ok || s.c != 1 || len(list) == maxStrides {
			return nil
		}
		list = addOnce(list, r)
	}
	return list
}

// places are the places of a kernel's parameters after the Thread.
func (w *widener) places() map[*ssa.Value]int {
	places := make(map[*ssa.Value]int)
	for i, p := range w.thread.Params()[1:] {
		places[p] = i
	}
	return places
}

// inParams finds where a value is in a kernel's parameters.
func inParams(v *ssa.Value, places map[*ssa.Value]int) (r *ssa.RowValue, ok bool) {
	if i, isParam := places[v]; isParam {
		return &ssa.RowValue{Type: v.Type, Index: i}, true
	}
	if v.Def == nil || v.Def.Op != ssa.OpField {
		return nil, false
	}
	of, ok := inParams(v.Def.Args[0], places)
	return &ssa.RowValue{Op: ssa.OpField, Type: v.Type, Index: int(v.Def.Index), Args: []*ssa.RowValue{of}}, ok
}
