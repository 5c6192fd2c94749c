package analysis

import "github.com/qdgen/qd/ssa"

// notReached are the effects that a call does not have: they do not leave the function that they are in.
const notReached = ReadsVariable | WritesVariable | Leaves

// reached returns the effects of the instructions of a function and of all functions that it leads to, by calls and by
// OpRecur.
func (s *Summaries) reached(f *ssa.Func) Effects {
	if s.cycles == nil {
		s.cycles, s.reach = newCycles(), make(map[*ssa.Func]Effects)
	}
	for _, group := range s.cycles.add(f) {
		var set Effects
		for _, g := range group {
			set |= s.reachedIn(g) // without the calls in the group, which add nothing
		}
		for _, g := range group {
			s.reach[g] = set &^ notReached
		}
	}
	return s.reach[f]
}

// reachedIn returns the effects of the instructions of a function, and those of its callees as far as reach has them.
func (s *Summaries) reachedIn(f *ssa.Func) (set Effects) {
	f.Body.Walk(func(in *ssa.Instr) {
		s.steps++
		if in.Op == ssa.OpCall || in.Op == ssa.OpRecur {
			set |= s.reach[in.Callee]
		} else {
			set |= s.simpleEffects(in)
		}
	})
	return set
}

// staysInReach reports whether the sets in reach hold although the instructions of a function have changed: if it does nothing
// that its set does not have. The set may be too large then. To find it anew after each change would take quadratic time
// where many functions call each other.
func (s *Summaries) staysInReach(f *ssa.Func) bool {
	set, ok := s.reach[f]
	if !ok {
		return true // no set depends on the function
	}
	for _, g := range callees(f) {
		if _, ok := s.reach[g]; !ok {
			return false
		}
	}
	return s.reachedIn(f)&^notReached&^set == 0
}
