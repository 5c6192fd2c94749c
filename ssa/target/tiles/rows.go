package tiles

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// groupBytes is how much memory a thread copies at once.
const groupBytes = 16

// copyRows makes a tile, whose rows lie in memory as they are, by copies of several elements at once. It is for
// machines whose threads do not find out themselves that they could.
func (l *lowering) copyRows(b *ssa.Block, in *ssa.Instr) bool {
	if !l.byRows(in) {
		return false
	}
	t, home := tileType(in.Result()), l.homes[in.Result()]
	group, dims := groupBytes/t.Elem.Size(), t.Dims
	dims[2] /= group
	l.forAll(b, dims, func(b *ssa.Block, at index) bool {
		at[2] = l.op(b, ssa.OpMul, ssa.Int64, at[2], l.int(b, group))
		c := &copier{l: l, values: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr)}
		for i, p := range in.Blocks[0].Params {
			c.values[p] = at[i]
		}
		load := in.Blocks[0].Terminator().Args[0].Def
		for _, x := range in.Blocks[0].Instrs {
			if x != load && x.Op != ssa.OpYield {
				c.instr(b, x)
			}
		}
		l.emit(b, &ssa.Instr{Op: ssa.OpCopyRow, Len: int32(group), Args: []*ssa.Value{l.address(b, home, at), c.value(load.Args[0])}})
		return true
	})
	return true
}

// byRows reports whether copyRows makes a tile.
func (l *lowering) byRows(in *ssa.Instr) bool {
	t, home := tileType(in.Result()), l.homes[in.Result()]
	size := t.Elem.Size()
	return l.machine.Threads > 0 && home != nil && !home.spread && groupBytes/size >= 2 && groupBytes%size == 0 && t.Dims[2]%(groupBytes/size) == 0 && l.isRun(in.Blocks[0])
}

// isRun reports whether a block does nothing but to read an element of a slice, whose index grows with the block's last
// parameter one by one.
func (l *lowering) isRun(body *ssa.Block) bool {
	yield := body.Terminator()
	if yield == nil || yield.Op != ssa.OpYield {
		return false
	}
	load := yield.Args[0].Def
	if load == nil || load.Op != ssa.OpLoad || load.Block != body || load.Args[0].Def == nil || load.Args[0].Def.Op != ssa.OpIndexAddr {
		return false
	}
	for _, in := range body.Instrs {
		switch {
		case in == load || in == yield:
		case in.Op == ssa.OpCall && !l.summaries.Effects(in).Has(analysis.Seen|analysis.Endless):
		case in.Blocks != nil || in.Op.Effect() != ssa.Pure || in.Op == ssa.OpTileAt:
			return false
		}
	}
	last := body.Params[2]
	index := load.Args[0].Def
	steps, ok := slope(index.Args[1], last)
	return ok && steps == 1 && !dependsOn(index.Args[0], last) && isArgument(index.Args[0])
}

// isArgument reports whether a slice, or what has one in it, is certain to be memory of an argument of the kernel, and
// not of the block or of a thread.
func isArgument(v *ssa.Value) bool {
	if v.Def == nil {
		return v.Block.Owner == nil
	}
	switch v.Def.Op {
	case ssa.OpField, ssa.OpSubslice:
		return isArgument(v.Def.Args[0])
	case ssa.OpMake, ssa.OpCall:
		for _, a := range v.Def.Args {
			if ssa.HoldsAddress(a.Type) && !isArgument(a) {
				return false
			}
		}
		return true
	}
	return false
}

// slope is how much a number grows where another one grows by one, if that can be seen.
func slope(v, by *ssa.Value) (int, bool) {
	switch {
	case v == by:
		return 1, true
	case !dependsOn(v, by):
		return 0, true
	case v.Def.Op == ssa.OpAdd || v.Def.Op == ssa.OpSub:
		x, ok := slope(v.Def.Args[0], by)
		y, also := slope(v.Def.Args[1], by)
		if v.Def.Op == ssa.OpSub {
			y = -y
		}
		return x + y, ok && also
	}
	return 0, false
}

// dependsOn reports whether a value is computed from a parameter of the block that it is in.
func dependsOn(v, param *ssa.Value) bool {
	if v == param {
		return true
	}
	if v.Def == nil || v.Def.Block != param.Block {
		return false
	}
	for _, a := range v.Def.Args {
		if dependsOn(a, param) {
			return true
		}
	}
	return false
}
