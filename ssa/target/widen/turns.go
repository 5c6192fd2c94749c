package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A vector with the lanes of a whole block takes many registers, and a compiler reads all of one such vector before it
// reads the next one. So a loop over two arrays would read a kilobyte of the first, then a kilobyte of the second.
// Memory answers more slowly to that than to short reads of both in turn (docs/measurements.md). So in the copy of a
// loop that all lanes are in, an iteration runs the loop's body for some of the lanes, then for the next ones, and so on.

// turnVectors is how many vectors of [Costs] the numbers of the lanes fill that run together.
const turnVectors = 4

// turns are the parts of an iteration, each for some of the lanes.
type turns struct {
	w        *widener
	cycle    *ssa.Instr   // the loop, of the thread's code
	n, whole int          // how many there are, and the lanes of all
	outside  []*ssa.Value // of the thread's code: what the body uses from outside and lanes do not agree on
}

// turnsOf divides the lanes of a loop. There are no turns if its numbers fill few vectors, if it reads rows of one slice
// only, if not all lanes run all of its body, or if they do something together.
func (w *widener) turnsOf(in *ssa.Instr) *turns {
	size := 0
	sizeOf := func(v *ssa.Value) {
		if w.facts.IsUniform(v) || w.isLinear(v) {
			return
		}
		for _, l := range leaves(v.Type) {
			size = max(size, l.typ.Size())
		}
	}
	for _, v := range in.Cond().Params {
		sizeOf(v)
	}
	rows := make(map[*ssa.Value]bool) // slices of which it reads some
	for _, x := range in.Do().Instrs {
		if x.Op != ssa.OpLoad {
			continue
		}
		sizeOf(x.Result())
		if a, ok := addressOf(x.Args[0]); ok && w.isRow(a) {
			rows[a.slice] = true
		}
	}
	t := &turns{w: w, cycle: in, n: w.lanes * size / (turnVectors * w.table.vectorBytes), whole: w.lanes}
	if t.n < 2 || len(rows) < 2 || !t.divisible() {
		return nil
	}
	w.summaries.Remarks.On(pass, ssa.Note, in, "the lanes run an iteration in %d turns, %d in each, so that what is read of several slices comes in turn", t.n, t.lanesOfTurn())
	return t
}

// divisible reports whether the lanes of the loop may run its body in turns, and notes what the body uses.
func (t *turns) divisible() bool {
	divisible := true
	for _, b := range []*ssa.Block{t.cycle.Do(), t.cycle.Post()} {
		b.Walk(func(x *ssa.Instr) {
			switch {
			case x.Op == ssa.OpIf:
				divisible = divisible && t.w.isFlat(x.Then()) && t.w.isFlat(x.Else())
			case x.Op == ssa.OpStore && !t.w.facts.IsUniform(x.Args[0]): // each lane writes to a place of its own
			case x.Op == ssa.OpCall || t.w.summaries.Effects(x).Has(analysis.WritesAny|analysis.Prints|analysis.Waits|analysis.Launches):
				divisible = false
			}
			for _, a := range x.Args {
				t.uses(a)
			}
		})
	}
	return divisible
}

// uses notes a value that the body uses, and what it is computed from: vectors are made of an index before it was
// converted, and from the base of one.
func (t *turns) uses(v *ssa.Value) {
	if t.w.facts.IsUniform(v) || v.IsInside(t.cycle) || slices.Contains(t.outside, v) {
		return
	}
	t.outside = append(t.outside, v)
	if v.Def != nil {
		for _, a := range v.Def.Args {
			t.uses(a)
		}
	}
}

// lanesOfTurn are as many as run together.
func (t *turns) lanesOfTurn() int { return t.whole / t.n }

// split gives the parts of values for all turns: those of one value follow each other, and those of one turn in it.
func (t *turns) split(vs, parts []*ssa.Value) (list []*ssa.Value) {
	for _, v := range vs {
		n := len(t.w.partTypes(v))
		if t.agreed(v) {
			list = append(list, parts[0])
		} else {
			for k := range t.n {
				for _, p := range parts[:n] {
					list = append(list, t.extract(p, k))
				}
			}
		}
		parts = parts[n:]
	}
	return list
}

// agreed reports whether all turns have one number for a value, from which that of each lane follows.
func (t *turns) agreed(v *ssa.Value) bool { return t.w.facts.IsUniform(v) || t.w.isLinear(v) }

// extract is the part of a vector for turn k.
func (t *turns) extract(v *ssa.Value, k int) *ssa.Value {
	to := ssa.Vec{Elem: ssa.ElemOf(v.Type).(ssa.Basic), Lanes: t.lanesOfTurn()}
	if v.Def != nil && v.Def.Op == ssa.OpSplat {
		return t.w.op(ssa.OpSplat, to, v.Def.Args[0])
	}
	return t.w.append(&ssa.Instr{Op: ssa.OpExtract, Index: int32(k * to.Lanes), Args: []*ssa.Value{v}}, to).Result()
}

// join makes whole vectors of the parts of values for all turns.
func (t *turns) join(vs, parts []*ssa.Value) (list []*ssa.Value) {
	for _, v := range vs {
		n := len(t.w.partTypes(v))
		if t.agreed(v) {
			list, parts = append(list, parts[0]), parts[1:]
			continue
		}
		for i := range n {
			var all []*ssa.Value
			for k := range t.n {
				all = append(all, parts[k*n+i])
			}
			list = append(list, t.w.op(ssa.OpConcat, ssa.Vec{Elem: ssa.ElemOf(all[0].Type).(ssa.Basic), Lanes: t.whole}, all...))
		}
		parts = parts[t.n*n:]
	}
	return list
}

// addParamsOf adds the parts of values for all turns to a block as parameters.
func (t *turns) addParamsOf(b *ssa.Block, vs []*ssa.Value) {
	for _, v := range vs {
		n := t.n
		if t.agreed(v) {
			n = 1
		}
		for range n {
			t.w.addParams(b, v)
		}
	}
}

// begin lets parts of values stand for these in turn k.
func (t *turns) begin(k int, vs, parts []*ssa.Value) {
	for _, v := range vs {
		n := len(t.w.partTypes(v))
		switch {
		case t.w.facts.IsUniform(v):
			t.w.take(v, parts)
		case t.w.isLinear(v):
			t.w.take(v, []*ssa.Value{t.shifted(v, parts[0], k)})
		default:
			t.w.take(v, parts[k*n:])
			n *= t.n
		}
		parts = parts[n:]
	}
}

// shifted is what the first lane of turn k has of an integer, of which that of the first turn's is given.
func (t *turns) shifted(v, first *ssa.Value, k int) *ssa.Value {
	if k == 0 {
		return first
	}
	outer := t.w.in
	t.w.in = nil // what the lanes skip is no statement's
	defer func() { t.w.in = outer }()
	c, of, _ := t.w.facts.Step(v)
	by := t.w.number(c * int64(k*t.lanesOfTurn()))
	if of != nil {
		by = t.w.op(ssa.OpMul, ssa.Int64, t.w.same(of), by)
	}
	return t.w.op(ssa.OpAdd, ssa.Int64, first, by)
}

// divided is what stands for a value, and the parts of its vectors for each turn.
type divided struct {
	v     *ssa.Value // of the thread's code
	whole value
	vecs  [][]*ssa.Value // by turn
}

// divide gives the parts of what stands for values. Nothing stands for addresses.
func (t *turns) divide(vs []*ssa.Value) (list []divided) {
	for _, v := range vs {
		have := t.w.values[v.ID]
		g := divided{v: v, whole: have}
		if have.vecs != nil {
			for k := range t.n {
				var vecs []*ssa.Value
				for _, x := range have.vecs {
					vecs = append(vecs, t.extract(x, k))
				}
				g.vecs = append(g.vecs, vecs)
			}
		}
		list = append(list, g)
	}
	return list
}

// use lets the parts for turn k stand for values.
func (t *turns) use(k int, list []divided) {
	for _, g := range list {
		var v value
		if g.whole.first != nil {
			v.first = t.shifted(g.v, g.whole.first, k)
		}
		if g.vecs != nil {
			v.vecs = g.vecs[k]
		}
		t.w.values[g.v.ID] = v
	}
}

// full makes the copy of a loop that has all lanes: see [widener.full].
func (t *turns) full(l *loop, s span, init []*ssa.Value) []*ssa.Value {
	l.turns = true
	defer func() { l.turns = false }()
	outer, before, ready := t.w.at, t.w.env, t.w.ready
	params := t.cycle.Cond().Params
	outside := t.divide(t.outside)
	l.made = t.w.append(&ssa.Instr{Op: ssa.OpLoop, Label: t.cycle.Label, Rolled: t.cycle.Rolled, Args: t.split(params, init)})
	for _, v := range l.made.Args {
		l.made.AddResult(v.Type, v.Name)
	}
	block := func(of []*ssa.Value) []*ssa.Value {
		b := l.made.NewBlock()
		t.w.lanes = t.lanesOfTurn()
		t.addParamsOf(b, of)
		t.w.at, t.w.env, t.w.ended = b, before, false
		return b.Params
	}
	vars := block(params)
	t.begin(0, params, vars)
	t.w.block(t.cycle.Cond(), 0, func(*ssa.Instr) []*ssa.Value { return nil })
	t.w.lanes = t.whole
	t.w.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{t.w.holds(s)}})

	// each runs a block of the thread's code in turns. These parts of its variables are for all turns. It gives what each
	// turn passes on.
	each := func(vars, parts []*ssa.Value, run func() []*ssa.Value) (passed [][]*ssa.Value) {
		for k := range t.n {
			t.w.env, t.w.ended, t.w.ready = before, false, make(map[*ssa.Instr][]*ssa.Value)
			t.use(k, outside)
			t.begin(k, vars, parts)
			passed = append(passed, run())
		}
		return passed
	}
	block(nil)
	next := each(params, vars, func() []*ssa.Value {
		t.w.far = &farRows{loop: t.cycle, do: t.w.at}
		t.w.block(t.cycle.Do(), 0, nil)
		t.w.far = nil
		return l.next
	})
	after := t.cycle.Post().Params
	t.w.append(&ssa.Instr{Op: ssa.OpContinue, Target: l.made, Args: t.gather(after, next)})

	next = each(after, block(after), func() []*ssa.Value { return t.w.block(t.cycle.Post(), 0, t.w.nexts(t.cycle)) })
	t.w.append(&ssa.Instr{Op: ssa.OpYield, Args: t.gather(params, next)})

	t.w.lanes, t.w.at, t.w.env, t.w.ready, t.w.ended = t.whole, outer, before, ready, false
	for _, g := range outside {
		t.w.values[g.v.ID] = g.whole
	}
	return t.join(params, l.made.Results)
}

// gather gives the parts of values for all turns, as split does, from those of each turn.
func (t *turns) gather(vs []*ssa.Value, byTurn [][]*ssa.Value) (list []*ssa.Value) {
	i := 0
	for _, v := range vs {
		n := len(t.w.partTypes(v))
		for k, parts := range byTurn {
			if k == 0 || !t.agreed(v) {
				list = append(list, parts[i:i+n]...)
			}
		}
		i += n
	}
	return list
}
