package analysis

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Cycles divides functions, and all that they call, into groups. The functions of a group call each other, directly or
// through others. A function that never leads back to itself is a group of one. Callees come before their callers.
//
// It is Tarjan's algorithm: each function is visited once.
func Cycles(funcs []*ssa.Func) [][]*ssa.Func {
	c := newCycles()
	for _, f := range funcs {
		c.add(f)
	}
	return c.groups
}

// cycles finds the groups of [Cycles].
type cycles struct {
	index   map[*ssa.Func]int // of the visited functions: when, from 1
	open    []*ssa.Func       // the visited functions without a group yet, in the order of their visits
	grouped map[*ssa.Func]bool
	groups  [][]*ssa.Func
}

func newCycles() *cycles {
	return &cycles{index: make(map[*ssa.Func]int), grouped: make(map[*ssa.Func]bool)}
}

// add returns the groups of a function and of all that it leads to, as far as they are new.
func (c *cycles) add(f *ssa.Func) [][]*ssa.Func {
	before := len(c.groups)
	if c.index[f] == 0 {
		c.visit(f)
	}
	return c.groups[before:]
}

// visit returns the lowest index of an open function that f leads to.
func (c *cycles) visit(f *ssa.Func) (lowest int) {
	first := len(c.open)
	c.open = append(c.open, f)
	lowest = len(c.index) + 1
	c.index[f] = lowest
	for _, g := range callees(f) {
		switch {
		case c.grouped[g]:
		case c.index[g] != 0:
			lowest = min(lowest, c.index[g])
		default:
			lowest = min(lowest, c.visit(g))
		}
	}
	if lowest == c.index[f] { // no function that was visited earlier is in the group
		group := slices.Clone(c.open[first:])
		for _, g := range group {
			c.grouped[g] = true
		}
		c.open = c.open[:first]
		c.groups = append(c.groups, group)
	}
	return lowest
}

// callees are the functions that a function calls itself, each once.
func callees(f *ssa.Func) (list []*ssa.Func) {
	seen := make(map[*ssa.Func]bool)
	f.Body.Walk(func(in *ssa.Instr) {
		if (in.Op == ssa.OpCall || in.Op == ssa.OpRecur) && !seen[in.Callee] {
			seen[in.Callee] = true
			list = append(list, in.Callee)
		}
	})
	return list
}

// LeadsToItself reports whether the functions of a group of [Cycles] call each other, or its only function calls
// itself.
func LeadsToItself(group []*ssa.Func) bool {
	return len(group) > 1 || slices.Contains(callees(group[0]), group[0])
}
