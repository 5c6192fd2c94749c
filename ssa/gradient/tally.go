package gradient

import "github.com/qdgen/qd/ssa"

// This file is about arrays of which elements are read at indices that are not known here, as by a loop that goes
// through a copy of an array. The adjoint of such an array is in memory, in a variable of the thread, and what an
// element gets is added to that element. So a turn costs what the element costs, not what the array costs.

// A tally is the variable that the adjoint of a value is summed up in.
type tally struct {
	addr *ssa.Value
	in   *ssa.Block // where it is made
	zero bool       // nothing has been added yet
}

// isPart reports whether a value is a field of a struct, or an element of an array.
func isPart(v *ssa.Value) bool {
	return v.Def != nil && (v.Def.Op == ssa.OpField || v.Def.Op == ssa.OpElem)
}

// isFar reports whether an instruction takes an element of an array at an index that is not known here, or an element
// of an array that is not handled part by part.
func isFar(in *ssa.Instr) bool {
	if in.Op != ssa.OpElem {
		return false
	}
	c, ok := in.Args[1].Const()
	t := in.Args[0].Type
	return !ok || isLong(t) || c.Uint() >= uint64(parts(t))
}

// partIndex is which part of its operand an instruction takes: a field, or an element that is not far.
func partIndex(in *ssa.Instr) int {
	if in.Op == ssa.OpField {
		return int(in.Index)
	}
	c, _ := in.Args[1].Const()
	return int(c.Int())
}

// findTallied finds the values whose adjoints are in memory. A part of such a value that is one itself has its adjoint
// in the same variable.
func (d *differ) findTallied() {
	d.tallied = make(set, d.fn.NumValues())
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if !isFar(in) || !d.isActive(in.Result()) {
			return
		}
		v := in.Args[0]
		d.tallied.add(v)
		for way := []*ssa.Value{v}; isPart(v); way = append(way, v) {
			if isFar(v.Def) { // all in between are parts of what that takes the element of
				for _, w := range way {
					d.tallied.add(w)
				}
				break
			}
			v = v.Def.Args[0]
		}
	})
}

// makeTallies makes the variables for values of a block of the kernel that have none yet.
func (r *sweep) makeTallies(b *ssa.Block) {
	stmt, pos := r.stmt, r.pos
	r.makeTalliesOf(b.Params)
	for _, in := range b.Instrs {
		r.at(in)
		r.makeTalliesOf(in.Results)
	}
	r.stmt, r.pos = stmt, pos
}

func (r *sweep) makeTalliesOf(vs []*ssa.Value) {
	for _, v := range vs {
		if r.tallied.has(v) && r.tallies[v] == nil && !r.isTalliedPart(v) {
			r.tallies[v] = &tally{addr: r.local(r.zero(v.Type), gradName(v)), in: r.b, zero: true}
		}
	}
}

// isTalliedPart reports whether a value is a part of another whose adjoint is in memory.
func (r *sweep) isTalliedPart(v *ssa.Value) bool { return isPart(v) && r.tallied.has(v.Def.Args[0]) }

// addTallied adds to the adjoint of a value that is in memory, or is a part of one.
func (r *sweep) addTallied(v *ssa.Value, a *adjoint) {
	t, addr := r.tallyOf(v)
	if t.zero && t.in == r.b { // nothing comes in between
		r.store(addr, r.whole(a, v.Type))
	} else {
		r.addTo(addr, a, false)
	}
	t.zero = false
}

// tallyOf is the variable that the adjoint of a value is in, and its place there.
func (r *sweep) tallyOf(v *ssa.Value) (*tally, *ssa.Value) {
	if !r.isTalliedPart(v) {
		t := r.tallies[v]
		return t, t.addr
	}
	in := v.Def
	t, addr := r.tallyOf(in.Args[0])
	if !isFar(in) {
		return t, r.partAddr(addr, partIndex(in))
	}
	return t, r.op(ssa.OpElemAddr, ssa.Pointer{Elem: v.Type}, addr, r.primal(in.Args[1]))
}

// hasAdjoint reports whether anything was added to a value's adjoint, which is not taken yet.
func (r *sweep) hasAdjoint(v *ssa.Value) bool {
	if t := r.tallies[v]; t != nil {
		return !t.zero
	}
	return r.adjoints[v] != nil
}

// raiseParts takes parts of values out of the Ifs and loops that the values do not depend on, where an element of such
// a part is read at an index that is not known here. The adjoint of the part, not of the whole, is in memory then, and
// no loop takes the whole along for other parts of it. It reports whether there are any.
func raiseParts(f *ssa.Func) (raised bool) {
	taken := make(set, f.NumValues())
	f.Body.Walk(func(in *ssa.Instr) {
		if !isFar(in) || !hasFloats(in.Result().Type) {
			return
		}
		for v := in.Args[0]; isPart(v) && !isFar(v.Def); v = v.Def.Args[0] {
			taken.add(v.Def.Args[0])
		}
	})
	f.Body.InFront(func(b *ssa.Block, around *ssa.Instr) {
		if around.Op == ssa.OpFor {
			return // what the host computes for it is what it computes now
		}
		for _, nested := range around.Blocks {
			var left []*ssa.Instr
			for _, in := range nested.Instrs {
				if len(in.Results) != 1 || !isPart(in.Result()) || isFar(in) || !taken.has(in.Args[0]) || in.Args[0].IsInside(around) {
					left = append(left, in)
					continue
				}
				if in.Op == ssa.OpElem {
					c, _ := in.Args[1].Const()
					in.Args = []*ssa.Value{in.Args[0], b.AppendInt(ssa.Int64, c.Int())}
				}
				in.Block, in.Stmt, in.Pos = b, around.Stmt, around.Pos
				b.Instrs = append(b.Instrs, in)
				raised = true
			}
			nested.Instrs = left
		}
	})
	return raised
}
