package shapes

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Vectorize decides what a compiler is told of the loops over the threads of kernels, and which matrices are
// read by rows.
func (p *Decider) Vectorize() {
	for _, f := range p.m.Kernels() {
		gathers := p.costs.gathers(f)
		rows := gathers || f.Body.HasLoop()
		switch {
		case p.mayStop(f):
		case f.Tile != nil:
			f.Vector, rows = ssa.VectorIndependent, false
		case gathers:
			f.Vector = ssa.VectorNever
		case !p.isDependent(f):
			f.Vector = ssa.VectorIndependent
		}
		lanesAs(f)
		if rows {
			readByRows(f, p.calls.Users(f))
		}
	}
}

// lanesAs has the loops over the lanes of a block run as those over a kernel's threads, but for those around another loop, which
// are not vectorized.
func lanesAs(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpFor && !in.Blocks[0].HasLoop() {
			in.Vector = f.Vector
		}
	})
}

// Inline decides which functions must be inlined, for loops over threads to be vectorized.
func (p *Decider) Inline() {
	for _, f := range p.m.Kernels() {
		if p.inlines(f) && (f.Tile != nil || !p.costs.gathers(f)) {
			p.inline(f)
		}
	}
}

// inlines reports whether what a kernel calls may be inlined by force: the loop over its threads may be vectorized then.
func (p *Decider) inlines(f *ssa.Func) bool {
	return !p.mayStop(f) && !p.isDependent(f) && p.mayInline(f)
}

// A loop with a call in it is not vectorized. Compilers leave a function a call if it is not small and is
// called in two places, even if one of them is in another kernel, which only happens to stand
// in the same text. So the functions that a kernel calls are inlined by force, unless
//   - they have fewer than minInlined instructions: compilers inline them anyway;
//   - the kernel has a loop, and is not vectorized for that;
//   - the kernel would have more than maxInlined instructions, or another one would that calls them too.
//
// mayInline reports whether all functions that a kernel calls may be inlined by force.
func (p *Decider) mayInline(f *ssa.Func) bool {
	w := p.costs.Of(f)
	return !w.loops && w.size <= maxInlined && !p.callsLeft(f)
}

// leaveLarge notes the functions that kernels call that are too large to be inlined by force.
func (p *Decider) leaveLarge() {
	p.left = make(map[*ssa.Func]bool)
	for _, f := range p.m.Kernels() {
		if p.costs.Of(f).size > maxInlined {
			for _, callee := range analysis.Reached(f) {
				p.left[callee] = true
			}
		}
	}
}

// callsLeft reports whether a function calls one that must not be inlined by force, or calls one that does.
func (p *Decider) callsLeft(f *ssa.Func) bool {
	return slices.ContainsFunc(analysis.Reached(f), func(callee *ssa.Func) bool { return p.left[callee] })
}

// inline notes the functions that f calls as some that must be inlined.
func (p *Decider) inline(f *ssa.Func) {
	for _, callee := range analysis.Reached(f) {
		callee.Inlined = callee.Inlined || p.costs.Of(callee).size >= minInlined
	}
}
