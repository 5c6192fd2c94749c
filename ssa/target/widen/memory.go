package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// An address of each lane's own is one of an element of a slice, at an index that differs between lanes, or of a
// part of the element.
type address struct {
	slice *ssa.Value // of the thread's code, as are the others
	index *ssa.Value
	path  []*ssa.Instr // from the element on: to its parts
}

// addressOf finds what an address is of, which is not the same in all lanes.
func addressOf(ptr *ssa.Value) (a address, ok bool) {
	in, path := wayTo(ptr)
	if in == nil || in.Op != ssa.OpIndexAddr {
		return a, false
	}
	return address{in.Args[0], in.Args[1], path}, true
}

// wayTo is what gives the address of the value that an address is a part of, nil for a parameter, and the way from there.
func wayTo(ptr *ssa.Value) (from *ssa.Instr, path []*ssa.Instr) {
	for from = ptr.Def; from != nil && (from.Op == ssa.OpFieldAddr || from.Op == ssa.OpElemAddr); from = from.Args[0].Def {
		path = append(path, from)
	}
	slices.Reverse(path)
	return from, path
}

// picks reports whether a step into an array takes lanes to elements of their own.
func (w *widener) picks(step *ssa.Instr) bool { return !w.uniform(step.Args[1:]) }

// elem is the type of the elements of the slice.
func (a address) elem() ssa.Type { return a.slice.Type.(ssa.Slice).Elem }

// isRow reports whether the lanes' elements are numbers that lie next to each other.
func (w *widener) isRow(a address) bool {
	_, basic := a.elem().(ssa.Basic)
	stride, ok := w.facts.Stride(a.index)
	return basic && ok && stride == 1
}

// row is the address of the first of numbers that lie next to each other.
func (w *widener) row(a address) *ssa.Value { return w.element(a, w.firstOf(a.index)) }

// element is the address of an element of the slice, or of the array that it is the slice of.
func (w *widener) element(a address, index *ssa.Value) *ssa.Value {
	s, t := w.same(a.slice), ssa.Pointer{Elem: a.elem()}
	if s.Def != nil && s.Def.Op == ssa.OpSliceOf {
		return w.op(ssa.OpElemAddr, t, s.Def.Args[0], index)
	}
	return w.op(ssa.OpIndexAddr, t, s, index)
}

// strideOf is the distance of the lanes' elements, if these are numbers at one distance from each other, which lanes agree
// on and which is no constant, as in a qd.View2.
func (w *widener) strideOf(a address) (s stride, ok bool) {
	basic, isBasic := a.elem().(ssa.Basic)
	c, of, ok := w.facts.Step(a.index)
	return stride{c, of}, ok && of != nil && isBasic && basic != ssa.Bool
}

// elements is such a distance as a number, in elements.
func (w *widener) elements(s stride) *ssa.Value {
	w.strides = append(w.strides, s)
	n := w.same(s.of)
	if s.c != 1 {
		n = w.op(ssa.OpMul, ssa.Int64, n, w.number(s.c))
	}
	return n
}

// indices returns the indices of the lanes' elements. They have the smallest type in which the thread's code has them:
// many are computed from bytes or int32, and 64-bit indices take more registers.
func (w *widener) indices(a address) *ssa.Value {
	index := a.index
	for index.Def != nil && index.Def.Op == ssa.OpConvert && index.Type == ssa.Type(ssa.Int64) {
		of := index.Def.Args[0]
		if !ssa.IsInteger(of.Type) || of.Type.Size() >= ssa.Int64.Size() || w.isLinear(of) {
			break
		}
		index = of
	}
	return w.vecOf(index)
}

// laneOffsets are where the lanes' elements lie, in units of so many bytes from the first element of the slice: the indices, with
// those of arrays in the elements that differ between lanes.
func (w *widener) laneOffsets(a address) (offsets *ssa.Value, unit int32) {
	size := a.elem().Size()
	type inner struct {
		index *ssa.Value
		size  int
	}
	var differ []inner
	for _, p := range a.path {
		if w.picks(p) {
			own := p.Results[0].Type.(ssa.Pointer).Elem.Size()
			differ = append(differ, inner{p.Args[1], own})
			size = gcd(size, own)
		}
	}
	if differ == nil {
		return w.indices(a), int32(size)
	}
	sum := w.times(w.vecOf(a.index), a.elem().Size()/size)
	for _, d := range differ {
		sum = w.op(ssa.OpAdd, sum.Type, sum, w.times(w.vecOf(d.index), d.size/size))
	}
	return sum, int32(size)
}

// times is indices times a number, as int64.
func (w *widener) times(indices *ssa.Value, n int) *ssa.Value {
	indices = w.convert(indices, w.vec(ssa.Int64))
	if n == 1 {
		return indices
	}
	return w.op(ssa.OpMul, indices.Type, indices, w.splat(w.number(int64(n))))
}

// gcd is the greatest common divisor of two sizes.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// leafAddress is the address of a leaf in the first element of the slice, and in the first ones of arrays in it in which lanes
// have elements of their own.
func (w *widener) leafAddress(a address, l leaf) *ssa.Value {
	at := w.element(a, w.number(0))
	for _, p := range a.path {
		out := &ssa.Instr{Op: p.Op, Index: p.Index, Args: []*ssa.Value{at}}
		for _, i := range p.Args[1:] {
			if w.picks(p) {
				out.Args = append(out.Args, w.number(0))
			} else {
				out.Args = append(out.Args, w.same(i))
			}
		}
		at = w.append(out, p.Results[0].Type).Result()
	}
	return w.partOf(at, l)
}

// partOf is the address of a leaf of what an address is of.
func (w *widener) partOf(at *ssa.Value, l leaf) *ssa.Value {
	for _, s := range l.path {
		out := &ssa.Instr{Op: ssa.OpFieldAddr, Index: int32(s.index), Args: []*ssa.Value{at}}
		if !s.field {
			out = &ssa.Instr{Op: ssa.OpElemAddr, Args: []*ssa.Value{at, w.number(int64(s.index))}}
		}
		at = w.append(out, ssa.Pointer{Elem: s.typ}).Result()
	}
	return at
}

// masked adds the mask of the lanes that are here to operands, if not all are.
func (w *widener) masked(args ...*ssa.Value) []*ssa.Value {
	if w.env.mask != nil {
		args = append(args, w.env.mask)
	}
	return args
}

// load translates a load from an address of each lane's own.
func (w *widener) load(in *ssa.Instr) (vecs []*ssa.Value) {
	if local, path := localOf(in.Args[0]); local != nil {
		return w.loadLocal(in, local, path)
	}
	a, _ := addressOf(in.Args[0])
	t := in.Results[0].Type
	if w.isRow(a) {
		w.noteFar(a)
		return []*ssa.Value{w.op(ssa.OpLoadRow, w.vec(t), w.masked(w.row(a))...)}
	}
	if vecs, ok := w.loadParts(in); ok {
		return vecs
	}
	if s, ok := w.strideOf(a); ok {
		out := &ssa.Instr{Op: ssa.OpLoadStrided, Len: int32(t.Size()), Args: w.masked(w.row(a), w.elements(s))}
		return []*ssa.Value{w.append(out, w.vec(t)).Result()}
	}
	offsets, unit := w.laneOffsets(a)
	for _, l := range leaves(t) {
		out := &ssa.Instr{Op: ssa.OpGather, Len: unit, Args: w.masked(w.leafAddress(a, l), offsets)}
		vecs = append(vecs, w.append(out, w.vec(l.typ)).Result())
	}
	return vecs
}

// store translates a store. To one place all lanes write one after the other, as threads may.
func (w *widener) store(in *ssa.Instr) {
	ptr, v := in.Args[0], in.Args[1]
	if w.facts.IsUniform(ptr) {
		w.storeToOne(in)
		return
	}
	if local, path := localOf(ptr); local != nil {
		w.storeLocal(in, local, path)
		return
	}
	a, _ := addressOf(ptr)
	vecs := w.vecsOf(v)
	if w.isRow(a) {
		w.append(&ssa.Instr{Op: ssa.OpStoreRow, Args: w.masked(w.row(a), vecs[0])})
		return
	}
	if w.storeParts(in) {
		return
	}
	if s, ok := w.strideOf(a); ok {
		w.append(&ssa.Instr{Op: ssa.OpStoreStrided, Len: int32(v.Type.Size()), Args: w.masked(w.row(a), w.elements(s), vecs[0])})
		return
	}
	offsets, unit := w.laneOffsets(a)
	for i, l := range leaves(v.Type) {
		w.append(&ssa.Instr{Op: ssa.OpScatter, Len: unit, Args: w.masked(w.leafAddress(a, l), offsets, vecs[i])})
	}
}

// storeToOne translates a store by all lanes to one place.
func (w *widener) storeToOne(in *ssa.Instr) {
	ptr, v := in.Args[0], in.Args[1]
	if w.facts.IsUniform(v) {
		w.append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{w.same(ptr), w.same(v)}})
		return
	}
	index := w.splat(w.number(0))
	vecs := w.vecsOf(v)
	for i, l := range leaves(v.Type) {
		at := w.partOf(w.same(ptr), l)
		w.append(&ssa.Instr{Op: ssa.OpScatter, Len: int32(l.typ.Size()), Args: w.masked(at, index, vecs[i])})
	}
}
