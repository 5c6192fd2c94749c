package widen

import (
	"cmp"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Four things that have no vectors are done by one lane after the other: calls of functions that call themselves, which are
// not put in the place of their calls, copies of slices, functions of package math with two results, and divisions of numbers
// of 128 bits. A loop over the lanes takes the numbers of each from arrays with an element for each lane, and puts the
// results into others.

// isInTurn reports whether lanes do something one after the other.
func (c *calls) isInTurn(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpCall:
		return !c.stays(in)
	case ssa.OpMath:
		return len(in.Results) > 1 && !isPair(in)
	case ssa.OpDivWide:
		return true
	}
	return in.Op == ssa.OpCopy
}

// turnBytes is how many bytes the arrays for such an instruction have in one lane, if lanes agree on nothing.
func turnBytes(in *ssa.Instr) int {
	sum := ssa.Bool.Size()
	for _, r := range in.Results {
		sum += r.Type.Size()
	}
	var add func(v *ssa.Value)
	add = func(v *ssa.Value) {
		if !v.IsPath() {
			sum += v.Type.Size()
			return
		}
		for _, a := range v.Def.Args {
			add(a)
		}
	}
	for _, a := range in.Args {
		add(a)
	}
	return sum
}

// refuseInTurn is why lanes cannot do something one after the other.
func (w *widener) refuseInTurn(in *ssa.Instr) string {
	if in.Op == ssa.OpCall {
		if why := w.refuseCallInTurn(in); why != "" {
			return why
		}
	}
	for _, a := range in.Args {
		if why := w.refuseGiven(a); why != "" {
			return why
		}
	}
	for _, r := range in.Results {
		if why := refuseType(r.Type); why != "" {
			return why
		}
	}
	return ""
}

func (w *widener) refuseCallInTurn(call *ssa.Instr) string {
	does := w.summaries.Of(call.Callee)
	switch name := call.Callee.Name; {
	case does.Returns == 0:
		return "a call of " + name + ", which never returns"
	case does.Effects.Has(analysis.Atomics):
		// A lane may wait for another one, which runs later, or holds a lock until all lanes have made the call.
		return "a call of " + name + ", in which a thread may wait for another by an atomic operation, and which cannot be inlined"
	case does.Effects.Has(analysis.Prints | analysis.Waits):
		return "a call of " + name + ", which prints or waits for other threads, and cannot be inlined"
	case slices.ContainsFunc(call.Args, func(a *ssa.Value) bool { return a.Type == ssa.Type(ssa.Thread) }):
		return "a call of " + name + ", which takes the Thread, and cannot be inlined"
	}
	return ""
}

// refuseGiven is why a lane cannot be given a value in its turn.
func (w *widener) refuseGiven(v *ssa.Value) string {
	switch {
	case w.facts.IsUniform(v):
		return ""
	case !v.IsPath():
		return refuseType(v.Type)
	}
	for _, a := range v.Def.Args {
		if why := w.refuseGiven(a); why != "" {
			return why
		}
	}
	return ""
}

// isOnce reports whether it is enough to do something once for all lanes: they give it the same, and it changes nothing.
func (w *widener) isOnce(in *ssa.Instr) bool {
	return w.uniform(in.Args) && !w.summaries.Effects(in).Has(analysis.Acts|analysis.MayStop)
}

// inTurn translates what lanes do one after the other.
func (w *widener) inTurn(in *ssa.Instr) {
	if w.isOnce(in) {
		w.copy(in)
		return
	}
	w.summaries.Remarks.On("in turn", ssa.Note, in, "there are no vectors for this: the lanes do it one after the other")
	t := &turn{w: w, in: in}
	if w.env.mask != nil {
		t.here = w.inMemory("here", w.env.mask)
	}
	for _, a := range in.Args {
		t.args = append(t.args, t.given(a))
	}
	for _, r := range in.Results {
		t.results = append(t.results, w.room(r))
	}

	outer := w.at
	loop := w.append(&ssa.Instr{Op: ssa.OpLoop, Rolled: true, Args: []*ssa.Value{w.number(0)}})
	loop.AddResult(ssa.Int64, "")
	begin := func() *ssa.Value {
		w.at = loop.NewBlock()
		return w.at.AddParam(ssa.Int64, "lane")
	}
	t.lane = begin()
	w.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{w.op(ssa.OpLt, ssa.Bool, t.lane, w.number(int64(w.lanes)))}})
	w.at = loop.NewBlock()
	t.run()
	w.append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{t.lane}})
	lane := begin()
	w.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{w.op(ssa.OpAdd, ssa.Int64, lane, w.number(1))}})
	w.at = outer
	for k, r := range in.Results {
		w.values[r.ID] = w.collected(r, t.results[k])
	}
}

// A turn is that of one lane in such a loop.
type turn struct {
	w       *widener
	in      *ssa.Instr
	lane    *ssa.Value
	here    *ssa.Value     // an array: whether a lane is here; nil if all are
	args    []argument     // for each operand
	results [][]*ssa.Value // variables for each result: see room
}

// An argument is an operand of all lanes: the same; a number that is stride more in each lane than in the one before; a place
// that follows from other arguments; or arrays with an element for each lane, one for each leaf.
type argument struct {
	same   *ssa.Value
	first  *ssa.Value
	stride int64
	path   *ssa.Instr
	of     []argument
	arrays []*ssa.Value
}

func (t *turn) given(a *ssa.Value) (g argument) {
	switch stride, linear := t.w.facts.Stride(a); {
	case t.w.facts.IsUniform(a):
		g.same = t.w.same(a)
	case linear:
		g.first, g.stride = t.w.firstOf(a), stride
	case a.IsPath():
		g.path = a.Def
		for _, x := range a.Def.Args {
			g.of = append(g.of, t.given(x))
		}
	default:
		for _, v := range t.w.vecsOf(a) {
			g.arrays = append(g.arrays, t.w.inMemory(cmp.Or(v.Name, "given"), v))
		}
	}
	return g
}

// run does it, if the lane is here.
func (t *turn) run() {
	if t.here == nil {
		t.runHere()
		return
	}
	w, outer := t.w, t.w.at
	branch := w.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{t.load(t.here)}})
	w.at = branch.NewBlock()
	t.runHere()
	w.append(&ssa.Instr{Op: ssa.OpYield})
	w.at = branch.NewBlock()
	w.append(&ssa.Instr{Op: ssa.OpYield})
	w.at = outer
}

func (t *turn) runHere() {
	w := t.w
	var args []*ssa.Value
	for i, a := range t.args {
		args = append(args, t.argument(a, t.in.Args[i].Type))
	}
	advances := !w.calls.whole && w.summaries.Effects(t.in).Has(analysis.MayStop)
	if advances {
		w.append(&ssa.Instr{Op: ssa.OpAdvance, Args: []*ssa.Value{t.lane}})
	}
	out := w.at.AppendCopy(t.in)
	copy(out.Args, args)
	for k, r := range out.Results {
		if w.facts.IsUniform(t.in.Results[k]) {
			w.append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{t.results[k][0], r}})
			continue
		}
		for i, l := range leaves(r.Type) {
			w.append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{t.element(t.results[k][i]), w.leafOf(r, l)}})
		}
	}
	if advances {
		w.append(&ssa.Instr{Op: ssa.OpAdvance, Args: []*ssa.Value{w.op(ssa.OpNeg, ssa.Int64, t.lane)}})
	}
}

// argument is the lane's own operand.
func (t *turn) argument(a argument, typ ssa.Type) *ssa.Value {
	switch {
	case a.same != nil:
		return a.same
	case a.first != nil:
		by := t.lane
		if a.stride != 1 {
			by = t.w.op(ssa.OpMul, ssa.Int64, by, t.w.number(a.stride))
		}
		return t.w.op(ssa.OpAdd, ssa.Int64, a.first, by)
	case a.path != nil:
		var args []*ssa.Value
		for i, x := range a.of {
			args = append(args, t.argument(x, a.path.Args[i].Type))
		}
		out := t.w.at.AppendCopy(a.path)
		copy(out.Args, args)
		return out.Result()
	}
	var numbers []*ssa.Value
	for _, array := range a.arrays {
		numbers = append(numbers, t.load(array))
	}
	v, _ := t.w.ofLeaves(typ, numbers)
	return v
}

// element is the address of the lane's element of an array.
func (t *turn) element(array *ssa.Value) *ssa.Value { return t.w.elementOf(array, t.lane) }

func (t *turn) load(array *ssa.Value) *ssa.Value {
	at := t.element(array)
	return t.w.op(ssa.OpLoad, at.Type.(ssa.Pointer).Elem, at)
}

// elementOf is the address of an element of an array in memory.
func (w *widener) elementOf(array, index *ssa.Value) *ssa.Value {
	elem := array.Type.(ssa.Pointer).Elem.(ssa.Array).Elem
	return w.op(ssa.OpElemAddr, ssa.Pointer{Elem: elem}, array, index)
}

// inMemory makes an array in memory that has the numbers of a vector.
func (w *widener) inMemory(name string, v *ssa.Value) *ssa.Value {
	array := w.variable(ssa.Array{Elem: ssa.ElemOf(v.Type), Len: w.lanes}, name)
	w.append(&ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{w.elementOf(array, w.number(0)), v}})
	return array
}

// room makes variables for a result of what is done in turn: one if lanes agree on it, otherwise an array for each leaf.
func (w *widener) room(r *ssa.Value) (variables []*ssa.Value) {
	name := cmp.Or(r.Name, "result")
	if w.facts.IsUniform(r) {
		return []*ssa.Value{w.variable(r.Type, name)}
	}
	for _, l := range leaves(r.Type) {
		variables = append(variables, w.variable(ssa.Array{Elem: l.typ, Len: w.lanes}, name))
	}
	return variables
}

// collected is what stands for that result after all turns.
func (w *widener) collected(r *ssa.Value, variables []*ssa.Value) (v value) {
	if w.facts.IsUniform(r) {
		return value{same: w.op(ssa.OpLoad, r.Type, variables[0])}
	}
	for _, array := range variables {
		v.vecs = append(v.vecs, w.op(ssa.OpLoadRow, w.vec(ssa.ElemOf(array.Type.(ssa.Pointer).Elem.(ssa.Array).Elem)), w.elementOf(array, w.number(0))))
	}
	return v
}
