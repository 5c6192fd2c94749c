package shapes

import (
	"github.com/qdgen/qd/ssa"
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
			p.table.readByRows(f, p.calls.Users(f))
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
