package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A function that calls itself has no tangent function. This file finds where its results and what it writes may vary, so
// that calls of others, such as a search that only compares floats, are no reason to refuse a kernel.

// helpRecursion is what to do about a function that calls itself.
const helpRecursion = "write it as a loop"

// A recursion is what functions do that call each other.
type recursion struct {
	bits   bool // they make integers of the bits of floats
	writes bool // they may write floats to memory that is not their own
}

// recursion looks at a function and at what it leads to.
func (t *tangents) recursion(f *ssa.Func) *recursion {
	if r := t.recursions[f]; r != nil {
		return r
	}
	r, seen := new(recursion), make(map[*ssa.Func]bool)
	var visit func(f *ssa.Func)
	visit = func(f *ssa.Func) {
		if seen[f] {
			return
		}
		seen[f] = true
		f.Body.Walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpBitcast:
				r.bits = r.bits || ssa.IsFloat(in.Args[0].Type)
			case ssa.OpStore, ssa.OpAtomic, ssa.OpCopy:
				r.writes = r.writes || leads(in.Args[0].Type) && !in.Args[0].Root().IsLocal()
			case ssa.OpCall, ssa.OpRecur:
				visit(in.Callee)
			}
		})
	}
	visit(f)
	t.recursions[f] = r
	return r
}

// varyRecur marks what a call that leads back to its function may make vary. What its results depend on is not known, only
// what it is given.
func (t *tangents) varyRecur(v *varying, in *ssa.Instr) {
	does := t.recursion(in.Callee)
	memory := slices.ContainsFunc(in.Args, func(a *ssa.Value) bool { return leads(a.Type) })
	v.writes = v.writes || memory && does.writes
	floats, bits := memory && t.summaries.Effects(in).Has(analysis.ReadsAny), false
	for _, a := range in.Args {
		switch {
		case !v.varies(a):
		case hasFloats(a.Type):
			floats = true
		case !leads(a.Type):
			bits = true
		}
	}
	for _, r := range in.Results {
		if r.Type != ssa.Type(ssa.Bool) && (bits || floats && (does.bits || hasFloats(r.Type))) {
			v.mark(r)
		}
	}
}
