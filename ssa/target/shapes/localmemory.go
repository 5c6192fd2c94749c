package shapes

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// localMemory says whether the threads of a kernel need memory of their own, which CUDA calls local:
// variables that a compiler cannot keep in registers, since which part of one is read or
// written follows only when the kernel runs, or through which pointer.
//
// In C++ all iterations of the loop over threads have such a variable at one place. What
// tells the compiler that the iterations do not depend on each other does not hold for it.
type localMemory struct {
	needed bool
	// unless are the parameters, by their numbers, without which it is not needed only if they are
	// constants. Then an index is none that is found at run time: either the call is inlined, and the
	// index is the constant, or it stays a call, and the loop around it is not vectorized.
	unless uint64
}

// localMemoryOf finds it for a function.
func localMemoryOf(f *ssa.Func, of func(*ssa.Func) localMemory) (m localMemory) {
	constant := func(v *ssa.Value) {
		switch i := slices.Index(f.Params(), v); {
		case ssa.IsConst(v):
		case 0 <= i && i < 64:
			m.unless |= 1 << i
		default:
			m.needed = true
		}
	}
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpElemAddr:
			if !inSlice(in.Args[0]) {
				constant(in.Args[1])
			}
		case ssa.OpElem:
			if !(f.Kernel && in.Args[0].Def == nil && in.Args[0].Block == f.Body) {
				constant(in.Args[1])
			}
		case ssa.OpSliceOf:
			m.needed = m.needed || !inSlice(in.Args[0])
		case ssa.OpEq, ssa.OpNe:
			m.needed = m.needed || hasArray(in.Args[0].Type)
		case ssa.OpRecur:
			m.needed = true
		case ssa.OpCall:
			callee := of(in.Callee)
			m.needed = m.needed || callee.needed
			for i, v := range in.Args {
				if callee.unless>>i&1 != 0 {
					constant(v)
				}
			}
		case ssa.OpIf, ssa.OpLoop:
			for _, v := range in.Results {
				_, pointer := v.Type.(ssa.Pointer)
				m.needed = m.needed || pointer
			}
		}
	})
	return m
}

// inSlice reports whether an address is sure to be within an element of a slice.
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
