package shapes

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A loop with a call in it is not vectorized. Compilers leave a function a call if it is not small and is
// called in two places, even if one of them is in another kernel, which only happens to stand
// in the same text. So what a kernel calls is put in the place of the calls, unless
//   - it has fewer than minInlined instructions: compilers inline it anyway;
//   - the kernel has a loop that compilers do not unroll, and is not vectorized for that;
//   - the kernel would have more than maxInlined instructions, or more than maxGrowth times those that it and
//     what it calls have: calls that double from function to function grow beyond all bounds.
//
// What clamps or tests an index is put there too, however small it is, where a row can be split: the interior
// of a row is the kernel's.

// Inlined tells which calls in a kernel, and in what they call, are to be replaced by what they call, nil for none.
func (p *Decider) Inlined(f *ssa.Func) func(call *ssa.Instr) bool {
	remarks := p.summaries.Remarks
	if why := p.keepsCalls(f); why != "" {
		if remarks != nil && p.hasCalls(f) {
			remarks.OnFunc("inline", ssa.Missed, f, "calls stay calls for the C++ compiler: %s", why)
		}
		return nil
	}
	split := p.mayBeSplit(f)
	return func(call *ssa.Instr) bool {
		size := p.costs.Of(call.Callee).size
		switch {
		case size >= p.table.minInlined:
			remarks.On("inline", ssa.Done, call, "%s is put in the place of the call: a call would keep the loop over threads from being vectorized", call.Callee.Name)
		case split && p.edges.Of(call.Callee):
			remarks.On("inline", ssa.Done, call, "%s is put in the place of the call: it clamps or tests an index, where rows can be split", call.Callee.Name)
		default:
			remarks.On("inline", ssa.Missed, call, "%s stays a call in the C++: it has %d instructions, and compilers inline fewer than %d anyway", call.Callee.Name, size, p.table.minInlined)
			return false
		}
		return true
	}
}

// hasCalls reports whether a function calls others.
func (p *Decider) hasCalls(f *ssa.Func) (found bool) {
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCall })
	return found
}

// keepsCalls is why the calls in a kernel stay, "" if they do not.
func (p *Decider) keepsCalls(f *ssa.Func) string {
	if why := p.inWay(f); why != "" {
		return why
	}
	if p.costs.gathers(f) {
		return whyGathers
	}
	return ""
}

// inWay is why calls in a kernel are not in the way of vectors, or why nothing can be done about it; "" if they are in
// the way. The accesses of threads that wait for each other are in several loops, in which they have yet to be looked
// at.
func (p *Decider) inWay(f *ssa.Func) string {
	w := p.costs.Of(f)
	switch {
	case p.mayStop(f):
		return whyStops
	case !p.summaries.Of(f).Block && p.isDependent(f):
		return p.whyDependent(f)
	case w.loops:
		return "the kernel has a loop that compilers do not unroll, and they vectorize only innermost loops"
	case w.size > maxInlined:
		return "the kernel would be too large with what it calls"
	case w.size > maxGrowth*p.sizeOnce(f):
		return "the kernel would grow too much with what it calls"
	}
	return ""
}

// sizeOnce is the size of a kernel with each function that it calls, once.
func (p *Decider) sizeOnce(f *ssa.Func) int {
	size := p.costs.Of(f).own
	for _, callee := range analysis.Reached(f) {
		size += p.costs.Of(callee).own
	}
	return size
}

// findEdges finds whether a function, or one of its callees, clamps or tests what may be an index: a parameter plus a
// constant, compared with a value that does not depend on it.
func findEdges(f *ssa.Func, of func(*ssa.Func) bool) bool {
	found := false
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpMin, ssa.OpMax, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
			x, y := in.Args[0], in.Args[1]
			found = found || isEdge(x, y) || isEdge(y, x)
		case ssa.OpRem:
			found = found || isEdge(withoutDivisor(in.Args[0], in.Args[1]), in.Args[1])
		case ssa.OpCall:
			found = found || of(in.Callee)
		}
	})
	return found
}

// isEdge reports whether a value may be an index, and another one the bound of a row.
func isEdge(index, bound *ssa.Value) bool {
	root := indexRoot(index)
	return root != nil && !dependsOn(bound, root, maxBound)
}

// withoutDivisor is a value, or what a divisor has been added to to get it: if i-1 is not negative, (i-1+n)%n is i-1.
func withoutDivisor(v, divisor *ssa.Value) *ssa.Value {
	at, _ := analysis.PlusConst(v)
	if d := at.Def; d != nil && d.Op == ssa.OpSub && ssa.IsConst(d.Args[1]) {
		at = d.Args[0]
	}
	if d := at.Def; d != nil && d.Op == ssa.OpAdd {
		switch divisor {
		case d.Args[0]:
			return d.Args[1]
		case d.Args[1]:
			return d.Args[0]
		}
	}
	return v
}

// indexRoot is what is an index if a value is one with a constant, nil for what cannot be one.
func indexRoot(v *ssa.Value) *ssa.Value {
	if v.Type != ssa.Int64 {
		return nil
	}
	if v.Def == nil {
		return v
	}
	switch args := v.Def.Args; v.Def.Op {
	case ssa.OpThreadID:
		return v
	case ssa.OpAdd, ssa.OpSub:
		switch {
		case ssa.IsConst(args[1]):
			return indexRoot(args[0])
		case ssa.IsConst(args[0]) && v.Def.Op == ssa.OpAdd:
			return indexRoot(args[1])
		}
	case ssa.OpMin, ssa.OpMax: // an index that is clamped once is clamped again at the other end of the row
		switch {
		case isEdge(args[0], args[1]):
			return indexRoot(args[0])
		case isEdge(args[1], args[0]):
			return indexRoot(args[1])
		}
	}
	return nil
}

// dependsOn reports whether a value is computed from another one, or by more instructions than most.
func dependsOn(v, root *ssa.Value, most int) bool {
	if v == root || most == 0 {
		return true
	}
	if v.Def == nil {
		return false
	}
	return slices.ContainsFunc(v.Def.Args, func(a *ssa.Value) bool { return dependsOn(a, root, most-1) })
}
