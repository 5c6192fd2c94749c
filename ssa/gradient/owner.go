package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// affine is a multiple of the flat index of the thread, plus a constant.
type affine struct{ times, plus int64 }

// affineOf is a value as such a multiple, if it is one with small numbers.
func affineOf(v *ssa.Value) (a affine, ok bool) {
	if c, ok := v.Const(); ok {
		return affine{0, c.Int()}, true
	}
	in := v.Def
	if in == nil || v.Type != ssa.Int64 {
		return a, false
	}
	switch in.Op {
	case ssa.OpThreadID:
		return affine{1, 0}, in.Rank == 1
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
	default:
		return a, false
	}
	x, ok1 := affineOf(in.Args[0])
	y, ok2 := affineOf(in.Args[1])
	if !ok1 || !ok2 || !x.isSmall() || !y.isSmall() {
		return a, false
	}
	switch {
	case in.Op == ssa.OpAdd:
		a = affine{x.times + y.times, x.plus + y.plus}
	case in.Op == ssa.OpSub:
		a = affine{x.times - y.times, x.plus - y.plus}
	case x.times == 0:
		a = affine{x.plus * y.times, x.plus * y.plus}
	case y.times == 0:
		a = affine{x.times * y.plus, x.plus * y.plus}
	default:
		return a, false
	}
	return a, a.isSmall()
}

// isSmall reports whether the numbers are so small that no two of 2^43 threads have the same index, although products
// wrap.
func (a affine) isSmall() bool {
	const most = 1 << 20
	return -most < a.times && a.times < most && -most < a.plus && a.plus < most
}

// owned reports whether each element of a region that has a gradient is used by one thread only: all indices are n*i+k,
// where i is the thread's index, n is the same for all, and the smallest and the largest k are less than n apart.
func (r *sweep) owned(g region) bool {
	if r.owners == nil {
		r.owners = make(map[region]bool)
	}
	if owned, ok := r.owners[g]; ok {
		return owned
	}
	var times, least, most int64
	owned := true
	r.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoad, ssa.OpStore, ssa.OpAtomic:
		case ssa.OpCall:
			for _, i := range in.Callee.Gradient.Memory {
				regions, _ := regionsOf(in.Args[i])
				owned = owned && !slices.Contains(regions, g) && (!r.Overlap || len(regions) == 0)
			}
			return
		case ssa.OpCopy:
			to, _ := regionOf(in.Args[0])
			from, _ := regionOf(in.Args[1])
			owned = owned && to != g && from != g && !r.Overlap
			return
		default:
			return
		}
		used, _ := regionOf(in.Args[0])
		if used.isLocal() || used != g && !r.Overlap || !hasFloats(at(in.Args[0])) {
			return
		}
		a, ok := elementOf(in.Args[0])
		if times == 0 {
			times, least, most = a.times, a.plus, a.plus
		}
		least, most = min(least, a.plus), max(most, a.plus)
		owned = owned && ok && a.times == times && a.times > 0 && most-least < a.times
	})
	r.owners[g] = owned
	return owned
}

// elementOf is the index of the element of a slice of a parameter in which an address lies.
func elementOf(addr *ssa.Value) (a affine, ok bool) {
	in := addr.Def
	for in != nil && (in.Op == ssa.OpFieldAddr || in.Op == ssa.OpElemAddr) {
		in = in.Args[0].Def
	}
	if in == nil || in.Op != ssa.OpIndexAddr || in.Args[0].IsPath() {
		return a, false
	}
	return affineOf(in.Args[1])
}
