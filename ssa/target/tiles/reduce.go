package tiles

import "github.com/qdgen/qd/ssa"

// half is how many elements are left after the first step of a reduction of n: the largest power of two below n.
func half(n int) int {
	h := 1
	for 2*h < n {
		h *= 2
	}
	return h
}

// spareFor gives a reduction the memory for what is left after its first step, unless that is one element.
func (l *lowering) spareFor(in *ssa.Instr) {
	t := tileType(in.Args[0])
	h := half(t.Dims[in.Axis])
	if t.Dims[in.Axis] <= 2 {
		return
	}
	for _, x := range in.Args {
		spare := tileType(x)
		spare.Dims[in.Axis] = h
		s := l.newStore(spare)
		l.need(s, in, in.Block)
		l.spare[in] = append(l.spare[in], s)
	}
}

// reduce joins the elements along an axis: the second half to the first one, until one is left.
func (l *lowering) reduce(b *ssa.Block, in *ssa.Instr) {
	axis := int(in.Axis)
	dims := tileType(in.Args[0]).Dims
	n := dims[axis]
	results := func(b *ssa.Block, at index, vals []*ssa.Value) {
		to := l.without(b, at, axis)
		for i, r := range in.Results {
			l.put(b, l.homes[r], to, vals[i])
		}
	}
	given := func(b *ssa.Block, at index) (vals []*ssa.Value) {
		for _, x := range in.Args {
			vals = append(vals, l.element(b, x, at))
		}
		return vals
	}
	rest := func(b *ssa.Block, at index) (vals []*ssa.Value) {
		for _, s := range l.spare[in] {
			vals = append(vals, l.op(b, ssa.OpLoad, s.typ.Elem, l.address(b, s, at)))
		}
		return vals
	}
	keep := func(b *ssa.Block, at index, vals []*ssa.Value) {
		for i, s := range l.spare[in] {
			l.put(b, s, at, vals[i])
		}
	}
	// step does something with the elements from an index on, of so many lines.
	step := func(from, lines int, do func(b *ssa.Block, at index) bool) {
		dims[axis] = lines
		l.forAll(b, dims, func(b *ssa.Block, at index) bool {
			at[axis] = l.plus(b, at[axis], from)
			return do(b, at)
		})
	}
	if n == 1 {
		step(0, 1, func(b *ssa.Block, at index) bool {
			results(b, at, given(b, at))
			return true
		})
		return
	}
	// join joins the elements that are so far apart.
	join := func(h, lines int, elements func(b *ssa.Block, at index) []*ssa.Value, to func(b *ssa.Block, at index, vals []*ssa.Value)) {
		step(0, lines, func(b *ssa.Block, at index) bool {
			x := elements(b, at)
			second := at
			second[axis] = l.plus(b, at[axis], h)
			vals, ok := l.inline(b, in.Blocks[0], append(x, elements(b, second)...))
			if ok {
				to(b, at, vals)
			}
			return ok
		})
	}
	to := func(h int) func(b *ssa.Block, at index, vals []*ssa.Value) {
		if h == 1 {
			return results
		}
		return keep
	}
	h := half(n)
	join(h, n-h, given, to(h))
	if n < 2*h {
		step(n-h, 2*h-n, func(b *ssa.Block, at index) bool {
			keep(b, at, given(b, at))
			return true
		})
	}
	for h > 1 {
		h /= 2
		join(h, h, rest, to(h))
	}
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
