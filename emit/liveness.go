package emit

import "github.com/qdgen/qd/ssa"

// liveness finds which values that might share a variable are live at once.
//
// Only those are looked at that a block parameter or a result joins with others:
// the candidates. One backward walk suffices, loops included: a value defined
// outside a loop and used anywhere in it is live throughout the loop, for the
// header is reached between its definition and every use, and nothing redefines
// it. So what is live at the header is known before the body is walked.
type liveness struct {
	p          *plan
	candidates []*ssa.Value
	index      []int    // by value ID: its place in candidates, -1 if it is none
	conflicts  []bitset // by candidate: what is live when it gets its value
	ifs        map[*ssa.Instr]*ifLive
	loops      map[*ssa.Instr]*loopLive
	lanes      *bitset // in an OpFor: what is live where its block ends
}

// ifLive is what is live on entry of an If's blocks. The operands of its
// condition are read before that.
type ifLive struct{ then, els bitset }

// loopLive is what is live where a loop's terminators go to, apart from what
// they give: its end, its post part, its test.
type loopLive struct{ exit, post, header bitset }

func newLiveness(p *plan) *liveness {
	l := &liveness{
		p:     p,
		index: make([]int, len(p.uses)),
		ifs:   make(map[*ssa.Instr]*ifLive),
		loops: make(map[*ssa.Instr]*loopLive),
	}
	for i := range l.index {
		l.index[i] = -1
	}
	add := func(to, from *ssa.Value) {
		l.addCandidate(to)
		l.addCandidate(from)
	}
	forEachJoin(p, add)
	forEachAssignment(p, add)
	if len(l.candidates) == 0 {
		return l
	}
	l.conflicts = make([]bitset, len(l.candidates))
	in := l.block(p.fn.Body, bitset{})
	l.define(p.fn.Params(), &in)
	return l
}

func (l *liveness) addCandidate(v *ssa.Value) {
	if l.p.inline[v.ID] || !l.p.used(v) || l.index[v.ID] >= 0 || isPlace(v) || l.p.inMemory(v) {
		return
	}
	l.index[v.ID] = len(l.candidates)
	l.candidates = append(l.candidates, v)
}

// isPlace reports whether v is memory that its name declares: such a name is never
// given to another value. What lanes share is declared where a kernel begins, be it
// needed there or not.
func isPlace(v *ssa.Value) bool { return v.IsLocal() || v.Def != nil && v.Def.Op == ssa.OpShared }

// forEachJoin calls f for each block parameter or result that is used and each
// value that some edge gives to it. The join of a loop's test with its results
// is between the loop's variables and the results.
func forEachJoin(p *plan, f func(to, from *ssa.Value)) {
	join := func(to, from []*ssa.Value) {
		for k, v := range to {
			if p.used(v) {
				f(v, from[k])
			}
		}
	}
	p.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpIf:
			if p.logical[in] {
				return
			}
			for _, b := range in.Blocks {
				if t := b.Terminator(); t.Op == ssa.OpYield {
					join(in.Results, t.Args)
				}
			}
		case ssa.OpLoop:
			join(in.Results, in.Cond().Params)
			join(in.Cond().Params, in.Args)
			if t := in.Post().Terminator(); t.Op == ssa.OpYield {
				join(in.Cond().Params, t.Args)
			}
		case ssa.OpContinue:
			join(in.Target.Post().Params, in.Args)
		case ssa.OpBreak:
			join(in.Target.Results, in.Args)
		}
	})
}

// forEachAssignment calls f for each value in a block and the one before it that
// has the same Go name: what Go's assignments look like.
func forEachAssignment(p *plan, f func(to, from *ssa.Value)) {
	last := make(map[string]*ssa.Value)
	var block func(b *ssa.Block)
	block = func(b *ssa.Block) {
		clear(last)
		note := func(vs []*ssa.Value) {
			for _, v := range vs {
				if v.Name == "" || p.inline[v.ID] || !p.used(v) || unpacked(v) {
					continue
				}
				if before := last[v.Name]; before != nil && before.Type == v.Type {
					f(v, before)
				}
				last[v.Name] = v
			}
		}
		if b.Owner == nil {
			note(b.Params)
		}
		for _, in := range b.Instrs {
			if p.isRoot(in) {
				note(in.Results)
			}
		}
		for _, in := range b.Instrs {
			if p.isRoot(in) && !p.logical[in] {
				for _, nested := range in.Blocks {
					block(nested)
				}
			}
		}
	}
	block(p.fn.Body)
}

// define notes that vs get their values at one point, after which live is live:
// each conflicts with all of it and with the others. They are taken out of live.
func (l *liveness) define(vs []*ssa.Value, live *bitset) {
	for _, v := range vs {
		if i := l.index[v.ID]; i >= 0 {
			live.add(i)
		}
	}
	for _, v := range vs {
		if i := l.index[v.ID]; i >= 0 {
			l.conflicts[i].union(*live)
			l.conflicts[i].remove(i)
		}
	}
	l.remove(vs, live)
}

func (l *liveness) remove(vs []*ssa.Value, live *bitset) {
	for _, v := range vs {
		if i := l.index[v.ID]; i >= 0 {
			live.remove(i)
		}
	}
}

// read adds what printing v reads.
func (l *liveness) read(v *ssa.Value, live *bitset) {
	l.p.leaves(v, func(leaf *ssa.Value) {
		if i := l.index[leaf.ID]; i >= 0 {
			live.add(i)
		}
	})
}

// give adds the arguments of an edge whose other end is used.
func (l *liveness) give(args, to []*ssa.Value, live *bitset) {
	for k, v := range args {
		if l.p.used(to[k]) {
			l.read(v, live)
		}
	}
}

// block gives what is live on entry of b; out is what is live where a yield
// goes to, without what it gives.
func (l *liveness) block(b *ssa.Block, out bitset) bitset {
	var live bitset
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		switch in.Op {
		case ssa.OpYield:
			live = out.clone()
			l.give(in.Args, yieldedTo(b), &live)
		case ssa.OpTest:
			live = out.clone()
			l.read(in.Args[0], &live)
		case ssa.OpContinue:
			live = l.loops[in.Target].post.clone()
			l.give(in.Args, in.Target.Post().Params, &live)
		case ssa.OpBreak:
			live = l.loops[in.Target].exit.clone()
			l.give(in.Args, in.Target.Results, &live)
		case ssa.OpReturn, ssa.OpPanic, ssa.OpUnreachable:
			live = bitset{}
			if l.lanes != nil { // the next lane's turn
				live = l.lanes.clone()
			}
			for _, a := range in.Args {
				l.read(a, &live)
			}
		default:
			if l.p.isRoot(in) {
				l.instr(in, &live)
			}
		}
	}
	return live
}

// yieldedTo is what the arguments of a yield that ends b go to.
func yieldedTo(b *ssa.Block) []*ssa.Value {
	if b.Owner.Op == ssa.OpLoop {
		return b.Owner.Cond().Params
	}
	return b.Owner.Results
}

// instr makes of what is live after a statement what is live before it.
func (l *liveness) instr(in *ssa.Instr, live *bitset) {
	l.define(in.Results, live)
	switch {
	case in.Op == ssa.OpIf && !l.p.logical[in]:
		then, els := l.block(in.Then(), *live), l.block(in.Else(), *live)
		l.ifs[in] = &ifLive{then, els}
		*live = then.clone()
		live.union(els)
		l.read(in.Args[0], live)
	case in.Op == ssa.OpLoop:
		*live = l.loop(in, *live)
	case in.Op == ssa.OpFor:
		*live = l.parallel(in, *live)
	default:
		l.p.operands(in, func(leaf *ssa.Value) {
			if i := l.index[leaf.ID]; i >= 0 {
				live.add(i)
			}
		})
	}
}

func (l *liveness) loop(in *ssa.Instr, exit bitset) bitset {
	at := &loopLive{exit: exit, header: l.usedInside(in)}
	l.loops[in] = at
	at.header.union(exit)

	at.post = l.block(in.Post(), at.header)
	l.define(in.Post().Params, &at.post)

	// A test that fails gives the loop's variables as they are.
	test := exit.clone()
	l.give(in.Cond().Params, in.Results, &test)
	test.union(l.block(in.Do(), bitset{}))

	before := l.block(in.Cond(), test)
	l.define(in.Cond().Params, &before)
	before.union(at.header) // as if every path led to every use
	l.give(in.Args, in.Cond().Params, &before)
	return before
}

// parallel is an OpFor: what its block reads from outside is live throughout, as in a loop.
func (l *liveness) parallel(in *ssa.Instr, exit bitset) bitset {
	outer, lanes := l.lanes, l.usedInside(in)
	lanes.union(exit)
	l.lanes = &lanes
	live := l.block(in.Blocks[0], lanes)
	l.define(in.Blocks[0].Params, &live)
	live.union(lanes)
	l.lanes = outer
	for _, a := range in.Args {
		l.read(a, &live)
	}
	return live
}

// usedInside are the candidates defined outside a loop and read in it.
func (l *liveness) usedInside(loop *ssa.Instr) bitset {
	var read, defined bitset
	define := func(vs []*ssa.Value) {
		for _, v := range vs {
			if i := l.index[v.ID]; i >= 0 {
				defined.add(i)
			}
		}
	}
	for _, b := range loop.Blocks {
		define(b.Params)
		b.Walk(func(in *ssa.Instr) {
			define(in.Results)
			for _, nested := range in.Blocks {
				define(nested.Params)
			}
			for _, a := range in.Args {
				l.read(a, &read)
			}
		})
	}
	read.without(defined)
	return read
}
