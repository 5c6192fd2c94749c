package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A chain is a loop over lanes that stores a tile, and tiles that are needed only for that: those that it stores, and
// those that these are computed from, element by element.
type chain struct {
	loop  part
	tiles []part       // in their order
	conds []*ssa.Value // what must hold for the first sides of all parts
	from  []*ssa.Value // the slices that the tiles read
	to    []*ssa.Value // the slices that the loop writes
}

func (c *chain) parts() []part { return append(slices.Clone(c.tiles), c.loop) }

// A part of a chain is an OpTileMake or an OpFor: an instruction of the block, or what the first side of an OpIf does.
// Loads and stores have two sides, and the first one is for tiles that lie within a slice as a whole.
type part struct {
	in    *ssa.Instr // of the block
	each  *ssa.Instr // what does something for each element
	first *ssa.Block // nil if in is each
}

// fuseStores computes tiles in the loops that store them, without memory for them. A tile that is read from a slice has
// its elements of before the loop, and what the loop writes may be among them. So there are two versions: one for
// slices that are apart, and tiles that are whole, which is known only when the kernel runs, and one for all others.
//
// It is for machines that run one lane after the other, where memory for tiles costs most.
func (l *lowering) fuseStores(body *ssa.Block) {
	if l.machine.VectorBytes == 0 {
		return
	}
	l.number(body)
	l.eachBlock(body, func(b *ssa.Block) {
		for _, in := range slices.Clone(b.Instrs) {
			if c := l.chainOf(in); c != nil {
				l.version(b, c)
			}
		}
	})
}

// partOf is an instruction as a part of a chain; each is nil if it is none.
func (l *lowering) partOf(in *ssa.Instr) part {
	switch {
	case in.Op == ssa.OpTileMake, in.Op == ssa.OpFor && len(in.Args) == 3:
		return part{in: in, each: in}
	case in.Op != ssa.OpIf || len(in.Results) > 1:
		return part{}
	}
	p := part{in: in, first: in.Blocks[0]}
	yield := p.first.Terminator()
	if yield == nil || yield.Op != ssa.OpYield {
		return part{}
	}
	for _, x := range p.first.Instrs {
		switch {
		case x == yield:
		case p.each == nil && (x.Op == ssa.OpTileMake && len(in.Results) == 1 && yield.Args[0] == x.Result() || x.Op == ssa.OpFor && len(in.Results) == 0 && len(x.Args) == 3):
			p.each = x
		case x.Blocks != nil || slices.ContainsFunc(x.Results, isTile) || slices.ContainsFunc(x.Args, isTile) || l.summaries.Effects(x).Has(analysis.Seen|analysis.Endless|analysis.Leaves|analysis.ReadsAny):
			return part{}
		}
	}
	return p
}

// chainOf is the chain whose loop an instruction is or has; nil if there is none, or one that reads no memory.
func (l *lowering) chainOf(in *ssa.Instr) *chain {
	c := &chain{loop: l.partOf(in)}
	if c.loop.each == nil || c.loop.each.Op != ssa.OpFor || !l.slicesOf(c.loop.each.Blocks[0], ssa.OpStore, &c.to) || len(c.to) == 0 {
		return nil
	}
	users := []*ssa.Instr{c.loop.each}
	for _, x := range slices.Backward(in.Block.Instrs[:slices.Index(in.Block.Instrs, in)]) {
		p := l.partOf(x)
		if p.each == nil || p.each.Op != ssa.OpTileMake || !l.isOnlyFor(p, c.loop, users) {
			if l.mayWrite(x) {
				break
			}
			continue
		}
		if body := p.each.Blocks[0]; l.effects(body).Has(analysis.ReadsAny) && !l.slicesOf(body, ssa.OpLoad, &c.from) {
			return nil
		}
		users = append(users, p.each)
		c.tiles = append(c.tiles, p)
	}
	if len(c.from) == 0 {
		return nil
	}
	slices.Reverse(c.tiles)
	for _, p := range c.parts() {
		if p.first != nil && !slices.Contains(c.conds, p.in.Args[0]) {
			c.conds = append(c.conds, p.in.Args[0])
		}
	}
	return c
}

// isOnlyFor reports whether elements of a tile are needed once by one of some users, and nowhere else but in the second
// side of the loop's OpIf.
func (l *lowering) isOnlyFor(p, loop part, users []*ssa.Instr) bool {
	if l.effects(p.each.Blocks[0]).Has(analysis.Seen | analysis.Endless | analysis.Leaves) {
		return false
	}
	var by *ssa.Instr
	for _, u := range l.uses[p.in.Result()] {
		if loop.first != nil && u.in.Block.Inside(loop.in.Blocks[1]) {
			continue
		}
		o := operation(u.in)
		if by != nil || u.in.Op != ssa.OpTileAt || !slices.Contains(users, o) || !comesOnce(p.in.Result(), o, u) {
			return false
		}
		by = o
	}
	return by != nil
}

// slicesOf finds the slices that the code of a lane reads or writes. It reports false if there is memory that is in
// none that exists before it, or if the code does more than to read, or to read and write.
func (l *lowering) slicesOf(body *ssa.Block, op ssa.Op, found *[]*ssa.Value) bool {
	before := func(v *ssa.Value) bool { return !v.Home().Inside(body) }
	good := true
	body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == op:
			s := in.Args[0]
			for !before(s) && s.IsPath() {
				s = s.Def.Args[0]
			}
			_, isSlice := s.Type.(ssa.Slice)
			isField := s.Def != nil && s.Def.Op == ssa.OpField && before(s.Def.Args[0])
			switch {
			case !isSlice || !before(s) && !isField:
				good = false
			case !slices.Contains(*found, s):
				*found = append(*found, s)
			}
		case in.Blocks == nil && !in.Op.IsTerminator() && in.Op != ssa.OpTileAt:
			effects := l.summaries.Effects(in)
			if effects.Has(analysis.WritesAny|analysis.Waits) || op == ssa.OpLoad && effects.Has(analysis.ReadsAny) {
				good = false
			}
		}
	})
	return good
}

// version puts two versions of a chain in the place of its loop.
func (l *lowering) version(b *ssa.Block, c *chain) {
	l.at = c.loop.in
	at := slices.Index(b.Instrs, c.loop.in)
	rest := slices.Clone(b.Instrs[at+1:])
	isMoved := func(in *ssa.Instr) bool {
		return in == c.loop.in || slices.ContainsFunc(c.tiles, func(p part) bool { return p.in == in })
	}
	b.Instrs = slices.DeleteFunc(slices.Clone(b.Instrs[:at]), isMoved)

	choice := &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{l.areApart(b, c)}}
	l.emit(b, choice)
	fused := choice.NewBlock()
	cp := &copier{l: l, values: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr), whole: true, tiles: true}
	for _, p := range c.parts() {
		code := []*ssa.Instr{p.in}
		if p.first != nil {
			code = p.first.Instrs[:len(p.first.Instrs)-1]
		}
		for _, in := range code {
			cp.instr(fused, in)
		}
		if p.each.Op == ssa.OpTileMake {
			tile := cp.values[p.each.Result()]
			cp.values[p.in.Result()] = tile
			l.apart[tile] = true
		}
	}
	plain := choice.NewBlock()
	for _, p := range c.parts() {
		plain.Append(p.in)
	}
	for _, side := range choice.Blocks {
		l.emit(side, &ssa.Instr{Op: ssa.OpYield})
	}
	b.Instrs = append(b.Instrs, rest...)
}

// areApart is whether a chain's conditions hold, and its loop writes nothing that its tiles read.
func (l *lowering) areApart(b *ssa.Block, c *chain) *ssa.Value {
	cp := &copier{l: l, values: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr)}
	// A slice may be made within a part.
	var slice func(v *ssa.Value) *ssa.Value
	slice = func(v *ssa.Value) *ssa.Value {
		if cp.values[v] == nil && c.makes(v) {
			for _, a := range v.Def.Args {
				slice(a)
			}
			cp.instr(b, v.Def)
		}
		return cp.value(v)
	}
	conds := slices.Clone(c.conds)
	for _, x := range c.from {
		for _, y := range c.to {
			conds = append(conds, l.op(b, ssa.OpApart, ssa.Bool, slice(x), slice(y)))
		}
	}
	all := conds[0]
	for _, cond := range conds[1:] {
		all = l.op(b, ssa.OpAnd, ssa.Bool, all, cond)
	}
	return all
}

// makes reports whether a value is made within a part of the chain.
func (c *chain) makes(v *ssa.Value) bool {
	return slices.ContainsFunc(c.parts(), func(p part) bool {
		return p.first != nil && v.Home() == p.first || v.Home().Inside(p.each.Blocks[0])
	})
}
