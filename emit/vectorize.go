package emit

import "github.com/qdgen/qd/ssa"

// This file decides how a dialect that runs threads one after the other runs them in vectors.

// findKernels finds out how the threads of each kernel are run.
func (p *printer) findKernels() {
	p.kernels = make(map[*ssa.Func]*Kernel)
	p.inlined = make(map[*ssa.Func]bool)
	for _, f := range p.m.Kernels() {
		k := &Kernel{Symbol: p.names[f], Func: f, Interior: p.interiors.kernels[f], Faults: mayStop(f), Blocked: Blocked(f), Place: p.typeName(f.Params()[0].Type), uses: p.uses, ids: p.ids, dims: p.dims}
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
	dependent := isDependent(k.Func)
	if k.Tile = p.tileOf(k, dependent); k.Tile != nil {
		k.byRows = false
	}
	switch {
	case gathers && k.Tile == nil:
		k.Hint = p.d.Scalar
		return
	case dependent:
		return
	}
	k.Hint = p.d.Vectorize
	if w := p.works.of(k.Func); !w.loops && w.size <= maxInlined {
		p.inline(k.Func)
	}
}

// A loop over threads that has a call in it is not vectorized. Compilers leave a function that is not
// small a call if there are several of it, be they in kernels of their own that only stand in the same
// text. So functions of kernels without loops must be inlined,
const (
	minInlined = 30   // if they have as many instructions: smaller ones are inlined by everybody,
	maxInlined = 3000 // and if all in all there are not more.
)

// inline notes the functions that f calls as some that must be inlined.
func (p *printer) inline(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpCall && !p.inlined[in.Callee] {
			p.inlined[in.Callee] = p.works.of(in.Callee).size >= minInlined
			p.inline(in.Callee)
		}
	})
}
