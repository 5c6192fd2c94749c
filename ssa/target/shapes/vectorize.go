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
		case f.AddsAlone(): // plain additions of two threads to one float depend on each other
		case !p.isDependent(f):
			f.Vector = ssa.VectorIndependent
		}
		p.lanesAs(f)
		if rows {
			p.table.readByRows(f, p.calls.Users(f))
		}
	}
}

// lanesAs has the loops over the lanes of a block run as those over a kernel's threads, but for those around another loop, which
// are not vectorized. What is known of a loop itself is more than what is known of the kernel, which may stop elsewhere.
func (p *Decider) lanesAs(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpFor || in.Blocks[0].HasLoop() {
			return
		}
		if in.Vector != ssa.VectorIndependent || f.Vector != ssa.VectorUnknown {
			in.Vector = f.Vector
		}
		if in.Vector == ssa.VectorIndependent && p.costs.constants(in.Blocks[0]) {
			in.Vector = ssa.VectorSeveral
		}
	})
}

// constants reports whether the code of a lane is mainly a function with more constants than a compiler keeps in registers,
// and short enough to be there several times.
func (c *costModel) constants(body *ssa.Block) bool {
	n, long := 0, 0
	body.Walk(func(in *ssa.Instr) {
		n++
		if in.Op == ssa.OpMath && in.Math == ssa.Exp && in.Result().Type == ssa.Float32 {
			long++
		}
	})
	return long == 1 && n <= c.table.maxShared
}
