package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// block translates a block of the thread's code from instruction i on. The parts of what it yields, or tests, are
// made at its end by yields. They are nil if no lane comes there.
func (w *widener) block(b *ssa.Block, i int, yields func(end *ssa.Instr) []*ssa.Value) []*ssa.Value {
	for ; !w.env.gone && !w.ended; i++ {
		in := b.Instrs[i]
		if w.env.lost && w.needsLane(b.Instrs[i:]) {
			return w.rest(b, i, yields)
		}
		outer := w.in
		w.in = in
		var end []*ssa.Value
		switch in.Op {
		case ssa.OpYield, ssa.OpTest:
			end = yields(in)
		case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
			w.exit(in)
		case ssa.OpUnreachable:
			w.unreachable()
		case ssa.OpPanic:
			w.panic(in)
		case ssa.OpIf:
			w.branches(in)
		case ssa.OpLoop:
			w.loop(in)
		default:
			w.instr(in)
		}
		w.in = outer
		if in.Op.IsTerminator() {
			return end
		}
	}
	return nil
}

// unreachable translates the end of a block behind a loop that never ends. To the code being made this may be one
// that all lanes leave.
func (w *widener) unreachable() {
	w.env.gone = true
	if n := len(w.at.Instrs); n > 0 && !w.at.Instrs[n-1].FallsThrough() {
		w.append(&ssa.Instr{Op: ssa.OpUnreachable})
		w.ended = true
	}
}

// rest translates the rest of a block that all lanes may have left before.
func (w *widener) rest(b *ssa.Block, i int, yields func(end *ssa.Instr) []*ssa.Value) []*ssa.Value {
	outer := w.in
	w.in = b.Instrs[i]
	defer func() { w.in = outer }()
	return w.wanted(w.here(), func() []*ssa.Value { return w.block(b, i, yields) })
}

// wanted makes code that is run if a lane of a mask is there.
func (w *widener) wanted(mask *ssa.Value, run func() []*ssa.Value) []*ssa.Value {
	gone := false
	return w.choose(w.any(mask), func() []*ssa.Value {
		w.env.lost = false
		parts := run()
		gone = w.env.gone
		return parts
	}, func() []*ssa.Value {
		w.env.gone = gone // there are none either way
		return nil
	})
}

// needsLane reports whether instructions must not be run where no lane is, or should not because that takes long.
func (w *widener) needsLane(ins []*ssa.Instr) bool {
	return !speculative(ins) || w.table.weightOf(ins) > w.table.freely || w.decides(ins)
}

// decides reports whether instructions continue a loop with a value for all lanes that is another where it is continued
// elsewhere: that must stand if no lane is here.
func (w *widener) decides(ins []*ssa.Instr) bool {
	for _, in := range ins {
		if in.Op == ssa.OpContinue && w.facts.Apart(in.Target) {
			var all []*ssa.Instr
			for k, p := range in.Target.Post().Params {
				if !w.facts.IsUniform(p) {
					continue
				}
				if all == nil {
					all = in.Target.Exits(ssa.OpContinue, nil)
				}
				if slices.ContainsFunc(all, func(e *ssa.Instr) bool { return e.Args[k] != in.Args[k] }) {
					return true
				}
			}
		}
		for _, b := range in.Blocks {
			if w.decides(b.Instrs) {
				return true
			}
		}
	}
	return false
}

// speculative reports whether instructions do no harm where no lane is: accesses to memory by masks do not.
func speculative(ins []*ssa.Instr) bool {
	for _, in := range ins {
		switch in.Op {
		case ssa.OpIf:
			if !speculative(in.Then().Instrs) || !speculative(in.Else().Instrs) {
				return false
			}
		case ssa.OpLoop, ssa.OpLoad, ssa.OpStore, ssa.OpAtomic, ssa.OpCopy, ssa.OpCall, ssa.OpCheck, ssa.OpPanic:
			return false
		case ssa.OpElem:
			if !ssa.IsConst(in.Args[1]) {
				return false
			}
		}
	}
	return true
}

// instr translates an instruction without blocks.
func (w *widener) instr(in *ssa.Instr) {
	switch {
	case w.calls.isInTurn(in):
		w.inTurn(in)
		return
	case in.Op == ssa.OpStore:
		w.store(in)
		return
	case in.Op == ssa.OpLocal && !w.uniform(in.Results):
		w.local(in)
		return
	case in.Op == ssa.OpCheck:
		w.check(in)
		return
	case in.Op == ssa.OpCall:
		w.call(in)
		return
	case w.uniform(in.Results):
		w.copy(in)
		return
	}
	switch {
	case isPair(in):
		w.pair(in)
		return
	case in.Op == ssa.OpMulWide:
		w.mulWide(in)
		return
	}
	r := in.Results[0]
	var v value
	switch {
	case in.Op.IsPath():
		return // a place of each lane's own: what uses it computes it
	case in.Op == ssa.OpAtomic:
		v = w.atomic(in)
	case in.Op == ssa.OpLoad:
		v.vecs = w.load(in)
	case in.Op == ssa.OpMake:
		for _, a := range in.Args {
			v.vecs = append(v.vecs, w.vecsOf(a)...)
		}
	case in.Op == ssa.OpField || in.Op == ssa.OpElem:
		v.vecs = w.part(in)
	case in.Op == ssa.OpOpaque:
		v.vecs = w.vecsOf(in.Args[0])
	case (in.Op == ssa.OpEq || in.Op == ssa.OpNe) && ssa.IsAggregate(in.Args[0].Type):
		v.vecs = []*ssa.Value{w.compare(in)}
	default:
		v = w.compute(in)
	}
	for _, x := range v.vecs {
		if x.Name == "" && x.Def != nil && x.Def.Op != ssa.OpSplat {
			x.Name = r.Name
		}
	}
	w.values[r.ID] = v
}

func (w *widener) uniform(vs []*ssa.Value) bool {
	for _, v := range vs {
		if !w.facts.IsUniform(v) {
			return false
		}
	}
	return true
}

// copy translates an instruction that gives all lanes the same.
func (w *widener) copy(in *ssa.Instr) {
	out := w.at.AppendCopy(in)
	for i, a := range in.Args {
		if w.facts.IsUniform(a) {
			out.Args[i] = w.same(a)
		} else {
			out.Args[i] = w.firstOf(a) // of any lane it is the same
		}
	}
	for i, r := range in.Results {
		w.values[r.ID] = value{same: out.Results[i]}
	}
}

// compute translates an operation on numbers and bools.
func (w *widener) compute(in *ssa.Instr) value {
	r := in.Results[0]
	if w.isLinear(r) {
		return w.linear(in)
	}
	if stride, ok := w.converted(in); ok {
		first := w.op(ssa.OpConvert, r.Type, w.firstOf(in.Args[0]))
		return value{vecs: []*ssa.Value{w.progression(first, stride)}}
	}
	var args [3]*ssa.Value
	list := args[:0]
	for _, a := range in.Args {
		list = append(list, w.vecOf(a)) // which may append something
	}
	if n, ok := in.ShiftsBy(); ok && list[1].Type != list[0].Type {
		// Vectors of one type are shifted by one operation.
		list[1] = w.splat(w.constant(in.Args[0].Type, n))
	}
	out := w.at.AppendCopy(in)
	copy(out.Args, list)
	out.Result().Type, out.Result().Name = w.vec(r.Type), ""
	v := value{vecs: out.Results}
	if _, of, ok := w.facts.Step(r); ok && of != nil {
		v.first = w.linear(in).first // for the index of the first lane's element
	}
	return v
}

// isPair reports whether an instruction is one of two results that are computed one by one.
func isPair(in *ssa.Instr) bool {
	return in.Op == ssa.OpMath && (in.Math == ssa.Sincos || in.Math == ssa.Modf)
}

// pair computes the two results as the function of the prelude does for one thread.
func (w *widener) pair(in *ssa.Instr) {
	x := w.vecOf(in.Args[0])
	of := func(f ssa.Math, args ...*ssa.Value) *ssa.Value {
		return w.append(&ssa.Instr{Op: ssa.OpMath, Math: f, Args: args}, x.Type).Result()
	}
	var both [2]*ssa.Value
	if in.Math == ssa.Sincos {
		both[0], both[1] = of(ssa.Sin, x), of(ssa.Cos, x)
	} else {
		both[0] = of(ssa.Trunc, x)
		both[1] = of(ssa.Copysign, w.op(ssa.OpSub, x.Type, x, both[0]), x)
	}
	for k, r := range in.Results {
		both[k].Name = r.Name
		w.values[r.ID] = value{vecs: both[k : k+1 : k+1]}
	}
}

// mulWide translates a product in twice the bits.
func (w *widener) mulWide(in *ssa.Instr) {
	x, y := w.vecOf(in.Args[0]), w.vecOf(in.Args[1])
	both := w.append(&ssa.Instr{Op: in.Op, Args: []*ssa.Value{x, y}}, x.Type, x.Type).Results
	for k, r := range in.Results {
		both[k].Name = r.Name
		w.values[r.ID] = value{vecs: both[k : k+1 : k+1]}
	}
}

// linear translates an operation on linear integers, which differ by a constant from lane to lane. It computes the
// number of the first lane, from which those of the other lanes follow.
func (w *widener) linear(in *ssa.Instr) value {
	out := w.at.AppendCopy(in)
	for i, a := range in.Args {
		out.Args[i] = w.firstOf(a)
	}
	out.Result().Type = ssa.Int64
	return value{first: out.Result()}
}

// converted is the stride of a linear integer that an instruction converts to another type of integers. The result is
// linear too, as both wrap.
func (w *widener) converted(in *ssa.Instr) (stride int64, ok bool) {
	if in.Op != ssa.OpConvert || !ssa.IsInteger(in.Result().Type) {
		return 0, false
	}
	stride, ok = w.facts.Stride(in.Args[0])
	return stride, ok && !w.facts.IsUniform(in.Args[0])
}

// progression is the vector of an integer that is stride more in each lane.
func (w *widener) progression(first *ssa.Value, stride int64) *ssa.Value {
	t := w.vec(first.Type)
	by := w.op(ssa.OpIota, t)
	if stride != 1 {
		by = w.op(ssa.OpMul, t, by, w.splat(w.constant(first.Type, uint64(stride))))
	}
	return w.op(ssa.OpAdd, t, w.splat(first), by)
}

// part translates the selection of a part of an aggregate.
func (w *widener) part(in *ssa.Instr) []*ssa.Value {
	k := int(in.Index)
	if in.Op == ssa.OpElem {
		c, _ := in.Args[1].Const()
		k = int(c.Int())
	}
	whole := w.vecsOf(in.Args[0])
	first := 0
	for i, l := range leaves(in.Args[0].Type) {
		if l.path[0].index < k {
			first = i + 1
		}
	}
	return whole[first : first+len(leaves(in.Results[0].Type))]
}

// compare translates == and != of aggregates.
func (w *widener) compare(in *ssa.Instr) *ssa.Value {
	join := ssa.OpAnd
	if in.Op == ssa.OpNe {
		join = ssa.OpOr
	}
	mask := w.vec(ssa.Bool)
	var all *ssa.Value
	a, b := w.vecsOf(in.Args[0]), w.vecsOf(in.Args[1])
	for i, l := range leaves(in.Args[0].Type) {
		if l.isBlank(in.Args[0].Type) {
			continue
		}
		c := w.op(in.Op, mask, a[i], b[i])
		if all != nil {
			c = w.op(join, mask, all, c)
		}
		all = c
	}
	if all == nil {
		all = w.splat(w.truth(in.Op == ssa.OpEq))
	}
	return all
}

// isBlank reports whether a leaf of a type lies in a blank field, which Go does not compare.
func (l leaf) isBlank(t ssa.Type) bool {
	for _, s := range l.path {
		if st, ok := t.(*ssa.Struct); ok && st.Fields[s.index].Name == "_" {
			return true
		}
		t = s.typ
	}
	return false
}
