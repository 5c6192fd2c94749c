package opt

import (
	"math"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// loop adds facts for a loop's blocks: a variable that counts up is not below its first value, one that
// counts down is not above it, and in Do the test holds. How far a variable comes holds behind the loop, too.
func (c *Checker) loop(in *ssa.Instr) {
	mark := c.Mark()
	test := in.Cond().Terminator().Args[0]
	var inBody, behind []func()
	for k, p := range in.Cond().Params {
		if !analysis.IsCounted(p.Type) || c.counter(in, k, test) {
			continue
		}
		if all, body, ok := c.gains(in, k); ok {
			first := in.Args[k]
			c.gained(p, first, all)
			inBody = append(inBody, func() { c.gained(p, first, body) })
			behind = append(behind, func() { c.gained(in.Results[k], first, all) })
		}
	}
	for k := range in.Cond().Params {
		behind = append(behind, c.comesTo(in, k, test)...)
	}
	c.Run(in.Cond())
	c.Assume(test, true)
	for _, add := range inBody {
		add()
	}
	c.Run(in.Do())
	c.TakeBack(mark)
	c.Run(in.Post())
	c.TakeBack(mark)
	for _, add := range behind {
		add()
	}
}

// counter records the facts about a variable that only increases or only decreases, if the test keeps it from
// wrapping. It reports whether there are any.
func (c *Checker) counter(in *ssa.Instr, k int, test *ssa.Value) bool {
	p := in.Cond().Params[k]
	if !analysis.OnlyPostChanges(in, k) {
		return false
	}
	if c.shrinks(in, k) {
		c.Add(nil, p, 0)
		c.Add(p, in.Args[k], 0)
		return true
	}
	op, by := step(in, k)
	if by == nil {
		return false
	}
	limits := comparisons(p, test)
	least, most, ok := c.stepRange(op, by)
	switch {
	case ok && least >= 0 && c.staysWithin(p, most, limits):
		c.grows(in, k)
	case ok && most <= 0 && c.staysWithin(p, least, limits):
		c.Add(p, in.Args[k], 0)
	case c.Steps != nil && hasChecks(in):
		return c.promised(in, k, op, by, limits)
	default:
		return false
	}
	return true
}

// comesTo records how far a variable comes that Post moves by a constant as long as the test holds: one step beyond the last
// number that passes it. It returns what holds behind the loop.
func (c *Checker) comesTo(in *ssa.Instr, k int, test *ssa.Value) (behind []func()) {
	p, first, result := in.Cond().Params[k], in.Args[k], in.Results[k]
	step, ok := analysis.Step(in, k)
	if !ok || !analysis.IsCounted(p.Type) || !analysis.OnlyPostChanges(in, k) || step < -maxGain || step > maxGain {
		return nil
	}
	limits := comparisons(p, test)
	if !c.staysWithin(p, step, limits) {
		return nil
	}
	for _, l := range limits {
		if l.of.IsInside(in) && !ssa.IsConst(l.of) {
			continue
		}
		more, up := step, step > 0 // v <= l.of + more, or l.of + more <= v
		switch {
		case up && l.op == ssa.OpLt:
			more--
		case !up && l.op == ssa.OpGt:
			more++
		case up && l.op != ssa.OpLe, !up && l.op != ssa.OpGe:
			continue
		}
		holds := func(v *ssa.Value) {
			if up {
				c.Add(v, l.of, more)
			} else {
				c.Add(l.of, v, -more)
			}
		}
		if up && c.Proves(first, l.of, more) || !up && c.Proves(l.of, first, -more) {
			holds(p)
			behind = append(behind, func() { holds(result) })
		}
	}
	if slices.ContainsFunc(in.Exits(ssa.OpBreak, nil), func(e *ssa.Instr) bool { return e.Args[k] != p }) {
		return nil // behind the loop it is something else
	}
	return append(behind, func() {
		if step < 0 {
			c.Add(result, first, 0)
		} else {
			c.Add(first, result, 0)
		}
	})
}

// promised records the facts about a variable if somebody else promises that its steps are not negative and do not wrap,
// which cannot be proven. It reports whether there are any.
func (c *Checker) promised(in *ssa.Instr, k int, op ssa.Op, by *ssa.Value, limits []comparison) bool {
	for _, l := range limits {
		switch up := l.op == ssa.OpLt || l.op == ssa.OpLe; {
		case up != (op == ssa.OpAdd) || l.op == ssa.OpEq || l.op == ssa.OpNe || !c.Steps(op, l.of, by):
			continue
		case up:
			c.grows(in, k)
		default:
			c.Add(in.Cond().Params[k], in.Args[k], 0)
		}
		return true
	}
	return false
}

// grows records that variable k does not decrease, nor wrap.
func (c *Checker) grows(in *ssa.Instr, k int) {
	c.Add(in.Args[k], in.Cond().Params[k], 0)
	if c.grown == nil {
		c.grown = make(map[*ssa.Value]bool)
	}
	c.grown[in.Cond().Params[k]] = true
}

func hasChecks(in *ssa.Instr) bool {
	return slices.ContainsFunc(in.Blocks, func(b *ssa.Block) bool { return NumChecks(b) > 0 })
}

// shrinks reports whether variable k begins at zero or above, and comes nearer to zero with each iteration, or stays.
func (c *Checker) shrinks(in *ssa.Instr, k int) bool {
	d := in.Post().Terminator().Args[k].Def
	if d == nil || len(d.Args) != 2 || d.Args[0] != in.Post().Params[k] || !c.Proves(nil, in.Args[k], 0) {
		return false
	}
	return d.Op == ssa.OpShr || d.Op == ssa.OpAnd || (d.Op == ssa.OpDiv || d.Op == ssa.OpRem) && c.Proves(nil, d.Args[1], -1)
}

// Stride is the number that a loop adds to a variable in each iteration, if it is a positive constant and the sum does
// not wrap, and what the variable begins with; or nil.
func (c *Checker) Stride(v *ssa.Value) (first *ssa.Value, by int64) {
	if !c.grown[v] {
		return nil, 0
	}
	in, k := v.Block.Owner, v.Index()
	by, ok := analysis.Step(in, k)
	if !ok || by <= 0 {
		return nil, 0
	}
	return in.Args[k], by
}

// step is what Post does with variable k: OpAdd or OpSub, and what it adds or subtracts; nil for anything else.
func step(in *ssa.Instr, k int) (op ssa.Op, by *ssa.Value) {
	by, negative := analysis.Added(in, k)
	if negative {
		return ssa.OpSub, by
	}
	return ssa.OpAdd, by
}

// stepRange is the range of the number that is added to a variable.
func (c *Checker) stepRange(op ssa.Op, by *ssa.Value) (least, most int64, ok bool) {
	least, most = analysis.Limits(by.Type)
	if hi, ok := c.Within(by, nil); ok {
		most = hi
	}
	if lo, ok := c.Within(nil, by); ok && lo > math.MinInt64 {
		least = -lo
	}
	if op == ssa.OpSub {
		if least == math.MinInt64 {
			return 0, 0, false
		}
		least, most = -most, -least
	}
	return least, most, true
}

// A comparison says that a variable compares so with a value.
type comparison struct {
	op ssa.Op
	of *ssa.Value
}

// comparisons are those of a variable that a test, if it is true, has found to hold. It may be the last one of several
// tests.
func comparisons(v, test *ssa.Value) []comparison {
	d := test.Def
	if d == nil {
		return nil
	}
	switch {
	case d.Op == ssa.OpAnd:
		return append(comparisons(v, d.Args[0]), comparisons(v, d.Args[1])...)
	case d.Op == ssa.OpIf:
		if a, _, ok := analysis.And(test); ok {
			return comparisons(v, a)
		}
	case d.Op.IsComparison() && analysis.IsCounted(d.Args[0].Type):
		if op, of := analysis.ComparedTo(d, v); of != nil {
			return []comparison{{op, of}}
		}
	}
	return nil
}

// staysWithin reports whether one of the limits keeps a variable from wrapping with one more step.
func (c *Checker) staysWithin(v *ssa.Value, step int64, limits []comparison) bool {
	lo, hi := analysis.Limits(v.Type)
	return slices.ContainsFunc(limits, func(l comparison) bool {
		if step > 0 {
			last, ok := c.Within(l.of, nil)
			return ok && (l.op == ssa.OpLt && last-1 <= hi-step || l.op == ssa.OpLe && last <= hi-step)
		}
		first := lo
		if below, ok := c.Within(nil, l.of); ok {
			first = max(lo, -below)
		}
		return l.op == ssa.OpGt && first >= lo-step-1 || l.op == ssa.OpGe && first >= lo-step
	})
}
