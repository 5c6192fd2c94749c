package ssa

// Root is what an address, or a slice, is computed from: the variable, the shared memory, the
// parameter, or whatever else gave it.
func (v *Value) Root() *Value {
	for v.IsPath() {
		v = v.Def.Args[0]
	}
	return v
}

// Roots are the roots of many addresses: one after the other they take no longer than there are steps
// on all ways to roots, however long these are. The zero Roots is ready to use. It holds as long as nobody
// changes what the addresses are computed from.
type Roots struct {
	memo map[*Value]*Value // of some addresses that lie far from their root
}

// far is how many steps from what is kept an address has to lie for its root to be kept.
const far = 8

// Of is [Value.Root] of an address.
func (r *Roots) Of(addr *Value) *Value {
	root, steps := addr, 0
	for ; root.IsPath(); steps++ {
		if memo := r.memo[root]; memo != nil {
			root = memo
			break
		}
		root = root.Def.Args[0]
	}
	if steps >= far && r.memo == nil {
		r.memo = make(map[*Value]*Value)
	}
	for ; steps >= far; steps -= far {
		r.memo[addr] = root
		for range far {
			addr = addr.Def.Args[0]
		}
	}
	return root
}

// Variable is the OpLocal in whose variable an address lies, or a slice's elements lie, as far as the
// address expression tells; else nil.
func (r *Roots) Variable(addr *Value) *Instr {
	if root := r.Of(addr); root.IsLocal() {
		return root.Def
	}
	return nil
}

// IsLocal reports whether v is the address of a local variable, all of it.
func (v *Value) IsLocal() bool { return v.Def != nil && v.Def.Op == OpLocal }

// IsNotNil reports whether a pointer is computed as the address of something, and so is not nil: what it
// was computed from has been checked before.
func (v *Value) IsNotNil() bool { return v.IsLocal() || v.Def != nil && v.Def.Op.IsPart() }

// IsPart reports whether the op gives the address of a field or an element.
func (op Op) IsPart() bool { return op == OpFieldAddr || op == OpElemAddr || op == OpIndexAddr }

// IsPath reports whether the value is an address, or a slice, that the op takes from one within the same memory.
func (v *Value) IsPath() bool { return v.Def != nil && v.Def.Op.IsPath() }

// IsPath reports whether the op takes an address, or a slice, to one within the same memory.
func (op Op) IsPath() bool {
	return op.IsPart() || op == OpSliceOf || op == OpSubslice
}
