package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// early has a turn that is left at its end be left before an If that the same condition chooses:
//
//	v = if c { yield x } else { b; yield y }; rest; if c { break v }      becomes      rest; if c { break x }; b; and y for v
func (l *left) early() {
	do := l.loop.Do()
	at := slices.Index(do.Instrs, l.branch)
	for i := at - 1; i >= 0; i-- {
		in := do.Instrs[i]
		if in.Op != ssa.OpIf {
			continue
		}
		if n, ok := sameChoice(in.Args[0], l.branch.Args[0]); ok {
			stay := l.stay
			if !n {
				stay = 1 - stay
			}
			if l.mayPrecede(in, in.Blocks[1-stay], do.Instrs[i+1:at]) {
				l.precede(i, at, stay)
			}
		}
		return
	}
}

// sameChoice reports whether two conditions are the same, or each the other's negation.
func sameChoice(a, b *ssa.Value) (same, ok bool) {
	a, na := plain(a)
	b, nb := plain(b)
	return na == nb, a == b
}

// plain is a condition without its negations, and whether there is an odd number of them.
func plain(v *ssa.Value) (of *ssa.Value, negated bool) {
	for v.Def != nil && v.Def.Op == ssa.OpNot {
		v, negated = v.Def.Args[0], !negated
	}
	return v, negated
}

// mayPrecede reports whether what stands between an If and the end of the turn can run before that. The block in which
// the turn is left only gives values.
func (l *left) mayPrecede(in *ssa.Instr, leaves *ssa.Block, rest []*ssa.Instr) bool {
	ok := true
	for _, c := range leaves.Instrs[:len(leaves.Instrs)-1] {
		ok = ok && c.Op == ssa.OpConst
	}
	for _, b := range in.Blocks {
		ok = ok && b.Terminator().Op == ssa.OpYield
		b.Walk(func(in *ssa.Instr) {
			switch {
			case in.Op == ssa.OpLoad:
				ok = ok && !in.Args[0].Root().IsLocal()
			case in.Op != ssa.OpIf && in.Op != ssa.OpLoop && !in.Op.IsTerminator():
				ok = ok && in.Op.Effect() == ssa.Pure
			}
		})
	}
	for _, r := range rest {
		ok = ok && len(r.Blocks) == 0 && !slices.ContainsFunc(r.Args, func(v *ssa.Value) bool { return v.Def == in }) &&
			(r.Op.Effect() != ssa.Writes || r.Op == ssa.OpStore && l.keeps(r.Args[0]))
	}
	return ok
}

// keeps reports whether an address lies in a variable, or in memory that is not the kernel's: where values are kept.
func (l *left) keeps(addr *ssa.Value) bool {
	root := addr.Root()
	return root.IsLocal() || root.Def == nil && root.Block.Owner == nil && root.Index() >= l.params
}

// precede moves what follows an If of the body before it, to the break, and takes the If away.
func (l *left) precede(i, at, stay int) {
	do := l.loop.Do()
	in := do.Instrs[i]
	stays, leaves := in.Blocks[stay], in.Blocks[1-stay]
	for n, r := range in.Results {
		r.Forward = leaves.Terminator().Args[n]
	}
	l.branch.Resolve()
	for _, b := range l.branch.Blocks {
		resolve(b)
	}
	consts := leaves.Instrs[:len(leaves.Instrs)-1]
	for n, r := range in.Results {
		r.Forward = stays.Terminator().Args[n]
	}
	then := do.Instrs[at+1:]
	on := stays.Instrs[:len(stays.Instrs)-1]
	move(consts, do)
	move(on, do)
	do.SetInstrs(slices.Concat(do.Instrs[:i], consts, do.Instrs[i+1:at], []*ssa.Instr{l.branch}, on, then))
	resolve(do)
}

// resolve rewrites the operands of all instructions to what replaces them.
func resolve(b *ssa.Block) { b.Walk(func(in *ssa.Instr) { in.Resolve() }) }

// step has the post count what the end of the turn counts.
func (l *left) step() {
	do, post := l.loop.Do(), l.loop.Post()
	end, yield := do.Terminator(), post.Terminator()
	for i, v := range end.Args {
		p := l.loop.Cond().Params[i]
		if v.Def == nil || v.Def.Op != ssa.OpAdd || v.Def.Block != do || v.Def.Args[0] != p || yield.Args[i] != post.Params[i] {
			continue
		}
		by, ok := v.Def.Args[1].Const()
		if !ok {
			continue
		}
		end.Args[i] = p
		post.Instrs = post.Instrs[:len(post.Instrs)-1]
		one := &ssa.Instr{Op: ssa.OpConst, Const: by, Stmt: v.Def.Stmt, Pos: v.Def.Pos}
		post.Append(one, v.Type)
		next := &ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{post.Params[i], one.Result()}, Stmt: v.Def.Stmt, Pos: v.Def.Pos}
		yield.Args[i] = post.Append(next, v.Type).Result()
		post.Instrs = append(post.Instrs, yield)
	}
}
