package hint

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Loops decides about the loops over lanes in a kernel: those that have no loop in them, which compilers vectorize. What
// is known of a loop by what made it holds in any case. Of the others, the compiler itself has to find that no lane uses
// what another one writes.
func Loops(k *ssa.Func, summaries *analysis.Summaries) {
	wanted := !summaries.Of(k).Effects.Has(analysis.MayStop) && !k.AddsAlone()
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpFor || in.Blocks[0].HasLoop() {
			return
		}
		if wanted && in.Vector == ssa.VectorUnknown {
			in.Vector = ssa.VectorWanted
		}
		switch {
		case !in.Vector.Has(ssa.VectorWanted):
		case isShort(in):
			in.Vector |= ssa.VectorShort
		case hasConstants(in.Blocks[0]):
			in.Vector |= ssa.VectorSeveral
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

// isShort reports whether a loop over lanes is one of them.
func isShort(in *ssa.Instr) bool {
	n, ok := in.Args[len(in.Args)-1].Const()
	return ok && n.Int() >= someTurns && n.Int() < manyTurns
}

// maxShared is the size, in instructions, up to which a loop over lanes with an exponential has several vectors at
// once. Softmax of rows of 1024 numbers has set it (bench: tiles).
const maxShared = 40

// hasConstants reports whether the code of a lane is mainly a function with more constants than a compiler keeps in
// registers, and short enough to be there several times.
func hasConstants(body *ssa.Block) bool {
	n, long := 0, 0
	body.Walk(func(in *ssa.Instr) {
		n++
		if in.Op == ssa.OpMath && in.Math == ssa.Exp && in.Result().Type == ssa.Float32 {
			long++
		}
	})
	return long == 1 && n <= maxShared
}
