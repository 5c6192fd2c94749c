package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// leave has loops be left by a break again, where structure has given them a variable that says how they were left. It
// is for the kernels that are made, whose forward sweep nobody needs to turn round any more:
//
//	loop (k, exit) { test exit == 0 && c } do { b; k', exit' = if d { yield k+1, exit } else { yield k, 2 }; rest; continue (k', exit') }
//
// becomes
//
//	loop (k, exit) { test c } do { b; rest; if !d { break (k, 2) }; continue (k+1, 0) }
//
// Lanes of vectors then count together what all threads count alike. The kernel has as many parameters; others lead to
// memory for gradients and for what is kept.
func leave(b *ssa.Block, params int) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			leave(nested, params)
		}
		if in.Op == ssa.OpLoop {
			leaveLoop(in, params)
		}
	}
}

// A left is how a loop is left that has a variable which says so.
type left struct {
	loop    *ssa.Instr
	how     int        // the place of the variable
	running *ssa.Value // whether it is zero: what the test asks for first
	branch  *ssa.Instr // the If in the body that sets it
	stay    int        // the block of branch that leaves it as it is
	params  int        // how many of the function's parameters are the kernel's
}

func leaveLoop(loop *ssa.Instr, params int) {
	l := left{loop: loop, params: params}
	if !l.find() || !l.alone() {
		return
	}
	l.test()
	l.turn()
	l.early()
	l.step()
}

// find finds the variable, and the If that sets it.
func (l *left) find() bool {
	zero := func(v *ssa.Value) bool { return isInt(v, 0) }
	cond, do, post := l.loop.Cond(), l.loop.Do(), l.loop.Post()
	end := do.Terminator()
	if end.Op != ssa.OpContinue || end.Target != l.loop || len(l.loop.Exits(ssa.OpContinue, nil)) > 1 || len(l.loop.Exits(ssa.OpBreak, nil)) > 0 {
		return false
	}
	l.running = cond.Terminator().Args[0]
	if in := l.running.Def; in != nil && in.Op == ssa.OpIf && in.Block == cond {
		if c, ok := in.Else().Terminator().Args[0].Const(); !ok || c.Bool() {
			return false
		}
		l.running = in.Args[0]
	}
	is := l.running.Def
	if is == nil || is.Op != ssa.OpEq || is.Block != cond || !ssa.IsInteger(is.Args[0].Type) || !zero(is.Args[1]) {
		return false
	}
	l.how = slices.Index(cond.Params, is.Args[0])
	if l.how < 0 || !zero(l.loop.Args[l.how]) || post.Terminator().Args[l.how] != post.Params[l.how] {
		return false
	}
	for _, in := range post.Instrs {
		if len(in.Blocks) > 0 || !in.Op.IsTerminator() && in.Op.Effect() != ssa.Pure {
			return false
		}
	}
	how := end.Args[l.how]
	if l.branch = how.Def; l.branch == nil || l.branch.Op != ssa.OpIf || l.branch.Block != do {
		return false
	}
	at := slices.Index(l.branch.Results, how)
	var stays [2]bool
	for n, b := range l.branch.Blocks {
		v := b.Terminator().Args[at]
		stays[n] = v == cond.Params[l.how] || zero(v)
		if _, isConst := v.Const(); !stays[n] && !isConst {
			return false
		}
	}
	if l.stay = slices.Index(stays[:], true); l.stay < 0 {
		return false
	}
	return !stays[1-l.stay]
}

// alone reports whether nothing but the end of the turn reads what the If gives, and nothing but the test whether the
// loop runs.
func (l *left) alone() bool {
	reads := func(in *ssa.Instr) bool {
		return in.Op != ssa.OpContinue && slices.ContainsFunc(in.Args, func(v *ssa.Value) bool { return v.Def == l.branch })
	}
	ok := true
	for _, in := range l.loop.Do().Instrs {
		ok = ok && !reads(in)
		for _, nested := range in.Blocks {
			nested.Walk(func(in *ssa.Instr) { ok = ok && !reads(in) })
		}
	}
	n := 0
	l.loop.Cond().Walk(func(in *ssa.Instr) {
		for _, v := range in.Args {
			if v == l.running {
				n++
			}
		}
	})
	return ok && n == 1
}

// test has the loop ask for its condition only.
func (l *left) test() {
	cond := l.loop.Cond()
	end := cond.Terminator()
	end.Args = slices.Clone(end.Args)
	chosen := end.Args[0].Def
	if chosen == l.running.Def {
		cond.Instrs = cond.Instrs[:len(cond.Instrs)-1]
		end.Args[0] = cond.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true)}, ssa.Bool).Result()
		cond.Instrs = append(cond.Instrs, end)
		return
	}
	then := chosen.Then().Instrs
	end.Args[0] = chosen.Then().Terminator().Args[0]
	var ins []*ssa.Instr
	for _, in := range cond.Instrs {
		if in == chosen {
			ins = append(ins, then[:len(then)-1]...)
			continue
		}
		ins = append(ins, in)
	}
	move(ins, cond)
	cond.SetInstrs(ins)
}

// turn has the turn end in a break or in the continue. What follows the If comes before it: it runs in each turn.
func (l *left) turn() {
	do, post := l.loop.Do(), l.loop.Post()
	end := do.Terminator()
	stays, leaves := l.branch.Blocks[l.stay], l.branch.Blocks[1-l.stay]
	on := stays.Instrs[:len(stays.Instrs)-1]
	given := func(b *ssa.Block) []*ssa.Value {
		args := slices.Clone(end.Args)
		for i, v := range args {
			if v.Def == l.branch {
				args[i] = b.Terminator().Args[slices.Index(l.branch.Results, v)]
			}
		}
		return args
	}
	last, gone := given(stays), given(leaves)
	zero := l.loop.Args[l.how]
	last[l.how] = zero

	// The post is not run after a break.
	leaves.Instrs = leaves.Instrs[:len(leaves.Instrs)-1]
	values := make(map[*ssa.Value]*ssa.Value)
	for i, p := range post.Params {
		values[p] = gone[i]
	}
	for _, in := range post.Instrs[:len(post.Instrs)-1] {
		for _, v := range in.Args {
			if values[v] == nil {
				values[v] = v
			}
		}
		copyInstr(in, leaves, few(values))
	}
	for i, v := range post.Terminator().Args {
		if gone[i] = v; values[v] != nil {
			gone[i] = values[v]
		}
	}
	leaves.Append(&ssa.Instr{Op: ssa.OpBreak, Target: l.loop, Args: gone, Pos: end.Pos, Stmt: l.branch.Stmt})

	yield := stays.Terminator()
	yield.Args, l.branch.Results = nil, nil
	stays.Instrs = []*ssa.Instr{yield}
	var ins []*ssa.Instr
	for _, in := range do.Instrs[:len(do.Instrs)-1] {
		if in != l.branch {
			ins = append(ins, in)
		}
	}
	end.Args = last
	if not := l.branch.Args[0].Def; not != nil && not.Op == ssa.OpNot {
		l.branch.Args = slices.Clone(not.Args)
		slices.Reverse(l.branch.Blocks)
		l.stay = 1 - l.stay
	}
	move(on, do)
	do.SetInstrs(slices.Concat(ins, []*ssa.Instr{l.branch}, on, []*ssa.Instr{end}))
}

// move tells instructions which block they stand in.
func move(ins []*ssa.Instr, b *ssa.Block) {
	for _, in := range ins {
		in.Block = b
	}
}
