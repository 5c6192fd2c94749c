package build

import "github.com/qdgen/qd/ssa"

// writtenParams finds, for each function of a module, the parameters through whose
// slices and pointers it may write: what is not written is not copied back from a
// device. The answer may only err on the side of writing.
func writtenParams(m *ssa.Module) map[*ssa.Func]map[*ssa.Value]bool {
	all := make(map[*ssa.Func]map[*ssa.Value]bool)
	for _, f := range m.Funcs { // callees before callers
		w := &writes{done: make(map[*ssa.Value]bool), callees: all}
		f.Body.Walk(w.instr)
		all[f] = w.done
	}
	return all
}

// writes collects what a function may write through.
type writes struct {
	done    map[*ssa.Value]bool // values through which there are writes, with all that they come from
	callees map[*ssa.Func]map[*ssa.Value]bool
}

// instr looks for writes of one instruction.
func (w *writes) instr(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpStore:
		// A slice or a pointer that is put into memory is not followed from there.
		w.mark(in.Args...)
	case ssa.OpAtomic, ssa.OpCopy:
		w.mark(in.Args[0])
	case ssa.OpCall:
		written := w.callees[in.Callee]
		for i, p := range in.Callee.Params() {
			if written[p] {
				w.mark(in.Args[i])
			}
		}
	case ssa.OpLaunch:
		written := w.callees[in.Callee]
		for i, p := range in.Callee.Params()[1:] {
			if written[p] {
				w.mark(in.Args[in.Rank+i])
			}
		}
	case ssa.OpLoad, ssa.OpLen, ssa.OpIsNil, ssa.OpEq, ssa.OpNe, ssa.OpCheck:
		// reads
	case ssa.OpIndexAddr, ssa.OpSubslice, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpSliceOf,
		ssa.OpField, ssa.OpElem, ssa.OpMake, ssa.OpLocal, ssa.OpReturn:
		// What is written through the results is found there.
	default:
		// A slice or a pointer that becomes the result of an If or a Loop is not followed.
		w.mark(in.Args...)
	}
}

// mark notes that there are writes through values, and so through those that their
// slices and pointers come from.
func (w *writes) mark(values ...*ssa.Value) {
	for _, v := range values {
		if w.done[v] || !refers(v.Type) {
			continue
		}
		w.done[v] = true
		if v.Def == nil {
			continue
		}
		switch v.Def.Op {
		case ssa.OpIndexAddr, ssa.OpSubslice, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpSliceOf,
			ssa.OpField, ssa.OpElem, ssa.OpMake, ssa.OpLocal, ssa.OpLoad, ssa.OpCall:
			w.mark(v.Def.Args...)
		}
	}
}

// refers reports whether values of a type have addresses of memory in them.
func refers(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Slice, ssa.Pointer:
		return true
	case ssa.Array:
		return refers(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if refers(f.Type) {
				return true
			}
		}
	}
	return false
}
