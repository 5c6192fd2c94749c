package analysis

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// reach has the effects of functions with all functions that they lead to, by calls and by OpRecur. Functions that lead
// to each other have the same.
type reach struct {
	cycles *cycles
	funcs  map[*ssa.Func]*reaching
}

// reaching is how a function takes part.
type reaching struct {
	group   *reachGroup
	callees []*ssa.Func
	own     Effects // of its instructions but calls
	outside Effects // of its callees in other groups
}

// A reachGroup is a group of [Cycles]. It counts the functions that have each effect, so that it need not look at all
// of them when one has changed.
type reachGroup struct {
	count [16]int // by the bit of the effect
	set   Effects
}

// add counts the effects of a function once more, or with -1 once less.
func (g *reachGroup) add(set Effects, n int) {
	for i := range g.count {
		if set.Has(1 << i) {
			if g.count[i] += n; g.count[i] == 0 {
				g.set &^= 1 << i
			} else {
				g.set |= 1 << i
			}
		}
	}
}

// reached returns the effects of the instructions of a function and of all functions that it leads to.
func (s *Summaries) reached(f *ssa.Func) Effects {
	if s.reach == nil {
		s.reach = &reach{newCycles(), make(map[*ssa.Func]*reaching)}
	}
	for _, group := range s.reach.cycles.add(f) {
		g := new(reachGroup)
		for _, member := range group {
			r := s.reachingOf(member)
			for _, callee := range r.callees {
				if other := s.reach.funcs[callee]; other != nil && other.group != g {
					r.outside |= other.group.set
				}
			}
			r.group = g
			g.add(r.own|r.outside, 1)
			s.reach.funcs[member] = r
		}
	}
	return s.reach.funcs[f].group.set
}

// reachingOf looks at the instructions of a function.
func (s *Summaries) reachingOf(f *ssa.Func) *reaching {
	r := &reaching{callees: callees(f)}
	f.Body.Walk(func(in *ssa.Instr) {
		s.steps++
		if in.Op != ssa.OpCall && in.Op != ssa.OpRecur {
			r.own |= s.simpleEffects(in)
		}
	})
	r.own &^= ReadsVariable | WritesVariable | Leaves // of the function's own variables, and inside of it
	return r
}

// reachChanged looks at a function again, because its instructions have changed. If its group has other effects now, or
// the function has other callees, it forgets everything about recursion.
func (s *Summaries) reachChanged(f *ssa.Func) {
	if s.reach == nil || s.reach.funcs[f] == nil {
		return
	}
	before, now := s.reach.funcs[f], s.reachingOf(f)
	g := before.group
	set := g.set
	g.add(before.own|before.outside, -1)
	g.add(now.own|before.outside, 1)
	before.own = now.own
	if g.set == set && slices.Equal(now.callees, before.callees) {
		return
	}
	funcs := s.reach.funcs
	s.reach = nil
	for f := range funcs { // whose facts may follow from what was reached
		s.forget(f)
	}
}
