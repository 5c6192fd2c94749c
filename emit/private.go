package emit

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Privates are the functions that were looked at, and whether their threads need memory of their own:
// variables that a compiler cannot keep in registers, since which part of one is read or
// written is known only when the kernel runs, or through which pointer.
//
// In C++ all turns of the loop over threads have such a variable at one place. What
// tells the compiler that the turns do not depend on each other does not hold for it.
type privates map[callee]bool

// A callee is a function with what is known of its arguments: bit i is set if number i is a constant.
//
// That is enough for an index to be none that is found at run time: either the call is inlined, and the
// index is the constant then, or it stays a call, and the loop around it is not vectorized.
type callee struct {
	f         *ssa.Func
	constants uint64
}

// need reports whether a function that is called with some constants needs such memory.
func (known privates) need(f *ssa.Func, constants uint64) bool {
	key := callee{f, constants}
	if found, ok := known[key]; ok {
		return found
	}
	found := false
	isConst := func(v *ssa.Value) bool {
		if i := slices.Index(f.Params(), v); i >= 0 {
			return constants>>i&1 != 0
		}
		return isConst(v)
	}
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpElemAddr:
			found = found || !isConst(in.Args[1]) && !inSlice(in.Args[0])
		case ssa.OpElem:
			found = found || !isConst(in.Args[1]) && !(f.Kernel && in.Args[0].Def == nil && in.Args[0].Block == f.Body)
		case ssa.OpSliceOf:
			found = found || !inSlice(in.Args[0])
		case ssa.OpEq, ssa.OpNe:
			found = found || hasArray(in.Args[0].Type)
		case ssa.OpCall:
			var given uint64
			for i, v := range in.Args {
				if isConst(v) {
					given |= 1 << i
				}
			}
			found = found || known.need(in.Callee, given)
		case ssa.OpIf, ssa.OpLoop:
			for _, v := range in.Results {
				_, pointer := v.Type.(ssa.Pointer)
				found = found || pointer
			}
		}
	})
	known[key] = found
	return found
}

func isConst(v *ssa.Value) bool { _, ok := v.Const(); return ok }

// inSlice reports whether an address is known to be within an element of a slice.
func inSlice(ptr *ssa.Value) bool {
	for ptr.Def != nil && (ptr.Def.Op == ssa.OpElemAddr || ptr.Def.Op == ssa.OpFieldAddr) {
		ptr = ptr.Def.Args[0]
	}
	return ptr.Def != nil && ptr.Def.Op == ssa.OpIndexAddr
}

// hasArray reports whether there is an array in values of type t.
func hasArray(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Array:
		return true
	case *ssa.Struct:
		for _, f := range t.Fields {
			if hasArray(f.Type) {
				return true
			}
		}
	}
	return false
}
