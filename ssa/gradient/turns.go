package gradient

import "github.com/qdgen/qd/ssa"

// countTurns gives each loop of a structured function one more variable, the last one, which counts its turns. One that nobody
// reads is removed later.
func countTurns(b *ssa.Block) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			countTurns(nested)
		}
		if in.Op == ssa.OpLoop {
			addCounter(in)
		}
	}
}

func addCounter(loop *ssa.Instr) {
	const name = "turns"
	b := loop.Block
	zero := &ssa.Instr{Op: ssa.OpConst}
	b.Append(zero, ssa.Int64)
	copyBefore(b, loop)
	with := func(vs []*ssa.Value, v *ssa.Value) []*ssa.Value { return append(vs[:len(vs):len(vs)], v) }
	loop.Args = with(loop.Args, zero.Result())
	loop.AddResult(ssa.Int64, name)
	count := loop.Cond().AddParam(ssa.Int64, name)
	last := loop.Do().Terminator()
	last.Args = with(last.Args, count)
	before := loop.Post().AddParam(ssa.Int64, name)
	yield := loop.Post().Terminator()
	body := loop.Post().Instrs
	loop.Post().Instrs = body[:len(body)-1]
	one := loop.Post().Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 1)}, ssa.Int64).Result()
	after := loop.Post().Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{before, one}, Stmt: yield.Stmt}, ssa.Int64).Result()
	yield.Args = with(yield.Args, after)
	loop.Post().Instrs = append(loop.Post().Instrs, yield)
}

// copyBefore moves the last instruction of a block to before another one.
func copyBefore(b *ssa.Block, at *ssa.Instr) {
	last := len(b.Instrs) - 1
	moved := b.Instrs[last]
	for i := last; i > 0; i-- {
		b.Instrs[i] = b.Instrs[i-1]
		if b.Instrs[i] == at {
			b.Instrs[i-1] = moved
			return
		}
	}
}

// A counter is a variable of a loop that each turn adds a value to, the same in all turns.
type counter struct {
	op   ssa.Op     // OpAdd or OpSub
	step *ssa.Value // defined outside of the loop, or a constant
}

// counterOf finds how variable k of a structured loop counts.
func counterOf(loop *ssa.Instr, k int) (c counter, ok bool) {
	param := loop.Cond().Params[k]
	if !ssa.IsInteger(param.Type) {
		return c, false
	}
	next, from := loop.Do().Terminator().Args[k], param
	if after := loop.Post().Terminator().Args[k]; after != loop.Post().Params[k] {
		if next != param {
			return c, false
		}
		next, from = after, loop.Post().Params[k]
	}
	d := next.Def
	if d == nil || d.Op != ssa.OpAdd && d.Op != ssa.OpSub {
		return c, false
	}
	c = counter{d.Op, d.Args[1]}
	if d.Args[0] != from {
		if d.Op == ssa.OpSub || d.Args[1] != from {
			return c, false
		}
		c.step = d.Args[0]
	}
	return c, isFixed(c.step, loop)
}

// isFixed reports whether a value is the same in all turns of a loop, and known outside of it.
func isFixed(v *ssa.Value, loop *ssa.Instr) bool {
	return ssa.IsConst(v) || !within(v, loop)
}

// within reports whether a value is defined inside of an If or a loop.
func within(v *ssa.Value, in *ssa.Instr) bool {
	o := v.Home().Owner
	return o != nil && o.Within(in)
}

// A trip is how often a loop runs that counts one of its variables up to a bound in steps of 1.
type trip struct{ from, to *ssa.Value }

// tripOf finds it, if the loop is such a one.
func tripOf(loop *ssa.Instr) (t trip, ok bool) {
	test := loop.Cond().Terminator().Args[0].Def
	if test == nil || test.Op != ssa.OpLt || test.Block != loop.Cond() {
		return t, false
	}
	v, to := test.Args[0], test.Args[1]
	if v.Def != nil || v.Block != loop.Cond() || !isFixed(to, loop) || ssa.IsUnsigned(v.Type) {
		return t, false
	}
	c, ok := counterOf(loop, v.Index())
	if !ok || c.op != ssa.OpAdd {
		return t, false
	}
	if step, known := c.step.Const(); !known || step.Int() != 1 {
		return t, false
	}
	return trip{loop.Args[v.Index()], to}, true
}

// atMost is a bound of the number of turns that is known now.
func atMost(loop *ssa.Instr) (n int64, ok bool) {
	if t, counted := tripOf(loop); counted {
		from, ok1 := t.from.Const()
		to, ok2 := t.to.Const()
		if ok1 && ok2 && to.Int()-from.Int() < 1<<20 {
			return max(0, to.Int()-from.Int()), true
		}
	}
	return 0, false
}
