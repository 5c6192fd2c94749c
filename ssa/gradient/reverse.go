package gradient

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file is the reverse sweep.

// reverse goes through instructions of the kernel from the last one to the first.
func (r *sweep) reverse(ins []*ssa.Instr) {
	for _, in := range slices.Backward(ins) {
		r.at(in)
		r.instr(in)
	}
}

// instr takes the adjoints of the results of an instruction, and adds to those of its operands.
func (r *sweep) instr(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpIf:
		if r.touches(in) {
			r.reverseIf(in, r.primal(in.Args[0]), func(b *ssa.Block) {
				r.makeShadows(b)
				r.reverse(b.Instrs[:len(b.Instrs)-1])
			})
		}
		return
	case ssa.OpLoop:
		if r.touches(in) {
			r.reverseLoop(in)
		}
		return
	case ssa.OpStore, ssa.OpAtomic:
		r.written(in)
		return
	case ssa.OpCopy:
		r.reverseCopy(in)
		return
	case ssa.OpCall:
		r.reverseCall(in)
		return
	case ssa.OpLaunch:
		r.reverseLaunch(in)
		return
	case ssa.OpSync:
		r.append(&ssa.Instr{Op: ssa.OpSync})
		return
	case ssa.OpShared:
		return
	case ssa.OpLocal:
		if p := r.shadows[in.Result()]; p != nil && r.isActive(in.Args[0]) {
			r.add(in.Args[0], &adjoint{value: r.load(p)})
		}
		return
	case ssa.OpMath:
		r.differentiate(in, functions[in.Math])
		return
	}
	if rule, ok := operators[in.Op]; ok {
		r.differentiate(in, rule)
		return
	}
	if len(in.Results) != 1 || !r.hasAdjoint(in.Result()) {
		return
	}
	a := r.take(in.Result())
	x := in.Args
	switch in.Op {
	case ssa.OpLoad:
		if sum := r.sums[in]; sum != nil {
			r.addTo(sum, a, false)
			return
		}
		r.addTo(r.shadow(x[0]), a, r.isShared(x[0]))
	case ssa.OpConvert:
		r.add(x[0], &adjoint{value: r.op(ssa.OpConvert, x[0].Type, a.value)})
	case ssa.OpMake:
		if isHalf(in.Result().Type) { // of bits that do not depend on floats
			return
		}
		for i, p := range r.split(a, in.Result().Type) {
			r.add(x[i], p)
		}
	case ssa.OpField, ssa.OpElem:
		if r.tallied.has(x[0]) {
			r.addTallied(in.Result(), a)
			return
		}
		r.add(x[0], ofPart(a, x[0].Type, partIndex(in)))
	case ssa.OpConst, ssa.OpZero, ssa.OpBitcast: // those that do not depend on floats
	default:
		panic(fmt.Sprintf("BUG: no derivative of %v", in))
	}
}

// written handles a store or an atomic addition.
func (r *sweep) written(in *ssa.Instr) {
	if !r.regionActive(in.Args[0]) {
		return
	}
	p, v := r.shadow(in.Args[0]), in.Args[1]
	if isExtreme(in) {
		r.extreme(in, p)
		return
	}
	if r.isActive(v) {
		r.add(v, &adjoint{value: r.load(p)})
	}
	if in.Op == ssa.OpStore {
		r.store(p, r.zero(at(p)))
	}
}

// extreme handles an atomic minimum or maximum. The value that has become the element's takes the gradient, from all
// other threads too.
func (r *sweep) extreme(in *ssa.Instr, p *ssa.Value) {
	v := in.Args[1]
	if !r.isActive(v) {
		return
	}
	won := r.op(ssa.OpEq, ssa.Bool, r.primal(v), r.load(r.primal(in.Args[0])))
	won.Name = "won"
	take := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{won}}, v.Type)
	r.in(take.NewBlock(), func() {
		all := r.append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicExch, Args: []*ssa.Value{p, r.zero(v.Type)}}, v.Type).Result()
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{all}})
	})
	r.in(take.NewBlock(), func() {
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{r.zero(v.Type)}})
	})
	r.add(v, &adjoint{value: take.Result()})
}

// reverseCopy handles a copy between slices: a store of each element.
func (r *sweep) reverseCopy(in *ssa.Instr) {
	to, from := in.Args[0], in.Args[1]
	if !r.regionActive(to) {
		return
	}
	t := ssa.Pointer{Elem: at(to)}
	source, target := (*ssa.Value)(nil), r.shadow(to)
	if r.regionActive(from) {
		source = r.shadow(from)
	}
	n := r.op(ssa.OpMin, ssa.Int64, r.length(to), r.length(from))
	back := r.isBehind(to, from)
	r.each(n, func(i *ssa.Value) {
		if back != nil { // from the last to the first, where that is the way back
			last := r.op(ssa.OpSub, ssa.Int64, r.op(ssa.OpSub, ssa.Int64, n, r.int(1)), i)
			i = r.choose(back, last, i)
		}
		p := r.op(ssa.OpIndexAddr, t, target, i)
		a := &adjoint{value: r.load(p)}
		r.store(p, r.zero(t.Elem))
		if source != nil {
			r.addTo(r.op(ssa.OpIndexAddr, t, source, i), a, r.isShared(from))
		}
	})
}

// isBehind reports whether a copy within one memory takes elements to smaller indices, nil if it is no such copy. One
// by one, it would copy the first of them first then, and else the last.
func (r *sweep) isBehind(to, from *ssa.Value) *ssa.Value {
	x, _ := regionOf(to)
	y, _ := regionOf(from)
	if x != y {
		return nil
	}
	offset := func(s *ssa.Value) *ssa.Value {
		sum := r.int(0)
		_, offsets := offsetsOf(s)
		for _, o := range offsets {
			sum = r.op(ssa.OpAdd, ssa.Int64, sum, r.primal(o))
		}
		return sum
	}
	return r.op(ssa.OpLt, ssa.Bool, offset(to), offset(from))
}

// touches reports whether an adjoint flows through an If or a loop.
func (r *sweep) touches(in *ssa.Instr) bool {
	found := slices.ContainsFunc(in.Results, r.isActive)
	for _, b := range in.Blocks {
		b.Walk(func(in *ssa.Instr) {
			found = found || slices.ContainsFunc(in.Results, r.isActive) || r.isActiveCall(in) || r.isActiveLaunch(in) ||
				(in.Op == ssa.OpStore || in.Op == ssa.OpAtomic || in.Op == ssa.OpCopy) && r.regionActive(in.Args[0])
		})
	}
	return found
}

// reverseIf appends an If on the same condition. fill goes through a block of the kernel. What the blocks add to the
// adjoints of values from outside are the results of the If.
func (r *sweep) reverseIf(in *ssa.Instr, cond *ssa.Value, fill func(b *ssa.Block)) {
	seeds := make([]*adjoint, len(in.Results))
	for k, v := range in.Results {
		seeds[k] = r.take(v)
	}
	n := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
	outer := r.adjoints
	var inner [2]map[*ssa.Value]*adjoint
	for i, b := range in.Blocks {
		r.adjoints = make(map[*ssa.Value]*adjoint)
		r.in(n.NewBlock(), func() {
			r.scope.of = b
			if slices.ContainsFunc(seeds, func(a *adjoint) bool { return a != nil }) {
				r.makeTallies(b)
			}
			for k, v := range b.Terminator().Args {
				r.add(v, seeds[k])
			}
			fill(b)
		})
		inner[i] = r.adjoints
	}
	r.adjoints = outer
	r.at(in)
	var vs []*ssa.Value
	for _, adjoints := range inner {
		for v := range adjoints {
			if !slices.Contains(vs, v) {
				vs = append(vs, v)
			}
		}
	}
	slices.SortFunc(vs, byID)
	for i, b := range n.Blocks {
		r.in(b, func() {
			var gives []*ssa.Value
			for _, v := range vs {
				gives = append(gives, r.orZero(inner[i][v], v.Type))
			}
			r.append(&ssa.Instr{Op: ssa.OpYield, Args: gives})
		})
	}
	for _, v := range vs {
		r.add(v, &adjoint{value: n.AddResult(v.Type, gradName(v))})
	}
}

func byID(a, b *ssa.Value) int { return cmp.Compare(a.ID, b.ID) }

func gradName(v *ssa.Value) string {
	if v.Name == "" {
		return ""
	}
	return v.Name + "Grad"
}

// reverseLoop appends a loop of as many turns, from the last one to the first. Its variables are the number of the
// turn, the adjoints of the loop's variables, and those of values from outside.
func (r *sweep) reverseLoop(in *ssa.Instr) {
	cond, do, post := in.Cond(), in.Do(), in.Post()
	var places []int
	for k, p := range cond.Params {
		if r.isActive(p) {
			places = append(places, k)
		}
	}
	outside := r.activeOutside(in)
	sums := r.makeSums(in)
	r.runStrip(in)
	turns := r.turns(in)
	r.beforeBack(in, turns)
	init := []*ssa.Value{r.op(ssa.OpSub, ssa.Int64, turns, r.int(1))}
	r.latest[in] = init[0]
	names := []string{"turn"}
	for _, k := range places {
		init = append(init, r.orZero(r.take(in.Results[k]), in.Results[k].Type))
		names = append(names, gradName(cond.Params[k]))
	}
	for _, v := range outside {
		init = append(init, r.orZero(r.take(v), v.Type))
		names = append(names, gradName(v))
	}
	n := r.append(&ssa.Instr{Op: ssa.OpLoop, Args: init})
	for range 3 {
		n.NewBlock()
	}
	for k, v := range init {
		n.AddResult(v.Type, names[k])
		n.Cond().AddParam(v.Type, names[k])
		n.Post().AddParam(v.Type, names[k])
	}
	vars := n.Cond().Params
	r.in(n.Cond(), func() {
		r.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{r.op(ssa.OpGe, ssa.Bool, vars[0], r.int(0))}})
	})
	outer := r.adjoints
	r.in(n.Do(), func() {
		r.scope.of = do
		r.turn[in] = vars[0]
		r.popAll(in)
		r.makeShadows(do)
		r.makeTalliesOf(cond.Params)
		r.makeTallies(post)
		r.adjoints = make(map[*ssa.Value]*adjoint)
		for i, v := range outside {
			r.adjoints[v] = &adjoint{value: vars[1+len(places)+i]}
		}
		for i, k := range places {
			r.add(post.Terminator().Args[k], &adjoint{value: vars[1+i]})
		}
		r.reverse(post.Instrs[:len(post.Instrs)-1])
		for k, p := range post.Params {
			r.add(do.Terminator().Args[k], r.take(p))
		}
		r.reverse(do.Instrs[:len(do.Instrs)-1])
		r.at(in)
		next := []*ssa.Value{vars[0]}
		for _, k := range places {
			next = append(next, r.orZero(r.take(cond.Params[k]), cond.Params[k].Type))
		}
		for _, v := range outside {
			next = append(next, r.orZero(r.take(v), v.Type))
		}
		r.append(&ssa.Instr{Op: ssa.OpContinue, Target: n, Args: next})
	})
	r.adjoints = outer
	r.in(n.Post(), func() {
		next := slices.Clone(n.Post().Params)
		next[0] = r.op(ssa.OpSub, ssa.Int64, next[0], r.int(1))
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: next})
	})
	r.behindBack(in)
	for i, v := range outside {
		r.adjoints[v] = &adjoint{value: n.Results[1+len(places)+i]}
	}
	for i, k := range places {
		r.add(in.Args[k], &adjoint{value: n.Results[1+i]})
	}
	r.addSums(sums)
}

// activeOutside are the active values that a loop uses from outside of it, but for those whose adjoints are in memory.
func (r *sweep) activeOutside(loop *ssa.Instr) (vs []*ssa.Value) {
	for _, b := range loop.Blocks {
		b.Walk(func(in *ssa.Instr) {
			for _, v := range in.Args {
				if r.isActive(v) && !r.tallied.has(v) && !within(v, loop) && !slices.Contains(vs, v) {
					vs = append(vs, v)
				}
			}
		})
	}
	slices.SortFunc(vs, byID)
	return vs
}
