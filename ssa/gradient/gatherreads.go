package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// readsBefore reports whether a backward kernel reads nothing from the memory of its parameters that it has written
// itself before. Only then the gather can leave out what the kernel writes.
func (s *stencil) readsBefore() bool {
	r := reads{s.polys, true}
	r.block(s.fn.Body, nil)
	return r.ok
}

// reads goes through a kernel in its order.
type reads struct {
	polys polynomials
	ok    bool
}

// block goes through a block behind the writes in written, and adds those of the block.
func (r *reads) block(b *ssa.Block, written []*ssa.Value) []*ssa.Value {
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpLoad:
			r.ok = r.ok && !slices.ContainsFunc(written, func(p *ssa.Value) bool { return r.mayBe(p, in.Args[0]) })
		case ssa.OpStore, ssa.OpAtomic:
			if writesParam(in) {
				written = append(written, in.Args[0])
			}
		case ssa.OpIf:
			before := slices.Clip(written)
			for _, nested := range in.Blocks {
				after := r.block(nested, before)
				written = append(written, after[len(before):]...)
			}
		case ssa.OpLoop: // a turn is behind all the others
			for _, nested := range in.Blocks {
				nested.Walk(func(in *ssa.Instr) {
					if writesParam(in) {
						written = append(written, nil)
					}
				})
			}
			for _, nested := range in.Blocks {
				r.block(nested, slices.Clip(written))
			}
		}
	}
	return written
}

// mayBe reports whether two addresses may be of the same float of a parameter. nil may be any.
func (r *reads) mayBe(p, q *ssa.Value) bool {
	if q.Root().IsLocal() {
		return false
	}
	if p == nil {
		return true
	}
	x, ok1 := regionOf(p)
	y, ok2 := regionOf(q)
	if !ok1 || !ok2 {
		return true
	}
	if x != y {
		return false
	}
	i, path, ok1 := elementAt(p)
	j, other, ok2 := elementAt(q)
	if !ok1 || !ok2 {
		return true
	}
	apart, ok := r.polys.of(i.Args[1]).plus(r.polys.of(j.Args[1]), -1).constant()
	return !ok || apart == 0 && (len(path) != len(other) || slices.Equal(path, other))
}
