package tiles

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A pipeline is a loop that multiplies in each turn what an earlier turn has begun to copy. Each operand has as many
// places in memory as the pipeline has stages, and turns use them one after the other.
type pipeline struct {
	loop   *ssa.Instr
	guards []guard
	loads  []*load
	end    *ssa.Instr   // of the body
	vars   []*ssa.Value // the variables of the loop that say what a turn loads, and whether there is such a turn
}

// A guard is an OpIf at the beginning of a loop's body that does nothing but leave the loop.
type guard struct {
	by    *ssa.Instr
	leave *ssa.Instr
	side  int // the block that does not leave
}

// A load is an operand that is copied turns before it is needed.
type load struct {
	by    *ssa.Instr // an OpTileMake, or an OpIf of several
	store *store
	code  []*ssa.Instr // what it has become
}

// choosePipelines finds the loops that become pipelines.
func (l *lowering) choosePipelines(body *ssa.Block) {
	if l.machine.Threads == 0 {
		return
	}
	body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLoop || !slices.ContainsFunc(in.Do().Instrs, func(x *ssa.Instr) bool { return x.Op == ssa.OpTileDot }) {
			return
		}
		if l.machine.Stages < 2 {
			l.tellLoop(in, "the kernel is compiled with one stage; Kernel.WithStages asks for more")
			return
		}
		guards := guardsOf(in)
		why := l.whyNotStraight(in, guards)
		if why == "" {
			why = l.choosePipeline(in, guards)
		}
		l.tellLoop(in, why)
	})
}

// guardsOf are the guards of a loop before its first product.
func guardsOf(loop *ssa.Instr) (guards []guard) {
	for _, in := range loop.Do().Instrs {
		if in.Op == ssa.OpTileDot {
			break
		}
		if in.Op != ssa.OpIf || len(in.Results) > 0 {
			continue
		}
		for side, b := range in.Blocks {
			leave := in.Blocks[1-side].Terminator()
			if len(b.Instrs) == 1 && b.Instrs[0].Op == ssa.OpYield && len(in.Blocks[1-side].Instrs) == 1 && leave.Op == ssa.OpBreak && leave.Target == loop {
				guards = append(guards, guard{in, leave, side})
			}
		}
	}
	return guards
}

// whyNotStraight is why not each turn of a loop that passes the guards does all of its body, or does not leave alone
// what others may read; "" where it does both: a turn can then begin to load when an earlier one begins.
func (l *lowering) whyNotStraight(loop *ssa.Instr, guards []guard) (why string) {
	end := loop.Do().Terminator()
	if end == nil || end.Op != ssa.OpContinue || end.Target != loop {
		return "a turn may leave it at its end"
	}
	for _, b := range loop.Blocks {
		b.Walk(func(in *ssa.Instr) {
			switch {
			case why != "" || in == end || slices.ContainsFunc(guards, func(g guard) bool { return g.leave == in }):
			case in.Op == ssa.OpBreak || in.Op == ssa.OpContinue:
				if in.Target == loop || !isWithin(in.Target.Block, loop) {
					why = fmt.Sprintf("line %d may leave a turn in its middle", in.Place().Line)
				}
			case in.Op == ssa.OpReturn || in.Op == ssa.OpPanic || in.Op == ssa.OpUnreachable:
				why = fmt.Sprintf("line %d may end the kernel", in.Place().Line)
			case in.Blocks == nil && !in.Op.IsTerminator():
				switch effects := l.summaries.Effects(in); {
				case effects.Has(analysis.MayStop | analysis.Endless):
					why = fmt.Sprintf("line %d may stop the kernel: a checked build answers there", in.Place().Line)
				case effects.Has(analysis.WritesMemory | analysis.WritesShared | analysis.Waits | analysis.Launches):
					why = fmt.Sprintf("line %d writes memory that a later turn may load, or waits", in.Place().Line)
				}
			}
		})
	}
	return why
}

// isWithin reports whether a block is in one of an instruction.
func isWithin(b *ssa.Block, in *ssa.Instr) bool {
	for b != nil && b.Owner != in {
		if b.Owner == nil {
			return false
		}
		b = b.Owner.Block
	}
	return b != nil
}

// choosePipeline makes a loop a pipeline of those operands of its products whose loads can begin before. It says why
// there are none.
func (l *lowering) choosePipeline(loop *ssa.Instr, guards []guard) (why string) {
	const late = "whether there is a next turn follows from what a turn computes or reads"
	p := &pipeline{loop: loop, guards: guards, end: loop.Do().Terminator()}
	d := &dependencies{l: l, loop: loop, seen: make(map[*ssa.Value]bool)}
	if !d.add(loop.Cond().Terminator().Args[0]) {
		return late
	}
	for _, g := range guards {
		if !d.add(g.by.Args[0]) {
			return late
		}
	}
	for _, in := range loop.Do().Instrs {
		if in.Op != ssa.OpTileDot {
			continue
		}
		for _, x := range in.Args[:2] {
			if l.homes[x] == nil || l.homes[x].stages > 0 {
				continue
			}
			if !l.isLoad(x, loop) {
				why = cmp.Or(why, "no operand of its products is loaded in it by whole rows, for products alone")
				continue
			}
			with := d.clone()
			if !with.inside(x.Def) {
				why = cmp.Or(why, "what it loads follows from what an earlier turn computes or reads")
				continue
			}
			d = with
			l.homes[x].stages = l.machine.Stages
			p.loads = append(p.loads, &load{by: x.Def, store: l.homes[x]})
		}
	}
	if p.loads == nil {
		return cmp.Or(why, "the operands of its products have no memory of their own")
	}
	for _, v := range loop.Cond().Params {
		if d.seen[v] {
			p.vars = append(p.vars, v)
		}
	}
	l.pipelines[loop] = p
	return ""
}

// isLoad reports whether a tile is copied by rows from memory, in the body of a loop, for products in that body and
// nothing else.
func (l *lowering) isLoad(v *ssa.Value, loop *ssa.Instr) bool {
	in, home := v.Def, l.homes[v]
	if in == nil || in.Block != loop.Do() || len(in.Results) != 1 || home.spread || in.Op != ssa.OpTileMake && in.Op != ssa.OpIf {
		return false
	}
	for _, u := range l.uses[v] {
		if u.in.Op != ssa.OpTileDot || u.arg > 1 || u.in.Block != in.Block || !l.fitsRegisters(tileType(u.in.Result())) {
			return false
		}
	}
	for other, s := range l.homes {
		// What has the same memory is a part of the load, and the load has no other memory.
		if own := other == v || isWithin(other.Home(), in); own != (s == home) {
			return false
		}
	}
	byRows := in.Op == ssa.OpTileMake && l.byRows(in)
	for _, b := range in.Blocks {
		if l.effects(b).Has(analysis.Seen | analysis.Endless | analysis.Leaves | analysis.ReadsShared | analysis.ReadsVariable) {
			return false
		}
		b.Walk(func(x *ssa.Instr) { byRows = byRows || x.Op == ssa.OpTileMake && l.byRows(x) })
	}
	return byRows
}

// Dependencies are the values of a loop that something follows from, which is known before the turn.
type dependencies struct {
	l    *lowering
	loop *ssa.Instr
	seen map[*ssa.Value]bool
}

func (d *dependencies) clone() *dependencies {
	c := &dependencies{l: d.l, loop: d.loop, seen: make(map[*ssa.Value]bool)}
	for v := range d.seen {
		c.seen[v] = true
	}
	return c
}

// add adds a value and what it follows from. It reports false if an earlier turn cannot know it.
func (d *dependencies) add(v *ssa.Value) bool {
	switch {
	case isTile(v):
		return false
	case d.seen[v] || !isWithin(v.Home(), d.loop):
		return true
	}
	d.seen[v] = true
	if v.Def == nil {
		return d.variable(v)
	}
	in := v.Def
	switch in.Block {
	case d.loop.Cond(), d.loop.Do(), d.loop.Post():
	default:
		return false
	}
	const effects = analysis.Seen | analysis.Endless | analysis.Leaves | analysis.ReadsAny
	switch {
	case in.Op == ssa.OpIf:
		if d.l.effects(in.Blocks[0]).Has(effects) || d.l.effects(in.Blocks[1]).Has(effects) {
			return false
		}
	case in.Blocks != nil:
		return false
	case in.Op == ssa.OpCall:
		if d.l.summaries.Effects(in).Has(effects) {
			return false
		}
	case in.Op.Effect() != ssa.Pure:
		return false
	}
	return d.inside(in)
}

// inside adds what an instruction, and those in it, follow from.
func (d *dependencies) inside(in *ssa.Instr) bool {
	for _, a := range outer(in) {
		if !d.add(a) {
			return false
		}
	}
	return true
}

// outer are the values that an instruction and those in it use, and that are not made in it.
func outer(in *ssa.Instr) []*ssa.Value {
	list := slices.Clone(in.Args)
	for _, b := range in.Blocks {
		b.Walk(func(x *ssa.Instr) {
			for _, a := range x.Args {
				if !isWithin(a.Home(), in) {
					list = append(list, a)
				}
			}
		})
	}
	return list
}

// variable adds a variable of the loop, with what it becomes.
func (d *dependencies) variable(v *ssa.Value) bool {
	of := d.loop.Cond()
	if v.Block == d.loop.Post() {
		of = v.Block
	} else if v.Block != of {
		return false
	}
	i := slices.Index(of.Params, v)
	return d.add(d.loop.Cond().Params[i]) && d.add(d.loop.Post().Params[i]) && d.add(d.loop.Do().Terminator().Args[i]) && d.add(d.loop.Post().Terminator().Args[i])
}

// pipe makes a pipeline of a loop that is lowered, and the last instruction of a block.
func (l *lowering) pipe(b *ssa.Block, p *pipeline) {
	b.Instrs = b.Instrs[:len(b.Instrs)-1]
	loop, do, stages := p.loop, p.loop.Do(), l.machine.Stages
	l.at = loop

	// Before the loop, the first turns begin to load.
	cond, post, end := loop.Cond(), loop.Post(), p.end
	var vars []*ssa.Value
	for _, v := range p.vars {
		vars = append(vars, loop.Args[slices.Index(cond.Params, v)])
	}
	for turn := range stages - 1 {
		l.closeGroup(b, stages)
		vars = l.loadAhead(b, p, vars, l.int(b, turn))
	}
	vars = append(vars, l.int(b, 0), l.int(b, stages-1))
	b.Instrs = append(b.Instrs, loop)

	for _, v := range vars {
		loop.Args = append(loop.Args, v)
		cond.AddParam(v.Type, "")
		post.Terminator().Args = append(post.Terminator().Args, post.AddParam(v.Type, ""))
		loop.AddResult(v.Type, "")
	}
	own := cond.Params[len(cond.Params)-len(vars):]
	ahead, full, free := own[:len(p.vars)], own[len(p.vars)], own[len(p.vars)+1]

	// Each turn waits for what was loaded for it, and begins to load for a later one, to where the turn before has read.
	begin := 0
	for _, g := range p.guards {
		g.leave.Args = append(g.leave.Args, own...)
		begin = slices.Index(do.Instrs, g.by) + 1
	}
	code := slices.Clone(do.Instrs[begin : len(do.Instrs)-1])
	do.Instrs = do.Instrs[:begin]
	l.closeGroup(do, stages)
	next := l.loadAhead(do, p, ahead, free)
	for _, o := range p.loads {
		readFrom(code, o.store.slot.mem, l.place(do, o.store, full))
		code = slices.DeleteFunc(code, func(in *ssa.Instr) bool { return slices.Contains(o.code, in) })
	}
	do.Instrs = append(do.Instrs, code...)
	end.Args = append(append(end.Args, next...), l.following(do, full, stages), full)
	do.Instrs = append(do.Instrs, end)
}

// readFrom makes the products in code read one operand from other memory.
func readFrom(code []*ssa.Instr, memory, now *ssa.Value) {
	for _, in := range code {
		if in.Op != ssa.OpMultiply {
			continue
		}
		for i, a := range in.Args {
			if a == memory {
				in.Args[i] = now
			}
		}
	}
}

// loadBy is the load of a pipeline that an instruction of a block is, nil if it is none.
func (l *lowering) loadBy(b *ssa.Block, in *ssa.Instr) *load {
	if p := l.pipelines[b.Owner]; p != nil {
		for _, o := range p.loads {
			if o.by == in {
				return o
			}
		}
	}
	return nil
}

// closeGroup closes a group of copies, and waits for that of the turn which is next, with all threads.
func (l *lowering) closeGroup(b *ssa.Block, stages int) {
	l.emit(b, &ssa.Instr{Op: ssa.OpSync, Async: true, Len: int32(stages - 2)})
}

// place is one of the places in memory of a store that has several.
func (l *lowering) place(b *ssa.Block, s *store, number *ssa.Value) *ssa.Value {
	from := l.op(b, ssa.OpMul, ssa.Int64, number, l.int(b, s.typ.Len()))
	return l.op(b, ssa.OpSubslice, s.slot.mem.Type, s.slot.mem, from, l.op(b, ssa.OpAdd, ssa.Int64, from, l.int(b, s.typ.Len())))
}

// following is the number of the place after another one.
func (l *lowering) following(b *ssa.Block, number *ssa.Value, stages int) *ssa.Value {
	in := l.emit(b, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{l.op(b, ssa.OpEq, ssa.Bool, number, l.int(b, stages-1))}})
	first := in.NewBlock()
	l.emit(first, &ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{l.int(first, 0)}})
	other := in.NewBlock()
	l.emit(other, &ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{l.plus(other, number, 1)}})
	return in.AddResult(ssa.Int64, "")
}

// loadAhead begins to load for the turn in which variables are these, if there is one. It gives what they are in the
// turn after it.
func (l *lowering) loadAhead(b *ssa.Block, p *pipeline, vars []*ssa.Value, number *ssa.Value) []*ssa.Value {
	cond := p.loop.Cond()
	c := &copier{l: l, values: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr), whole: true}
	for i, v := range p.vars {
		c.values[v] = vars[i]
	}
	tests, sides := []*ssa.Value{cond.Terminator().Args[0]}, []int{0}
	for _, g := range p.guards {
		tests, sides = append(tests, g.by.Args[0]), append(sides, g.side)
	}
	// Each test is made where those before it have passed.
	var within func(b *ssa.Block) []*ssa.Value
	within = func(b *ssa.Block) []*ssa.Value {
		if len(tests) == 0 {
			return l.loadFor(b, p, c, number)
		}
		in, side := &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{c.bring(b, p.loop, tests[0])}}, sides[0]
		tests, sides = tests[1:], sides[1:]
		l.emit(b, in)
		in.NewBlock()
		in.NewBlock()
		l.emit(in.Blocks[1-side], &ssa.Instr{Op: ssa.OpYield, Args: slices.Clone(vars)})
		l.emit(in.Blocks[side], &ssa.Instr{Op: ssa.OpYield, Args: within(in.Blocks[side])})
		var after []*ssa.Value
		for _, v := range p.vars {
			after = append(after, in.AddResult(v.Type, ""))
		}
		return after
	}
	return within(b)
}

// loadFor begins to load for the turn whose variables a copier knows. It gives what they are in the turn after it.
func (l *lowering) loadFor(b *ssa.Block, p *pipeline, c *copier, number *ssa.Value) []*ssa.Value {
	for _, o := range p.loads {
		c.values[o.store.slot.mem] = l.place(b, o.store, number)
		for _, x := range o.code {
			for _, a := range outer(x) {
				c.bring(b, p.loop, a)
			}
			c.instr(b, x)
		}
	}
	b.Walk(func(x *ssa.Instr) { x.Async = x.Async || x.Op == ssa.OpFor })
	cond, post := p.loop.Cond(), p.loop.Post()
	at := func(v *ssa.Value) int { return slices.Index(cond.Params, v) }
	for _, v := range p.vars {
		c.values[post.Params[at(v)]] = c.bring(b, p.loop, p.end.Args[at(v)])
	}
	var next []*ssa.Value
	for _, v := range p.vars {
		next = append(next, c.bring(b, p.loop, post.Terminator().Args[at(v)]))
	}
	return next
}

// bring copies what a value in a loop is computed from to the end of a block, unless it was copied before.
func (c *copier) bring(b *ssa.Block, loop *ssa.Instr, v *ssa.Value) *ssa.Value {
	v = c.l.value(v)
	if c.values[v] == nil && isWithin(v.Home(), loop) {
		for _, a := range outer(v.Def) {
			c.bring(b, loop, a)
		}
		c.instr(b, v.Def)
	}
	return c.value(v)
}
