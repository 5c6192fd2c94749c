package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A leftLoop is a loop that has one way through, and the variables that it has in addition.
type leftLoop struct {
	s     *structurer
	old   *ssa.Instr
	new   *ssa.Instr
	outer []*ssa.Instr // the loops around it that it leaves or continues: the new one has a copy of the variables of each
	left  int          // the place of the variable that says how it was left, -1 for none
}

// loop appends a loop that ends by its test. The results of the old one become those of the new one.
func (s *structurer) loop(old *ssa.Instr, b *ssa.Block) *leftLoop {
	l := &leftLoop{s: s, old: old, left: -1}
	exits := false
	old.Do().Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpReturn:
			exits = true
		case ssa.OpBreak, ssa.OpContinue:
			outward := !in.Target.Within(old)
			if outward && !slices.Contains(l.outer, in.Target) {
				l.outer = append(l.outer, in.Target)
			}
			exits = exits || outward || in.Op == ssa.OpBreak && in.Target == old
		}
	})
	init := s.mapped(old.Args)
	if exits {
		l.left = len(init)
		init = append(init, number(b, onward))
		for _, o := range l.outer {
			for _, v := range o.Cond().Params {
				init = append(init, b.AppendZero(v.Type))
			}
		}
	}
	l.new = b.Append(&ssa.Instr{Op: ssa.OpLoop, Args: init, Pos: old.Pos, Stmt: old.Stmt})
	for range 3 {
		l.new.NewBlock()
	}
	for i, v := range init {
		name := v.Name
		if i < len(old.Results) {
			name = old.Cond().Params[i].Name
		}
		if i == l.left {
			name = "exit"
		}
		l.new.AddResult(v.Type, name)
		l.new.Cond().AddParam(v.Type, name)
		l.new.Post().AddParam(v.Type, name)
	}
	s.bind(old.Cond().Params, l.new.Cond().Params)
	for k := range old.Cond().Params {
		if by, ok := countOf(old, k); ok {
			if by.of != nil {
				by.of = s.values.get(by.of)
			}
			s.counts[l.new.Cond().Params[k]] = by
			if n, ok := limitOf(old, k, by); ok {
				s.limits[l.new] = n
			}
		}
	}
	l.test()
	l.turn()
	s.bind(old.Results, l.new.Results)
	return l
}

// test fills the Cond: a loop that was left is not asked for its condition.
func (l *leftLoop) test() {
	cond, old := l.new.Cond(), l.old.Cond()
	end := old.Terminator()
	var test *ssa.Value
	if l.left < 0 {
		test = l.s.run(old.Instrs, cond, nil).yields[0]
	} else {
		running := l.s.is(cond, cond.Params[l.left], onward)
		running.Name = "running"
		test = l.s.branch(end, cond, running, func(n int, nb *ssa.Block) outcome {
			if n == 1 {
				no := nb.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(false)}, ssa.Bool).Result()
				return outcome{falls: true, yields: []*ssa.Value{no}}
			}
			return l.s.run(old.Instrs, nb, nil)
		}).yields[0]
	}
	cond.Append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{test}, Pos: end.Pos, Stmt: end.Stmt})
}

// turn fills the body and the post. The post of a loop that always goes there stays one, so that it looks as
// it did.
func (l *leftLoop) turn() {
	do, post := l.new.Do(), l.new.Post()
	end := l.old.Post().Terminator()
	o := l.s.run(l.old.Do().Instrs, do, nil)
	again := l.s.code(l.old, ssa.OpContinue)
	if l.left < 0 { // there is no other way
		o.how, o.code = nil, again
	}
	next := slices.Clone(post.Params)
	var args []*ssa.Value
	switch {
	case o.never:
		args = slices.Clone(l.new.Cond().Params)
	case o.how == nil && o.code == again && isPure(l.old.Post()):
		args = append(o.payload[l.old], l.new.Cond().Params[len(o.payload[l.old]):]...)
		l.s.bind(l.old.Post().Params, post.Params)
		copy(next, l.s.run(l.old.Post().Instrs, post, nil).yields)
	case o.how == nil:
		args = l.after(o, do)
	default:
		args = l.s.branch(end, do, l.s.is(do, o.how, again), func(n int, nb *ssa.Block) outcome {
			way := l.s.other(o, again)
			if n == 0 {
				way.how, way.code = nil, again
			}
			return outcome{falls: true, yields: l.after(way, nb)}
		}).yields
	}
	do.Append(&ssa.Instr{Op: ssa.OpContinue, Target: l.new, Args: args, Pos: end.Pos, Stmt: end.Stmt})
	post.Append(&ssa.Instr{Op: ssa.OpYield, Args: next, Pos: end.Pos, Stmt: end.Stmt})
}

// after gives the loop's variables after a turn that ended in a way: with what the post does to them, if
// that is the way.
func (l *leftLoop) after(o outcome, b *ssa.Block) []*ssa.Value {
	params := l.new.Cond().Params
	if o.how == nil && o.code == l.s.code(l.old, ssa.OpContinue) {
		l.s.bind(l.old.Post().Params, o.payload[l.old])
		post := l.s.run(l.old.Post().Instrs, b, nil).yields
		return append(slices.Clone(post), params[len(post):]...)
	}
	args := slices.Clone(params)
	copy(args, o.payload[l.old])
	how := o.how
	if how == nil {
		how = number(b, o.code)
	}
	args[l.left] = how
	at := l.left + 1
	for _, outer := range l.outer {
		copy(args[at:], o.payload[outer])
		at += len(outer.Cond().Params)
	}
	return args
}

// isPure reports whether all that a block does is to compute.
func isPure(b *ssa.Block) bool {
	for _, in := range b.Instrs {
		if !in.Op.IsTerminator() && in.Op.Effect() != ssa.Pure {
			return false
		}
	}
	return true
}

// done is whether the code after the loop runs: it was left by its test, or by its own break.
func (l *leftLoop) done(b *ssa.Block) *ssa.Value {
	how := l.new.Results[l.left]
	done := l.s.is(b, how, onward)
	if own, ok := l.s.codes[exit{l.old, ssa.OpBreak}]; ok {
		done = b.AppendOp(ssa.OpOr, ssa.Bool, done, l.s.is(b, how, own)).Result()
	}
	return done
}

// outcome is how a loop goes on that was left to outside of what it stands in.
func (l *leftLoop) outcome() outcome {
	o := outcome{how: l.new.Results[l.left], payload: make(map[*ssa.Instr][]*ssa.Value)}
	at := l.left + 1
	for _, outer := range l.outer {
		n := len(outer.Cond().Params)
		o.payload[outer] = l.new.Results[at : at+n]
		at += n
	}
	return o
}

// rotate moves the test of a loop into its body, if it does more than compute and read:
//
//	loop { c; test x } do { body }   becomes   loop { test true } do { c; if !x { break }; body }
func rotate(b *ssa.Block) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			rotate(nested)
		}
		if in.Op == ssa.OpLoop && writes(in.Cond()) {
			rotateLoop(in)
		}
	}
}

// writes reports whether a block has an effect.
func writes(b *ssa.Block) bool {
	found := false
	b.Walk(func(in *ssa.Instr) { found = found || in.Op.Effect() == ssa.Writes })
	return found
}

func rotateLoop(l *ssa.Instr) {
	cond, do := l.Cond(), l.Do()
	test := cond.Terminator()
	moved, body := cond.Instrs[:len(cond.Instrs)-1], do.Instrs
	cond.Instrs, do.Instrs = nil, nil
	for _, in := range moved {
		in.Block = do
	}
	do.Instrs = append(do.Instrs, moved...)
	leave := do.Append(&ssa.Instr{Op: ssa.OpIf, Args: test.Args, Pos: test.Pos, Stmt: test.Stmt})
	leave.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	leave.NewBlock().Append(&ssa.Instr{Op: ssa.OpBreak, Target: l, Args: slices.Clone(cond.Params), Pos: test.Pos, Stmt: test.Stmt})
	do.Instrs = append(do.Instrs, body...)
	yes := cond.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true)}, ssa.Bool).Result()
	cond.Append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{yes}, Pos: test.Pos, Stmt: test.Stmt})
}
