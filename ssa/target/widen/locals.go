package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A variable in memory, such as an array with an index that is known only at run time, is one of each lane's own. All lanes
// have theirs in one piece of memory. The same number of all lanes lies in one row, so that lanes with the same index load
// and store whole vectors: the numbers of a [3]float32 in 4 lanes are x0 x1 x2 x3 y0 y1 y2 y3 z0 z1 z2 z3.

// maxLocals is how many bytes such variables may have in one lane, those of a thread's code and of the functions that it calls
// together. All lanes have them on the stack. Threads have 16 lanes at most, if no test wants more. A block, which could have
// more, runs fewer lanes at once if these need more than maxStack.
const (
	maxLocals = 4 << 10
	maxStack  = 16 * maxLocals
)

const tooLarge = "its variables in memory are too large for the stack in each lane"

// localBytes is how many bytes they have in one lane, with what lanes are given in turn. What lanes agree on in functions that
// stay is not known yet: all of their variables count.
func (c *calls) localBytes() (sum int) {
	for _, f := range append(c.codes[:len(c.codes):len(c.codes)], c.root.thread) {
		f.Body.Walk(func(in *ssa.Instr) {
			switch {
			case in.Op == ssa.OpLocal && (f != c.root.thread || !c.root.uniform(in.Results)):
				sum += in.Args[0].Type.Size()
			case c.isInTurn(in):
				sum += turnBytes(in)
			}
		})
	}
	return sum
}

// A kind is the numbers of one field in a variable, or of all elements of its arrays. A [2][3]float32 has one kind, and six
// leaves.
type kind struct {
	typ  ssa.Basic
	dims []int // of the arrays that they are in, the outermost first
}

// len is how many numbers a lane has.
func (k kind) len() int {
	n := 1
	for _, d := range k.dims {
		n *= d
	}
	return n
}

// kindsOf are the kinds of a type's numbers, in the order of its fields. A type with addresses in it has none: ok is
// false.
func kindsOf(t ssa.Type, dims ...int) (list []kind, ok bool) {
	switch t := t.(type) {
	case ssa.Basic:
		return []kind{{t, dims}}, t == ssa.Bool || ssa.IsNumeric(t)
	case ssa.Array:
		return kindsOf(t.Elem, append(dims[:len(dims):len(dims)], t.Len)...)
	case *ssa.Struct:
		for _, f := range t.Fields {
			inner, ok := kindsOf(f.Type, dims...)
			if !ok {
				return nil, false
			}
			list = append(list, inner...)
		}
		return list, true
	}
	return nil, false
}

// localOf is the variable in memory that an address is of, and the way to its part, nil for other addresses.
func localOf(ptr *ssa.Value) (local *ssa.Instr, path []*ssa.Instr) {
	local, path = wayTo(ptr)
	if local == nil || local.Op != ssa.OpLocal {
		return nil, nil
	}
	return local, path
}

// isOfLocal reports whether a load or a store accesses such a variable.
func isOfLocal(in *ssa.Instr) bool {
	return (in.Op == ssa.OpLoad || in.Op == ssa.OpStore) && in.Args[0].Root().IsLocal()
}

// refuseLocal is why a variable in memory cannot be one of each lane's own.
func (w *widener) refuseLocal(in *ssa.Instr) string {
	t := in.Args[0].Type
	if _, ok := kindsOf(t); !ok {
		return "a variable of type " + t.String() + " in memory"
	}
	if t.Size() == 0 {
		return "a variable in memory that has no size"
	}
	if !isZero(in.Args[0]) && refuseType(t) != "" {
		return "a variable in memory that begins as a copy of many numbers"
	}
	if !w.isForAccess(in.Result()) {
		return "a variable in memory whose address is a value"
	}
	return ""
}

func isZero(v *ssa.Value) bool { return v.Def != nil && v.Def.Op == ssa.OpZero }

// isForAccess reports whether an address is used by loads and stores only, and those of its parts.
func (w *widener) isForAccess(ptr *ssa.Value) bool {
	for _, user := range w.users[ptr.ID] {
		switch {
		case user.Op == ssa.OpLoad, user.Op == ssa.OpStore && user.Args[1] != ptr:
		case (user.Op == ssa.OpFieldAddr || user.Op == ssa.OpElemAddr) && w.isForAccess(user.Result()):
		default:
			return false
		}
	}
	return true
}

// local makes a variable of each lane's own: an array for each kind of its numbers.
func (w *widener) local(in *ssa.Instr) {
	kinds, _ := kindsOf(in.Args[0].Type)
	var all value
	for _, k := range kinds {
		all.vecs = append(all.vecs, w.variable(ssa.Array{Elem: k.typ, Len: k.len() * w.lanes}, in.Result().Name))
	}
	w.values[in.Result().ID] = all
	if isZero(in.Args[0]) {
		return
	}
	vecs := w.vecsOf(in.Args[0])
	for i, l := range leaves(in.Args[0].Type) {
		row, _ := w.localPlace(in, nil, l)
		w.append(&ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{row, vecs[i]}})
	}
}

// variable makes a variable in memory that begins as zero.
func (w *widener) variable(t ssa.Type, name string) *ssa.Value {
	v := w.op(ssa.OpLocal, ssa.Pointer{Elem: t}, w.at.AppendZero(t))
	v.Name = name
	return v
}

// A spot is a part of a variable of each lane's own, on the way to one of its numbers.
type spot struct {
	typ   ssa.Type
	kinds int // how many lie before its first one

	// The index of its first number, among those of a kind, is the sum of what is known, of what lanes agree on, and of what
	// each has of its own. The last two are nil for 0.
	known     int64
	same, own *ssa.Value // own is of int32: variables are small
}

// field goes on to a field of a struct.
func (s *spot) field(k int) {
	fields := s.typ.(*ssa.Struct).Fields
	for _, f := range fields[:k] {
		kinds, _ := kindsOf(f.Type)
		s.kinds += len(kinds)
	}
	s.typ = fields[k].Type
}

// elem goes on to an element of an array, whose index is known if it is nil.
func (s *spot) elem(w *widener, index *ssa.Value, known int64) {
	array := s.typ.(ssa.Array)
	s.typ = array.Elem
	s.known = s.known*int64(array.Len) + known
	if s.same != nil {
		s.same = w.op(ssa.OpMul, ssa.Int64, s.same, w.number(int64(array.Len)))
	}
	if s.own != nil {
		s.own = w.op(ssa.OpMul, s.own.Type, s.own, w.splat(w.constant(ssa.Int32, uint64(array.Len))))
	}
	switch {
	case index == nil:
	case w.facts.IsUniform(index):
		s.same = w.with(ssa.OpAdd, s.same, w.convert(w.same(index), ssa.Int64))
	default:
		s.own = w.with(ssa.OpAdd, s.own, w.convert(w.vecOf(index), w.vec(ssa.Int32)))
	}
}

// localPlace is where a leaf of a part of a variable lies. If lanes agree on all indices, that is a row; otherwise there is
// the index of each lane's behind row.
func (w *widener) localPlace(local *ssa.Instr, path []*ssa.Instr, l leaf) (row, indices *ssa.Value) {
	s := &spot{typ: local.Args[0].Type}
	for _, p := range path {
		if p.Op == ssa.OpFieldAddr {
			s.field(int(p.Index))
		} else if c, ok := p.Args[1].Const(); ok {
			s.elem(w, nil, c.Int())
		} else {
			s.elem(w, p.Args[1], 0)
		}
	}
	for _, step := range l.path {
		if step.field {
			s.field(step.index)
		} else {
			s.elem(w, nil, int64(step.index))
		}
	}
	lanes := int64(w.lanes)
	first := w.number(s.known * lanes)
	if s.same != nil {
		first = w.op(ssa.OpMul, ssa.Int64, w.op(ssa.OpAdd, ssa.Int64, s.same, w.number(s.known)), w.number(lanes))
	}
	row = w.op(ssa.OpElemAddr, ssa.Pointer{Elem: l.typ}, w.values[local.Result().ID].vecs[s.kinds], first)
	if s.own != nil {
		indices = w.op(ssa.OpAdd, s.own.Type, w.op(ssa.OpMul, s.own.Type, s.own, w.splat(w.constant(ssa.Int32, uint64(lanes)))), w.op(ssa.OpIota, s.own.Type))
	}
	return row, indices
}

// isLocalRow reports whether lanes access a part of such a variable in one row: they agree on the way to it.
func (w *widener) isLocalRow(path []*ssa.Instr) bool {
	return !slices.ContainsFunc(path, w.picks)
}

// loadLocal translates a load from a variable of each lane's own. All lanes may load a row: no lane is elsewhere.
func (w *widener) loadLocal(in, local *ssa.Instr, path []*ssa.Instr) (vecs []*ssa.Value) {
	for _, l := range leaves(in.Result().Type) {
		row, indices := w.localPlace(local, path, l)
		if indices == nil {
			vecs = append(vecs, w.op(ssa.OpLoadRow, w.vec(l.typ), row))
			continue
		}
		out := &ssa.Instr{Op: ssa.OpGather, Len: int32(l.typ.Size()), Args: w.masked(row, indices)}
		vecs = append(vecs, w.append(out, w.vec(l.typ)).Result())
	}
	return vecs
}

// storeLocal translates a store to a variable of each lane's own.
func (w *widener) storeLocal(in, local *ssa.Instr, path []*ssa.Instr) {
	vecs := w.vecsOf(in.Args[1])
	for i, l := range leaves(in.Args[1].Type) {
		row, indices := w.localPlace(local, path, l)
		if indices == nil {
			v := vecs[i]
			if w.env.mask != nil {
				// Nobody else sees the row. A processor soon reads what a whole vector has been stored to, but not what a mask has.
				v = w.op(ssa.OpSelect, v.Type, w.env.mask, v, w.op(ssa.OpLoadRow, v.Type, row))
			}
			w.append(&ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{row, v}})
			continue
		}
		w.append(&ssa.Instr{Op: ssa.OpScatter, Len: int32(l.typ.Size()), Args: w.masked(row, indices, vecs[i])})
	}
}
