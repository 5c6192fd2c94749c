package shapes

import (
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
	split := p.MayBeSplit(f)
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

// MayBeSplit reports whether the rows of a kernel may be split: whether a compiler finds vectors in the loop over one.
func (p *Decider) MayBeSplit(k *ssa.Func) bool {
	return k.Kind == ssa.ThreadKernel && !p.summaries.Of(k).Block && !p.costs.gathers(k) && p.rows.Of(k)
}

// findVectorizable finds whether a compiler can vectorize the loop over a row; otherwise a second copy would be a
// waste. Compilers vectorize only innermost loops, once they have unrolled short ones.
func (p *Decider) findVectorizable(f *ssa.Func, of func(*ssa.Func) bool) bool {
	ok := !p.isDependent(f)
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			ok = ok && p.table.Split.IsUnrolled(in)
		case ssa.OpRecur, ssa.OpAtomic, ssa.OpPrintf, ssa.OpCheck, ssa.OpPanic:
			ok = false
		case ssa.OpCall:
			ok = ok && of(in.Callee)
		}
	})
	return ok
}
