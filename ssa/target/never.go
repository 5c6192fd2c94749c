package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// never reports whether the limits of its numbers show that no launch can answer a check. Of a number that a thread reads, an earlier
// check may be all that is known: it is an index of a slice. No launch can tell then that the next number is one, too.
func (t *LaunchTest) never(c *LaunchCheck) bool {
	below := func(a, b int, by int64) bool { // a + by <= b
		limits := t.limits(a, atMost, 6)
		return len(limits) > 0 && !slices.ContainsFunc(limits, func(l Limit) bool { return l.Formula != b || l.Plus+by <= 0 })
	}
	negative := func(a int) bool {
		limits := t.limits(a, atLeast, 6)
		return len(limits) > 0 && !slices.ContainsFunc(limits, func(l Limit) bool { return l.Formula >= 0 || l.Plus >= 0 })
	}
	if slices.ContainsFunc(c.Operands, func(k int) bool { return len(t.Formulas[k].Not) > 0 }) {
		return false // what the number is not may be the end of its interval
	}
	switch c.Check {
	case ssa.CheckIndex:
		return negative(c.Operands[0]) || below(c.Operands[0], c.Operands[1], 1)
	case ssa.CheckSlice:
		return negative(c.Operands[0]) || below(c.Operands[1], c.Operands[2], 0)
	}
	return false
}

// atMost and atLeast are the limits of a formula.
func atMost(f *Formula) []Limit  { return f.AtMost }
func atLeast(f *Formula) []Limit { return f.AtLeast }

// limits are the formulas that limit one, and the constants that are added to them. It limits itself if it computes
// something, or grows in steps, or if it is more than so deep.
func (t *LaunchTest) limits(k int, of func(f *Formula) []Limit, depth int) (list []Limit) {
	f := &t.Formulas[k]
	shift := func(by int, plus int64) {
		for _, l := range t.limits(by, of, depth-1) {
			if sum, ok := analysis.Plus(l.Plus, plus); ok {
				list = append(list, Limit{l.Formula, sum})
			}
		}
	}
	switch {
	case depth == 0:
		return []Limit{{k, 0}}
	case f.Op == ssa.OpInvalid:
	case f.Op == ssa.OpConst:
		return []Limit{{-1, f.Const}}
	case f.Op == ssa.OpAdd && t.Formulas[f.Operands[1]].Op == ssa.OpConst:
		shift(f.Operands[0], t.Formulas[f.Operands[1]].Const)
	case f.Op == ssa.OpAdd && t.Formulas[f.Operands[0]].Op == ssa.OpConst:
		shift(f.Operands[1], t.Formulas[f.Operands[0]].Const)
	case f.Op == ssa.OpSub && t.Formulas[f.Operands[1]].Op == ssa.OpConst && t.Formulas[f.Operands[1]].Const > -1<<62:
		shift(f.Operands[0], -t.Formulas[f.Operands[1]].Const)
	default:
		list = append(list, Limit{k, 0})
	}
	if f.By != 0 {
		list = append(list, Limit{k, 0})
	}
	for _, l := range of(f) {
		if l.Formula < 0 {
			list = append(list, l)
		} else {
			shift(l.Formula, l.Plus)
		}
	}
	return list
}
