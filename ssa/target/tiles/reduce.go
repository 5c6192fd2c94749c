package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Where vectors hold several numbers, a step of a reduction joins up to mostJoined elements, and has no more than
// mostCode instructions for it, so that it stays in registers. What a call or a mathematical function costs is
// callCode.
const (
	mostJoined = 16
	mostCode   = 96
	callCode   = 16
)

// half is the largest power of two below n.
func half(n int) int {
	h := 1
	for 2*h < n {
		h *= 2
	}
	return h
}

// joined is how many elements a step of a reduction joins to one, of h that are left: a power of two. All steps add up
// to the same order: halves are joined until one element is left.
//
// A step of two needs the fewest turns of each lane. Where one lane after the other runs, in vectors, steps of more
// save the memory between them, as long as they leave whole vectors. Rows of two vectors are joined to one: with less
// than a vector left, the elements of each row would be loaded one by one.
func (l *lowering) joined(in *ssa.Instr, h int, first bool) int {
	vector := l.machine.VectorBytes / tileType(in.Args[0]).Elem.Size()
	code := l.code(in.Blocks[0]) + len(in.Args)
	if first {
		for _, x := range in.Args {
			code += l.elementCode(x)
		}
	}
	most := 2
	for 2*most <= min(mostJoined, h) && l.machine.VectorBytes > 0 && 2*most*code <= mostCode {
		most *= 2
	}
	for n := most; n > 2 || n == 2 && in.Axis == 2; n /= 2 {
		if h/n >= vector || h == n {
			return n
		}
	}
	return min(most, h)
}

// elementCode is how many instructions an element of a tile takes.
func (l *lowering) elementCode(v *ssa.Value) int {
	if l.virtual[v] {
		return l.code(v.Def.Blocks[0])
	}
	return 1
}

// code is how many instructions there are in a block, those for the elements of tiles included.
func (l *lowering) code(b *ssa.Block) (n int) {
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpConst, ssa.OpYield:
		case ssa.OpTileAt:
			n += l.elementCode(in.Args[0])
		case ssa.OpCall, ssa.OpMath:
			n += callCode
		default:
			n++
		}
		for _, nested := range in.Blocks {
			n += l.code(nested)
		}
	}
	return n
}

// left is how many elements the first step of a reduction leaves of n.
func (l *lowering) left(in *ssa.Instr, n int) int {
	if h := half(n); n < 2*h {
		return h
	}
	return n / l.joined(in, n, true)
}

// spareFor gives a reduction the memory for what is left after its first step, unless that is one element.
func (l *lowering) spareFor(in *ssa.Instr) {
	n := tileType(in.Args[0]).Dims[in.Axis]
	if n == 1 || l.left(in, n) == 1 {
		return
	}
	for _, x := range in.Args {
		spare := tileType(x)
		spare.Dims[in.Axis] = l.left(in, n)
		s := l.newStore(spare)
		l.need(s, in, in.Block)
		l.spare[in] = append(l.spare[in], s)
	}
}

// reduce joins the elements along an axis: the second half to the first one, until one is left.
func (l *lowering) reduce(b *ssa.Block, in *ssa.Instr) {
	axis := int(in.Axis)
	r := &reduction{l: l, b: b, in: in, axis: axis, dims: tileType(in.Args[0]).Dims}
	n := r.dims[axis]
	if n == 1 {
		r.step(0, 1, func(b *ssa.Block, at index) bool {
			r.finish(b, at, r.given(b, at))
			return true
		})
		return
	}
	h := l.left(in, n)
	if n < 2*h {
		r.join(2, h, n-h, true)
		r.step(n-h, 2*h-n, func(b *ssa.Block, at index) bool {
			r.keep(b, at, r.given(b, at))
			return true
		})
	} else if h > 1 || !l.joinColumns(b, in, l.homesOf(in.Args), n) {
		r.join(n/h, h, h, true)
	}
	for h > 1 {
		n := l.joined(in, h, false)
		h /= n
		if h > 1 || !l.joinColumns(b, in, l.spare[in], n) {
			r.join(n, h, h, false)
		}
	}
}

// A reduction is an instruction that joins elements, as it is lowered at the end of a block.
type reduction struct {
	l    *lowering
	b    *ssa.Block
	in   *ssa.Instr
	axis int
	dims [3]int // of the tiles, with another length of the axis in each step
}

// given reads elements of the operands, and rest what earlier steps have kept.
func (r *reduction) given(b *ssa.Block, at index) (vals []*ssa.Value) {
	for _, x := range r.in.Args {
		vals = append(vals, r.l.element(b, x, at))
	}
	return vals
}

func (r *reduction) rest(b *ssa.Block, at index) (vals []*ssa.Value) {
	for _, s := range r.l.spare[r.in] {
		vals = append(vals, r.l.op(b, ssa.OpLoad, s.typ.Elem, r.l.address(b, s, at)))
	}
	return vals
}

// finish writes elements of the results, and keep writes what later steps read.
func (r *reduction) finish(b *ssa.Block, at index, vals []*ssa.Value) {
	to := r.l.without(b, at, r.axis)
	for i, v := range r.in.Results {
		r.l.put(b, r.l.homes[v], to, vals[i])
	}
}

func (r *reduction) keep(b *ssa.Block, at index, vals []*ssa.Value) {
	for i, s := range r.l.spare[r.in] {
		r.l.put(b, s, at, vals[i])
	}
}

// to writes what a step leaves, if that is so many elements along the axis.
func (r *reduction) to(left int) func(b *ssa.Block, at index, vals []*ssa.Value) {
	if left == 1 {
		return r.finish
	}
	return r.keep
}

// step does something with the elements from an index on, of so many lines.
func (r *reduction) step(from, lines int, do func(b *ssa.Block, at index) bool) {
	r.dims[r.axis] = lines
	r.l.forAll(r.b, r.dims, func(b *ssa.Block, at index) bool {
		at[r.axis] = r.l.plus(b, at[r.axis], from)
		return do(b, at)
	})
}

// join joins n elements that are h apart to one, by halves: the operands' if it is the first step, else what was left
// of them.
func (r *reduction) join(n, h, lines int, first bool) {
	if r.joinSides(n, h, lines, first) {
		return
	}
	elements, to := r.rest, r.to(h)
	if first {
		elements = r.given
	}
	r.step(0, lines, func(b *ssa.Block, at index) bool {
		ok := true
		var joined func(k, every int) []*ssa.Value
		joined = func(k, every int) []*ssa.Value {
			if every == n {
				from := at
				from[r.axis] = r.l.plus(b, at[r.axis], k*h)
				return elements(b, from)
			}
			x := joined(k, 2*every)
			y := joined(k+every, 2*every)
			if !ok {
				return nil
			}
			vals, more := r.l.inline(b, r.in.Blocks[0], append(slices.Clone(x), y...))
			ok = more
			return vals
		}
		if vals := joined(0, 1); ok {
			to(b, at, vals)
		}
		return ok
	})
}

// without is an index without one axis.
func (l *lowering) without(b *ssa.Block, at index, axis int) index {
	var r index
	to := 2
	for a := 2; a >= 0; a-- {
		if a != axis {
			r[to] = at[a]
			to--
		}
	}
	r[0] = l.int(b, 0)
	return r
}
