package opt

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file says why checks are not proven, for people.

// Condition is the condition of a check as people write it: "0 <= i < len(x)".
func Condition(in *ssa.Instr) string {
	x := func(i int) string { return in.Args[i].Expr() }
	switch in.Check {
	case ssa.CheckIndex:
		return fmt.Sprintf("0 <= %s < %s", x(0), x(1))
	case ssa.CheckSlice:
		return fmt.Sprintf("0 <= %s <= %s <= %s", x(0), x(1), x(2))
	case ssa.CheckDivide:
		return x(0) + " != 0"
	case ssa.CheckShift:
		return x(0) + " >= 0"
	case ssa.CheckNil:
		return x(0) + " != nil"
	case ssa.CheckSync:
		return "all threads of the block agree on " + x(0)
	}
	return x(0)
}

// An inequality is a <= b + c, as the checks pass asks for it.
type inequality struct {
	a, b *ssa.Value
	c    int64
	text string
}

// inequalities are those that a check consists of.
func inequalities(in *ssa.Instr) []inequality {
	x := in.Args
	name := func(v *ssa.Value) string { return v.Expr() }
	switch in.Check {
	case ssa.CheckIndex:
		return []inequality{{nil, x[0], 0, "0 <= " + name(x[0])}, {x[0], x[1], -1, name(x[0]) + " < " + name(x[1])}}
	case ssa.CheckSlice:
		return []inequality{{nil, x[0], 0, "0 <= " + name(x[0])}, {x[0], x[1], 0, name(x[0]) + " <= " + name(x[1])}, {x[1], x[2], 0, name(x[1]) + " <= " + name(x[2])}}
	case ssa.CheckShift:
		return []inequality{{nil, x[0], 0, "0 <= " + name(x[0])}}
	}
	return nil
}

// whyNot says what of a check is not proven, and the facts about the values in it.
func (c *Checker) whyNot(in *ssa.Instr) string {
	var open []string
	var about []*ssa.Value
	for _, q := range inequalities(in) {
		if c.Proves(q.a, q.b, q.c) {
			continue
		}
		open = append(open, q.text)
		for _, v := range []*ssa.Value{q.a, q.b} {
			if v != nil && !ssa.IsConst(v) {
				about = append(about, v)
			}
		}
	}
	if open == nil {
		return "nothing proves it"
	}
	text := "nothing proves " + strings.Join(open, " and ")
	var facts []string
	seen := make(map[string]bool)
	for _, v := range about {
		for _, fact := range c.factsOf(v) {
			if !seen[fact] {
				seen[fact] = true
				facts = append(facts, fact)
			}
		}
	}
	const most = 6
	if len(facts) == 0 {
		return text + "; nothing is known of what is in it"
	}
	if len(facts) > most {
		facts = append(facts[:most], "and more")
	}
	return text + "; known: " + strings.Join(facts, ", ")
}

// factsOf are the facts about a value: inequalities, or what computes it.
func (c *Checker) factsOf(v *ssa.Value) (list []string) {
	if !analysis.IsCounted(v.Type) {
		return nil
	}
	v = c.Canonical(v)
	side := func(f analysis.Fact, op string, sign int64) string {
		switch plus := sign * f.C; {
		case f.V == nil:
			return fmt.Sprintf("%s %s %d", v.Expr(), op, plus)
		case plus == 0:
			return fmt.Sprintf("%s %s %s", v.Expr(), op, f.V.Expr())
		default:
			return fmt.Sprintf("%s %s %s%+d", v.Expr(), op, f.V.Expr(), plus)
		}
	}
	for _, f := range c.FactsAbove(v) {
		list = append(list, side(f, "<=", 1))
	}
	for _, f := range c.FactsBelow(v) {
		list = append(list, side(f, ">=", -1))
	}
	if d := v.Def; v.Name != "" && d != nil && d.Op != ssa.OpIf && d.Op != ssa.OpLoop {
		list = append(list, v.Name+" is "+v.Computed())
	}
	return list
}
