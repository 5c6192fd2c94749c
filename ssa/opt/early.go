package opt

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// maxEarly is how many exits a loop may have that becomes branches: each nests what follows
// it one level deeper, and C++ compilers have limits on that.
const maxEarly = 24

// maxNested is how deep blocks may become nested by that, with those around the loop.
const maxNested = 64

// early turns the exits of a loop that takes but one turn into branches. Such a loop is
// what an iteration of an unrolled loop becomes that a continue leaves, and an inlined body with
// a return in the middle. Of
//
//	loop { if c { break a }; rest; break b }
//
// it makes
//
//	loop { r = if c { yield a } else { rest; yield b }; break r }
//
// whose loop fold takes away.
func early(f *ssa.Func) bool {
	var e earlyExits
	e.block(f.Body)
	if e.changed {
		resolveAll(f.Body)
	}
	return e.changed
}

type earlyExits struct{ changed bool }

// block looks at a block's loops, inner ones first.
func (e *earlyExits) block(b *ssa.Block) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			e.block(nested)
		}
		if in.Op == ssa.OpLoop {
			e.loop(in)
		}
	}
}

// loop turns the exits of a loop into branches, from the last one backwards.
func (e *earlyExits) loop(loop *ssa.Instr) {
	if test, ok := firstTest(loop); !ok || !test || loop.IsTargetOf(ssa.OpContinue) {
		return
	}
	exits := countExits(loop, loop)
	if exits > maxEarly || exits+depth(loop.Block)+nesting(loop) > maxNested {
		return
	}
	e.exits(loop.Do(), loop)
}

// exits makes one exit of those of a block that ends by leaving a loop, as far as they can be branches: from the last
// one backwards.
func (e *earlyExits) exits(b *ssa.Block, loop *ssa.Instr) {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if in.Op != ssa.OpIf {
			continue
		}
		leaves := -1
		for k, nested := range in.Blocks {
			if t := nested.Terminator(); isExit(t, loop) || t.Op == ssa.OpUnreachable {
				e.exits(nested, loop)
			}
			if isExit(nested.Terminator(), loop) {
				leaves = k
			}
		}
		exits := countExits(in, loop)
		switch other := leaves ^ 1; {
		case leaves < 0:
			if exits > 0 {
				return // from within: what precedes it stays before it
			}
		case exits == 1 && in.Blocks[other].Terminator().Op == ssa.OpYield && isExit(b.Terminator(), loop):
			e.nest(b, i, in.Blocks[other])
			fallthrough
		case exits == 2 && isExit(in.Blocks[other].Terminator(), loop):
			e.merge(b, i, loop)
		default:
			return
		}
	}
}

// isExit reports whether a terminator leaves a loop.
func isExit(t, loop *ssa.Instr) bool { return t.Op == ssa.OpBreak && t.Target == loop }

// nest moves what follows an If in a block to the end of that of the If's blocks which
// comes to its end.
func (e *earlyExits) nest(b *ssa.Block, at int, to *ssa.Block) {
	in := b.Instrs[at]
	last := len(to.Instrs) - 1
	for k, r := range in.Results {
		r.Forward = to.Instrs[last].Args[k]
	}
	rest := b.Instrs[at+1:]
	to.Instrs = append(to.Instrs[:last:last], rest...)
	for _, moved := range rest {
		moved.Block = to
	}
	b.Instrs = b.Instrs[:at+1]
}

// merge makes one exit of an If whose blocks both leave a loop, at the end of a block.
func (e *earlyExits) merge(b *ssa.Block, at int, loop *ssa.Instr) {
	in := b.Instrs[at]
	exit := in.Blocks[0].Terminator()
	in.Results = nil // of an If that nothing follows: nobody has used them
	for _, r := range loop.Results {
		in.AddResult(r.Type, r.Name)
	}
	for _, block := range in.Blocks {
		t := block.Terminator()
		t.Op, t.Target = ssa.OpYield, nil
	}
	b.Instrs = append(b.Instrs[:at+1], &ssa.Instr{
		Op: ssa.OpBreak, Target: loop, Args: slices.Clone(in.Results), Block: b, Pos: exit.Pos, Stmt: exit.Stmt,
	})
	e.changed = true
}

// resolveAll rewrites the operands of all instructions to what replaces them.
func resolveAll(b *ssa.Block) {
	for _, in := range b.Instrs {
		in.Resolve()
		for _, nested := range in.Blocks {
			resolveAll(nested)
		}
	}
}

// depth is how many blocks are around a block.
func depth(b *ssa.Block) (n int) {
	for ; b.Owner != nil; b = b.Owner.Block {
		n++
	}
	return n
}

// nesting is how deep the blocks inside of an instruction are nested.
func nesting(in *ssa.Instr) (most int) {
	for _, b := range in.Blocks {
		inside := 0
		for _, i := range b.Instrs {
			inside = max(inside, nesting(i))
		}
		most = max(most, inside+1)
	}
	return most
}

// countExits is how many breaks inside of an instruction leave a loop.
func countExits(in *ssa.Instr, loop *ssa.Instr) (n int) {
	for _, b := range in.Blocks {
		n += len(ssa.ExitsIn(b, ssa.OpBreak, loop, nil))
	}
	return n
}
