package ssa

// local is the OpLocal in whose variable an address lies, or a slice's elements
// lie, as far as the address expression tells; else nil.
func (v *Value) local() *Instr {
	for {
		d := v.Def
		if d == nil {
			return nil
		}
		switch d.Op {
		case OpLocal:
			return d
		case OpFieldAddr, OpElemAddr, OpSliceOf, OpIndexAddr, OpSubslice:
			v = d.Args[0]
		default:
			return nil
		}
	}
}

// localIn reports whether an address lies in a local variable that is made inside
// of root, nil for the function.
func (v *Value) localIn(root *Instr) bool {
	l := v.local()
	return l != nil && l.Block.Owner.within(root)
}

// privates are a function's local variables whose address goes nowhere: all that
// touches them are loads and stores that [Value.local] knows. The zero privates has none.
type privates struct {
	uses map[*Instr]*localUse
	in   []*Instr // by the ID of an address or a slice: Value.local, which takes its time for long chains
}

// localUse is what is known of a private variable.
type localUse struct {
	stores []*Instr
	read   bool
}

// use is what is known of the variable in which an address lies, nil if it is not private.
func (p *privates) use(addr *Value) *localUse {
	if len(p.uses) == 0 {
		return nil
	}
	return p.uses[p.in[addr.ID]]
}

// privateLocals finds them.
func privateLocals(f *Func) privates {
	var p privates
	f.Body.Walk(func(in *Instr) {
		if in.Op == OpLocal {
			if p.uses == nil {
				p.uses = make(map[*Instr]*localUse)
			}
			p.uses[in] = new(localUse)
		}
	})
	if p.uses == nil {
		return p
	}
	p.in = make([]*Instr, f.nextID)
	f.Body.Walk(func(in *Instr) {
		for i, a := range in.Args {
			if !in.keepsPrivate(i) {
				delete(p.uses, p.in[a.ID])
			}
		}
		switch in.Op {
		case OpLocal:
			p.in[in.Result().ID] = in
		case OpFieldAddr, OpElemAddr, OpSliceOf, OpIndexAddr, OpSubslice:
			p.in[in.Result().ID] = p.in[in.Args[0].ID]
		}
	})
	return p
}

// keepsPrivate reports whether the instruction does nothing with the address or the
// slice that is its operand i but what [Value.local] follows, loads and stores, and
// what does not touch memory.
func (in *Instr) keepsPrivate(i int) bool {
	switch in.Op {
	case OpFieldAddr, OpElemAddr, OpSliceOf, OpIndexAddr, OpSubslice, OpLoad, OpLen, OpIsNil, OpEq, OpNe, OpCheck:
		return true
	case OpStore:
		return i == 0
	}
	return false
}
