package ssa

import "math"

// checks removes the checks that are sure to hold: for what is computed, by the
// guards and the tests of loops around them, or because the same was checked before.
// A length is one value after cse, and no slice changes its length.
func checks(f *Func) bool {
	if !f.hasChecks() {
		return false
	}
	c := newChecker(f)
	c.block(f.Body)
	return c.changed
}

func (f *Func) hasChecks() bool {
	found := false
	f.Body.Walk(func(in *Instr) { found = found || in.Op == OpCheck })
	return found
}

// checker walks a function in the order of the text, and knows at each place what
// holds there.
type checker struct {
	*facts
	fn      *Func
	ids     []*Instr                // OpThreadID and OpThreadDim so far, visible or not
	hoist   func(check *Instr) bool // what else may answer a check, or nil
	changed bool
}

func newChecker(f *Func) *checker { return &checker{facts: newFacts(f), fn: f} }

// block leaves the facts of what is reached after the block's end.
func (c *checker) block(b *Block) {
	kept := b.Instrs[:0]
	for _, in := range b.Instrs {
		if in.Op == OpCheck {
			if c.holds(in) || c.hoist != nil && c.hoist(in) {
				c.changed = true
				c.checked(in) // it may be shorter to see now
				continue
			}
			c.checked(in)
		}
		kept = append(kept, in)
		c.number(in)
		c.instr(in)
	}
	clear(b.Instrs[len(kept):])
	b.Instrs = kept
}

func (c *checker) instr(in *Instr) {
	switch in.Op {
	case OpIf:
		c.branch(in)
	case OpLoop:
		c.loop(in)
	case OpFor:
		mark := c.mark()
		for i, p := range in.Blocks[0].Params {
			c.add(nil, p, 0)
			c.add(p, in.Args[i], -1)
		}
		c.block(in.Blocks[0])
		c.takeBack(mark)
	case OpThreadID, OpThreadDim:
		c.place(in)
	}
}

// holds reports whether a check is proven.
func (c *checker) holds(in *Instr) bool {
	x := in.Args
	switch in.Check {
	case CheckIndex:
		return c.proves(nil, x[0], 0) && c.proves(x[0], x[1], -1)
	case CheckSlice:
		return c.proves(nil, x[0], 0) && c.proves(x[0], x[1], 0) && c.proves(x[1], x[2], 0)
	case CheckDivide:
		return c.not0[x[0]] || isCounted(x[0].Type) && (c.proves(nil, x[0], -1) || c.proves(x[0], nil, -1))
	case CheckShift:
		return c.proves(nil, x[0], 0)
	case CheckNil:
		return c.not0[x[0]] || x[0].isAddress()
	case CheckAssert:
		return c.known[x[0]]
	}
	return false
}

// checked notes what holds after a check.
func (c *checker) checked(in *Instr) {
	x := in.Args
	switch in.Check {
	case CheckIndex:
		c.add(nil, x[0], 0)
		c.add(x[0], x[1], -1)
	case CheckSlice:
		c.add(nil, x[0], 0)
		c.add(x[0], x[1], 0)
		c.add(x[1], x[2], 0)
	case CheckDivide, CheckNil:
		c.learnNot0(x[0])
	case CheckShift:
		c.add(nil, x[0], 0)
	case CheckAssert:
		c.assume(x[0], true)
	}
}

// place relates the indices of the thread to the sizes of the launch.
func (c *checker) place(in *Instr) {
	for _, other := range c.ids {
		id, dim := in, other
		if id.Op == OpThreadDim {
			id, dim = dim, id
		}
		if id.Op == OpThreadID && dim.Op == OpThreadDim && id.Args[0] == dim.Args[0] &&
			id.Axis == dim.Axis && (id.Rank > 1 || c.fn.Rank == 1) {
			c.add(id.Result(), dim.Result(), -1)
		}
	}
	c.ids = append(c.ids, in)
}

// branch keeps the facts of a block that is the only one to come to its end, and
// those about results that both blocks give.
func (c *checker) branch(in *Instr) {
	var yields [2]*Instr
	for i, b := range in.Blocks {
		if t := b.Terminator(); t.Op == OpYield {
			yields[i] = t
		}
	}
	// The block that is left goes first, for its facts are of no more use.
	first := 0
	if yields[0] != nil && yields[1] == nil {
		first = 1
	}
	mark := c.mark()
	c.enter(in, first)
	bases := c.bases(in, yields)
	joined := c.bounds(bases, yields[first])
	c.takeBack(mark)
	second := 1 - first
	c.enter(in, second)
	switch {
	case yields[second] == nil:
		c.takeBack(mark)
	case yields[first] == nil:
		for k, r := range in.Results {
			if isCounted(r.Type) {
				c.add(r, yields[second].Args[k], 0)
				c.add(yields[second].Args[k], r, 0)
			}
		}
	default:
		other := c.bounds(bases, yields[second])
		c.takeBack(mark)
		for i := range joined {
			c.join(in, joined[i], other[i])
		}
	}
}

func (c *checker) enter(in *Instr, block int) {
	c.assume(in.Args[0], block == 0)
	c.block(in.Blocks[block])
}

// bound is that the result k of an If lies between two sums.
type bound struct {
	k            int
	base         *Value // nil for zero
	above, below int64  // result <= base+above, base <= result+below
	hasA, hasB   bool
}

// bases are what the results of an If may be near to: zero, and what its condition
// compares.
func (c *checker) bases(in *Instr, yields [2]*Instr) []*Value {
	if yields[0] == nil || yields[1] == nil || len(in.Results) == 0 {
		return nil
	}
	bases := []*Value{nil}
	if d := in.Args[0].Def; d != nil && ops[d.Op].shape == shapeComparison && isCounted(d.Args[0].Type) {
		for _, a := range d.Args {
			if v, _ := c.term(a); v != nil {
				bases = append(bases, v)
			}
			if a.Def != nil && (a.Def.Op == OpSub || a.Def.Op == OpAdd) && isConst(a.Def.Args[1]) {
				bases = append(bases, a.Def.Args[0])
			}
		}
	}
	return bases
}

// bounds are those of what a block yields.
func (c *checker) bounds(bases []*Value, yield *Instr) []bound {
	if yield == nil {
		return nil
	}
	var bs []bound
	for k, v := range yield.Args {
		if !isCounted(v.Type) {
			continue
		}
		for _, base := range bases {
			b := bound{k: k, base: base}
			b.above, b.hasA = c.within(v, base)
			b.below, b.hasB = c.within(base, v)
			bs = append(bs, b)
		}
	}
	return bs
}

// join notes what holds of a result whichever block gave it.
func (c *checker) join(in *Instr, a, b bound) {
	r := in.Results[a.k]
	if a.hasA && b.hasA {
		c.add(r, a.base, max(a.above, b.above))
	}
	if a.hasB && b.hasB {
		c.add(a.base, r, max(a.below, b.below))
	}
}

// loop knows in a loop's blocks that a variable that counts up is not below its
// first value, nor one that counts down above it, and in Do that the test held.
func (c *checker) loop(in *Instr) {
	mark := c.mark()
	test := in.Cond().Terminator().Args[0]
	for k, p := range in.Cond().Params {
		if isCounted(p.Type) {
			c.counter(in, k, test)
		}
	}
	c.block(in.Cond())
	c.assume(test, true)
	c.block(in.Do())
	c.takeBack(mark)
	c.block(in.Post())
	c.takeBack(mark)
}

// counter notes what is known of a variable that goes only up or only down, if the
// test keeps it from wrapping.
func (c *checker) counter(in *Instr, k int, test *Value) {
	p := in.Cond().Params[k]
	least, most, ok := c.step(in, k)
	if !ok {
		return
	}
	for _, e := range in.exits(OpContinue, nil) {
		if e.Args[k] != p {
			return
		}
	}
	switch {
	case least >= 0 && c.staysWithin(p, most, test):
		c.add(in.Args[k], p, 0)
	case most <= 0 && c.staysWithin(p, least, test):
		c.add(p, in.Args[k], 0)
	}
}

// step is the range of what Post adds to the variable k.
func (c *checker) step(in *Instr, k int) (least, most int64, ok bool) {
	param := in.Post().Params[k]
	d := in.Post().Terminator().Args[k].Def
	if d == nil || d.Op != OpAdd && d.Op != OpSub {
		return 0, 0, false
	}
	x, by := d.Args[0], d.Args[1]
	if d.Op == OpAdd && by == param {
		x, by = by, x
	}
	if x != param {
		return 0, 0, false
	}
	least, most = limits(by.Type)
	if hi, ok := c.within(by, nil); ok {
		most = hi
	}
	if lo, ok := c.within(nil, by); ok && lo > math.MinInt64 {
		least = -lo
	}
	if d.Op == OpSub {
		if least == math.MinInt64 {
			return 0, 0, false
		}
		least, most = -most, -least
	}
	return least, most, true
}

// staysWithin reports whether a test that holds says that one more step does not
// wrap. It may be the last one of several tests.
func (c *checker) staysWithin(v *Value, step int64, test *Value) bool {
	d := test.Def
	if d == nil {
		return false
	}
	switch {
	case d.Op == OpAnd:
		return c.staysWithin(v, step, d.Args[0]) || c.staysWithin(v, step, d.Args[1])
	case d.Op == OpIf: // of a && b: b, or false
		t := d.Else().Terminator()
		if t.Op != OpYield {
			return false
		}
		other, ok := t.Args[test.index()].Const()
		return ok && !other.Bool() && c.staysWithin(v, step, d.Args[0])
	case ops[d.Op].shape != shapeComparison || !isCounted(d.Args[0].Type):
		return false
	}
	op, bound := d.Op, d.Args[1]
	switch v {
	case d.Args[0]:
	case d.Args[1]:
		op, bound = mirrored(op), d.Args[0]
	default:
		return false
	}
	lo, hi := limits(v.Type)
	if step > 0 {
		last, ok := c.within(bound, nil)
		switch {
		case !ok:
			return false
		case op == OpLt:
			return last-1 <= hi-step
		case op == OpLe:
			return last <= hi-step
		}
		return false
	}
	first := lo
	if below, ok := c.within(nil, bound); ok {
		first = max(lo, -below)
	}
	switch op {
	case OpGt:
		return first >= lo-step-1
	case OpGe:
		return first >= lo-step
	}
	return false
}
