package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// An index is the place of an element: three indices.
type index [3]*ssa.Value

// emit appends an instruction, with the position of the operation that it is for.
func (l *lowering) emit(b *ssa.Block, in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	in.Pos, in.Stmt = l.at.Pos, l.at.Stmt
	return b.Append(in, results...)
}

func (l *lowering) op(b *ssa.Block, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return l.emit(b, &ssa.Instr{Op: op, Args: args}, t).Result()
}

func (l *lowering) int(b *ssa.Block, n int) *ssa.Value {
	return l.emit(b, &ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(n))}, ssa.Int64).Result()
}

// plus is an index plus a number.
func (l *lowering) plus(b *ssa.Block, i *ssa.Value, n int) *ssa.Value {
	if n == 0 {
		return i
	}
	if c, ok := i.Const(); ok {
		return l.int(b, int(c.Int())+n)
	}
	return l.op(b, ssa.OpAdd, ssa.Int64, i, l.int(b, n))
}

// address is that of an element of a tile in memory.
func (l *lowering) address(b *ssa.Block, s *store, at index) *ssa.Value {
	if w := ssa.SwizzleOf(s.typ.Dims[2], s.typ.Elem.Size()); s.swizzled && w.Group > 0 && s.typ.Dims[1] > 1 {
		row := l.op(b, ssa.OpAnd, ssa.Int64, l.op(b, ssa.OpShr, ssa.Int64, at[1], l.int(b, w.Shift)), l.int(b, w.Mask))
		at[2] = l.op(b, ssa.OpXor, ssa.Int64, at[2], l.op(b, ssa.OpMul, ssa.Int64, row, l.int(b, w.Group)))
	}
	var flat *ssa.Value
	for axis, n := range s.typ.Dims {
		if flat != nil && n > 1 {
			flat = l.op(b, ssa.OpMul, ssa.Int64, flat, l.int(b, n))
		}
		switch {
		case n == 1:
		case flat == nil:
			flat = at[axis]
		default:
			flat = l.op(b, ssa.OpAdd, ssa.Int64, flat, at[axis])
		}
	}
	if flat == nil {
		flat = l.int(b, 0)
	}
	return l.op(b, ssa.OpIndexAddr, ssa.Pointer{Elem: s.typ.Elem}, s.slot.mem, flat)
}

// element is an element of a tile.
func (l *lowering) element(b *ssa.Block, v *ssa.Value, at index) *ssa.Value {
	t := tileType(v)
	for axis, n := range t.Dims {
		if n == 1 {
			at[axis] = nil
		}
	}
	if l.virtual[v] {
		for axis := range at {
			if at[axis] == nil {
				at[axis] = l.int(b, 0)
			}
		}
		vals, _ := l.inline(b, v.Def.Blocks[0], at[:])
		return vals[0]
	}
	return l.op(b, ssa.OpLoad, t.Elem, l.address(b, l.homes[v], at))
}

// put writes an element of a tile, unless nobody reads the tile: it has no memory then.
func (l *lowering) put(b *ssa.Block, s *store, at index, v *ssa.Value) {
	if s == nil {
		return
	}
	l.emit(b, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{l.address(b, s, at), v}})
}

// forEach is forAll, for the threads that have an element in registers if the matrix is spread over them.
func (l *lowering) forEach(b *ssa.Block, dims [3]int, spread bool, do func(b *ssa.Block, at index) bool) {
	if !spread {
		l.forAll(b, dims, do)
		return
	}
	in := l.emit(b, &ssa.Instr{Op: ssa.OpFor, Spread: true, Args: []*ssa.Value{l.int(b, dims[1]), l.int(b, dims[2])}})
	body := in.NewBlock()
	row, column := body.AddParam(ssa.Int64, ""), body.AddParam(ssa.Int64, "")
	if do(body, index{l.int(body, 0), row, column}) {
		l.emit(body, &ssa.Instr{Op: ssa.OpYield})
	}
}

// forAll does something for all indices below some lengths, spread over the lanes of the block. It reports false where
// the code does not go on.
func (l *lowering) forAll(b *ssa.Block, dims [3]int, do func(b *ssa.Block, at index) bool) {
	in := &ssa.Instr{Op: ssa.OpFor}
	if !l.writes(l.at) {
		in.Vector = ssa.VectorWanted | ssa.VectorIndependent // each lane reads what no other one writes
	}
	for _, n := range dims {
		if n > 1 {
			in.Args = append(in.Args, l.int(b, n))
		}
	}
	if in.Args == nil {
		in.Args = []*ssa.Value{l.int(b, 1)}
	}
	l.emit(b, in)
	l.lanes(in, dims[:], do)
}

// writes reports whether the code of an operation's lanes writes what others of its lanes may read.
func (l *lowering) writes(in *ssa.Instr) bool {
	if !in.Op.OwnsLanes() {
		return false
	}
	if in.Op == ssa.OpFor {
		return !l.onlyStores(in)
	}
	return l.effects(in.Blocks[0]).Has(analysis.Seen)
}

// onlyStores reports whether lanes do nothing but to store elements of tiles, in memory that is apart from that of the
// tiles.
func (l *lowering) onlyStores(in *ssa.Instr) bool {
	good, reads := true, false
	in.Blocks[0].Walk(func(x *ssa.Instr) {
		switch {
		case x.Op == ssa.OpTileAt:
			reads = reads || l.virtual[x.Args[0]] && l.reads[x.Args[0]] && !l.apart[x.Args[0]]
		case x.Blocks == nil && x.Op != ssa.OpStore && !x.Op.IsTerminator():
			good = good && !l.summaries.Effects(x).Has(analysis.Seen|analysis.ReadsAny)
		}
	})
	return good && !reads
}

// lanes makes the block of an OpFor over the axes whose lengths are not 1.
func (l *lowering) lanes(in *ssa.Instr, dims []int, do func(b *ssa.Block, at index) bool) {
	body := in.NewBlock()
	for range in.Args {
		body.AddParam(ssa.Int64, "")
	}
	var at index
	next := 0
	for axis, n := range dims {
		if n > 1 {
			at[axis] = body.Params[next]
			next++
		} else {
			at[axis] = l.int(body, 0)
		}
	}
	if do(body, at) {
		l.emit(body, &ssa.Instr{Op: ssa.OpYield})
	}
}

// loop is a loop over the indices from one to below another, with variables. It gives what they are in the end.
func (l *lowering) loop(b *ssa.Block, from, to int, vars []*ssa.Value, do func(b *ssa.Block, i *ssa.Value, vars []*ssa.Value) ([]*ssa.Value, bool)) []*ssa.Value {
	in := l.emit(b, &ssa.Instr{Op: ssa.OpLoop, Args: append([]*ssa.Value{l.int(b, from)}, vars...)})
	types := []ssa.Type{ssa.Int64}
	for _, v := range vars {
		types = append(types, v.Type)
	}
	cond := in.NewBlock()
	for _, t := range types {
		cond.AddParam(t, "")
	}
	l.emit(cond, &ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{l.op(cond, ssa.OpLt, ssa.Bool, cond.Params[0], l.int(cond, to))}})
	body := in.NewBlock()
	if next, ok := do(body, cond.Params[0], cond.Params[1:]); ok {
		l.emit(body, &ssa.Instr{Op: ssa.OpContinue, Target: in, Args: append([]*ssa.Value{cond.Params[0]}, next...)})
	}
	post := in.NewBlock()
	for _, t := range types {
		post.AddParam(t, "")
	}
	l.emit(post, &ssa.Instr{Op: ssa.OpYield, Args: append([]*ssa.Value{l.plus(post, post.Params[0], 1)}, post.Params[1:]...)})
	for _, t := range types {
		in.AddResult(t, "")
	}
	return in.Results[1:]
}

// times does something for each of so many steps from an index on, in a loop if there are several.
func (l *lowering) times(b *ssa.Block, from, step, n int, do func(b *ssa.Block, i *ssa.Value)) {
	if n == 1 {
		do(b, l.int(b, from))
		return
	}
	l.loop(b, 0, n, nil, func(b *ssa.Block, k *ssa.Value, _ []*ssa.Value) ([]*ssa.Value, bool) {
		do(b, l.plus(b, l.op(b, ssa.OpMul, ssa.Int64, k, l.int(b, step)), from))
		return nil, true
	})
}

// inline appends a block to the end of another one, with these values for its parameters. It returns what the block
// yields, and false if the block does not come to its end.
func (l *lowering) inline(b *ssa.Block, body *ssa.Block, params []*ssa.Value) ([]*ssa.Value, bool) {
	c := &copier{l: l, values: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr)}
	for i, p := range body.Params {
		c.values[p] = params[i]
	}
	return c.block(b, body)
}

// A copier copies the code of a lane, with elements of tiles in the place of OpTileAts.
type copier struct {
	l      *lowering
	values map[*ssa.Value]*ssa.Value
	loops  map[*ssa.Instr]*ssa.Instr
	whole  bool // loops over lanes are copied too
	tiles  bool // tiles are kept
}

func (c *copier) value(v *ssa.Value) *ssa.Value {
	if n := c.values[v]; n != nil {
		return n
	}
	return c.l.value(v)
}

func (c *copier) all(list []*ssa.Value) []*ssa.Value {
	var all []*ssa.Value
	for _, v := range list {
		all = append(all, c.value(v))
	}
	return all
}

// block copies a block to the end of another one. The end of the outermost block is not copied if it yields.
func (c *copier) block(to, from *ssa.Block) ([]*ssa.Value, bool) {
	for _, in := range from.Instrs {
		if in.Op == ssa.OpYield && from.Owner.Op.OwnsLanes() && !c.whole {
			return c.all(in.Args), true
		}
		c.instr(to, in)
	}
	return nil, false
}

func (c *copier) instr(to *ssa.Block, in *ssa.Instr) {
	if in.Op == ssa.OpTileAt && !c.tiles {
		c.values[in.Result()] = c.l.element(to, in.Args[0], index(c.all(in.Args[1:])))
		return
	}
	n := new(ssa.Instr)
	*n = *in
	n.Block, n.Args, n.Results, n.Blocks = nil, c.all(in.Args), nil, nil
	n.Changes = slices.Clone(in.Changes)
	if in.Target != nil {
		n.Target = c.loops[in.Target]
	}
	to.Append(n)
	if in.Op == ssa.OpLoop {
		c.loops[in] = n
	}
	for _, nested := range in.Blocks {
		nb := n.NewBlock()
		for _, p := range nested.Params {
			c.values[p] = nb.AddParam(p.Type, p.Name)
		}
		c.block(nb, nested)
	}
	for _, r := range in.Results {
		c.values[r] = n.AddResult(r.Type, r.Name)
	}
}
