package split

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// IsUnrolled reports whether compilers unroll a loop as a whole, so that it is none to them when they look for
// vectors: all iterations are in the text, with those of loops in it, and nothing leaves it early.
func (c *Costs) IsUnrolled(loop *ssa.Instr) bool {
	return !loop.IsTargetOf(ssa.OpBreak) && !returns(loop.Do()) && c.unrolled(loop) <= c.maxUnrolled
}

// unrolled is how many instructions a loop has with all its iterations.
func (c *Costs) unrolled(loop *ssa.Instr) int {
	turns, ok := analysis.Turns(loop)
	if !ok || turns > c.fewTurns {
		return maxWork
	}
	return min(c.instructions(loop.Do())*int(turns), maxWork)
}

// instructions is how many instructions a block has, with all iterations of its loops.
func (c *Costs) instructions(b *ssa.Block) int {
	n := 0
	for _, in := range b.Instrs {
		switch {
		case in.Op == ssa.OpLoop:
			n += c.unrolled(in)
			continue
		case in.Op != ssa.OpConst && !in.Op.IsPart():
			n++
		}
		for _, nested := range in.Blocks {
			n += c.instructions(nested)
		}
		n = min(n, maxWork)
	}
	return min(n, maxWork)
}

// returns reports whether a block has a return.
func returns(b *ssa.Block) (found bool) {
	b.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpReturn })
	return found
}
