package tiles

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// cheap is how many instructions a block may have that is done again for each use of an element.
const cheap = 2

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
		if effects.Has(analysis.Seen | analysis.Endless | analysis.Leaves) {
			continue
		}
		l.reads[in.Result()] = effects.Has(analysis.ReadsAny) || l.readsThrough(body)
		l.virtual[in.Result()] = l.isCheap(in) || l.isFused(in)
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

// isFused reports whether a tile's only use, which comes to each element once, can compute the elements.
func (l *lowering) isFused(in *ssa.Instr) bool {
	v := in.Result()
	if len(l.uses[v]) != 1 || !l.takesElements(l.uses[v][0]) {
		return false
	}
	by := operation(l.uses[v][0].in)
	if by.Block != in.Block || !comesOnce(v, by, l.uses[v][0]) {
		return false
	}
	if !l.reads[v] || l.apart[v] {
		return true
	}
	// What is stored must not be read after it.
	if by.Blocks != nil && l.effects(by.Blocks[0]).Has(analysis.WritesAny|analysis.Waits) {
		return false
	}
	between := false
	for _, x := range in.Block.Instrs {
		switch {
		case x == in:
			between = true
		case x == by:
			return true
		case between && l.mayWrite(x):
			return false
		}
	}
	return false
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
		return !in.Op.IsTerminator() && l.known.Effects(in).Has(analysis.WritesAny|analysis.Waits)
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
