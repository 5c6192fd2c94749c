package gradient

import "github.com/qdgen/qd/ssa"

// This file is about strips of loops that read and write slices in place. If a loop uses the same elements in each
// turn, and no other thread uses them, they are like variables: a checkpoint holds them, and they are made what they
// were before the strip runs again.

// isInPlace reports whether all that a loop does to a slice is to load and store floats, in elements that no other
// thread uses: their indices follow from the number of the thread.
func (d *differ) isInPlace(g region, loop *ssa.Instr) bool {
	if d.Overlap || g.isShared() || !(&sweep{differ: d}).owned(g) {
		return false
	}
	ok := true
	for _, b := range loop.Blocks {
		b.Walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpLoad, ssa.OpStore, ssa.OpAtomic, ssa.OpCopy:
			default:
				return
			}
			for _, addr := range in.Args {
				if r, found := regionOf(addr); found && r == g && isAddress(addr.Type) {
					ok = ok && (in.Op == ssa.OpLoad || in.Op == ssa.OpStore) && ssa.IsFloat(at(addr)) && isElement(addr, loop)
				}
			}
		})
	}
	return ok
}

// isElement reports whether an address is of a part of an element of a slice from outside a loop, the same part in each
// turn.
func isElement(addr *ssa.Value, loop *ssa.Instr) bool {
	for addr.Def.Op != ssa.OpIndexAddr {
		for _, i := range addr.Def.Args[1:] {
			if !ssa.IsConst(i) {
				return false
			}
		}
		addr = addr.Def.Args[0]
	}
	_, ok := affineOf(addr.Def.Args[1])
	return ok && !within(addr.Def.Args[0], loop)
}

// outsideOf appends what an element's address, or an index, of a loop is computed from once more. value is for what is
// outside.
func outsideOf(r *builder, v *ssa.Value, loop *ssa.Instr, value func(*ssa.Value) *ssa.Value) *ssa.Value {
	if c, ok := v.Const(); ok {
		return r.constant(v.Type, c)
	}
	if !within(v, loop) {
		return value(v)
	}
	args := make(few)
	for _, a := range v.Def.Args {
		args[a] = outsideOf(r, a, loop, value)
	}
	n := copyInstr(v.Def, r.b, args)
	n.Stmt, n.Pos = r.stmt, r.pos
	return n.Result()
}

// ifInRange appends an If on whether there is the element that an address is of: a loop that takes no turn does not use
// it.
func ifInRange(r *builder, addr *ssa.Value, loop *ssa.Instr, value func(*ssa.Value) *ssa.Value, results ...ssa.Type) *ssa.Instr {
	for addr.Def.Op != ssa.OpIndexAddr {
		addr = addr.Def.Args[0]
	}
	s, index := outsideOf(r, addr.Def.Args[0], loop, value), outsideOf(r, addr.Def.Args[1], loop, value)
	above := r.op(ssa.OpGe, ssa.Bool, index, r.constant(index.Type, ssa.IntConst(index.Type, 0)))
	below := r.op(ssa.OpLt, ssa.Bool, index, r.op(ssa.OpLen, ssa.Int64, s))
	return r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{r.op(ssa.OpAnd, ssa.Bool, above, below)}}, results...)
}

// holdElement appends what is in an element, in front of a strip.
func holdElement(r builder, addr *ssa.Value, loop *ssa.Instr) *ssa.Value {
	same := func(v *ssa.Value) *ssa.Value { return v }
	some := ifInRange(&r, addr, loop, same, at(addr))
	then := builder{b: some.NewBlock(), stmt: r.stmt, pos: r.pos}
	then.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{then.load(outsideOf(&then, addr, loop, same))}})
	none := builder{b: some.NewBlock(), stmt: r.stmt, pos: r.pos}
	none.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{none.zero(at(addr))}})
	return some.Result()
}

// restoreElements makes the elements that a strip reads and writes what they were before it.
func (r *sweep) restoreElements(loop *ssa.Instr) {
	for _, e := range r.strips[loop].elements {
		held := r.primal(e.held)
		some := ifInRange(&r.builder, e.addr, loop, r.primal)
		r.in(some.NewBlock(), func() {
			r.store(outsideOf(&r.builder, e.addr, loop, r.primal), held)
			r.append(&ssa.Instr{Op: ssa.OpYield})
		})
		r.in(some.NewBlock(), func() { r.append(&ssa.Instr{Op: ssa.OpYield}) })
	}
}

// isWrittenAgain reports whether a run of the forward sweep, or another run of a strip, writes to an address that
// something reads. Another run leaves alone what it does not read: the rest of the forward sweep has made it what it
// is.
func (r *sweep) isWrittenAgain(addr *ssa.Value) bool {
	if r.rerun == nil || r.isGrid() {
		return true
	}
	g, ok := regionOf(addr)
	return ok && (g.isLocal() || r.strips[r.rerun].inPlace[g])
}
