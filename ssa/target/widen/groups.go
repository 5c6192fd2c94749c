package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A vector with the lanes of a whole block takes many registers, and a compiler reads all of one such vector before it
// reads the next one. So a loop over two arrays would read a kilobyte of the first, then a kilobyte of the second.
// Memory answers more slowly to that than to short reads of both in turn (docs/measurements.md). So in the copy of a
// loop that all lanes are in, an iteration runs the loop's body for one group of lanes after the other.

// groupVectors is how many vectors of [Costs] the numbers of a group fill.
const groupVectors = 4

// groups are the groups of lanes that run an iteration one after the other.
type groups struct {
	w        *widener
	cycle    *ssa.Instr   // the loop, of the thread's code
	n, whole int          // how many there are, and the lanes of all
	outside  []*ssa.Value // of the thread's code: what the body uses from outside and lanes do not agree on
	passed   []*ssa.Value // what the group passes on that has been made last
}

// groupsOf divides the lanes of a loop. It is nil if the loop's numbers fill few vectors, if it reads rows of one slice
// only, if not all lanes run all of its body, or if they do something together.
func (w *widener) groupsOf(in *ssa.Instr) *groups {
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
	g := &groups{w: w, cycle: in, n: w.lanes * size / (groupVectors * w.table.vectorBytes), whole: w.lanes}
	if g.n < 2 || len(rows) < 2 || !g.divisible() {
		return nil
	}
	w.summaries.Remarks.On(pass, ssa.Note, in, "%d groups of %d lanes run an iteration one after the other, so that what is read of several slices comes in turn", g.n, g.lanesOfGroup())
	return g
}

// divisible reports whether the lanes of the loop may run its body in groups, and notes what the body uses.
func (g *groups) divisible() bool {
	divisible := true
	for _, b := range []*ssa.Block{g.cycle.Do(), g.cycle.Post()} {
		b.Walk(func(x *ssa.Instr) {
			switch {
			case x.Op == ssa.OpIf:
				divisible = divisible && g.w.isFlat(x.Then()) && g.w.isFlat(x.Else())
			case x.Op == ssa.OpLocal, isOfLocal(x): // most have the lanes of all groups
				divisible = false
			case x.Op == ssa.OpStore && !g.w.facts.IsUniform(x.Args[0]): // each lane writes to a place of its own
			case x.Op == ssa.OpCall || g.w.summaries.Effects(x).Has(analysis.Acts|analysis.MayStop): // a fault says which lane's it is
				divisible = false
			}
			for _, a := range x.Args {
				g.uses(a)
			}
		})
	}
	return divisible
}

// uses notes a value that the body uses, and what it is computed from: vectors are made of an index before it was
// converted, and from the base of one. What it was loaded from is not used again.
func (g *groups) uses(v *ssa.Value) {
	if g.w.facts.IsUniform(v) || v.IsInside(g.cycle) || v.IsLocal() || slices.Contains(g.outside, v) {
		return
	}
	g.outside = append(g.outside, v)
	if v.Def != nil {
		for _, a := range v.Def.Args {
			g.uses(a)
		}
	}
}

// lanesOfGroup is how many lanes a group has.
func (g *groups) lanesOfGroup() int { return g.whole / g.n }

// split gives the parts of values for all groups: those of one value follow each other, and in it those of one group.
func (g *groups) split(vs, parts []*ssa.Value) (list []*ssa.Value) {
	for _, v := range vs {
		n := len(g.w.partTypes(v))
		if g.agreed(v) {
			list = append(list, parts[0])
		} else {
			for k := range g.n {
				for _, p := range parts[:n] {
					list = append(list, g.extract(p, k))
				}
			}
		}
		parts = parts[n:]
	}
	return list
}

// agreed reports whether all groups have one number for a value, from which that of each lane follows.
func (g *groups) agreed(v *ssa.Value) bool { return g.w.facts.IsUniform(v) || g.w.isLinear(v) }

// extract is the part of a vector for group k.
func (g *groups) extract(v *ssa.Value, k int) *ssa.Value {
	to := ssa.Vec{Elem: ssa.ElemOf(v.Type).(ssa.Basic), Lanes: g.lanesOfGroup()}
	if v.Def != nil && v.Def.Op == ssa.OpSplat {
		return g.w.op(ssa.OpSplat, to, v.Def.Args[0])
	}
	return g.w.append(&ssa.Instr{Op: ssa.OpExtract, Index: int32(k * to.Lanes), Args: []*ssa.Value{v}}, to).Result()
}

// join makes whole vectors of the parts of values for all groups.
func (g *groups) join(vs, parts []*ssa.Value) (list []*ssa.Value) {
	for _, v := range vs {
		n := len(g.w.partTypes(v))
		if g.agreed(v) {
			list, parts = append(list, parts[0]), parts[1:]
			continue
		}
		for i := range n {
			var all []*ssa.Value
			for k := range g.n {
				all = append(all, parts[k*n+i])
			}
			list = append(list, g.w.op(ssa.OpConcat, ssa.Vec{Elem: ssa.ElemOf(all[0].Type).(ssa.Basic), Lanes: g.whole}, all...))
		}
		parts = parts[g.n*n:]
	}
	return list
}

// addParamsOf adds the parts of values for all groups to a block as parameters.
func (g *groups) addParamsOf(b *ssa.Block, vs []*ssa.Value) {
	for _, v := range vs {
		n := g.n
		if g.agreed(v) {
			n = 1
		}
		for range n {
			g.w.addParams(b, v)
		}
	}
}

// begin lets parts of values stand for these in group k.
func (g *groups) begin(k int, vs, parts []*ssa.Value) {
	for _, v := range vs {
		n := len(g.w.partTypes(v))
		switch {
		case g.w.facts.IsUniform(v):
			g.w.take(v, parts)
		case g.w.isLinear(v):
			g.w.take(v, []*ssa.Value{g.shifted(v, parts[0], k)})
		default:
			g.w.take(v, parts[k*n:])
			n *= g.n
		}
		parts = parts[n:]
	}
}

// shifted is what the first lane of group k has of an integer, from what that of the first group has.
func (g *groups) shifted(v, first *ssa.Value, k int) *ssa.Value {
	if k == 0 {
		return first
	}
	outer := g.w.in
	g.w.in = nil // no statement skips lanes
	defer func() { g.w.in = outer }()
	c, of, _ := g.w.facts.Step(v)
	by := g.w.number(c * int64(k*g.lanesOfGroup()))
	if of != nil {
		by = g.w.op(ssa.OpMul, ssa.Int64, g.w.same(of), by)
	}
	return g.w.op(ssa.OpAdd, ssa.Int64, first, by)
}

// divided is what stands for a value, and the parts of its vectors for each group.
type divided struct {
	v     *ssa.Value // of the thread's code
	whole value
	vecs  [][]*ssa.Value // by group
}

// divide gives the parts of what stands for values. Nothing stands for addresses.
func (g *groups) divide(vs []*ssa.Value) (list []divided) {
	for _, v := range vs {
		have := g.w.values[v.ID]
		d := divided{v: v, whole: have}
		if have.vecs != nil {
			for k := range g.n {
				var vecs []*ssa.Value
				for _, x := range have.vecs {
					vecs = append(vecs, g.extract(x, k))
				}
				d.vecs = append(d.vecs, vecs)
			}
		}
		list = append(list, d)
	}
	return list
}

// use lets the parts for group k stand for values.
func (g *groups) use(k int, list []divided) {
	for _, d := range list {
		var v value
		if d.whole.first != nil {
			v.first = g.shifted(d.v, d.whole.first, k)
		}
		if d.vecs != nil {
			v.vecs = d.vecs[k]
		}
		g.w.values[d.v.ID] = v
	}
}

// full makes the copy of a loop that has all lanes: see [widener.full].
func (g *groups) full(l *loop, s span, init []*ssa.Value) []*ssa.Value {
	l.groups = g
	defer func() { l.groups = nil }()
	outer, before, ready := g.w.at, g.w.env, g.w.ready
	params := g.cycle.Cond().Params
	outside := g.divide(g.outside)
	l.made = g.w.append(&ssa.Instr{Op: ssa.OpLoop, Label: g.cycle.Label, Rolled: g.cycle.Rolled, Args: g.split(params, init)})
	for _, v := range l.made.Args {
		l.made.AddResult(v.Type, v.Name)
	}
	block := func(of []*ssa.Value) []*ssa.Value {
		b := l.made.NewBlock()
		g.w.lanes = g.lanesOfGroup()
		g.addParamsOf(b, of)
		g.w.at, g.w.env, g.w.ended = b, before, false
		return b.Params
	}
	vars := block(params)
	g.begin(0, params, vars)
	g.w.block(g.cycle.Cond(), 0, func(*ssa.Instr) []*ssa.Value { return nil })
	g.w.lanes = g.whole
	g.w.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{g.w.holds(s)}})

	// each runs a block of the thread's code for one group after the other, and gives what each passes on. These parts of
	// the block's variables are for all groups.
	each := func(vars, parts []*ssa.Value, run func() []*ssa.Value) (passed [][]*ssa.Value) {
		for k := range g.n {
			g.w.env, g.w.ended, g.w.ready = before, false, make(map[*ssa.Instr][]*ssa.Value)
			g.use(k, outside)
			g.begin(k, vars, parts)
			passed = append(passed, run())
		}
		return passed
	}
	block(nil)
	next := each(params, vars, func() []*ssa.Value {
		g.w.far = &farRows{loop: g.cycle, do: g.w.at}
		g.w.block(g.cycle.Do(), 0, nil)
		g.w.far = nil
		return g.passed
	})
	after := g.cycle.Post().Params
	g.w.append(&ssa.Instr{Op: ssa.OpContinue, Target: l.made, Args: g.gather(after, next)})

	next = each(after, block(after), func() []*ssa.Value { return g.w.block(g.cycle.Post(), 0, g.w.nexts(g.cycle)) })
	g.w.append(&ssa.Instr{Op: ssa.OpYield, Args: g.gather(params, next)})

	g.w.lanes, g.w.at, g.w.env, g.w.ready, g.w.ended = g.whole, outer, before, ready, false
	for _, d := range outside {
		g.w.values[d.v.ID] = d.whole
	}
	return g.join(params, l.made.Results)
}

// gather gives the parts of values for all groups, as split does, from those of each group.
func (g *groups) gather(vs []*ssa.Value, byGroup [][]*ssa.Value) (list []*ssa.Value) {
	i := 0
	for _, v := range vs {
		n := len(g.w.partTypes(v))
		for k, parts := range byGroup {
			if k == 0 || !g.agreed(v) {
				list = append(list, parts[i:i+n]...)
			}
		}
		i += n
	}
	return list
}
