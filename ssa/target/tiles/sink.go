package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// sink makes tiles where they are needed, if that is once on each path through an OpIf: a tile that is stored is in one
// loop for whole tiles and in another one for those at the edges. There it may be computed as its elements are needed,
// and needs no memory.
func (l *lowering) sink(body *ssa.Block) {
	uses := usesOf(body)
	l.eachBlock(body, func(b *ssa.Block) {
		for _, in := range slices.Backward(slices.Clone(b.Instrs)) {
			if in.Op != ssa.OpTileMake {
				continue
			}
			if by := l.sides(in, uses[in.Result()]); by != nil {
				l.sinkInto(in, by)
				uses = usesOf(body)
			}
		}
	})
}

// usesOf are the instructions that use each tile.
func usesOf(body *ssa.Block) map[*ssa.Value][]*ssa.Instr {
	uses := make(map[*ssa.Value][]*ssa.Instr)
	body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			if isTile(a) {
				uses[a] = append(uses[a], in)
			}
		}
	})
	return uses
}

// sides is the OpIf in whose blocks alone a tile is used, by an operation on its elements in each; nil if there is
// none.
func (l *lowering) sides(in *ssa.Instr, uses []*ssa.Instr) *ssa.Instr {
	if len(uses) == 0 || l.effects(in.Blocks[0]).Has(analysis.Seen|analysis.Endless|analysis.Leaves) {
		return nil
	}
	var within *ssa.Instr
	var used []*ssa.Block
	for _, u := range uses {
		by := operation(u)
		owner := by.Block.Owner
		if u.Op != ssa.OpTileAt || by == u || owner == nil || owner.Op != ssa.OpIf || owner.Block != in.Block || within != nil && owner != within || slices.Contains(used, by.Block) {
			return nil
		}
		within, used = owner, append(used, by.Block)
	}
	if !l.effects(in.Blocks[0]).Has(analysis.ReadsAny) {
		return within
	}
	// What it reads must be the same there.
	from, to := slices.Index(in.Block.Instrs, in), slices.Index(in.Block.Instrs, within)
	if from > to || slices.ContainsFunc(in.Block.Instrs[from+1:to+1], l.mayWrite) {
		return nil
	}
	return within
}

// sinkInto makes a tile in those blocks of an OpIf that use it, and no longer before.
func (l *lowering) sinkInto(in, by *ssa.Instr) {
	for _, side := range by.Blocks {
		used := false
		side.Walk(func(x *ssa.Instr) { used = used || slices.Contains(x.Args, in.Result()) })
		if !used {
			continue
		}
		rest := side.Instrs
		side.Instrs = nil
		c := &copier{l: l, values: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr), whole: true, tiles: true}
		c.instr(side, in)
		own := c.values[in.Result()]
		side.Instrs = append(side.Instrs, rest...)
		side.Walk(func(x *ssa.Instr) {
			for i, a := range x.Args {
				if a == in.Result() {
					x.Args[i] = own
				}
			}
		})
	}
	in.Block.Instrs = slices.DeleteFunc(in.Block.Instrs, func(x *ssa.Instr) bool { return x == in })
}
