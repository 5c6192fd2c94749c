package ssatest

import "github.com/qdgen/qd/ssa"

// Particle is a struct of numbers of several types, most of them of one size.
var Particle = ssa.StructOf("Particle", ssa.Field{Name: "at", Type: ssa.Array{Elem: ssa.Float32, Len: 3}}, ssa.Field{Name: "mass", Type: ssa.Float32},
	ssa.Field{Name: "group", Type: ssa.Int32}, ssa.Field{Name: "tag", Type: ssa.Uint32}, ssa.Field{Name: "far", Type: ssa.Float64})

// color is an element of an odd number of bytes.
var color = ssa.Array{Elem: ssa.Uint8, Len: 3}

// partSlices are slices of elements of several numbers: what threads read, and what they write.
func partSlices() []*ssa.Value {
	return []*ssa.Value{Arg(ssa.Slice{Elem: Particle}, "particles"), Arg(ssa.Slice{Elem: ssa.Float32}, "flat"),
		Arg(ssa.Slice{Elem: Particle}, "ownParticles"), Arg(ssa.Slice{Elem: color}, "ownColors"), Arg(ssa.Slice{Elem: ssa.Float32}, "ownFlat")}
}

// flatParts is how many numbers of a slice of numbers a thread uses.
const flatParts = 5

// laneParts reads and writes several parts of elements, as programs do with arrays of structs: field by field, in any
// order.
func (g *generator) laneParts(s *point) {
	k := g.IntN(5)
	if k == 4 {
		g.partsThenAll(s)
		return
	}
	for range 1 + g.IntN(6) {
		if p := g.partAddress(s, k); k >= 2 && g.IntN(3) > 0 {
			s.Store(p, g.value(s, p.Type.(ssa.Pointer).Elem))
		} else {
			s.see = append(s.see, s.Op(ssa.OpLoad, p))
		}
	}
}

// partsThenAll reads and writes numbers of an element of the thread's own, and then reads an array of which some are.
// It stores the sum of that, which is seen.
func (g *generator) partsThenAll(s *point) {
	thread := named(s, "thread")
	own := s.Op(ssa.OpIndexAddr, named(s, "ownParticles"), thread)
	at := s.FieldAddr(own, 0)
	number := func() *ssa.Value { return s.Op(ssa.OpElemAddr, at, g.laneIndex(s, 3)) }
	for range 2 + g.IntN(4) {
		p := number()
		if k := g.IntN(len(Particle.Fields)); k > 0 {
			p = s.FieldAddr(own, k)
		}
		if g.IntN(2) == 0 {
			s.Store(p, g.value(s, p.Type.(ssa.Pointer).Elem))
		} else {
			s.see = append(s.see, s.Op(ssa.OpLoad, p))
		}
	}
	all := s.Op(ssa.OpLoad, at)
	flat := s.Op(ssa.OpAdd, s.Op(ssa.OpMul, thread, s.Int(ssa.Int64, flatParts)), s.Int(ssa.Int64, int64(g.IntN(flatParts))))
	sum := s.Op(ssa.OpElem, all, s.Int(ssa.Int64, 0))
	for k := range 2 {
		sum = s.Op(ssa.OpAdd, sum, s.Op(ssa.OpElem, all, s.Int(ssa.Int64, int64(k+1))))
	}
	s.Store(s.Op(ssa.OpIndexAddr, named(s, "ownFlat"), flat), sum)
}

// partAddress is the address of a part of an element of one of the slices, of the threads' own from 2 on.
func (g *generator) partAddress(s *point, k int) *ssa.Value {
	thread := named(s, "thread")
	at := func(slice string, i *ssa.Value) *ssa.Value { return g.element(s, slice, i) }
	plus := func(i *ssa.Value, n int) *ssa.Value { return s.Op(ssa.OpAdd, i, s.Int(ssa.Int64, int64(n))) }
	var p *ssa.Value
	switch {
	case k == 0:
		p = at("particles", plus(thread, g.IntN(2)))
	case k == 1 || k == 2 && g.IntN(2) == 0:
		name := []string{"", "flat", "ownFlat"}[k]
		return at(name, plus(s.Op(ssa.OpMul, thread, s.Int(ssa.Int64, flatParts)), g.IntN(flatParts)))
	case k == 2:
		p = at("ownColors", thread)
	default:
		p = at("ownParticles", thread)
	}
	for g.IntN(5) > 0 {
		switch t := p.Type.(ssa.Pointer).Elem.(type) {
		case *ssa.Struct:
			p = s.FieldAddr(p, g.IntN(len(t.Fields)))
		case ssa.Array:
			p = s.Op(ssa.OpElemAddr, p, g.laneIndex(s, t.Len))
		}
	}
	return p
}
