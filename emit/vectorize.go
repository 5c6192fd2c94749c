package emit

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file decides how a dialect that runs threads one after the other runs them in vectors.

// findKernels finds out how the threads of each kernel are run.
func (p *printer) findKernels() {
	p.kernels = make(map[*ssa.Func]*Kernel)
	p.inlined = make(map[*ssa.Func]bool)
	if p.d.Serial {
		p.leaveLarge()
	}
	for _, f := range p.m.Kernels() {
		k := &Kernel{Symbol: p.names[f], Func: f, Interior: p.interiors.kernels[f], Faults: p.calls.Of(f).Effects.Has(analysis.MayStop), Blocked: Blocked(f), Place: p.typeName(f.Params()[0].Type), uses: p.uses, ids: p.ids, dims: p.dims}
		p.kernels[f] = k
		if p.d.Serial {
			p.vectorize(k)
		}
	}
}

// vectorize decides how the loop over the threads of a kernel is printed.
func (p *printer) vectorize(k *Kernel) {
	gathers := p.works.gathers(k.Func)
	k.byRows = gathers || hasLoop(k.Func.Body)
	if k.Faults {
		return
	}
	independent := !p.isDependent(k.Func)
	inlines := independent && p.mayInline(k.Func)
	if inlines {
		k.Tile = p.tileOf(k)
	}
	switch {
	case k.Tile != nil:
		k.Hint, k.byRows = p.d.Vectorize, false
	case gathers:
		k.Hint = p.d.Scalar
		return
	case independent:
		k.Hint = p.d.Vectorize
	}
	if inlines {
		p.inline(k.Func)
	}
}

// A loop with a call in it is not vectorized. Compilers leave a function a call if it is not small and is
// called in two places, even if one of them is in another kernel, which only happens to stand
// in the same text. So the functions that a kernel calls are inlined by force, unless
//   - they have fewer than minInlined instructions: compilers inline them anyway;
//   - the kernel has a loop, and is not vectorized for that;
//   - the kernel would have more than maxInlined instructions, or another one would that calls them too.
const (
	minInlined = 30
	maxInlined = 3000
)

// mayInline reports whether all functions that a kernel calls may be inlined by force.
func (p *printer) mayInline(f *ssa.Func) bool {
	w := p.works.Of(f)
	return !w.loops && w.size <= maxInlined && !p.callsLeft(f)
}

// leaveLarge notes the functions that kernels call that are too large to be inlined by force.
func (p *printer) leaveLarge() {
	p.left = make(map[*ssa.Func]bool)
	for _, f := range p.m.Kernels() {
		if p.works.Of(f).size > maxInlined {
			for _, callee := range analysis.Reached(f) {
				p.left[callee] = true
			}
		}
	}
}

// callsLeft reports whether a function calls one that must not be inlined by force, or calls one that does.
func (p *printer) callsLeft(f *ssa.Func) bool {
	return slices.ContainsFunc(analysis.Reached(f), func(callee *ssa.Func) bool { return p.left[callee] })
}

// inline notes the functions that f calls as some that must be inlined.
func (p *printer) inline(f *ssa.Func) {
	for _, callee := range analysis.Reached(f) {
		p.inlined[callee] = p.works.Of(callee).size >= minInlined
	}
}
