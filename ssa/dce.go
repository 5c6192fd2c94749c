package ssa

import "slices"

// dce removes what no effect and no result of the function depends on:
// instructions, calls and whole Ifs and loops without effects, results of Ifs,
// and loop variables, those too that only depend on each other from turn to turn.
//
// It marks what is needed, from the instructions with an effect and the returns
// backwards, and sweeps the rest. A store to a local variable that only this
// function's loads can read is needed when one of them is.
func dce(f *Func) bool {
	d := deadCode{live: make([]bool, f.nextID), locals: privateLocals(f)}
	d.number(f.Body)
	for _, in := range d.needed {
		d.need(in)
	}
	for len(d.work) > 0 {
		v := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		d.source(v)
	}
	d.sweep(f.Body)
	return d.changed
}

type deadCode struct {
	live    []bool   // values, by ID
	work    []*Value // live values whose sources are not marked yet
	regions []region // Ifs and Loops, by their scratch numbers
	needed  []*Instr // what has an effect, and the returns
	locals  privates
	fx      effects
	changed bool
}

// region is what is known of an If or a Loop.
type region struct {
	live      bool
	continued bool     // a loop that an OpContinue targets
	exits     []*Instr // a loop's continues and breaks
}

// number gives Ifs and Loops their numbers, and collects the exits of loops and
// what is needed whatever depends on it.
func (d *deadCode) number(b *Block) {
	for _, in := range b.Instrs {
		switch in.Op {
		case OpIf, OpLoop:
			in.scratch = len(d.regions)
			d.regions = append(d.regions, region{})
			for _, nested := range in.Blocks {
				if in.Op == OpLoop && nested == in.Post() && !d.regions[in.scratch].continued {
					break // it never runs
				}
				d.number(nested)
			}
			if in.Op == OpLoop && !in.Finite() {
				d.needed = append(d.needed, in)
			}
		case OpFor:
			in.scratch = len(d.regions)
			d.regions = append(d.regions, region{})
			d.number(in.Blocks[0])
			d.needed = append(d.needed, in)
		case OpBreak, OpContinue:
			r := &d.regions[in.Target.scratch]
			r.exits = append(r.exits, in)
			r.continued = r.continued || in.Op == OpContinue
		case OpReturn, OpPanic:
			d.needed = append(d.needed, in)
		default:
			if d.acts(in) {
				d.needed = append(d.needed, in)
			} else if in.Op == OpStore {
				u := d.locals.use(in.Args[0])
				u.stores = append(u.stores, in)
			}
		}
	}
}

// acts reports whether an instruction without blocks has an effect that is seen.
func (d *deadCode) acts(in *Instr) bool {
	switch in.Op {
	case OpCall:
		return d.fx.function(in.Callee) > Reads
	case OpLocal:
		return false
	case OpStore:
		if u := d.locals.use(in.Args[0]); u != nil {
			return u.read
		}
	}
	return ops[in.Op].effect == Writes
}

// need marks an instruction that has an effect.
func (d *deadCode) need(in *Instr) {
	if in.Op == OpLoop || in.Op == OpFor {
		d.enter(in)
		return
	}
	d.reach(in)
	for _, a := range in.Args {
		d.mark(a)
	}
}

// reach marks the Ifs and Loops around an instruction that must be reached.
func (d *deadCode) reach(in *Instr) {
	if o := in.Block.Owner; o != nil {
		d.enter(o)
	}
}

// enter marks an If or a Loop, and what decides the way that control takes in
// it: for a loop its test, and the Ifs around its breaks and continues.
func (d *deadCode) enter(in *Instr) {
	r := &d.regions[in.scratch]
	if r.live {
		return
	}
	r.live = true
	d.reach(in)
	if in.Op != OpLoop {
		for _, a := range in.Args { // an If's condition, the sizes of an OpFor
			d.mark(a)
		}
		return
	}
	d.mark(in.Cond().Terminator().Args[0])
	for _, e := range r.exits {
		d.reach(e)
	}
}

// mark marks a value.
func (d *deadCode) mark(v *Value) {
	if !d.live[v.ID] {
		d.live[v.ID] = true
		d.work = append(d.work, v)
	}
}

// source marks what a live value comes from.
func (d *deadCode) source(v *Value) {
	switch in := v.Def; {
	case in == nil:
		if owner := v.Block.Owner; owner != nil && owner.Op == OpLoop {
			d.variable(owner, v.index())
		}
	case in.Op == OpIf:
		d.enter(in)
		k := v.index()
		for _, b := range in.Blocks {
			if t := b.Terminator(); t.Op == OpYield {
				d.mark(t.Args[k])
			}
		}
	case in.Op == OpLoop:
		d.variable(in, v.index())
	default:
		for _, a := range in.Args {
			d.mark(a)
		}
		if in.Op == OpLoad {
			d.read(d.locals.use(in.Args[0]))
		}
	}
}

// read marks what stores to a local variable that is loaded.
func (d *deadCode) read(u *localUse) {
	if u == nil || u.read {
		return
	}
	u.read = true
	for _, s := range u.stores {
		d.need(s)
	}
}

// variable marks all places of a loop's variable: it stays or goes as a whole.
func (d *deadCode) variable(loop *Instr, k int) {
	d.enter(loop)
	d.mark(loop.Results[k])
	d.mark(loop.Cond().Params[k])
	d.mark(loop.Post().Params[k])
	d.mark(loop.Args[k])
	r := &d.regions[loop.scratch]
	for _, e := range r.exits {
		d.mark(e.Args[k])
	}
	if r.continued {
		d.mark(loop.Post().Terminator().Args[k])
	}
}

// sweep removes what is not marked.
func (d *deadCode) sweep(b *Block) {
	kept := b.Instrs[:0]
	for _, in := range b.Instrs {
		if !d.keeps(in) {
			continue
		}
		switch in.Op {
		case OpIf:
			d.sweepResults(in)
		case OpLoop:
			d.sweepVariables(in)
		}
		for _, nested := range in.Blocks {
			d.sweep(nested)
		}
		kept = append(kept, in)
	}
	d.changed = d.changed || len(kept) < len(b.Instrs)
	clear(b.Instrs[len(kept):])
	b.Instrs = kept
}

// keeps reports whether an instruction is needed.
func (d *deadCode) keeps(in *Instr) bool {
	switch {
	case in.Op == OpIf || in.Op == OpLoop || in.Op == OpFor:
		return d.regions[in.scratch].live
	case in.Op.IsTerminator() || d.acts(in):
		return true
	}
	return d.anyLive(in.Results)
}

func (d *deadCode) anyLive(vs []*Value) bool {
	for _, v := range vs {
		if d.live[v.ID] {
			return true
		}
	}
	return false
}

func (d *deadCode) allLive(vs []*Value) bool {
	for _, v := range vs {
		if !d.live[v.ID] {
			return false
		}
	}
	return true
}

// sweepResults removes the unused results of an If.
func (d *deadCode) sweepResults(in *Instr) {
	if d.allLive(in.Results) {
		return
	}
	d.changed = true
	for _, b := range in.Blocks {
		if t := b.Terminator(); t.Op == OpYield {
			t.Args = d.filter(t.Args, in.Results)
		}
	}
	in.Results = d.filter(in.Results, in.Results)
}

// sweepVariables removes the unused variables of a loop, and the Post of a loop
// that is never continued.
func (d *deadCode) sweepVariables(in *Instr) {
	r := &d.regions[in.scratch]
	post := in.Post()
	if last := len(post.Instrs) - 1; !r.continued && (last > 0 || !slices.Equal(post.Instrs[last].Args, post.Params)) {
		d.changed = true
		yield := post.Instrs[last]
		yield.Args = slices.Clone(post.Params)
		for _, p := range post.Params {
			p.forward = nil // it has a use again
		}
		post.setInstrs(post.Instrs[last:])
	}
	vars := in.Results
	if d.allLive(vars) {
		return
	}
	d.changed = true
	for _, e := range r.exits {
		e.Args = d.filter(e.Args, vars)
	}
	yield := post.Terminator()
	yield.Args = d.filter(yield.Args, vars)
	in.Args = d.filter(in.Args, vars)
	in.Cond().Params = d.filter(in.Cond().Params, vars)
	post.Params = d.filter(post.Params, vars)
	in.Results = d.filter(in.Results, vars)
}

// filter is the values whose counterpart is live, in a slice of its own: the
// old one may be shared with another instruction.
func (d *deadCode) filter(vs, by []*Value) []*Value {
	var kept []*Value
	for i, v := range vs {
		if d.live[by[i].ID] {
			kept = append(kept, v)
		}
	}
	return kept
}
