// Package live finds which values of a function are live at once, for what gives several of them one variable.
package live

import "github.com/qdgen/qd/ssa"

// A View is a function as it is written down somewhere else than in SSA: some instructions are expressions there, which
// are evaluated where their values are used.
type View interface {
	// IsStatement reports whether an instruction is evaluated where it stands.
	IsStatement(in *ssa.Instr) bool
	// IsLogical reports whether an If is an expression.
	IsLogical(in *ssa.Instr) bool
	// IsUsed reports whether something reads a value.
	IsUsed(v *ssa.Value) bool
	// Leaves calls f for the values that are read where a value is used.
	Leaves(v *ssa.Value, f func(*ssa.Value))
	// Operands calls f for the values that are read where an instruction is evaluated.
	Operands(in *ssa.Instr, f func(*ssa.Value))
}

// Conflicts say which of some values of a function, the candidates, are live at once.
//
// One backward walk suffices, loops included: a value defined
// outside a loop and used anywhere in it is live throughout the loop, for the
// header is reached between its definition and every use, and nothing redefines
// it. So what is live at the header is known before the body is walked.
type Conflicts struct {
	Candidates []*ssa.Value
	At         []Set // by candidate: what is live when it gets its value

	view  View
	index []int32 // by value ID: its place in Candidates, -1 if it is none
	ifs   map[*ssa.Instr]*ifLive
	loops map[*ssa.Instr]*loopLive
	lanes *Set // in an OpFor: what is live where its blocks end

	into *Set                  // where add adds
	add  func(leaf *ssa.Value) // one function for all leaves
}

// ifLive is what is live on entry of an If's blocks. The operands of its
// condition are read before that.
type ifLive struct{ then, els Set }

// loopLive is what is live where a loop's terminators go to, apart from what
// they give: its end, its post part, its test.
type loopLive struct{ exit, post, header Set }

// Find finds the conflicts of candidates, each of which is given once or more often. It takes the slice over.
func Find(f *ssa.Func, view View, candidates []*ssa.Value) *Conflicts {
	l := &Conflicts{
		view:  view,
		index: make([]int32, f.NumValues()),
		ifs:   make(map[*ssa.Instr]*ifLive),
		loops: make(map[*ssa.Instr]*loopLive),
	}
	for i := range l.index {
		l.index[i] = -1
	}
	l.add = func(leaf *ssa.Value) {
		if i := l.index[leaf.ID]; i >= 0 {
			l.into.Add(int(i))
		}
	}
	l.Candidates = candidates[:0]
	for _, v := range candidates {
		if l.index[v.ID] < 0 {
			l.index[v.ID] = int32(len(l.Candidates))
			l.Candidates = append(l.Candidates, v)
		}
	}
	if len(l.Candidates) == 0 {
		return l
	}
	l.At = make([]Set, len(l.Candidates))
	in := l.block(f.Body, Set{})
	l.define(f.Params(), &in)
	return l
}

// Index is a value's place among the candidates, -1 if it is none.
func (l *Conflicts) Index(v *ssa.Value) int { return int(l.index[v.ID]) }

// AtEntry is what is live where the two blocks of an If begin; ok is false if there are no candidates.
func (l *Conflicts) AtEntry(in *ssa.Instr) (then, els Set, ok bool) {
	if live := l.ifs[in]; live != nil {
		return live.then, live.els, true
	}
	return Set{}, Set{}, false
}

// define notes that vs get their values at one point, after which live is live:
// each conflicts with all of it and with the others. They are taken out of live.
func (l *Conflicts) define(vs []*ssa.Value, live *Set) {
	for _, v := range vs {
		if i := l.Index(v); i >= 0 {
			live.Add(i)
		}
	}
	for _, v := range vs {
		if i := l.Index(v); i >= 0 {
			l.At[i].Union(*live)
			l.At[i].Remove(i)
		}
	}
	l.remove(vs, live)
}

func (l *Conflicts) remove(vs []*ssa.Value, live *Set) {
	for _, v := range vs {
		if i := l.Index(v); i >= 0 {
			live.Remove(i)
		}
	}
}

// read adds what printing v reads.
func (l *Conflicts) read(v *ssa.Value, live *Set) {
	l.into = live
	l.view.Leaves(v, l.add)
}

// give adds the arguments of an edge whose other end is used.
func (l *Conflicts) give(args, to []*ssa.Value, live *Set) {
	for k, v := range args {
		if l.view.IsUsed(to[k]) {
			l.read(v, live)
		}
	}
}

// block gives what is live on entry of b; out is what is live where a yield
// goes to, without what it gives.
func (l *Conflicts) block(b *ssa.Block, out Set) Set {
	var live Set
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		switch in.Op {
		case ssa.OpYield:
			live = out.Clone()
			l.give(in.Args, in.Receivers(), &live)
		case ssa.OpTest:
			live = out.Clone()
			l.read(in.Args[0], &live)
		case ssa.OpContinue:
			live = l.loops[in.Target].post.Clone()
			l.give(in.Args, in.Receivers(), &live)
		case ssa.OpBreak:
			live = l.loops[in.Target].exit.Clone()
			l.give(in.Args, in.Receivers(), &live)
		case ssa.OpReturn, ssa.OpPanic, ssa.OpUnreachable:
			live = Set{}
			if l.lanes != nil { // the next lane's turn
				live = l.lanes.Clone()
			}
			for _, a := range in.Args {
				l.read(a, &live)
			}
		default:
			if l.view.IsStatement(in) {
				l.instr(in, &live)
			}
		}
	}
	return live
}

// instr makes of what is live after a statement what is live before it.
func (l *Conflicts) instr(in *ssa.Instr, live *Set) {
	l.define(in.Results, live)
	switch {
	case in.Op == ssa.OpIf && !l.view.IsLogical(in):
		then, els := l.block(in.Then(), *live), l.block(in.Else(), *live)
		l.ifs[in] = &ifLive{then, els}
		*live = then.Clone()
		live.Union(els)
		l.read(in.Args[0], live)
	case in.Op == ssa.OpLoop:
		*live = l.loop(in, *live)
	case in.Op == ssa.OpFor:
		*live = l.parallel(in, *live)
	default:
		l.into = live
		l.view.Operands(in, l.add)
	}
}

func (l *Conflicts) loop(in *ssa.Instr, exit Set) Set {
	at := &loopLive{exit: exit, header: l.usedInside(in)}
	l.loops[in] = at
	at.header.Union(exit)

	at.post = l.block(in.Post(), at.header)
	l.define(in.Post().Params, &at.post)

	// A test that fails gives the loop's variables as they are.
	test := exit.Clone()
	l.give(in.Cond().Params, in.Results, &test)
	test.Union(l.block(in.Do(), Set{}))

	before := l.block(in.Cond(), test)
	l.define(in.Cond().Params, &before)
	before.Union(at.header) // as if every path led to every use
	l.give(in.Args, in.Receivers(), &before)
	return before
}

// parallel is an OpFor: what its blocks read from outside is live throughout, as in a loop.
func (l *Conflicts) parallel(in *ssa.Instr, exit Set) Set {
	outer, lanes := l.lanes, l.usedInside(in)
	lanes.Union(exit)
	l.lanes = &lanes
	var live Set
	for _, b := range in.Blocks {
		before := l.block(b, lanes)
		l.define(b.Params, &before)
		live.Union(before)
	}
	live.Union(lanes)
	l.lanes = outer
	for _, a := range in.Args {
		l.read(a, &live)
	}
	return live
}

// usedInside are the candidates defined outside a loop and read in it.
func (l *Conflicts) usedInside(loop *ssa.Instr) Set {
	var read, defined Set
	define := func(vs []*ssa.Value) {
		for _, v := range vs {
			if i := l.Index(v); i >= 0 {
				defined.Add(i)
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
	read.Without(defined)
	return read
}
