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

// localUse is what is known of a local variable whose address goes nowhere: all
// that touches it are loads and stores that [Value.local] knows.
type localUse struct {
	stores []*Instr
	read   bool
}

// privateLocals is a function's local variables whose address goes nowhere.
func privateLocals(f *Func) map[*Instr]*localUse {
	var locals map[*Instr]*localUse
	f.Body.Walk(func(in *Instr) {
		if in.Op == OpLocal {
			if locals == nil {
				locals = make(map[*Instr]*localUse)
			}
			locals[in] = new(localUse)
		}
	})
	if locals == nil {
		return nil
	}
	f.Body.Walk(func(in *Instr) {
		for i, a := range in.Args {
			if !in.keepsPrivate(i) {
				delete(locals, a.local())
			}
		}
	})
	return locals
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
