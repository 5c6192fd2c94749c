package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A loop is a loop of the thread's code that is being translated.
type loop struct {
	made   *ssa.Instr
	number int          // in the order of the text
	own    []slot       // where its results wait, of a loop that lanes leave apart
	steps  []*ssa.Const // what turns add to the results that are counted, nil where none is: see count.go
	full   bool         // this is the copy that all lanes are in: see full.go
	groups *groups      // in which they run its body in groups, nil if all together: see groups.go
}

// loop translates an OpLoop.
func (w *widener) loop(in *ssa.Instr) {
	l := &loop{number: len(w.loops)}
	w.loops[in] = l
	if w.facts.Apart(in) {
		w.summaries.Remarks.On("mask", ssa.Note, in, "a mask says which lanes are still in the loop, because threads leave or continue it at different times; it runs until none is")
		w.loopApart(in, l)
	} else {
		w.loopTogether(in, l)
	}
}

// loopTogether translates a loop that all lanes leave and continue together. It stays as it is.
func (w *widener) loopTogether(in *ssa.Instr, l *loop) {
	var init []*ssa.Value
	for k, v := range in.Args {
		init = append(init, w.parts(v, in.Cond().Params[k])...)
	}
	outer, before := w.at, w.env
	l.made = w.append(&ssa.Instr{Op: ssa.OpLoop, Label: in.Label, Rolled: in.Rolled, Args: init})
	for _, v := range in.Results {
		for _, t := range w.partTypes(v) {
			l.made.AddResult(t, v.Name)
		}
	}
	begin := func(params []*ssa.Value) *ssa.Block {
		b := l.made.NewBlock()
		for _, p := range params {
			w.addParams(b, p)
		}
		w.takeAll(params, b.Params)
		w.at, w.env, w.ended = b, before, false
		return b
	}
	begin(in.Cond().Params)
	test := w.block(in.Cond(), 0, w.tested)
	w.append(&ssa.Instr{Op: ssa.OpTest, Args: test})

	begin(nil)
	w.block(in.Do(), 0, nil)
	if !w.ended { // it runs into a loop that never ends
		w.append(&ssa.Instr{Op: ssa.OpBreak, Target: l.made, Args: zeros(w.at, l.made.Results)})
	}

	begin(in.Post().Params)
	next := w.block(in.Post(), 0, w.nexts(in))
	w.append(&ssa.Instr{Op: ssa.OpYield, Args: next})

	w.at, w.env, w.ended = outer, before, false
	w.takeAll(in.Results, l.made.Results)
}

// zeros are zero values of the types of others.
func zeros(b *ssa.Block, like []*ssa.Value) (list []*ssa.Value) {
	for _, v := range like {
		list = append(list, b.AppendZero(v.Type))
	}
	return list
}

// tested is what a loop tests that lanes agree on.
func (w *widener) tested(end *ssa.Instr) []*ssa.Value { return []*ssa.Value{w.same(end.Args[0])} }

// nexts gives the parts of a loop's variables that its Post yields.
func (w *widener) nexts(in *ssa.Instr) func(end *ssa.Instr) []*ssa.Value {
	return func(end *ssa.Instr) (parts []*ssa.Value) {
		for k, v := range end.Args {
			parts = append(parts, w.parts(v, in.Cond().Params[k])...)
		}
		return parts
	}
}

// anyway runs instructions, which no lane may want: if that does harm, only where one does.
func (w *widener) anyway(ins []*ssa.Instr, run func() []*ssa.Value) []*ssa.Value {
	if speculative(ins) {
		return run()
	}
	return w.wanted(w.here(), run)
}

// loopApart translates a loop that lanes leave or continue apart.
func (w *widener) loopApart(in *ssa.Instr, l *loop) {
	l.own = w.ownSlots(in)
	var init []*ssa.Value
	for k, v := range in.Args {
		init = append(init, w.parts(v, in.Cond().Params[k])...)
	}
	var parts []*ssa.Value
	if s, ok := w.spanOf(in); ok && w.env.mask == nil && !w.env.lost {
		parts = w.remaining(in, l, s, w.full(in, l, s, init))
	} else {
		parts = w.whileAny(in, l, init)
	}
	for _, r := range in.Results {
		n := len(w.resultTypes(r))
		if w.facts.IsUniform(r) {
			w.values[r.ID] = value{same: parts[0]}
		} else {
			w.values[r.ID] = value{vecs: parts[:n:n]}
		}
		parts = parts[n:]
	}
}

// resultTypes are the types of what stands for a result of a loop that lanes leave apart: nothing for vectors that
// nobody uses.
func (w *widener) resultTypes(r *ssa.Value) (types []ssa.Type) {
	switch {
	case w.facts.IsUniform(r):
		return []ssa.Type{r.Type}
	case len(w.users[r.ID]) == 0:
		return nil
	}
	return w.vecsOfLeaves(r.Type)
}

// whileAny makes a loop that runs while a lane wants it, and gives the parts of its results. Its variables are
//
//	those of the thread, of which the initial parts are given
//	the mask of the lanes that are in it
//	the slots that are used in it
func (w *widener) whileAny(in *ssa.Instr, l *loop, init []*ssa.Value) (parts []*ssa.Value) {
	a := &anyLoop{w: w, in: in, l: l, before: w.env, slots: slices.Concat(l.own, w.slotsThrough(in)), active: len(init)}
	outer := w.at
	uniform := w.facts.IsUniform(in.Cond().Terminator().Args[0])
	if !uniform {
		l.steps = w.turnSteps(in)
	}
	init = append(slices.Clip(init), w.here())
	for _, s := range a.slots {
		v := a.before.value(s)
		if s.loop == in && l.counts(s) {
			v = w.splat(init[a.first(s.k)])
		}
		if v == nil {
			v = w.at.AppendZero(w.slotType(s))
		}
		init = append(init, v)
	}
	l.made = w.append(&ssa.Instr{Op: ssa.OpLoop, Label: in.Label, Rolled: in.Rolled, Args: init})
	for _, v := range init {
		l.made.AddResult(v.Type, v.Name)
	}
	forever := uniform && alwaysTrue(in)
	vars := a.cond(uniform, forever)
	a.do(vars, uniform)
	a.post()

	// Lanes that are still in the loop at its end leave it by its test.
	w.at = outer
	a.begin(in.Cond().Params, l.made.Results)
	if uniform && !forever {
		w.leave(in, l.made.Results[a.active], in.Cond().Params)
	}
	after := a.before
	for _, s := range a.slots[len(l.own):] {
		after.fill(s, w.env.value(s))
	}
	for _, s := range l.own {
		if s.kind == left {
			after.mask, after.lost = w.env.value(s), true
		}
	}
	for k, r := range in.Results {
		parts = append(parts, w.results(in, k, r)...)
	}
	w.env, w.ended = after, false
	return parts
}

// anyLoop is the loop that whileAny makes.
type anyLoop struct {
	w      *widener
	in     *ssa.Instr // the loop of the thread
	l      *loop
	before env    // in front of the loop
	slots  []slot // l.own, and then those of loops around it that are used in it
	active int    // the place of the mask among the variables
}

// first is where the parts of a variable of the thread begin among those of all.
func (a *anyLoop) first(k int) (at int) {
	for _, p := range a.in.Cond().Params[:k] {
		at += len(a.w.partTypes(p))
	}
	return at
}

// begin begins a block of the loop, in which these are the variables. They stand for the parameters of the thread's
// block.
func (a *anyLoop) begin(of, vars []*ssa.Value) {
	a.w.takeAll(of, vars)
	a.w.env = a.before
	a.w.env.mask, a.w.env.gone, a.w.env.lost = vars[a.active], false, false
	for i, s := range a.slots {
		a.w.env.fill(s, vars[a.active+1+i])
	}
	a.w.ended = false
}

// params gives a block of the loop its parameters.
func (a *anyLoop) params(b *ssa.Block, of []*ssa.Value) []*ssa.Value {
	for _, v := range of {
		a.w.addParams(b, v)
	}
	b.AddParam(a.w.vec(ssa.Bool), "active")
	for _, s := range a.slots {
		b.AddParam(a.w.slotType(s), s.name())
	}
	return b.Params
}

// all are the variables of the loop: those of the thread as given, the mask, and the slots as they are here.
func (a *anyLoop) all(parts []*ssa.Value, mask *ssa.Value) []*ssa.Value {
	list := append(slices.Clone(parts), mask)
	for _, s := range a.slots {
		list = append(list, a.w.env.value(s))
	}
	return list
}

// cond makes the block with the test, and gives its parameters. The test of the thread may be uniform, or always true.
func (a *anyLoop) cond(uniform, forever bool) (vars []*ssa.Value) {
	cond := a.l.made.NewBlock()
	vars = a.params(cond, a.in.Cond().Params)
	a.w.at = cond
	a.begin(a.in.Cond().Params, vars)
	var test *ssa.Value
	switch {
	case forever:
		test = a.w.any(vars[a.active])
	case uniform:
		test = a.w.wanted(vars[a.active], func() []*ssa.Value { return a.w.block(a.in.Cond(), 0, a.w.tested) })[0]
	case speculative(a.in.Cond().Instrs):
		test = a.w.truth(true) // the test below is enough
	default:
		test = a.w.any(vars[a.active])
	}
	a.w.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{test}})
	return vars
}

// do makes the body. If lanes leave the loop apart, it begins with the test of the thread.
func (a *anyLoop) do(vars []*ssa.Value, uniform bool) {
	a.w.at = a.l.made.NewBlock()
	a.begin(a.in.Cond().Params, vars)
	if !uniform {
		agreed, mask := a.w.testApart(a.in, vars[a.active])
		a.w.env.mask = mask
		a.w.choose(agreed, func() []*ssa.Value { return nil }, func() []*ssa.Value {
			a.w.append(&ssa.Instr{Op: ssa.OpBreak, Target: a.l.made, Args: a.all(vars[:a.active], a.w.env.mask)})
			a.w.ended = true
			return nil
		})
		a.count()
	}
	a.w.block(a.in.Do(), 0, nil)
	var next []*ssa.Value
	mask := a.w.env.value(slot{kind: atPost, loop: a.in})
	for k, p := range a.in.Post().Params {
		for i, t := range a.w.partTypes(p) {
			v := a.w.env.value(slot{forPost, a.in, k, i})
			if v == nil {
				v = a.w.at.AppendZero(t)
			}
			next = append(next, v)
		}
	}
	if mask == nil {
		mask = a.w.at.AppendZero(a.w.vec(ssa.Bool)) // nobody continues it
	}
	a.w.append(&ssa.Instr{Op: ssa.OpContinue, Target: a.l.made, Args: a.all(next, mask)})
}

// post makes the block behind the body.
func (a *anyLoop) post() {
	post := a.l.made.NewBlock()
	a.w.at = post
	a.begin(a.in.Post().Params, a.params(post, a.in.Post().Params))
	next := a.w.anyway(a.in.Post().Instrs, func() []*ssa.Value { return a.w.block(a.in.Post(), 0, a.w.nexts(a.in)) })
	a.w.append(&ssa.Instr{Op: ssa.OpYield, Args: a.all(next, post.Params[a.active])})
}

// testApart translates the test of a loop that lanes leave apart: whether the loop goes on, and the lanes that are then
// in it.
//
// All that are in the loop put into the slots of its results what they would leave it with. Those that stay do so once
// more later, and this takes less than finding out who leaves. A slot that is counted has it already. What all lanes
// agree on in the test needs no mask, unless the loop keeps one of the lanes that it was left by.
func (w *widener) testApart(in *ssa.Instr, active *ssa.Value) (on, mask *ssa.Value) {
	params := in.Cond().Params
	var agreed, apart []*ssa.Value
	w.block(in.Cond(), 0, func(end *ssa.Instr) []*ssa.Value {
		agreed, apart = w.conjuncts(end.Args[0], in.Cond())
		return nil
	})
	for _, s := range w.loops[in].own {
		if s.kind == result && !w.loops[in].counts(s) {
			w.hand(s, active, params)
		}
	}
	left := slot{kind: left, loop: in}
	before := w.env.value(left)
	if before != nil {
		for _, v := range agreed {
			apart = append(apart, w.splat(v))
		}
		agreed = nil
	}
	stay := w.conjunction(apart)
	mask = w.both(active, stay)
	if before != nil {
		w.env.fill(left, w.either(before, w.without(active, stay)))
	}
	return w.conjunction(append(agreed, w.any(mask))), mask
}

// conjuncts are what a test of the thread's code is true with if all of it is: numbers of which lanes agree, and masks.
func (w *widener) conjuncts(test *ssa.Value, cond *ssa.Block) (agreed, apart []*ssa.Value) {
	switch def := test.Def; {
	case w.facts.IsUniform(test):
		return []*ssa.Value{w.same(test)}, nil
	case def != nil && def.Op == ssa.OpAnd && def.Block == cond:
		agreed, apart = w.conjuncts(def.Args[0], cond)
		a, b := w.conjuncts(def.Args[1], cond)
		return append(agreed, a...), append(apart, b...)
	}
	return nil, w.vecsOf(test)
}

// conjunction is the conjunction of at least one bool, or mask.
func (w *widener) conjunction(vs []*ssa.Value) *ssa.Value {
	all := vs[0]
	for _, v := range vs[1:] {
		all = w.both(all, v)
	}
	return all
}

// results gives what stands for a result of a loop: what waits in slots.
func (w *widener) results(in *ssa.Instr, k int, r *ssa.Value) (parts []*ssa.Value) {
	if w.facts.IsUniform(r) {
		return []*ssa.Value{w.same(in.Cond().Params[k])}
	}
	for i := range w.resultTypes(r) {
		parts = append(parts, w.env.value(slot{result, in, k, i}))
	}
	return parts
}

// ownSlots are the slots of a loop that lanes leave apart: for the results that somebody uses, and for the lanes
// that leave it, if others leave more than it.
func (w *widener) ownSlots(in *ssa.Instr) (list []slot) {
	for k, r := range in.Results {
		if len(w.users[r.ID]) == 0 || w.facts.IsUniform(r) {
			continue
		}
		for i := range leaves(r.Type) {
			list = append(list, slot{result, in, k, i})
		}
	}
	if w.hasExits(in.Do()) {
		w.exitsOf(in.Do(), func(exit *ssa.Instr) {
			if exit.Target != in && !slices.Contains(list, slot{kind: left, loop: in}) {
				list = append(list, slot{kind: left, loop: in})
			}
		})
	}
	return list
}

// slotsThrough are the slots of loops around a loop that are changed in it.
func (w *widener) slotsThrough(in *ssa.Instr) (list []slot) {
	w.exitsOf(in.Do(), func(exit *ssa.Instr) {
		if exit.Target == in || exit.Target == nil {
			return
		}
		for _, s := range w.slotsOf(exit) {
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	})
	return list
}

// alwaysTrue reports whether a loop has no test, and does nothing before it.
func alwaysTrue(in *ssa.Instr) bool {
	c, ok := in.Cond().Terminator().Args[0].Const()
	return ok && c.Bool() && !slices.ContainsFunc(in.Cond().Instrs, func(in *ssa.Instr) bool { return in.Op != ssa.OpConst && in.Op != ssa.OpTest })
}

// name is what a slot's value is called.
func (s slot) name() string {
	switch s.kind {
	case atPost:
		return "waiting"
	case left:
		return "left"
	case forPost:
		return s.loop.Post().Params[s.k].Name
	}
	return s.loop.Results[s.k].Name
}
