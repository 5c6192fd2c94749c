package tiles

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// cheap is how many instructions a block may have that is done again for each use of an element.
const cheap = 2

// visible are effects that tell how often an element is computed.
const visible = analysis.Seen | analysis.Endless | analysis.Leaves

// chooseVirtual decides which tiles have no memory.
func (l *lowering) chooseVirtual(b *ssa.Block) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			l.chooseVirtual(nested)
		}
		if in.Op != ssa.OpTileMake {
			continue
		}
		body := in.Blocks[0]
		if t := body.Terminator(); t == nil || t.Op != ssa.OpYield {
			continue
		}
		effects := l.effects(body)
		if effects.Has(visible) {
			continue
		}
		l.reads[in.Result()] = effects.Has(analysis.ReadsAny) || l.readsThrough(body)
		l.virtual[in.Result()] = l.isCheap(in) || l.whyStored(in) == "" && l.transposed(in) == nil
	}
}

// readsThrough reports whether a block uses a tile without memory that is computed from what memory holds.
func (l *lowering) readsThrough(body *ssa.Block) (found bool) {
	body.Walk(func(in *ssa.Instr) {
		found = found || in.Op == ssa.OpTileAt && l.virtual[in.Args[0]] && l.reads[in.Args[0]]
	})
	return found
}

// isCheap reports whether the elements of a tile are constants, indices and the like, and no edge needs them in memory.
func (l *lowering) isCheap(in *ssa.Instr) bool {
	if l.reads[in.Result()] || len(in.Blocks[0].Instrs) > cheap+1 {
		return false
	}
	for _, x := range in.Blocks[0].Instrs {
		if x.Op == ssa.OpTileAt || x.Blocks != nil {
			return false
		}
	}
	for _, u := range l.uses[in.Result()] {
		if !l.takesElements(u) {
			return false
		}
	}
	return true
}

// takesElements reports whether a use needs the elements one by one, and once each as far as it goes.
func (l *lowering) takesElements(u use) bool {
	switch u.in.Op {
	case ssa.OpTileAt, ssa.OpTileReduce:
		return true
	case ssa.OpTileScan:
		return true
	case ssa.OpTileDot:
		return u.arg == 2
	}
	return false
}

// whyStored is why the only use of a tile cannot compute the elements, "" where it can: it must come to each element
// once.
func (l *lowering) whyStored(in *ssa.Instr) string {
	v := in.Result()
	if n := len(l.uses[v]); n != 1 {
		return fmt.Sprintf("%d operations use it", n)
	}
	u := l.uses[v][0]
	switch by := operation(u.in); {
	case l.targets[u] != nil:
		return "it is given to a variable of a loop, or to where two ways meet"
	case !l.takesElements(u):
		return "a product uses each of its elements several times"
	case by.Block != in.Block:
		return "what uses it stands in a loop or in a branch"
	case !comesOnce(v, by, u):
		return "what uses it comes to an element several times, or not to all of them"
	case l.reads[v] && !l.apart[v] && l.isOverwritten(in, by):
		return "memory that it is computed from may be written before it is used"
	}
	return ""
}

// isOverwritten reports whether what a tile is computed from may be written until an operation has used the tile.
func (l *lowering) isOverwritten(in, by *ssa.Instr) bool {
	if by.Blocks != nil && l.effects(by.Blocks[0]).Has(analysis.WritesAny|analysis.Waits) {
		return true
	}
	between := false
	for _, x := range in.Block.Instrs {
		switch {
		case x == in:
			between = true
		case x == by:
			return false
		case between && l.mayWrite(x):
			return true
		}
	}
	return true
}

// comesOnce reports whether an operation that uses a tile comes to each of its elements once.
func comesOnce(v *ssa.Value, by *ssa.Instr, u use) bool {
	if by == u.in && u.in.Op == ssa.OpTileAt && tileType(v).Len() > 1 {
		return false
	}
	if u.in.Op == ssa.OpTileAt && by != u.in {
		for o := u.in.Block.Owner; o != by; o = o.Block.Owner {
			if o.Op == ssa.OpLoop {
				return false
			}
		}
		switch by.Op {
		case ssa.OpTileMake:
			if tileType(by.Result()).Len() != tileType(v).Len() {
				return false
			}
		case ssa.OpFor:
			n := 1
			for _, a := range by.Args {
				c, ok := a.Const()
				if !ok {
					return false
				}
				n *= int(c.Int())
			}
			if n != tileType(v).Len() {
				return false
			}
		default: // what joins elements has others as parameters
			return false
		}
	}
	return true
}

// mayWrite reports whether an instruction may write memory other than that of tiles.
func (l *lowering) mayWrite(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpTileAt, ssa.OpTileDot, ssa.OpZero:
		return false
	}
	if in.Blocks == nil {
		return !in.Op.IsTerminator() && l.summaries.Effects(in).Has(analysis.WritesAny|analysis.Waits)
	}
	for _, b := range in.Blocks {
		for _, x := range b.Instrs {
			if l.mayWrite(x) {
				return true
			}
		}
	}
	return false
}
