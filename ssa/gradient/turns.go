package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// countTurns gives each loop of a structured function one more variable, the last one, which counts its turns. One that
// nobody reads is removed later.
func countTurns(b *ssa.Block) {
	for _, in := range slices.Clone(b.Instrs) {
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
	at := slices.Index(b.Instrs, loop)
	b.Instrs = slices.Insert(b.Instrs[:len(b.Instrs)-1], at, zero)
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
	one := loop.Post().AppendInt(ssa.Int64, 1)
	after := loop.Post().Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{before, one}, Stmt: yield.Stmt}, ssa.Int64).Result()
	yield.Args = with(yield.Args, after)
	loop.Post().Instrs = append(loop.Post().Instrs, yield)
}

// A step is what each turn of a loop adds to a variable: a constant, or as many times the number of threads of a block.
type step struct {
	n  int64
	of *ssa.Value // the number of threads of a block, nil for 1
}

// countOf finds what a loop with exits adds to its variable k in each turn after which there is another one.
func countOf(loop *ssa.Instr, k int) (by step, ok bool) {
	if !ssa.IsInteger(loop.Cond().Params[k].Type) || !analysis.OnlyPostChanges(loop, k) {
		return by, false
	}
	if dim := analysis.StepOfBlock(loop, k); dim != nil {
		return step{1, dim}, true
	}
	by.n, ok = analysis.Step(loop, k)
	return by, ok
}

// limitOf finds how many turns a loop takes at most, if its variable k counts from a constant to another one.
func limitOf(loop *ssa.Instr, k int, by step) (n int64, ok bool) {
	step := by.n // a block has a thread or more
	test := loop.Cond().Terminator().Args[0].Def
	if test == nil || test.Op != ssa.OpLt || test.Args[0] != loop.Cond().Params[k] || ssa.IsUnsigned(test.Args[0].Type) || step < 1 {
		return 0, false
	}
	from, ok1 := loop.Args[k].Const()
	to, ok2 := test.Args[1].Const()
	const most = 1 << 20 // far from where the variable could wrap
	if !ok1 || !ok2 || min(from.Int(), to.Int()) < -most || max(from.Int(), to.Int()) > most || step > most || ssa.Bits(test.Args[0].Type) < 32 {
		return 0, false
	}
	return max(0, (to.Int()-from.Int()+step-1)/step), true
}

// within reports whether a value is defined inside of an If or a loop.
func within(v *ssa.Value, in *ssa.Instr) bool {
	o := v.Home().Owner
	return o != nil && o.Within(in)
}

// A trip is how often a loop without other exits runs that counts one of its variables up to a bound. It begins at 0 if
// from is nil.
type trip struct {
	from, to *ssa.Value
	by       step
}

// isShare reports whether the threads of a block share the numbers up to a bound: each begins with its own index.
func (t trip) isShare() bool {
	return t.by.of != nil && t.by.n == 1 && t.from != nil && t.from.Def != nil && t.from.Def.Op == ssa.OpLane
}

// most is a trip with as many turns as that of any thread of the block. Threads that share the numbers up to a bound have
// the same.
func (t trip) most() trip {
	if t.isShare() {
		t.from = nil // 0
	}
	return t
}

// maxStep is the largest constant step of a trip. So a variable of 64 bits that wraps around on the way has gone through
// more turns than any program can.
const maxStep = 1 << 10

// tripOf finds it, if the loop is such a one.
func (d *differ) tripOf(loop *ssa.Instr) (t trip, ok bool) {
	test := loop.Cond().Terminator().Args[0].Def
	if test == nil || test.Op != ssa.OpLt || test.Block != loop.Cond() {
		return t, false
	}
	v, to := test.Args[0], test.Args[1]
	if v.Def != nil || v.Block != loop.Cond() || ssa.IsUnsigned(v.Type) || !ssa.IsConst(to) && within(to, loop) {
		return t, false
	}
	by := d.counts[v]
	if by != (step{n: 1}) && (v.Type != ssa.Int64 || by.n < 1 || by.n > maxStep) {
		return t, false
	}
	return trip{loop.Args[v.Index()], to, by}, true
}
