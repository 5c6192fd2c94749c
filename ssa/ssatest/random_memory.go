package ssatest

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file is what the generator of random modules does with aggregates, memory and
// checks.

// aggregates are the types that random modules use beside the scalar ones; the fields
// and elements are of those, or of earlier ones.
var aggregates = []ssa.Type{Vec, ssa.Array{Elem: ssa.Int64, Len: 4}, ssa.StructOf("Deep",
	ssa.Field{Name: "v", Type: Vec}, ssa.Field{Name: "_", Type: ssa.Int32}, ssa.Field{Name: "a", Type: ssa.Array{Elem: ssa.Int64, Len: 4}}, ssa.Field{Name: "b", Type: ssa.Bool}, ssa.Field{Name: "u", Type: ssa.Uint8}), ssa.Array{Elem: Vec, Len: 3}}

func (g *generator) aggregate() ssa.Type { return aggregates[g.IntN(len(aggregates))] }

// index is an index of a slice or an array of four elements.
func (g *generator) index(s *point) *ssa.Value {
	if g.IntN(2) == 0 {
		return s.Int(ssa.Int64, int64(g.IntN(4)))
	}
	return s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, 3))
}

// composed makes a value of a type that has no constants; of is what is visible of it.
func (g *generator) composed(s *point, t ssa.Type, of []*ssa.Value) *ssa.Value {
	switch t := t.(type) {
	case *ssa.Struct:
		if g.IntN(3) == 0 {
			return s.Zero(t)
		}
		var parts []*ssa.Value
		for _, f := range t.Fields {
			parts = append(parts, g.value(s, f.Type))
		}
		return s.Make(t, parts...)
	case ssa.Array:
		if g.IntN(3) == 0 {
			return s.Zero(t)
		}
		var parts []*ssa.Value
		for range t.Len {
			parts = append(parts, g.value(s, t.Elem))
		}
		return s.Make(t, parts...)
	case ssa.Pointer:
		return s.Op(ssa.OpLocal, g.value(s, t.Elem))
	case ssa.Slice:
		if t.Elem == ssa.Int64 && g.IntN(2) == 0 {
			return s.Op(ssa.OpSliceOf, g.value(s, ssa.Pointer{Elem: ssa.Array{Elem: ssa.Int64, Len: 4}}))
		}
	}
	return of[g.IntN(len(of))]
}

// part is a part of an aggregate, or the comparison of two.
func (g *generator) part(s *point) *ssa.Value {
	t := g.aggregate()
	v := g.value(s, t)
	if g.IntN(4) == 0 {
		return s.Op(ssa.OpEq+ssa.Op(g.IntN(2)), v, g.value(s, t))
	}
	switch t := t.(type) {
	case *ssa.Struct:
		return s.Field(v, g.IntN(len(t.Fields)))
	}
	i := g.value(s, ssa.Int64)
	if g.IntN(3) > 0 {
		i = g.index(s)
	}
	return s.Op(ssa.OpElem, v, i)
}

// memory makes a variable, takes the address of a part of one, or loads or stores; what
// it gives may be nil.
func (g *generator) memory(s *point) *ssa.Value {
	ts := append([]ssa.Type{ssa.Int64, g.typ()}, aggregates...)
	t := ts[g.IntN(len(ts))]
	if g.IntN(4) == 0 {
		return s.Op(ssa.OpLocal, g.value(s, t))
	}
	if g.IntN(12) == 0 {
		return s.Op(ssa.OpLoad, s.Op(ssa.OpLocal, g.value(s, ssa.Pointer{Elem: t})))
	}
	p := g.value(s, ssa.Pointer{Elem: t})
	if s.Func.Kernel && t == ssa.Type(Vec) && g.IntN(3) == 0 {
		p = s.Op(ssa.OpIndexAddr, g.value(s, ssa.Slice{Elem: Vec}), g.index(s))
	}
	for g.IntN(3) > 0 {
		switch t := p.Type.(ssa.Pointer).Elem.(type) {
		case *ssa.Struct:
			p = s.FieldAddr(p, g.IntN(len(t.Fields)))
		case ssa.Array:
			p = s.Op(ssa.OpElemAddr, p, s.Op(ssa.OpRem, g.index(s), s.Int(ssa.Int64, int64(t.Len))))
		}
	}
	switch g.IntN(5) {
	case 0, 1:
		s.Store(p, g.value(s, p.Type.(ssa.Pointer).Elem))
		return nil
	case 2:
		return p
	}
	return s.Op(ssa.OpLoad, p)
}

// check makes a check, one that mostly holds.
func (g *generator) check(s *point) {
	small := func() *ssa.Value { return g.index(s) }
	if g.IntN(30) == 0 {
		small = func() *ssa.Value { return g.value(s, ssa.Int64) }
	}
	switch g.IntN(5) {
	case 0:
		s.Check(ssa.CheckIndex, small(), s.Op(ssa.OpLen, g.value(s, ssa.Slice{Elem: ssa.Int64})))
	case 1:
		s.Check(ssa.CheckSlice, s.Int(ssa.Int64, 0), small(), s.Int(ssa.Int64, 4))
	case 2:
		s.Check(ssa.CheckDivide, s.Op(ssa.OpOr, small(), s.Int(ssa.Int64, 4)))
	case 3:
		s.Check(ssa.CheckNil, g.value(s, ssa.Pointer{Elem: ssa.Int64}))
	default:
		s.Append(&ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Message: "small", Args: []*ssa.Value{s.Op(ssa.OpLt, small(), s.Int(ssa.Int64, 4))}})
	}
}

// guarded makes a test, with more before or after, and checks of what it compares in
// its blocks.
func (g *generator) guarded(s *point) {
	near := func(s *point, v *ssa.Value) *ssa.Value {
		switch g.IntN(6) {
		case 0, 1:
			return s.Op(ssa.OpAdd, v, s.Int(ssa.Int64, int64(g.IntN(5)-2)))
		case 2:
			return s.Op([]ssa.Op{ssa.OpMin, ssa.OpMax, ssa.OpSub, ssa.OpRem, ssa.OpShr, ssa.OpDiv, ssa.OpMul, ssa.OpAnd}[g.IntN(8)], v, g.value(s, ssa.Int64))
		}
		return v
	}
	x, y := near(s, g.value(s, ssa.Int64)), near(s, g.value(s, ssa.Int64))
	compare := func(s *point) *ssa.Value {
		a, b := x, y
		if g.IntN(3) == 0 {
			b = s.Int(ssa.Int64, int64(g.IntN(4)))
		}
		if g.IntN(4) == 0 {
			a, b = b, a
		}
		return s.Op([]ssa.Op{ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe, ssa.OpEq, ssa.OpNe}[g.IntN(6)], a, b)
	}
	test := compare(s)
	if g.IntN(2) == 0 {
		both := g.IntN(2) == 0
		quick := func(b Builder) { b.Yield(b.Bool(!both)) }
		second := func(b Builder) {
			in := *s
			in.Builder = b
			b.Yield(compare(&in))
		}
		if !both {
			quick, second = second, quick
		}
		test = s.IfElse(test, []ssa.Type{ssa.Bool}, second, quick).Result()
	}
	inside := func(b Builder) {
		in := *s
		in.Builder, in.see = b, append([]*ssa.Value(nil), s.see...)
		for range g.IntN(3) {
			i, n := near(&in, x), near(&in, y)
			if g.IntN(3) == 0 {
				n = b.Int(ssa.Int64, int64(g.IntN(9)))
			}
			if g.IntN(4) == 0 {
				b.Check(ssa.CheckSlice, b.Int(ssa.Int64, 0), i, n)
			} else {
				b.Check(ssa.CheckIndex, i, n)
			}
		}
		if s.leave && g.IntN(4) == 0 {
			b.Return(g.values(&in, s.results)...)
			return
		}
		b.Yield(near(&in, x))
	}
	els := func(b Builder) { b.Yield(y) }
	if g.IntN(2) == 0 {
		els = inside
	}
	v := s.IfElse(test, []ssa.Type{ssa.Int64}, inside, els)
	if !v.FallsThrough() {
		s.see = append(s.see, x)
		return
	}
	s.see = append(s.see, v.Results...)
	if g.IntN(3) == 0 {
		s.Check(ssa.CheckIndex, near(s, v.Result()), y)
	}
}

// counted makes a loop that counts in some way as long as a test holds, and checks of what it counts.
func (g *generator) counted(s *point) {
	outer := slices.Clone(s.see)
	inside := func(b Builder, more ...*ssa.Value) *point {
		return &point{Builder: b, see: append(slices.Clone(outer), more...)}
	}
	init := g.value(s, ssa.Int64)
	if g.IntN(3) == 0 {
		init = s.Int(ssa.Int64, int64(g.IntN(6)))
	}
	limit := g.value(s, ssa.Int64)
	test := []ssa.Op{ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe}[g.IntN(4)]
	step := []ssa.Op{ssa.OpAdd, ssa.OpAdd, ssa.OpSub, ssa.OpDiv, ssa.OpShr, ssa.OpAnd, ssa.OpRem}[g.IntN(7)]
	by := g.value(s, ssa.Int64)
	if g.IntN(2) == 0 || step == ssa.OpDiv || step == ssa.OpRem {
		by = s.Int(ssa.Int64, int64(1+g.IntN(4)))
	}
	s.Loop([]*ssa.Value{s.Int(ssa.Int64, 0), init}, func(b Builder, v []*ssa.Value) *ssa.Value {
		return b.Op(ssa.OpAnd, b.Op(ssa.OpLt, v[0], b.Int(ssa.Int64, 5)), b.Op(test, v[1], limit)) // it comes to an end
	}, func(b Builder, loop *ssa.Instr, v []*ssa.Value) {
		do := inside(b, v[1])
		of := v[1]
		if g.IntN(3) == 0 {
			of = b.Op([]ssa.Op{ssa.OpAdd, ssa.OpMul}[g.IntN(2)], of, g.value(do, ssa.Int64))
		}
		length := b.Op(ssa.OpLen, g.value(do, ssa.Slice{Elem: ssa.Int64}))
		if g.IntN(2) == 0 {
			length = g.value(do, ssa.Int64)
		}
		b.Check(ssa.CheckIndex, of, length)
		g.effect(do)
		if g.IntN(4) == 0 { // another way round
			b.IfElse(g.value(do, ssa.Bool), nil, func(b Builder) { b.Next(loop, v[0], g.value(inside(b, v[1]), ssa.Int64)) }, func(b Builder) { b.Yield() })
		}
		b.Next(loop, v...)
	}, func(b Builder, v []*ssa.Value) []*ssa.Value {
		return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), b.Op(step, v[1], by)}
	})
}
