package gradient

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// This file finds the elements to whose gradients a few neighbouring threads add: those of a stencil. See gather.go for
// what is made of them.
//
// An index is read as a sum of a stride times a coordinate for each axis of the launch:
//
//	u[(i+1)*m + max(j-1, 0)]    has the coordinates i+1 and max(j-1, 0), and the strides m and 1
//
// A coordinate is the thread's index along the axis, plus a number between two constants. So a thread adds to elements
// with few coordinates, and to an element with given coordinates few threads add.
//
// Different coordinates must lead to different elements. All coordinates but the first are proven to be between 0 and a
// bound, from the tests around the addition, from the clamps in the coordinate, or from the size of the launch. The
// stride along an axis is at least this bound times the stride along the next axis, like the weights of digits. What
// cannot be proven of that when the kernel is compiled, each launch checks: see [Gather.Holds].

// mostUniform is of how many integers that a launch knows a coordinate is compared with.
const mostUniform = 64

// mostAdditions is how many instructions of a kernel may add to gradients.
const mostAdditions = 1000

// mostReach is how far from its own index a thread may add: the launch of the gather is larger by that.
const mostReach = 1 << 12

// A coordinate is a value of a thread plus a constant. It is the thread's index along an axis plus a number from lo to
// hi.
type coordinate struct {
	value  *ssa.Value
	plus   int64
	lo, hi int64
}

// isExact reports whether it is as far from the index in all threads.
func (c coordinate) isExact() bool { return c.lo == c.hi }

// An addition is an instruction that adds to an element's gradient.
type addition struct {
	in      *ssa.Instr
	index   *ssa.Value // of the element
	region  region
	leaf    string       // the path to the float from the element, from its end
	coords  []coordinate // along each axis
	strides []polynomial
	order   []int      // the axes, from the largest stride to the smallest
	base    polynomial // what is added to the index besides
	rest    int64      // and a constant
	needs   [][]Sum    // what a launch must check
}

// A stencil is a backward kernel while it is looked at.
type stencil struct {
	fn        *ssa.Func
	ids, dims []*ssa.Value // the thread's index, and the size of the launch, along each axis
	rank      int          // of the kernel
	flat      bool         // the index is that in the whole launch
	asksDims  bool         // the kernel asks for sizes
	polys     polynomials
	uniform   []*ssa.Value // integers that the launch can compute, as they were come to
	adds      []*addition
	found     map[*ssa.Instr]*addition
}

// newStencil makes a copy of a backward kernel in which each index of a thread, and each size of the launch, is one
// value. It is nil for a kernel whose threads do what others could not do in their place.
func newStencil(k *ssa.Func) *stencil {
	s := &stencil{fn: k.Clone(k.Name), rank: k.Rank, polys: make(polynomials), found: make(map[*ssa.Instr]*addition)}
	rank := 0
	ok := k.Kind == ssa.ThreadKernel
	used := make(map[*ssa.Value]bool)
	s.fn.Body.Walk(func(in *ssa.Instr) {
		for _, v := range in.Args {
			used[v] = true
		}
		switch in.Op {
		case ssa.OpThreadID:
			ok = ok && (rank == 0 || rank == int(in.Rank))
			rank = int(in.Rank)
		case ssa.OpThreadDim:
			s.asksDims = true
		case ssa.OpReturn:
			ok = ok && in.Block == s.fn.Body
		case ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpBlockIndex, ssa.OpSync, ssa.OpShared, ssa.OpCopy, ssa.OpCall, ssa.OpRecur, ssa.OpPanic,
			ssa.OpUnreachable, ssa.OpPrintf, ssa.OpCheck, ssa.OpLaunch, ssa.OpFor:
			ok = false
		}
	})
	s.fn.Body.Walk(func(in *ssa.Instr) { ok = ok && (in.Op != ssa.OpAtomic || !used[in.Result()]) })
	if !ok || rank == 0 {
		return nil
	}
	s.flat = rank == 1
	s.place(rank)
	return s
}

// place puts the indices and the sizes at the beginning.
func (s *stencil) place(rank int) {
	body := s.fn.Body
	end := len(body.Instrs)
	r := builder{b: body}
	thread := s.fn.Params()[0]
	for axis := range rank {
		id := r.append(&ssa.Instr{Op: ssa.OpThreadID, Axis: int8(axis), Rank: int8(rank), Args: []*ssa.Value{thread}}, ssa.Int64)
		dim := r.append(&ssa.Instr{Op: ssa.OpThreadDim, Axis: int8(axis), Args: []*ssa.Value{thread}}, ssa.Int64)
		s.ids, s.dims = append(s.ids, id.Result()), append(s.dims, dim.Result())
	}
	body.SetInstrs(slices.Concat(body.Instrs[end:], body.Instrs[:end]))
	if s.flat {
		s.fn.Rank = 1
	}
	body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpThreadID && in.Result() != s.ids[in.Axis]:
			s.ids[in.Axis].Name = in.Result().Name
			in.Result().ForwardTo(s.ids[in.Axis])
		case in.Op == ssa.OpThreadDim && int(in.Axis) < rank && in.Result() != s.dims[in.Axis]:
			s.dims[in.Axis].Name = in.Result().Name
			in.Result().ForwardTo(s.dims[in.Axis])
		}
	})
	resolve(body)
}

// find finds the additions of which all is known that a gather needs. Those to one region are all found, or none.
// params is how many parameters the kernel has: the others are gradients.
func (s *stencil) find(params int) {
	bad := make(map[*ssa.Value]bool) // parameters, with what they lead to
	known := true
	s.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLoad && in.Op != ssa.OpStore && in.Op != ssa.OpAtomic {
			return
		}
		g, ok := regionOf(in.Args[0])
		known = known && ok
		if !ok || g.isLocal() {
			return
		}
		a := additionOf(in, g)
		if a == nil || g.root.Index() < params {
			bad[g.root] = true
			return
		}
		s.adds = append(s.adds, a)
		s.found[in] = a
	})
	if !known || len(s.adds) > mostAdditions {
		s.adds, s.found = nil, nil
		return
	}
	c := opt.NewChecker(s.fn)
	c.At = func(in *ssa.Instr) {
		if len(in.Results) == 1 && in.Result().Type == ssa.Int64 && !ssa.IsConst(in.Result()) && len(s.uniform) < mostUniform {
			if _, ok := s.polys.of(in.Result()).sum(); ok {
				s.uniform = append(s.uniform, in.Result())
			}
		}
		if a := s.found[in]; a != nil && !s.locate(c.Facts, a) {
			bad[a.region.root] = true
		}
	}
	for _, p := range s.fn.Params() {
		if p.Type == ssa.Int64 {
			s.uniform = append(s.uniform, p)
		}
	}
	c.Run(s.fn.Body)
	first := make(map[region]*addition)
	for _, a := range s.adds {
		if f := first[a.region]; f == nil {
			first[a.region] = a
		} else if !bad[a.region.root] && !a.isLike(f) {
			bad[a.region.root] = true
		}
	}
	all := s.adds
	s.adds = nil
	for _, a := range all {
		if bad[a.region.root] {
			delete(s.found, a.in)
		} else {
			s.adds = append(s.adds, a)
		}
	}
	s.apart()
}

// additionOf is an instruction as an addition to a region, nil for others.
func additionOf(in *ssa.Instr, g region) *addition {
	if !in.IsLaunchAdd() {
		return nil
	}
	a := &addition{in: in, region: g}
	addr, path, ok := elementAt(in.Args[0])
	if !ok {
		return nil
	}
	a.leaf = fmt.Sprint(path)
	a.index = addr.Args[1]
	for v := addr.Args[0]; !isParam(v); v = v.Def.Args[0] {
		if v.Def == nil || v.Def.Op != ssa.OpField { // a slice of a slice
			return nil
		}
	}
	return a
}

// elementAt is what computes the address of the element of a slice that an address lies in, and the parts on the way
// from there, the last one first.
func elementAt(addr *ssa.Value) (index *ssa.Instr, path []int64, ok bool) {
	for in := addr.Def; in != nil; in = in.Args[0].Def {
		switch {
		case in.Op == ssa.OpIndexAddr:
			return in, path, true
		case in.Op == ssa.OpFieldAddr:
			path = append(path, int64(in.Index))
		case in.Op == ssa.OpElemAddr && ssa.IsConst(in.Args[1]):
			c, _ := in.Args[1].Const()
			path = append(path, c.Int())
		default:
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// locate finds the coordinates of an addition, where the facts are those that hold there.
func (s *stencil) locate(f *analysis.Facts, a *addition) bool {
	n := len(s.ids)
	a.strides, a.coords = make([]polynomial, n), make([]coordinate, n)
	var values []*ssa.Value
	times := make(map[*ssa.Value]polynomial)
	rest := polynomial{}
	for _, m := range s.polys.of(a.index).sorted() {
		var value *ssa.Value
		var of []atom
		for _, x := range m.of {
			switch {
			case x.value == nil:
				of = append(of, x)
			case value != nil:
				return false
			default:
				value = x.value
			}
		}
		one := polynomial{key(of): {m.times, of}}
		switch {
		case value == nil:
			rest = rest.plus(one, 1)
		case times[value] == nil:
			values = append(values, value)
			times[value] = one
		default:
			times[value] = times[value].plus(one, 1)
		}
	}
	for _, v := range values {
		axis, lo, hi, ok := s.axis(f, a, v)
		if !ok || a.strides[axis] != nil {
			return false
		}
		a.strides[axis], a.coords[axis] = times[v], coordinate{v, 0, lo, hi}
	}
	if len(values) < n {
		return false
	}
	return a.split(rest) && s.bound(f, a)
}

// axis finds the axis along which a value of a thread is near to the thread's index.
func (s *stencil) axis(f *analysis.Facts, a *addition, v *ssa.Value) (axis int, lo, hi int64, ok bool) {
	if axis = slices.Index(s.ids, v); axis >= 0 {
		return axis, 0, 0, true
	}
	near := func(axis int) bool {
		above, ok1 := f.Within(v, s.ids[axis])
		below, ok2 := f.Within(s.ids[axis], v)
		lo, hi = -below, above
		return ok1 && ok2 && -mostReach < lo && lo <= hi && hi < mostReach
	}
	for axis := range s.ids {
		if near(axis) {
			return axis, lo, hi, true
		}
	}
	// It may be so only in launches that are no larger than what clamps it.
	for _, u := range clamps(v, nil) {
		for axis := range s.ids {
			most, ok := s.polys.of(u).plus(s.polys.of(s.dims[axis]), -1).sum()
			if !ok {
				continue
			}
			mark := f.Mark()
			f.Add(s.dims[axis], u, 0)
			found := near(axis)
			f.TakeBack(mark)
			if found {
				a.needs = append(a.needs, []Sum{most})
				if up, ok := asComputed(s.polys.of(u)); !ok {
					a.needs = append(a.needs, up.orNegative())
				}
				return axis, lo, hi, true
			}
		}
	}
	return 0, 0, 0, false
}

// clamps are what a value is a minimum of, without constants that are added to it.
func clamps(v *ssa.Value, list []*ssa.Value) []*ssa.Value {
	in := v.Def
	if in == nil || in.Op != ssa.OpMin && in.Op != ssa.OpMax {
		return list
	}
	for _, x := range in.Args {
		if list = clamps(x, list); in.Op == ssa.OpMin && !ssa.IsConst(x) {
			if x.Def != nil && (x.Def.Op == ssa.OpSub || x.Def.Op == ssa.OpAdd) && ssa.IsConst(x.Def.Args[1]) {
				x = x.Def.Args[0]
			}
			list = append(list, x)
		}
	}
	return list
}

// split gives the coordinates what is added to the index as multiples of their strides.
func (a *addition) split(rest polynomial) bool {
	n := len(a.strides)
	for axis := range n {
		a.order = append(a.order, axis)
	}
	_, first := a.strides[0].constant()
	if _, last := a.strides[n-1].constant(); first && !last {
		slices.Reverse(a.order)
	}
	for i, axis := range a.order {
		stride, last := a.strides[axis], i == n-1
		var times int64
		if s, ok := stride.constant(); ok {
			if s == 0 || n > 1 && s < 0 {
				return false
			}
			k := rest[""].times
			if !last { // the nearest one
				k += s / 2
			}
			times = (k - mod(k, max(s, -s))) / s
		} else {
			var most monomial // of the most factors
			for _, m := range stride.sorted() {
				if len(m.of) > len(most.of) {
					most = m
				}
			}
			at := rest[key(most.of)].times
			if at%most.times != 0 {
				return false
			}
			times = at / most.times
		}
		rest = rest.plus(stride, -times)
		c := &a.coords[axis]
		c.plus, c.lo, c.hi = times, c.lo+times, c.hi+times
		if c.lo <= -mostReach || c.hi >= mostReach || !rest.isSmall() {
			return false
		}
	}
	a.rest = rest[""].times
	a.base = rest.plus(constantPoly(a.rest), -1)
	return true
}

// mod is the remainder that is not negative.
func mod(k, n int64) int64 { return (k%n + n) % n }

// bound bounds the coordinates behind the first one, and notes what launches must check of the strides.
func (s *stencil) bound(f *analysis.Facts, a *addition) bool {
	last := a.strides[a.order[len(a.order)-1]]
	if _, ok := last.constant(); !ok {
		positive, ok := last.plus(constantPoly(1), -1).sum()
		if !ok {
			return false
		}
		a.needs = append(a.needs, []Sum{positive})
	}
	for i, axis := range a.order[1:] {
		outer, stride, c := a.strides[a.order[i]], a.strides[axis], a.coords[axis]
		if !f.Proves(nil, c.value, c.plus) {
			return false
		}
		// Each bound that is offered is enough, if the stride along the axis before has room for it.
		holds := false
		var either, computed []Sum
		offer := func(bound, of polynomial) {
			fits := outer.plus(bound.by(stride), -1)
			sum, ok := fits.sum()
			if c, isConstant := fits.constant(); !ok || !fits.isSmall() || isConstant && c < 0 {
				return
			} else if isConstant {
				holds, either, computed = true, nil, nil
			} else {
				either = append(either, sum)
			}
			if up, ok := asComputed(of); !ok {
				computed = append(computed, up)
			}
		}
		for _, u := range s.uniform {
			if d, ok := f.Within(c.value, u); !holds && ok && -mostReach < d && d < mostReach {
				offer(s.polys.of(u).plus(constantPoly(d+c.plus+1), 1), s.polys.of(u))
			}
		}
		if most, ok := f.Within(c.value, nil); !holds && ok && most < mostFactor {
			offer(constantPoly(most+c.plus+1), nil)
		}
		if !holds {
			offer(s.polys.of(s.dims[axis]).plus(constantPoly(c.hi), 1), nil)
		}
		if !holds && len(either) == 0 {
			return false
		}
		if !holds {
			a.needs = append(a.needs, either)
		}
		for _, up := range computed {
			a.needs = append(a.needs, up.orNegative())
		}
	}
	first := a.order[0]
	if _, ok := a.strides[first].constant(); !ok { // the index does not wrap
		sum, ok := a.strides[first].by(s.polys.of(s.dims[first]).plus(constantPoly(2*mostReach), 1)).sum()
		if !ok {
			return false
		}
		a.needs = append(a.needs, []Sum{sum})
	}
	return true
}

// asComputed is a number as a sum; ok is true if the kernel computes it without overflow in any launch.
func asComputed(p polynomial) (s Sum, ok bool) {
	if _, isConstant := p.constant(); isConstant || len(p) == 1 && p.sorted()[0].times == 1 && len(p.sorted()[0].of) == 1 {
		return nil, true
	}
	s, _ = p.sum()
	return s, false
}

// orNegative is a condition that holds if there is no overflow: of a sum and its negative, one is not negative.
func (s Sum) orNegative() []Sum {
	negative := slices.Clone(s)
	for i := range negative {
		negative[i].Times = -negative[i].Times
	}
	return []Sum{s, negative}
}

// isLike reports whether the same coordinates are the same element, or one a constant away.
func (a *addition) isLike(b *addition) bool {
	for axis := range a.strides {
		if !a.strides[axis].equals(b.strides[axis]) || a.order[axis] != b.order[axis] {
			return false
		}
	}
	return a.base.equals(b.base)
}

// apart has launches check that elements a constant away from others are not elements of other coordinates.
func (s *stencil) apart() {
	least, most := make(map[region]int64), make(map[region]int64)
	for _, a := range s.adds {
		if _, ok := least[a.region]; !ok {
			least[a.region], most[a.region] = a.rest, a.rest
		}
		least[a.region], most[a.region] = min(least[a.region], a.rest), max(most[a.region], a.rest)
	}
	for _, a := range s.adds {
		stride := a.strides[a.order[len(a.order)-1]]
		if _, ok := stride.constant(); ok || least[a.region] == most[a.region] {
			continue // of a constant stride it is the remainder
		}
		sum, _ := stride.plus(constantPoly(most[a.region]-least[a.region]+1), -1).sum()
		a.needs = append(a.needs, []Sum{sum})
	}
}
