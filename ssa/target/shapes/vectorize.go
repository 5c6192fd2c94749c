package shapes

import (
	"github.com/qdgen/qd/ssa"
)

// Vectorize decides what a compiler is told of the loops over the threads of kernels, and which matrices are
// read by rows.
func (p *Decider) Vectorize() {
	for _, f := range p.m.Kernels() {
		gathers := p.costs.gathers(f)
		why := ""
		switch {
		case p.mayStop(f):
			why = whyStops
		case gathers:
			f.Vector, why = ssa.VectorNever, whyGathers
		case f.AddsAlone(): // plain additions of two threads to one float depend on each other
			why = "threads add to floats that others add to"
		case !p.isDependent(f):
			f.Vector = ssa.VectorIndependent
		default:
			why = p.whyDependent(f)
		}
		p.remark(f, why)
		p.lanesAs(f)
		if gathers || f.Body.HasLoop() {
			p.readByRows(f)
		}
	}
}

// Reasons that several decisions have.
const (
	whyStops   = "a check or a panic may stop a thread"
	whyGathers = "threads compute too little for the numbers that vectors would have to gather: numbers that lie far from those of the next thread"
)

// remark says what the compiler is told of the loop over a kernel's threads.
func (p *Decider) remark(f *ssa.Func, why string) {
	remarks := p.summaries.Remarks
	switch f.Vector {
	case ssa.VectorIndependent:
		remarks.OnFunc("vectorize", ssa.Done, f, "the C++ compiler is told that the iterations of the loop over threads do not depend on each other")
	case ssa.VectorNever:
		remarks.OnFunc("vectorize", ssa.Missed, f, "the C++ compiler is told to make no vectors in the loop over threads: %s", why)
	default:
		remarks.OnFunc("vectorize", ssa.Missed, f, "the C++ compiler is not told that the iterations of the loop over threads do not depend on each other: %s", why)
	}
}

// whyDependent is why [Decider.isDependent] holds.
func (p *Decider) whyDependent(f *ssa.Func) string {
	if local := p.local.Of(f); local.needed || local.unless != 0 {
		return "threads have variables in memory of their own, of which a part is chosen when the kernel runs"
	}
	return "the order may matter in which a thread writes and reads memory that is not next to that of the next thread"
}

// lanesAs has the loops over the lanes of a block run as those over a kernel's threads, but for those around another
// loop, which are not vectorized. Facts about a loop itself are more than those about the kernel, which may stop
// elsewhere.
func (p *Decider) lanesAs(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpFor || in.Blocks[0].HasLoop() {
			return
		}
		if in.Vector != ssa.VectorIndependent || f.Vector != ssa.VectorUnknown {
			in.Vector = f.Vector
		}
		switch {
		case in.Vector != ssa.VectorIndependent:
		case isShort(in):
			in.Vector = ssa.VectorShort
		case p.costs.constants(in.Blocks[0]):
			in.Vector = ssa.VectorSeveral
		}
	})
}

// clang may unroll an innermost loop with fewer turns than manyTurns as a whole before it looks for vectors, if a turn
// does little. It then vectorizes the loop around it, and gathers the elements of a column, which takes 20 times as
// long. Loops with fewer turns than someTurns need no vectors.
const (
	someTurns = 4
	manyTurns = 64
)

// isShort reports whether that loop over lanes is one of them.
func isShort(in *ssa.Instr) bool {
	n, ok := in.Args[len(in.Args)-1].Const()
	return ok && n.Int() >= someTurns && n.Int() < manyTurns
}

// constants reports whether the code of a lane is mainly a function with more constants than a compiler keeps in
// registers, and short enough to be there several times.
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
