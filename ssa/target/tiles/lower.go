package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// value is what has replaced an element, or the value itself.
func (l *lowering) value(v *ssa.Value) *ssa.Value {
	for l.values[v] != nil {
		v = l.values[v]
	}
	return v
}

// block lowers the instructions of a block of the kernel itself.
func (l *lowering) block(b *ssa.Block) {
	ins := b.Instrs
	b.Instrs = make([]*ssa.Instr, 0, len(ins))
	for _, in := range ins {
		l.at = in
		before := len(b.Instrs)
		l.instr(b, in)
		if o := l.loadBy(b, in); o != nil {
			o.code = slices.DeleteFunc(slices.Clone(b.Instrs[before:]), func(in *ssa.Instr) bool { return in.Blocks == nil })
		}
		if p := l.pipelines[in]; p != nil {
			l.pipe(b, p)
		}
	}
}

func (l *lowering) instr(b *ssa.Block, in *ssa.Instr) {
	switch in.Op {
	case ssa.OpTileMake:
		if !l.virtual[in.Result()] {
			l.make(b, in)
		}
		return
	case ssa.OpTileReduce:
		l.reduce(b, in)
		return
	case ssa.OpTileScan:
		l.scan(b, in)
		return
	case ssa.OpTileDot:
		l.dot(b, in)
		return
	case ssa.OpTileAt:
		var at index
		for i, a := range in.Args[1:] {
			at[i] = l.value(a)
		}
		l.values[in.Result()] = l.element(b, in.Args[0], at)
		return
	case ssa.OpFor:
		l.each(b, in)
		return
	case ssa.OpZero:
		if isTile(in.Result()) {
			return // nothing reads it
		}
	}
	l.edges(b, in)
	in.Args = l.withoutTiles(in.Args)
	in.Results = l.withoutTiles(in.Results)
	in.Block = b
	b.Instrs = append(b.Instrs, in)
	for _, nested := range in.Blocks {
		nested.Params = l.withoutTiles(nested.Params)
		l.block(nested)
	}
}

// withoutTiles are the values that are no tiles, or what has replaced them.
func (l *lowering) withoutTiles(list []*ssa.Value) []*ssa.Value {
	var kept []*ssa.Value
	for _, v := range list {
		if !isTile(v) {
			kept = append(kept, l.value(v))
		}
	}
	return kept
}

// edges copies tiles to where they are given on, before an instruction that does.
func (l *lowering) edges(b *ssa.Block, in *ssa.Instr) {
	type move struct{ to, from *store }
	var moves []move
	for i, a := range in.Args {
		if !isTile(a) || a.Def != nil && a.Def.Op == ssa.OpZero {
			continue
		}
		if to, from := l.edge(use{in, i}), l.homes[a]; to != nil && to.slot != from.slot {
			moves = append(moves, move{to, from})
		}
	}
	for len(moves) > 0 {
		// One that no other reads from, if there is one: else they go round.
		at := slices.IndexFunc(moves, func(m move) bool {
			return !slices.ContainsFunc(moves, func(o move) bool { return o.from.slot == m.to.slot })
		})
		if at < 0 {
			spare := l.spareStore(moves[0].from.typ, moves[0].from.spread)
			l.copy(b, spare, moves[0].from)
			moves[0].from = spare
			continue
		}
		l.copy(b, moves[at].to, moves[at].from)
		moves = slices.Delete(moves, at, at+1)
	}
}

// spareStore is a store that is made where it is needed.
func (l *lowering) spareStore(t ssa.TileType, spread bool) *store {
	s := &store{typ: t, spread: spread}
	s.slot = newSlot(s)
	l.memory(s.slot)
	return s
}

// copy copies a tile in memory.
func (l *lowering) copy(b *ssa.Block, to, from *store) {
	l.forEach(b, to.typ.Dims, to.spread || from.spread, func(b *ssa.Block, at index) bool {
		l.put(b, to, at, l.op(b, ssa.OpLoad, from.typ.Elem, l.address(b, from, at)))
		return true
	})
}

// make computes all elements of a tile.
func (l *lowering) make(b *ssa.Block, in *ssa.Instr) {
	if l.copyRows(b, in) || l.transpose(b, in) {
		return
	}
	l.forEach(b, tileType(in.Result()).Dims, l.isSpread(in), func(b *ssa.Block, at index) bool {
		vals, ok := l.inline(b, in.Blocks[0], at[:])
		if ok {
			l.put(b, l.homes[in.Result()], at, vals[0])
		}
		return ok
	})
}

// each lowers a parallel loop of the kernel: that over the elements of a tile has three indices.
func (l *lowering) each(b *ssa.Block, in *ssa.Instr) {
	n := &ssa.Instr{Op: ssa.OpFor, Vector: in.Vector}
	if len(in.Args) == 1 {
		n.Args = []*ssa.Value{l.value(in.Args[0])}
		l.emit(b, n)
		body := n.NewBlock()
		if _, ok := l.inline(body, in.Blocks[0], []*ssa.Value{body.AddParam(ssa.Int64, in.Blocks[0].Params[0].Name)}); ok {
			l.emit(body, &ssa.Instr{Op: ssa.OpYield})
		}
		return
	}
	var dims [3]int
	for i, a := range in.Args {
		c, _ := a.Const()
		dims[i] = int(c.Int())
	}
	l.forEach(b, dims, l.isSpread(in), func(b *ssa.Block, at index) bool {
		_, ok := l.inline(b, in.Blocks[0], at[:])
		return ok
	})
}

// scan joins the elements along an axis, one lane for each line.
func (l *lowering) scan(b *ssa.Block, in *ssa.Instr) {
	t, axis := tileType(in.Args[0]), int(in.Axis)
	lines := t.Dims
	lines[axis] = 1
	l.forAll(b, lines, func(b *ssa.Block, at index) bool {
		step := func(b *ssa.Block, at index, before []*ssa.Value) ([]*ssa.Value, bool) {
			vals, ok := []*ssa.Value(nil), true
			for _, x := range in.Args {
				vals = append(vals, l.element(b, x, at))
			}
			if before != nil {
				vals, ok = l.inline(b, in.Blocks[0], append(slices.Clone(before), vals...))
			}
			for i, v := range vals {
				l.put(b, l.homes[in.Results[i]], at, v)
			}
			return vals, ok
		}
		vals, _ := step(b, at, nil)
		if t.Dims[axis] > 1 {
			l.loop(b, 1, t.Dims[axis], vals, func(b *ssa.Block, i *ssa.Value, vars []*ssa.Value) ([]*ssa.Value, bool) {
				at[axis] = i
				return step(b, at, vars)
			})
		}
		return true
	})
}

// dot computes an element of the product in each lane, or in vectors.
func (l *lowering) dot(b *ssa.Block, in *ssa.Instr) {
	if l.homes[in.Result()] == nil || l.product(b, in) || l.multiply(b, in) {
		return // nobody uses it, or it is done
	}
	t, depth := tileType(in.Result()), tileType(in.Args[0]).Dims[2]
	l.forAll(b, t.Dims, func(b *ssa.Block, at index) bool {
		sum := l.element(b, in.Args[2], at)
		r := l.loop(b, 0, depth, []*ssa.Value{sum}, func(b *ssa.Block, k *ssa.Value, vars []*ssa.Value) ([]*ssa.Value, bool) {
			x := l.element(b, in.Args[0], index{at[0], at[1], k})
			y := l.element(b, in.Args[1], index{at[0], k, at[2]})
			return []*ssa.Value{l.multiplyAdd(b, x, y, vars[0])}, true
		})
		l.put(b, l.homes[in.Result()], at, r[0])
		return true
	})
}

// multiplyAdd is x * y + z, of floats with one rounding.
func (l *lowering) multiplyAdd(b *ssa.Block, x, y, z *ssa.Value) *ssa.Value {
	if ssa.IsFloat(ssa.ElemOf(z.Type)) {
		return l.emit(b, &ssa.Instr{Op: ssa.OpMath, Math: ssa.FMA, Args: []*ssa.Value{x, y, z}}, z.Type).Result()
	}
	return l.op(b, ssa.OpAdd, z.Type, l.op(b, ssa.OpMul, z.Type, x, y), z)
}
