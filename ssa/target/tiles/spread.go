package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Products in registers. A machine whose threads share out the elements of a matrix computes products there: the
// operands are in memory that all threads see, and each thread adds the products of its own elements. A tile stays in
// registers from one product to the next, and where all that happens to its elements happens to each alone.

// maxRegisters is the number of 32-bit registers that a thread may use for the elements of one tile: half of all its
// registers. In larger blocks a thread has fewer registers, because the threads of a block may use half of the
// registers of a multiprocessor.
const maxRegisters, blockRegisters = 128, 32768

// fitsRegisters reports whether threads can have the elements of a tile in registers.
func (l *lowering) fitsRegisters(t ssa.TileType) bool {
	return l.machine.Threads > 0 && t.Rank == 2 && ssa.PerThread(t.Dims[1], t.Dims[2], l.machine.Threads)*((t.Elem.Size()+3)/4) <= min(maxRegisters, blockRegisters/l.machine.Threads)
}

// takeNarrow has products in registers take their operands in the form in which they are kept.
func (l *lowering) takeNarrow(body *ssa.Block) {
	body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpTileDot || !l.fitsRegisters(tileType(in.Result())) {
			return
		}
		x, form := kept(in.Args[0])
		y, also := kept(in.Args[1])
		if form != ssa.NotNarrow && form == also && form.Wide() == tileType(in.Result()).Elem {
			in.Args[0], in.Args[1], in.Narrow = x, y, form
		}
	})
}

// kept is the tile whose elements another one has in more bits, and their form.
func kept(v *ssa.Value) (*ssa.Value, ssa.Narrow) {
	if v.Def == nil || v.Def.Op != ssa.OpTileMake || v.Def.Narrow == ssa.NotNarrow {
		return nil, ssa.NotNarrow
	}
	var from *ssa.Value
	v.Def.Blocks[0].Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpTileAt {
			from = in.Args[0]
		}
	})
	if from == nil || tileType(from).Dims != tileType(v).Dims {
		return nil, ssa.NotNarrow
	}
	return from, v.Def.Narrow
}

// chooseSpread decides which stores are in registers. These are the stores of products, and of values that are computed
// from products element by element, if each element is only needed in the thread that has it.
func (l *lowering) chooseSpread(body *ssa.Block) {
	if l.machine.Threads == 0 {
		return
	}
	values := make(map[*store][]*ssa.Value)
	for v, s := range l.homes {
		values[s] = append(values[s], v)
	}
	body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpTileDot && l.homes[in.Result()] != nil && l.fitsRegisters(tileType(in.Result())) {
			l.homes[in.Result()].spread = true
			l.homes[in.Args[0]].swizzled, l.homes[in.Args[1]].swizzled = true, true
		}
	})
	for again := true; again; {
		again = false
		add := func(s *store) {
			if s != nil && !s.spread && l.fitsRegisters(s.typ) {
				s.spread, again = true, true
			}
		}
		body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpTileMake && !l.virtual[in.Result()] && l.readsSpread(in) {
				add(l.homes[in.Result()])
			}
			for i, a := range in.Args {
				if s := l.homes[a]; s != nil && s.spread {
					add(l.edge(use{in, i}))
				}
			}
		})
	}
	for again := true; again; {
		again = false
		for s, vs := range values {
			if s.spread && slices.ContainsFunc(vs, func(v *ssa.Value) bool { return !l.staysInThreads(v) }) {
				s.spread, again = false, true
			}
		}
	}
}

// staysInThreads reports whether each element of a tile is made and used for itself.
func (l *lowering) staysInThreads(v *ssa.Value) bool {
	if v.Def != nil {
		switch v.Def.Op {
		case ssa.OpIf, ssa.OpLoop, ssa.OpTileDot, ssa.OpTileMake:
		default:
			return false
		}
	}
	for _, u := range l.uses[v] {
		if !l.inPlaceUse(u, tileType(v)) {
			return false
		}
	}
	return true
}

// inPlaceUse reports whether a use of a tile needs each element for an element at the same place only.
func (l *lowering) inPlaceUse(u use, t ssa.TileType) bool {
	switch {
	case l.targets[u] != nil:
		return true
	case u.in.Op == ssa.OpTileDot:
		return u.arg == 2 && l.fitsRegisters(t)
	case u.in.Op != ssa.OpTileAt:
		return false
	}
	by := operation(u.in)
	if by == u.in || len(by.Blocks[0].Params) != len(t.Dims) {
		return false
	}
	for axis, p := range by.Blocks[0].Params {
		if t.Dims[axis] > 1 && u.in.Args[1+axis] != p {
			return false
		}
	}
	switch by.Op {
	case ssa.OpTileMake:
		if tileType(by.Result()).Dims != t.Dims {
			return false
		}
		if !l.virtual[by.Result()] {
			return true
		}
		for _, v := range l.uses[by.Result()] {
			if !l.inPlaceUse(v, tileType(by.Result())) {
				return false
			}
		}
		return true
	case ssa.OpFor:
		for axis, a := range by.Args {
			if c, ok := a.Const(); !ok || int(c.Int()) != t.Dims[axis] {
				return false
			}
		}
		return len(by.Args) == len(t.Dims)
	}
	return false
}

// readsSpread reports whether the lanes of an operation read elements that are in registers.
func (l *lowering) readsSpread(in *ssa.Instr) (found bool) {
	in.Blocks[0].Walk(func(x *ssa.Instr) {
		if x.Op != ssa.OpTileAt || found {
			return
		}
		a := x.Args[0]
		if s := l.homes[a]; s != nil && s.spread || l.virtual[a] && l.readsSpread(a.Def) {
			found = true
		}
	})
	return found
}

// isSpread reports whether an operation is one on elements in registers.
func (l *lowering) isSpread(in *ssa.Instr) bool {
	for _, r := range in.Results {
		if s := l.homes[r]; s != nil && s.spread {
			return true
		}
	}
	return l.readsSpread(in)
}

// multiply computes a product in registers, if the machine has them. A sum that is elsewhere is brought there, and the
// result to where it belongs.
func (l *lowering) multiply(b *ssa.Block, in *ssa.Instr) bool {
	t := tileType(in.Result())
	if !l.fitsRegisters(t) {
		return false
	}
	home := l.homes[in.Result()]
	sum := home
	if !home.spread {
		if l.sums[t] == nil {
			l.sums[t] = l.spareStore(t, true)
		}
		sum = l.sums[t]
	}
	if from := l.homes[in.Args[2]]; from == nil || from.slot != sum.slot {
		l.forEach(b, t.Dims, true, func(b *ssa.Block, at index) bool {
			l.put(b, sum, at, l.element(b, in.Args[2], at))
			return true
		})
	}
	x, y := l.homes[in.Args[0]], l.homes[in.Args[1]]
	l.emit(b, &ssa.Instr{Op: ssa.OpMultiply, Args: []*ssa.Value{sum.slot.mem, x.slot.mem, y.slot.mem}, Len: int32(tileType(in.Args[0]).Dims[2]), Narrow: in.Narrow})
	if sum != home {
		l.copy(b, home, sum)
	}
	return true
}
