package gradient

import "github.com/qdgen/qd/ssa"

// An adjoint is the derivative of the result by a value. It is nil for zero, a value of the same type, or the adjoints
// of the value's parts. With parts, a sum of vectors in which one component is known remains a sum of components.
type adjoint struct {
	value *ssa.Value
	at    *ssa.Value // the address of a variable that holds the value, and does not change any more; nil for none
	parts []*adjoint
}

// maxParts is how many parts an array may have that is handled part by part. Longer ones are variables that loops go
// through.
const maxParts = 16

// isLong reports whether values of the type are not split into parts.
func isLong(t ssa.Type) bool {
	a, ok := t.(ssa.Array)
	return ok && a.Len > maxParts
}

// take removes a value's adjoint.
func (r *sweep) take(v *ssa.Value) *adjoint {
	if r.tallied.has(v) {
		t := r.tallies[v]
		delete(r.tallies, v)
		if t == nil || t.zero {
			return nil
		}
		return &adjoint{value: r.load(t.addr), at: t.addr}
	}
	a := r.adjoints[v]
	delete(r.adjoints, v)
	return a
}

// add adds to a value's adjoint, if anybody asks for it.
func (r *sweep) add(v *ssa.Value, a *adjoint) {
	if a == nil || !r.isActive(v) {
		return
	}
	if r.tallied.has(v) {
		r.addTallied(v, a)
		return
	}
	sum := r.sum(r.adjoints[v], a, v.Type)
	if sum.value != nil && sum.value.Name == "" && v.Name != "" && !ssa.IsConst(sum.value) {
		sum.value.Name = v.Name + "Grad"
	}
	r.adjoints[v] = sum
}

func (r *sweep) sum(a, b *adjoint, t ssa.Type) *adjoint {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case ssa.IsFloat(t):
		return &adjoint{value: r.op(ssa.OpAdd, t, a.value, b.value)}
	case isHalf(t):
		return &adjoint{value: r.call(r.sumHalf(t), a.value, b.value)}
	case isLong(t):
		return &adjoint{value: r.sumLong(a.value, b.value)}
	}
	xs, ys := r.split(a, t), r.split(b, t)
	sum := &adjoint{parts: make([]*adjoint, len(xs))}
	for i := range xs {
		sum.parts[i] = r.sum(xs[i], ys[i], partType(t, i))
	}
	return sum
}

// sumLong adds arrays element by element.
func (r *sweep) sumLong(x, y *ssa.Value) *ssa.Value {
	t := x.Type.(ssa.Array)
	to, from := r.local(x, ""), r.local(y, "")
	elem := func(p, i *ssa.Value) *ssa.Value { return r.op(ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, p, i) }
	r.each(r.int(int64(t.Len)), func(i *ssa.Value) {
		a, b := &adjoint{value: r.load(elem(to, i))}, &adjoint{value: r.load(elem(from, i))}
		r.store(elem(to, i), r.whole(r.sum(a, b, t.Elem), t.Elem))
	})
	return r.load(to)
}

// split is the adjoints of a value's parts.
func (r *sweep) split(a *adjoint, t ssa.Type) []*adjoint {
	if a.value == nil {
		return a.parts
	}
	list := make([]*adjoint, parts(t))
	for i := range list {
		if hasFloats(partType(t, i)) {
			list[i] = &adjoint{value: r.part(a.value, i)}
		}
	}
	return list
}

// whole is an adjoint as one value, nil for none.
func (r *sweep) whole(a *adjoint, t ssa.Type) *ssa.Value {
	if a == nil {
		return nil
	}
	if a.value != nil {
		return a.value
	}
	// It is made here and now: the adjoint may be used in another block too.
	var vs []*ssa.Value
	for i, p := range a.parts {
		vs = append(vs, r.orZero(p, partType(t, i)))
	}
	return r.op(ssa.OpMake, t, vs...)
}

// orZero is an adjoint as one value, zero for none.
func (r *sweep) orZero(a *adjoint, t ssa.Type) *ssa.Value {
	if a == nil {
		return r.zero(t)
	}
	return r.whole(a, t)
}

// ofPart is the adjoint of a struct or an array of which one part has an adjoint.
func ofPart(a *adjoint, t ssa.Type, i int) *adjoint {
	list := make([]*adjoint, parts(t))
	list[i] = a
	return &adjoint{parts: list}
}

// addTo adds to memory: atomically, if other threads may add there too.
func (r *sweep) addTo(p *ssa.Value, a *adjoint, atomic bool) {
	t := at(p)
	switch {
	case a == nil:
	case ssa.IsFloat(t) && atomic:
		r.append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Launch: true, Args: []*ssa.Value{p, a.value}}, t)
	case ssa.IsFloat(t):
		r.store(p, r.op(ssa.OpAdd, t, r.load(p), a.value))
	case isHalf(t) && atomic:
		r.append(&ssa.Instr{Op: ssa.OpCall, Callee: r.addHalf(t), Args: []*ssa.Value{p, a.value}})
	case isHalf(t):
		r.store(p, r.call(r.sumHalf(t), r.load(p), a.value))
	case isLong(t):
		elem := t.(ssa.Array).Elem
		from := a.at
		if from == nil {
			from = r.local(a.value, "")
		}
		r.each(r.int(int64(t.(ssa.Array).Len)), func(i *ssa.Value) {
			of := func(p *ssa.Value) *ssa.Value { return r.op(ssa.OpElemAddr, ssa.Pointer{Elem: elem}, p, i) }
			r.addTo(of(p), &adjoint{value: r.load(of(from))}, atomic)
		})
	default:
		for i, part := range r.split(a, t) {
			if part != nil {
				r.addTo(r.partAddr(p, i), part, atomic)
			}
		}
	}
}
