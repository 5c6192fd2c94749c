package analysis

import "github.com/qdgen/qd/ssa"

// Privates are a function's local variables whose address goes nowhere: all that touches
// their memory are loads, stores and atomics whose address [ssa.Roots.Variable] follows.
type Privates struct {
	fn      *ssa.Func
	roots   ssa.Roots
	in      []*ssa.Instr // by the ID of an address or a slice: the variable that it lies in
	goes    map[*ssa.Instr]bool
	atomics map[*ssa.Instr]bool
}

// Privates are those of a function.
func (s *Summaries) Privates(f *ssa.Func) *Privates {
	if known := s.privates[f]; known != nil {
		return known
	}
	if s.privates == nil {
		s.privates = make(map[*ssa.Func]*Privates)
	}
	s.privates[f] = newPrivates(f)
	return s.privates[f]
}

func newPrivates(f *ssa.Func) *Privates {
	p := &Privates{fn: f}
	f.Body.Walk(func(in *ssa.Instr) {
		for i, a := range in.Args {
			local := p.variable(a)
			switch {
			case local == nil:
			case in.Op == ssa.OpAtomic && i == 0:
				p.atomics = note(p.atomics, local)
			case !keepsPrivate(in, i):
				p.goes = note(p.goes, local)
			}
		}
		switch {
		case in.Op == ssa.OpLocal:
			if p.in == nil {
				p.in = make([]*ssa.Instr, f.NumValues())
			}
			p.in[in.Result().ID] = in
		case p.in != nil && in.Op.IsPath():
			p.in[in.Result().ID] = p.in[in.Args[0].ID]
		}
	})
	return p
}

func note(set map[*ssa.Instr]bool, in *ssa.Instr) map[*ssa.Instr]bool {
	if set == nil {
		set = make(map[*ssa.Instr]bool)
	}
	set[in] = true
	return set
}

func (p *Privates) variable(addr *ssa.Value) *ssa.Instr {
	if p.in == nil {
		return nil
	}
	return p.in[addr.ID]
}

// Variable is the private variable in which an address lies, nil if it lies in none.
func (p *Privates) Variable(addr *ssa.Value) *ssa.Instr {
	local := p.variable(addr)
	if p.goes[local] {
		return nil
	}
	return local
}

// MayChange reports whether an instruction that writes memory may change what a pointer points to.
func (p *Privates) MayChange(w *ssa.Instr, ptr *ssa.Value) bool {
	root := p.roots.Of(ptr)
	switch w.Op {
	case ssa.OpStore, ssa.OpAtomic:
		to := p.roots.Of(w.Args[0])
		switch {
		case to == root:
			return !Disjoint(w.Args[0], ptr)
		case root.IsLocal() && p.isArgument(to):
			return false
		case to.IsLocal():
			return !p.isArgument(root) && !root.IsLocal() && p.escapes(to)
		}
	case ssa.OpPrintf:
		return false
	}
	return !root.IsLocal() || p.escapes(root)
}

// isArgument reports whether a root is one that the launch, or the caller, gives: no
// variable of this function is in it.
func (p *Privates) isArgument(root *ssa.Value) bool {
	return root.Def == nil && root.Block == p.fn.Body
}

// escapes reports whether a variable may be reached otherwise than by its name.
func (p *Privates) escapes(local *ssa.Value) bool { return p.Variable(local) == nil }

// HasAtomics reports whether a private variable is updated by atomics too.
func (p *Privates) HasAtomics(local *ssa.Instr) bool { return p.atomics[local] }

// keepsPrivate reports whether the instruction does nothing with the address or the
// slice that is its operand i but what [ssa.Roots.Variable] follows, loads and stores, and
// what does not touch memory.
func keepsPrivate(in *ssa.Instr, i int) bool {
	if in.Op.IsPath() {
		return true
	}
	switch in.Op {
	case ssa.OpLoad, ssa.OpLen, ssa.OpIsNil, ssa.OpApart, ssa.OpEq, ssa.OpNe, ssa.OpCheck:
		return true
	case ssa.OpStore:
		return i == 0
	}
	return false
}
