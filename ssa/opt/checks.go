package opt

import (
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
func HasChecks(f *ssa.Func) bool { return NumChecks(f.Body) > 0 }

// NumChecks is the number of checks in a block, and in the blocks in it.
func NumChecks(b *ssa.Block) (n int) {
	b.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpCheck {
			n++
		}
	})
	return n
}

// A Checker walks a function in the order of the code, and has the facts that hold at each place.
type Checker struct {
	*analysis.Facts
	Fn    *ssa.Func
	ids   []*ssa.Instr                // OpThreadID and OpThreadDim so far, visible or not
	grown map[*ssa.Value]bool         // variables of loops that do not decrease, nor wrap
	Hoist func(check *ssa.Instr) bool // what else may answer a check, or nil
	// Steps may promise, for the facts of the walk, that what a loop adds to a variable, or subtracts from it, is not
	// negative, and that limit op step does not wrap; or nil.
	Steps   func(op ssa.Op, limit, step *ssa.Value) bool
	At      func(in *ssa.Instr) // is told where the walk is, and may ask for the facts that hold there; or nil
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
		if id.Op == ssa.OpThreadID && !id.Rows && dim.Op == ssa.OpThreadDim && id.Args[0] == dim.Args[0] &&
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
