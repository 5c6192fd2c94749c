package opt

import (
	"math"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// checks removes the checks that are proven: by the computation of their operands, by the guards and loop
// tests around them, or by an earlier check of the same condition. After cse a length is one value, and no
// slice changes its length.
func checks(f *ssa.Func, summaries *analysis.Summaries) bool {
	if !HasChecks(f) {
		return false
	}
	c := NewChecker(f)
	c.Remarks = summaries.Remarks
	c.Run(f.Body)
	return c.changed
}

// HasChecks reports whether a function has checks.
func HasChecks(f *ssa.Func) bool {
	found := false
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCheck })
	return found
}

// A Checker walks a function in the order of the code, and has the facts that hold at each place.
type Checker struct {
	*analysis.Facts
	Fn      *ssa.Func
	ids     []*ssa.Instr                // OpThreadID and OpThreadDim so far, visible or not
	Hoist   func(check *ssa.Instr) bool // what else may answer a check, or nil
	At      func(in *ssa.Instr)         // is told where the walk is, and may ask for the facts that hold there; or nil
	Remarks ssa.Remarks
	changed bool
}

// NewChecker prepares a walk over a function.
func NewChecker(f *ssa.Func) *Checker { return &Checker{Facts: analysis.NewFacts(f), Fn: f} }

// Run removes the proven checks of a block. Afterwards the Checker has the facts that hold at the block's
// end.
func (c *Checker) Run(b *ssa.Block) {
	kept := b.Instrs[:0]
	for _, in := range b.Instrs {
		if c.At != nil {
			c.At(in)
		}
		if in.Op == ssa.OpCheck {
			if c.proven(in) || c.Hoist != nil && c.Hoist(in) {
				c.changed = true
				c.checked(in) // it may be shorter to see now
				continue
			}
			c.checked(in)
		}
		kept = append(kept, in)
		c.Number(in)
		c.instr(in)
	}
	clear(b.Instrs[len(kept):])
	b.Instrs = kept
}

func (c *Checker) instr(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpIf:
		c.branch(in)
	case ssa.OpLoop:
		c.loop(in)
	case ssa.OpFor:
		mark := c.Mark()
		for i, p := range in.Blocks[0].Params {
			c.Add(nil, p, 0)
			c.Add(p, in.Args[i], -1)
		}
		c.Run(in.Blocks[0])
		c.TakeBack(mark)
	case ssa.OpThreadID, ssa.OpThreadDim:
		c.place(in)
	}
}

// proven reports whether a check is proven, and says so.
func (c *Checker) proven(in *ssa.Instr) bool {
	holds := c.holds(in)
	switch {
	case c.Remarks == nil:
	case holds:
		c.Remarks.On("checks", ssa.Done, in, "%s: proven, by the ranges of the operands, the tests around it, or an earlier check", Condition(in))
	default:
		c.Remarks.On("checks", ssa.Missed, in, "%s: %s", Condition(in), c.whyNot(in))
	}
	return holds
}

// holds reports whether a check is proven.
func (c *Checker) holds(in *ssa.Instr) bool {
	x := in.Args
	switch in.Check {
	case ssa.CheckIndex:
		return c.Proves(nil, x[0], 0) && c.Proves(x[0], x[1], -1)
	case ssa.CheckSlice:
		return c.Proves(nil, x[0], 0) && c.Proves(x[0], x[1], 0) && c.Proves(x[1], x[2], 0)
	case ssa.CheckDivide:
		return c.Not0[x[0]] || analysis.IsCounted(x[0].Type) && (c.Proves(nil, x[0], -1) || c.Proves(x[0], nil, -1))
	case ssa.CheckShift:
		return c.Proves(nil, x[0], 0)
	case ssa.CheckNil:
		return c.Not0[x[0]] || x[0].IsNotNil()
	case ssa.CheckAssert:
		return c.Truth[x[0]]
	}
	return false
}

// checked records what holds after a check.
func (c *Checker) checked(in *ssa.Instr) {
	x := in.Args
	switch in.Check {
	case ssa.CheckIndex:
		c.Add(nil, x[0], 0)
		c.Add(x[0], x[1], -1)
	case ssa.CheckSlice:
		c.Add(nil, x[0], 0)
		c.Add(x[0], x[1], 0)
		c.Add(x[1], x[2], 0)
	case ssa.CheckDivide, ssa.CheckNil:
		c.LearnNotZero(x[0])
	case ssa.CheckShift:
		c.Add(nil, x[0], 0)
	case ssa.CheckAssert:
		c.Assume(x[0], true)
	}
}

// place relates the indices of the thread to the sizes of the launch.
func (c *Checker) place(in *ssa.Instr) {
	for _, other := range c.ids {
		id, dim := in, other
		if id.Op == ssa.OpThreadDim {
			id, dim = dim, id
		}
		if id.Op == ssa.OpThreadID && dim.Op == ssa.OpThreadDim && id.Args[0] == dim.Args[0] &&
			id.Axis == dim.Axis && (id.Rank > 1 || c.Fn.Rank == 1) {
			c.Add(id.Result(), dim.Result(), -1)
		}
	}
	c.ids = append(c.ids, in)
}

// branch keeps the facts of a block if only that block reaches its end, and the facts about results that hold
// in both blocks.
func (c *Checker) branch(in *ssa.Instr) {
	var yields [2]*ssa.Instr
	for i, b := range in.Blocks {
		if t := b.Terminator(); t.Op == ssa.OpYield {
			yields[i] = t
		}
	}
	// The block that is left is visited first, because its facts are not needed later.
	first := 0
	if yields[0] != nil && yields[1] == nil {
		first = 1
	}
	mark := c.Mark()
	c.enter(in, first)
	bases := c.bases(in, yields)
	joined := c.bounds(bases, yields[first])
	c.TakeBack(mark)
	second := 1 - first
	c.enter(in, second)
	switch {
	case yields[second] == nil:
		c.TakeBack(mark)
	case yields[first] == nil:
		for k, r := range in.Results {
			if analysis.IsCounted(r.Type) {
				c.Add(r, yields[second].Args[k], 0)
				c.Add(yields[second].Args[k], r, 0)
			}
		}
	default:
		other := c.bounds(bases, yields[second])
		c.TakeBack(mark)
		for i := range joined {
			c.join(in, joined[i], other[i])
		}
	}
}

func (c *Checker) enter(in *ssa.Instr, block int) {
	c.Assume(in.Args[0], block == 0)
	c.Run(in.Blocks[block])
}

// A bound says that the result k of an If lies between two sums.
type bound struct {
	k            int
	base         *ssa.Value // nil for zero
	above, below int64      // result <= base+above, base <= result+below
	hasA, hasB   bool
}

// bases are candidates for bounds of the results of an If: zero, and the operands of its condition.
func (c *Checker) bases(in *ssa.Instr, yields [2]*ssa.Instr) []*ssa.Value {
	if yields[0] == nil || yields[1] == nil || len(in.Results) == 0 {
		return nil
	}
	bases := []*ssa.Value{nil}
	if d := in.Args[0].Def; d != nil && d.Op.IsComparison() && analysis.IsCounted(d.Args[0].Type) {
		for _, a := range d.Args {
			if v, _ := c.Term(a); v != nil {
				bases = append(bases, v)
			}
			if a.Def != nil && (a.Def.Op == ssa.OpSub || a.Def.Op == ssa.OpAdd) && ssa.IsConst(a.Def.Args[1]) {
				bases = append(bases, a.Def.Args[0])
			}
		}
	}
	return bases
}

// bounds are the bounds of the values that a block yields.
func (c *Checker) bounds(bases []*ssa.Value, yield *ssa.Instr) []bound {
	if yield == nil {
		return nil
	}
	var bs []bound
	for k, v := range yield.Args {
		if !analysis.IsCounted(v.Type) {
			continue
		}
		for _, base := range bases {
			b := bound{k: k, base: base}
			b.above, b.hasA = c.Within(v, base)
			b.below, b.hasB = c.Within(base, v)
			bs = append(bs, b)
		}
	}
	return bs
}

// join records what holds for a result in both blocks.
func (c *Checker) join(in *ssa.Instr, a, b bound) {
	r := in.Results[a.k]
	if a.hasA && b.hasA {
		c.Add(r, a.base, max(a.above, b.above))
	}
	if a.hasB && b.hasB {
		c.Add(a.base, r, max(a.below, b.below))
	}
}

// loop adds facts for a loop's blocks: a variable that counts up is not below its first value, one that
// counts down is not above it, and in Do the test holds.
func (c *Checker) loop(in *ssa.Instr) {
	mark := c.Mark()
	test := in.Cond().Terminator().Args[0]
	for k, p := range in.Cond().Params {
		if analysis.IsCounted(p.Type) {
			c.counter(in, k, test)
		}
	}
	c.Run(in.Cond())
	c.Assume(test, true)
	c.Run(in.Do())
	c.TakeBack(mark)
	c.Run(in.Post())
	c.TakeBack(mark)
}

// counter records the facts about a variable that only increases or only decreases, if the test keeps it from
// wrapping.
func (c *Checker) counter(in *ssa.Instr, k int, test *ssa.Value) {
	p := in.Cond().Params[k]
	least, most, ok := c.step(in, k)
	if !ok {
		return
	}
	for _, e := range in.Exits(ssa.OpContinue, nil) {
		if e.Args[k] != p {
			return
		}
	}
	switch {
	case least >= 0 && c.staysWithin(p, most, test):
		c.Add(in.Args[k], p, 0)
	case most <= 0 && c.staysWithin(p, least, test):
		c.Add(p, in.Args[k], 0)
	}
}

// step is the range of the number that Post adds to variable k.
func (c *Checker) step(in *ssa.Instr, k int) (least, most int64, ok bool) {
	param := in.Post().Params[k]
	d := in.Post().Terminator().Args[k].Def
	if d == nil || d.Op != ssa.OpAdd && d.Op != ssa.OpSub {
		return 0, 0, false
	}
	x, by := d.Args[0], d.Args[1]
	if d.Op == ssa.OpAdd && by == param {
		x, by = by, x
	}
	if x != param {
		return 0, 0, false
	}
	least, most = analysis.Limits(by.Type)
	if hi, ok := c.Within(by, nil); ok {
		most = hi
	}
	if lo, ok := c.Within(nil, by); ok && lo > math.MinInt64 {
		least = -lo
	}
	if d.Op == ssa.OpSub {
		if least == math.MinInt64 {
			return 0, 0, false
		}
		least, most = -most, -least
	}
	return least, most, true
}

// staysWithin reports whether a true test implies that one more step does not wrap. It may be the last one of
// several tests.
func (c *Checker) staysWithin(v *ssa.Value, step int64, test *ssa.Value) bool {
	d := test.Def
	if d == nil {
		return false
	}
	switch {
	case d.Op == ssa.OpAnd:
		return c.staysWithin(v, step, d.Args[0]) || c.staysWithin(v, step, d.Args[1])
	case d.Op == ssa.OpIf: // of a && b: b, or false
		t := d.Else().Terminator()
		if t.Op != ssa.OpYield {
			return false
		}
		other, ok := t.Args[test.Index()].Const()
		return ok && !other.Bool() && c.staysWithin(v, step, d.Args[0])
	case !d.Op.IsComparison() || !analysis.IsCounted(d.Args[0].Type):
		return false
	}
	op, bound := d.Op, d.Args[1]
	switch v {
	case d.Args[0]:
	case d.Args[1]:
		op, bound = analysis.Mirrored(op), d.Args[0]
	default:
		return false
	}
	lo, hi := analysis.Limits(v.Type)
	if step > 0 {
		last, ok := c.Within(bound, nil)
		switch {
		case !ok:
			return false
		case op == ssa.OpLt:
			return last-1 <= hi-step
		case op == ssa.OpLe:
			return last <= hi-step
		}
		return false
	}
	first := lo
	if below, ok := c.Within(nil, bound); ok {
		first = max(lo, -below)
	}
	switch op {
	case ssa.OpGt:
		return first >= lo-step-1
	case ssa.OpGe:
		return first >= lo-step
	}
	return false
}

// holds reports whether a check is proven by constants and by the origin of an address.
func holds(in *ssa.Instr) bool {
	var x [3]int64
	for i, a := range in.Args {
		c, ok := a.Const()
		if !ok {
			return in.Check == ssa.CheckNil && a.IsNotNil()
		}
		x[i] = c.Int()
	}
	switch in.Check {
	case ssa.CheckIndex:
		return 0 <= x[0] && x[0] < x[1]
	case ssa.CheckSlice:
		return 0 <= x[0] && x[0] <= x[1] && x[1] <= x[2]
	case ssa.CheckDivide:
		return x[0] != 0
	case ssa.CheckShift:
		return x[0] >= 0
	case ssa.CheckAssert:
		return x[0] != 0
	case ssa.CheckSync:
		return true // a constant is the same in all threads
	}
	return false
}
