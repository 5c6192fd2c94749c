package tiles

import (
	"cmp"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A store is memory for a tile, or for several of which only the last one that was written is needed.
type store struct {
	typ         ssa.TileType
	first, last int        // it is needed from here to there; last is 0 until somebody needs it
	by          *ssa.Instr // the only operation that writes it, nil if there are several
	slot        *slot
	swizzled    bool // an operand of a product in registers: see ssa.Swizzle
	spread      bool // over the registers of threads: see spread.go
	stages      int  // how many places it has for turns of a loop, 0 for one: see pipeline.go
}

// A slot is memory of a block: that of stores which are not needed at the same time.
type slot struct {
	elem ssa.Type
	len  int
	free int // it is in use up to here
	mem  *ssa.Value

	columns int // of a matrix that is spread over the registers of threads, 0 for memory
}

func (l *lowering) newStore(t ssa.TileType) *store {
	s := &store{typ: t}
	l.stores = append(l.stores, s)
	return s
}

// need notes that a store is written or read by an instruction, which is or stands in one of a block.
func (l *lowering) need(s *store, in *ssa.Instr, root *ssa.Block) {
	if out := outermost(in, root); out != nil {
		in = out
	}
	at := l.order[in]
	if s.last == 0 {
		s.first = at.first
	}
	s.first, s.last = min(s.first, at.first), max(s.last, at.last)
}

// chooseHomes gives memory to all tiles that need it.
func (l *lowering) chooseHomes(body *ssa.Block) {
	body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpIf:
			for _, r := range in.Results {
				if isTile(r) {
					l.homes[r] = l.newStore(tileType(r))
				}
			}
		case ssa.OpLoop:
			for i, r := range in.Results {
				if isTile(r) {
					s := l.newStore(tileType(r))
					l.homes[r], l.homes[in.Cond().Params[i]], l.homes[in.Post().Params[i]] = s, s, s
				}
			}
		}
	})
	l.eachBlock(body, l.homesIn)
	l.chooseSpread(body)
	l.choosePipelines(body)
	l.spans()
	body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpTileReduce {
			l.spareFor(in)
		}
	})
	l.share()
}

// homesIn gives memory to the tiles that a block makes: that of the variable or the result that they are
// for, if it can be.
func (l *lowering) homesIn(b *ssa.Block) {
	wanted := make(map[*ssa.Value]func() *store)
	for _, in := range slices.Backward(b.Instrs) {
		if in.Op != ssa.OpTileMake && in.Op != ssa.OpTileReduce && in.Op != ssa.OpTileScan && in.Op != ssa.OpTileDot {
			continue
		}
		for _, v := range in.Results {
			if l.virtual[v] || len(l.uses[v]) == 0 {
				continue // an unused tile is made for what its code does, such as an atomic operation, or beside another result
			}
			if u := l.uses[v]; len(u) == 1 && u[0].in.Block == b {
				if to := l.edge(u[0]); to != nil && l.canPlace(in, to, u[0]) {
					l.homes[v] = to
				}
			}
			if want := wanted[v]; want != nil && l.homes[v] == nil {
				l.homes[v] = want()
			}
			if l.homes[v] == nil {
				l.homes[v] = l.newStore(tileType(v))
				l.homes[v].by = in
			}
			if sum := in.Args; in.Op == ssa.OpTileDot && sum[2].Def != nil && sum[2].Def.Block == b && len(l.uses[sum[2]]) == 1 && len(sum[2].Def.Results) == 1 {
				home := l.homes[v]
				wanted[sum[2]] = func() *store {
					if l.canPlace(sum[2].Def, home, l.uses[sum[2]][0]) {
						return home
					}
					return nil
				}
			}
		}
	}
}

// edge is the memory that an operand of a terminator or of a loop is given to, nil for other operands.
func (l *lowering) edge(u use) *store { return l.homes[l.targets[u]] }

// canPlace reports whether an operation can write its tile to memory where it is needed at a use later in
// the block: whether nothing else uses that memory until then, but the operation itself, of each element before it
// writes it.
func (l *lowering) canPlace(in *ssa.Instr, to *store, until use) bool {
	if to.typ.Elem != tileType(in.Results[0]).Elem || to.typ.Dims != tileType(in.Results[0]).Dims {
		return false
	}
	switch in.Op {
	case ssa.OpTileMake:
		if !l.inPlace(in, to) {
			return false
		}
	case ssa.OpTileDot:
		if l.homes[in.Args[0]] == to || l.homes[in.Args[1]] == to || l.virtual[in.Args[2]] && l.readsStore(in.Args[2].Def, to) && !l.inPlace(in.Args[2].Def, to) {
			return false
		}
	default:
		if l.accesses(in, to) {
			return false
		}
	}
	after := false
	for _, x := range in.Block.Instrs {
		switch {
		case x == in:
			after = true
		case x == until.in:
			for i, a := range x.Args {
				if i != until.arg && (l.homes[a] == to || l.virtual[a] && l.readsStore(a.Def, to)) {
					return false
				}
			}
			return true
		case after && l.accesses(x, to):
			return false
		}
	}
	return false
}

// accesses reports whether an instruction, or one in its blocks, reads or writes memory of a tile.
func (l *lowering) accesses(in *ssa.Instr, s *store) bool {
	if in.Op == ssa.OpTileMake && l.virtual[in.Result()] {
		return false // those that use it do
	}
	for _, a := range in.Args {
		if l.homes[a] == s || l.virtual[a] && l.readsStore(a.Def, s) {
			return true
		}
	}
	for _, r := range in.Results {
		if l.homes[r] == s {
			return true
		}
	}
	for _, b := range in.Blocks {
		for _, x := range b.Instrs {
			if l.accesses(x, s) {
				return true
			}
		}
	}
	return false
}

// readsStore reports whether the elements of a tile without memory are computed from some memory.
func (l *lowering) readsStore(in *ssa.Instr, s *store) (found bool) {
	in.Blocks[0].Walk(func(x *ssa.Instr) {
		if x.Op == ssa.OpTileAt {
			a := x.Args[0]
			found = found || l.homes[a] == s || l.virtual[a] && l.readsStore(a.Def, s)
		}
	})
	return found
}

// inPlace reports whether an OpTileMake reads, of some memory with the lengths of its tile, only the element that
// it makes.
func (l *lowering) inPlace(in *ssa.Instr, s *store) bool {
	params, t := in.Blocks[0].Params, tileType(in.Result())
	good := true
	in.Blocks[0].Walk(func(x *ssa.Instr) {
		if x.Op != ssa.OpTileAt {
			return
		}
		a := x.Args[0]
		if of := tileType(a); of.Dims == t.Dims && slices.Equal(x.Args[1:], params) {
			good = good && (!l.virtual[a] || l.inPlace(a.Def, s))
			return
		}
		good = good && l.homes[a] != s && !(l.virtual[a] && l.readsStore(a.Def, s))
	})
	return good
}

// spans finds out where each store is needed.
func (l *lowering) spans() {
	for v, s := range l.homes {
		root := v.Home()
		if v.Def == nil { // a variable of a loop
			root = v.Block.Owner.Block
			l.need(s, v.Block.Owner, root)
		} else {
			if v.Def.Op == ssa.OpIf || v.Def.Op == ssa.OpLoop {
				s.by = nil
			}
			l.need(s, v.Def, root)
		}
		l.reach(s, v, root)
	}
}

// reach notes the uses of a tile, directly or through tiles without memory.
func (l *lowering) reach(s *store, v *ssa.Value, root *ssa.Block) {
	for _, u := range l.uses[v] {
		by := operation(u.in)
		if by.Op == ssa.OpTileMake && l.virtual[by.Result()] && by != u.in {
			l.reach(s, by.Result(), root)
			continue
		}
		l.need(s, by, root)
		if to := l.edge(u); to != nil {
			l.need(to, u.in, root)
		}
	}
}

// share gives slots to stores.
func (l *lowering) share() {
	list := slices.Clone(l.stores)
	slices.SortStableFunc(list, func(a, b *store) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.typ.Len(), a.typ.Len()))
	})
	var slots []*slot
	for _, s := range list {
		if s.last == 0 {
			continue
		}
		if s.spread || s.stages > 0 {
			s.slot = newSlot(s)
			l.memory(s.slot)
			continue
		}
		var best *slot
		for _, c := range slots {
			if c.elem != s.typ.Elem || c.free >= s.first && !l.takesOver(s, c, list) {
				continue
			}
			if best == nil || fits(c, s, best) {
				best = c
			}
		}
		if best == nil {
			best = newSlot(s)
			slots = append(slots, best)
		}
		best.len, best.free = max(best.len, s.typ.Len()), max(best.free, s.last)
		s.slot = best
	}
	for _, c := range slots {
		l.memory(c)
	}
}

// newSlot is a slot that no store has but one.
func newSlot(s *store) *slot {
	c := &slot{elem: s.typ.Elem, len: s.typ.Len() * max(s.stages, 1)}
	if s.spread {
		c.columns = s.typ.Dims[2]
	}
	return c
}

// fits reports whether a slot suits a store better than another one.
func fits(c *slot, s *store, best *slot) bool {
	n := s.typ.Len()
	if (c.len >= n) != (best.len >= n) {
		return c.len >= n
	}
	if c.len >= n {
		return c.len < best.len
	}
	return c.len > best.len
}

// takesOver reports whether the operation that writes a store can do so in the memory of another one, which is
// needed no longer than for that operation.
func (l *lowering) takesOver(s *store, c *slot, list []*store) bool {
	in := s.by
	if in == nil || in.Op != ssa.OpTileMake || c.free != l.order[in].last {
		return false
	}
	for _, other := range list {
		if other.slot == c && other.last >= s.first && (other.typ.Dims != s.typ.Dims || other.swizzled != s.swizzled || !l.inPlace(in, other)) {
			return false
		}
	}
	return true
}

// memory makes the memory of a slot, where the kernel begins.
func (l *lowering) memory(c *slot) {
	in := &ssa.Instr{Op: ssa.OpShared, Len: int32(c.len), Storage: ssa.ScratchStorage, Block: l.f.Body}
	if c.columns > 0 {
		in.Storage, in.Index = ssa.RegisterStorage, int32(c.columns)
	}
	c.mem = in.AddResult(ssa.Slice{Elem: c.elem}, "")
	c.mem.Name = "tile"
	l.first = append(l.first, in)
}
