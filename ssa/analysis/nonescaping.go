package analysis

import "github.com/qdgen/qd/ssa"

// NonEscaping are a function's local variables whose address does not escape: all that touches
// their memory are loads, stores and atomics whose address [ssa.Roots.Variable] follows.
type NonEscaping struct {
	fn       *ssa.Func
	roots    ssa.Roots
	in       []*ssa.Instr // by the ID of an address or a slice: the variable that it lies in
	escaping map[*ssa.Instr]bool
	atomics  map[*ssa.Instr]bool
}

// NonEscaping are those of a function.
func (s *Summaries) NonEscaping(f *ssa.Func) *NonEscaping {
	if p := s.nonEscaping[f]; p != nil {
		return p
	}
	if s.nonEscaping == nil {
		s.nonEscaping = make(map[*ssa.Func]*NonEscaping)
	}
	s.nonEscaping[f] = newNonEscaping(f)
	return s.nonEscaping[f]
}

func newNonEscaping(f *ssa.Func) *NonEscaping {
	p := &NonEscaping{fn: f}
	f.Body.Walk(func(in *ssa.Instr) {
		if p.in != nil {
			p.uses(in)
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

// uses notes what an instruction does with addresses in variables.
func (p *NonEscaping) uses(in *ssa.Instr) {
	for i, a := range in.Args {
		switch {
		case p.LetsEscape(in, i):
			p.escaping = note(p.escaping, p.Of(a))
		case in.Op == ssa.OpAtomic && i == 0 && p.Of(a) != nil:
			p.atomics = note(p.atomics, p.Of(a))
		}
	}
}

func note(set map[*ssa.Instr]bool, in *ssa.Instr) map[*ssa.Instr]bool {
	if set == nil {
		set = make(map[*ssa.Instr]bool)
	}
	set[in] = true
	return set
}

// Of is the variable in which an address lies, also one whose address escapes; nil if it lies in none.
func (p *NonEscaping) Of(addr *ssa.Value) *ssa.Instr {
	if p.in == nil {
		return nil
	}
	return p.in[addr.ID]
}

// Variable is the non-escaping variable in which an address lies, nil if it lies in none.
func (p *NonEscaping) Variable(addr *ssa.Value) *ssa.Instr {
	local := p.Of(addr)
	if p.escaping[local] {
		return nil
	}
	return local
}

// MayChange reports whether an instruction that writes memory may change what a pointer points to.
func (p *NonEscaping) MayChange(w *ssa.Instr, ptr *ssa.Value) bool {
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
func (p *NonEscaping) isArgument(root *ssa.Value) bool {
	return root.Def == nil && root.Block == p.fn.Body
}

// escapes reports whether a variable may be reached otherwise than by its name.
func (p *NonEscaping) escapes(local *ssa.Value) bool { return p.Variable(local) == nil }

// HasAtomics reports whether a non-escaping variable is updated by atomics too.
func (p *NonEscaping) HasAtomics(local *ssa.Instr) bool { return p.atomics[local] }

// LetsEscape reports whether the address or the slice that is operand i of an instruction lies in a variable, and
// the instruction lets it escape.
func (p *NonEscaping) LetsEscape(in *ssa.Instr, i int) bool {
	return p.Of(in.Args[i]) != nil && !(in.Op == ssa.OpAtomic && i == 0) && !keepsInside(in, i)
}

// keepsInside reports whether an instruction does not let the address or the slice that is its operand i escape. It
// loads, stores, does not touch memory, or makes an address that [ssa.Roots.Variable] follows.
func keepsInside(in *ssa.Instr, i int) bool {
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
