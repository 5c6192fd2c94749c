package widen

import (
	"cmp"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Numbers of structs and matrices lie next to each other in each lane's element, and elements of the lanes lie at one
// distance. So they are read and written as whole lines, and shuffled: see [ssa.OpLoadParts]. What one lane reads of an
// element may be in several loads. They are read at once, where the first one is, if nothing is written between that
// may change them. What one lane writes in several stores is written at once, where the last one is, if nothing between
// may see or change it. What is written between to the same place of another slice changes nothing if the slices have no
// memory in common, and is seen if they are one: that is tested before the loop over threads.
//
// What lies between numbers that a lane reads is in the slice, and is read with them where that is quicker. Only what a
// lane writes is written.

// A strided place is where a number of each lane's lies: so many bytes behind element base of a slice, base being
// by/size of elements more in each lane.
type strided struct {
	slice, base *ssa.Value // of the thread's code
	offset      int64      // bytes
	by          int64      // bytes from lane to lane
}

// near reports whether two places are of one element, or of elements that are one for all lanes.
func (p strided) near(q strided) bool { return p.slice == q.slice && p.base == q.base && p.by == q.by }

// beside reports whether two places are of the same element of two slices.
func (p strided) beside(q strided) bool {
	return p.slice != q.slice && p.base == q.base && p.by == q.by
}

// maxParts is how many numbers are shuffled at once: they are all in registers.
const maxParts = 32

// placeOf is the place of an address, if the lanes' places lie at a constant distance, and each after the one before.
func (w *widener) placeOf(ptr *ssa.Value) (p strided, ok bool) {
	a, ok := addressOf(ptr)
	if !ok || !w.facts.IsUniform(a.slice) || w.lanes > 16 {
		return p, false
	}
	stride, ok := w.facts.Stride(a.index)
	size := int64(a.elem().Size())
	if !ok || stride < 1 || stride > 1<<16 || size < 1 || size > 1<<12 {
		return p, false
	}
	p = strided{slice: a.slice, base: a.index, by: stride * size}
	for terms := maxTerms; terms > 0; terms-- {
		x, n := analysis.PlusConst(p.base)
		if x == p.base || max(n, -n) > 1<<16 {
			break
		}
		p.offset += n * size
		p.base = x
	}
	t := a.elem()
	for _, step := range a.path {
		switch {
		case step.Op == ssa.OpFieldAddr:
			s, isStruct := t.(*ssa.Struct)
			if !isStruct {
				return p, false
			}
			p.offset += int64(s.Offset(int(step.Index)))
			t = s.Fields[step.Index].Type
		default:
			array, isArray := t.(ssa.Array)
			c, isConst := step.Args[1].Const()
			if !isArray || !isConst || uint64(c.Int()) >= uint64(array.Len) {
				return p, false
			}
			p.offset += c.Int() * int64(array.Elem.Size())
			t = array.Elem
		}
	}
	return p, true
}

// offset is how many bytes a leaf lies behind the beginning of a type.
func (l leaf) offset(t ssa.Type) (n int64) {
	for _, s := range l.path {
		if st, ok := t.(*ssa.Struct); ok {
			n += int64(st.Offset(s.index))
		} else {
			n += int64(s.index * s.typ.Size())
		}
		t = s.typ
	}
	return n
}

// A part is a number that a load reads, or a store writes, in each lane.
type part struct {
	in     *ssa.Instr
	leaf   int
	typ    ssa.Basic
	offset int64 // of its place
}

// partsOf are the numbers of a load or a store at a place. There are none of bools.
func partsOf(in *ssa.Instr, p strided) (list []part, ok bool) {
	t := accessed(in).Type
	all, ok := leavesOf(t)
	for k, l := range all {
		ok = ok && l.typ != ssa.Bool
		list = append(list, part{in, k, l.typ, p.offset + l.offset(t)})
	}
	return list, ok && len(list) > 0
}

// accessed is what a load reads or a store writes.
func accessed(in *ssa.Instr) *ssa.Value {
	if in.Op == ssa.OpLoad {
		return in.Results[0]
	}
	return in.Args[1]
}

// A line is numbers of one size that lie next to each other, of which some are parts.
type line struct {
	size, begin, end int64 // bytes
	parts            []part
}

// linesOf puts parts into lines: those of one size, up to so many bytes apart, that are no longer than the distance of
// elements.
func linesOf(parts []part, by, apart int64) (lines []line) {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.typ.Size(), b.typ.Size()), cmp.Compare(a.offset, b.offset))
	})
	for _, p := range parts {
		size := int64(p.typ.Size())
		if n := len(lines) - 1; n >= 0 {
			l := &lines[n]
			if l.size == size && p.offset <= l.end+apart && (p.offset-l.begin)%size == 0 && p.offset+size-l.begin <= min(by, maxParts*size) {
				l.end = max(l.end, p.offset+size)
				l.parts = append(l.parts, p)
				continue
			}
		}
		lines = append(lines, line{size, p.offset, p.offset + size, []part{p}})
	}
	return lines
}

// loadParts reads what a load and those that follow it in its block read of the lanes' elements. It is false if that is
// to be gathered.
func (w *widener) loadParts(in *ssa.Instr) ([]*ssa.Value, bool) {
	if vecs, ok := w.ready[in]; ok {
		delete(w.ready, in)
		return vecs, true
	}
	p, ok := w.placeOf(in.Args[0])
	if !ok {
		return nil, false
	}
	parts, ok := partsOf(in, p)
	if !ok {
		return nil, false
	}
	loads := []*ssa.Instr{in}
	for _, l := range w.loadsWith(in, p) {
		loads = append(loads, l.in)
		parts = append(parts, l.parts...)
	}
	for _, l := range loads {
		w.ready[l] = make([]*ssa.Value, len(leaves(l.Results[0].Type)))
	}
	for _, l := range linesOf(parts, p.by, apart) {
		w.loadLine(p, w.extended(l, p))
	}
	vecs := w.ready[in]
	delete(w.ready, in)
	return vecs, true
}

// apart is how many bytes may lie between numbers that are read at once.
const apart = 16

// storeParts writes what a store and those that follow it in its block write of the lanes' elements, where the last of
// them is. It is false if that is to be scattered.
func (w *widener) storeParts(in *ssa.Instr) bool {
	p, ok := w.placeOf(in.Args[0])
	if !ok {
		return false
	}
	parts, ok := partsOf(in, p)
	if !ok {
		return false
	}
	if w.waiting == nil {
		w.waiting = parts
		w.last = w.storesWith(in, p)
	} else {
		w.waiting = append(w.waiting, parts...)
	}
	if in == w.last {
		for _, l := range linesOf(w.waiting, p.by, 0) {
			w.storeLine(p, l)
		}
		w.waiting = nil
	}
	return true
}

// storesWith is the last of the stores behind another one in its block that write of the same elements, so that nothing
// between sees or changes what the others write.
func (w *widener) storesWith(in *ssa.Instr, p strided) (last *ssa.Instr) {
	last = in
	written, _ := partsOf(in, p)
	for _, x := range in.Block.Instrs[slices.Index(in.Block.Instrs, in)+1:] {
		q, isPlace := strided{}, false
		if x.Op == ssa.OpLoad || x.Op == ssa.OpStore {
			q, isPlace = w.placeOf(x.Args[0])
			isPlace = isPlace && q.near(p)
		}
		_, done := w.ready[x]
		switch {
		case isPlace:
			parts, ok := partsOf(x, q)
			if !ok || overlap(parts, written) || w.wraps(append(parts, written...), p) {
				return last
			}
			if x.Op == ssa.OpStore {
				written = append(written, parts...)
				last = x
			}
		case done:
		case w.summaries.Effects(x) != 0:
			return last
		}
	}
	return last
}

// wraps reports whether parts are further from each other than elements are, so that one of a lane may be one of
// another lane.
func (w *widener) wraps(parts []part, p strided) bool {
	begin, end := parts[0].offset, parts[0].offset
	for _, x := range parts {
		begin, end = min(begin, x.offset), max(end, x.offset+int64(x.typ.Size()))
	}
	return end-begin > p.by
}

// storeLine writes a line, all of which is parts.
func (w *widener) storeLine(p strided, l line) {
	at, t := w.lineAddress(p, l)
	args := []*ssa.Value{at}
	for _, x := range l.parts {
		args = append(args, w.bitsAs(w.vecsOf(x.in.Args[1])[x.leaf], t))
	}
	w.append(&ssa.Instr{Op: ssa.OpStoreParts, Len: int32(p.by), Args: w.masked(args...)})
}

// A joining load is one that reads of the elements of another one.
type joining struct {
	in    *ssa.Instr
	parts []part
}

// loadsWith are the loads behind another one in its block that read of the same elements, and what was there before.
func (w *widener) loadsWith(in *ssa.Instr, p strided) (list []joining) {
	elem := int64(p.slice.Type.(ssa.Slice).Elem.Size())
	left := false
	written := slices.Clone(w.waiting) // after this load, where their last one is: what is read behind that is not read here
	var others []*ssa.Value            // slices that are written between
	for _, x := range in.Block.Instrs[slices.Index(in.Block.Instrs, in)+1:] {
		var q strided
		near, beside := false, false
		if x.Op == ssa.OpLoad || x.Op == ssa.OpStore {
			place, ok := w.placeOf(x.Args[0])
			q, near, beside = place, ok && place.near(p), ok && x.Op == ssa.OpStore && place.beside(p)
		}
		does := w.summaries.Effects(x)
		switch {
		case near && x.Op == ssa.OpLoad:
			parts, ok := partsOf(x, q)
			// Lanes that have left do not read: what they would have read may be outside of the slice.
			if ok && !overlap(parts, written) && (!left || floor(q.offset, elem) == floor(p.offset, elem)) && w.areDistinct(p.slice, others) {
				list = append(list, joining{x, parts})
			}
		case near || beside:
			parts, ok := partsOf(x, q)
			if !ok {
				return list
			}
			written = append(written, parts...)
			if beside {
				others = append(others, q.slice)
			}
		case does.Has(analysis.Seen &^ analysis.Hints):
			return list
		case len(x.Blocks) > 0 && does.Has(analysis.Leaves):
			left = true
		}
	}
	return list
}

// floor is the quotient of two integers, the next one below if it is none.
func floor(a, b int64) int64 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// overlap reports whether parts of one element have bytes in common with others.
func overlap(a, b []part) bool {
	return slices.ContainsFunc(a, func(x part) bool {
		return slices.ContainsFunc(b, func(y part) bool {
			return x.offset < y.offset+int64(y.typ.Size()) && y.offset < x.offset+int64(x.typ.Size())
		})
	})
}

// extended is a line with what lies beside it in an element, if more numbers are quicker to read: whole elements that
// lie next to each other, and runs of as many numbers as 16 bytes have.
func (w *widener) extended(l line, p strided) line {
	t := p.slice.Type.(ssa.Slice).Elem
	elem := int64(t.Size())
	first := floor(l.begin, elem) * elem
	if l.end > first+elem || (l.begin-first)%l.size != 0 {
		return l
	}
	last := first + elem/l.size*l.size
	begins := func(at int64) bool {
		leaf, ok := leafAt(t, at-first)
		return ok && int64(leaf.typ.Size()) == l.size
	}
	if p.by == elem && last == first+elem && elem <= wholeParts*l.size && begins(first) {
		l.begin, l.end = first, last
		return l
	}
	run := 16 / l.size
	for run > (last-first)/l.size {
		run /= 2
	}
	for (l.end-l.begin)/l.size%run != 0 && l.end < last {
		l.end += l.size
	}
	for (l.end-l.begin)/l.size%run != 0 && l.begin > first && begins(l.begin-l.size) {
		l.begin -= l.size
	}
	return l
}

// wholeParts is how many numbers an element has, at most, that is read as a whole where a number of it is.
const wholeParts = 8

// loadLine reads a line, and notes the vectors of its parts.
func (w *widener) loadLine(p strided, l line) {
	at, t := w.lineAddress(p, l)
	in := &ssa.Instr{Op: ssa.OpLoadParts, Len: int32(p.by), Args: w.masked(at)}
	types := make([]ssa.Type, (l.end-l.begin)/l.size)
	for k := range types {
		types[k] = w.vec(t)
	}
	w.append(in, types...)
	for _, x := range l.parts {
		w.ready[x.in][x.leaf] = w.bitsAs(in.Results[(x.offset-l.begin)/l.size], x.typ)
	}
}

// bitsAs are the bits of a vector as numbers of another type of the same size.
func (w *widener) bitsAs(v *ssa.Value, t ssa.Basic) *ssa.Value {
	unsigned := map[int]ssa.Basic{4: ssa.Uint32, 8: ssa.Uint64}[t.Size()]
	from := ssa.ElemOf(v.Type).(ssa.Basic)
	switch {
	case from == t:
		return v
	case ssa.IsFloat(from) && t != unsigned:
		return w.bitsAs(w.op(ssa.OpBitcast, w.vec(unsigned), v), t)
	case ssa.IsFloat(t) && from != unsigned:
		return w.bitsAs(w.op(ssa.OpConvert, w.vec(unsigned), v), t)
	case ssa.IsFloat(from) || ssa.IsFloat(t):
		return w.op(ssa.OpBitcast, w.vec(t), v)
	}
	return w.op(ssa.OpConvert, w.vec(t), v)
}

// lineAddress is the address of the first number of a line in the first lane's element, and the number's type.
func (w *widener) lineAddress(p strided, l line) (at *ssa.Value, t ssa.Basic) {
	elem := p.slice.Type.(ssa.Slice).Elem
	size := int64(elem.Size())
	n := floor(l.begin, size)
	index := w.firstOf(p.base)
	if n != 0 {
		index = w.op(ssa.OpAdd, ssa.Int64, index, w.number(n))
	}
	leaf, _ := leafAt(elem, l.begin-n*size)
	at = w.op(ssa.OpIndexAddr, ssa.Pointer{Elem: elem}, w.same(p.slice), index)
	return w.partOf(at, leaf), leaf.typ
}

// leafAt is the number of a type that begins at a byte of it.
func leafAt(t ssa.Type, offset int64) (l leaf, ok bool) {
	for {
		var s step
		switch of := t.(type) {
		case ssa.Basic:
			l.typ = of
			return l, offset == 0 && of != ssa.Bool && ssa.IsNumeric(of)
		case ssa.Array:
			if of.Elem.Size() == 0 {
				return l, false
			}
			s = step{index: int(offset / int64(of.Elem.Size())), typ: of.Elem}
			offset %= int64(of.Elem.Size())
		case *ssa.Struct:
			i := -1
			for k, f := range of.Fields {
				if begin := int64(of.Offset(k)); begin <= offset && offset < begin+int64(f.Type.Size()) {
					i = k
				}
			}
			if i < 0 {
				return l, false // between fields
			}
			s = step{field: true, index: i, typ: of.Fields[i].Type}
			offset -= int64(of.Offset(i))
		default:
			return l, false
		}
		l.path = append(l.path, s)
		t = s.typ
	}
}
