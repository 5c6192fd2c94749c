package gradient

import "github.com/qdgen/qd/ssa"

// onceIn is the loop for all of whose turns a value is read in front of the reverse loop, nil for none: each turn loads
// it from the same place, in memory that the kernel never writes. No compiler can tell that, as the turns add to
// gradients.
func (r *sweep) onceIn(v *ssa.Value) *ssa.Instr {
	in := v.Def
	if in == nil || in.Op != ssa.OpLoad || r.isGrid() {
		return nil
	}
	loop := in.Block.Owner
	if loop == nil || loop.Op != ssa.OpLoop || in.Block != loop.Do() || r.latest[loop] == nil || r.scope.around(loop.Do()) == nil {
		return nil
	}
	g, ok := regionOf(in.Args[0])
	if !ok || g.isShared() || !r.isConstant(in.Args[0]) || !isSteady(in.Args[0], loop) || isLong(v.Type) || ssa.HoldsAddress(v.Type) {
		return nil
	}
	return loop
}

// around is the scope in which the one stands that goes through a block of the kernel, nil for none.
func (s *scope) around(b *ssa.Block) *scope {
	for ; s != nil; s = s.up {
		if s.of == b {
			return s.up
		}
	}
	return nil
}

// once loads what each turn of a loop loads, if there is a turn: the place need not exist otherwise.
func (r *sweep) once(v *ssa.Value, loop *ssa.Instr) *ssa.Value {
	zero := r.zero(v.Type)
	some := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{r.op(ssa.OpGe, ssa.Bool, r.latest[loop], r.int(0))}}, v.Type)
	some.Result().Name = v.Name
	r.in(some.NewBlock(), func() {
		x := r.repeated(v)
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{x}})
	})
	r.in(some.NewBlock(), func() { r.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{zero}}) })
	return some.Result()
}
