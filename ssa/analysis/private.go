package analysis

import "github.com/qdgen/qd/ssa"

// Privates are a function's local variables whose address goes nowhere: all that
// touches them are loads and stores that [ssa.Value.Variable] knows. The zero privates has none.
type Privates struct {
	uses map[*ssa.Instr]*LocalUse
	in   []*ssa.Instr // by the ID of an address or a slice: Value.Variable, which takes its time for long chains
}

// LocalUse is what is known of a private variable.
type LocalUse struct {
	Stores []*ssa.Instr
	Read   bool
}

// Use is what is known of the variable in which an address lies, nil if it is not private.
func (p *Privates) Use(addr *ssa.Value) *LocalUse {
	if len(p.uses) == 0 {
		return nil
	}
	return p.uses[p.in[addr.ID]]
}

// PrivateLocals finds them.
func PrivateLocals(f *ssa.Func) Privates {
	var p Privates
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLocal {
			if p.uses == nil {
				p.uses = make(map[*ssa.Instr]*LocalUse)
			}
			p.uses[in] = new(LocalUse)
		}
	})
	if p.uses == nil {
		return p
	}
	p.in = make([]*ssa.Instr, f.NumValues())
	f.Body.Walk(func(in *ssa.Instr) {
		for i, a := range in.Args {
			if !keepsPrivate(in, i) {
				delete(p.uses, p.in[a.ID])
			}
		}
		switch in.Op {
		case ssa.OpLocal:
			p.in[in.Result().ID] = in
		case ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpSliceOf, ssa.OpIndexAddr, ssa.OpSubslice:
			p.in[in.Result().ID] = p.in[in.Args[0].ID]
		}
	})
	return p
}

// keepsPrivate reports whether the instruction does nothing with the address or the
// slice that is its operand i but what [ssa.Value.Variable] follows, loads and stores, and
// what does not touch memory.
func keepsPrivate(in *ssa.Instr, i int) bool {
	if in.Op.IsPath() {
		return true
	}
	switch in.Op {
	case ssa.OpLoad, ssa.OpLen, ssa.OpIsNil, ssa.OpEq, ssa.OpNe, ssa.OpCheck:
		return true
	case ssa.OpStore:
		return i == 0
	}
	return false
}
