package ssa

// This file is what the generator of random modules does with aggregates, memory and
// checks.

// aggregates are the types that random modules use beside the scalar ones; the fields
// and elements are of those, or of earlier ones.
var aggregates = []Type{vec, Array{Int64, 4}, StructOf("Deep",
	Field{"v", vec}, Field{"_", Int32}, Field{"a", Array{Int64, 4}}, Field{"b", Bool}, Field{"u", Uint8}), Array{vec, 3}}

func (g *generator) aggregate() Type { return aggregates[g.IntN(len(aggregates))] }

// index is an index of a slice or an array of four elements.
func (g *generator) index(s *site) *Value {
	if g.IntN(2) == 0 {
		return s.int(Int64, int64(g.IntN(4)))
	}
	return s.op(OpAnd, g.value(s, Int64), s.int(Int64, 3))
}

// composed makes a value of a type that has no constants; of is what is visible of it.
func (g *generator) composed(s *site, t Type, of []*Value) *Value {
	switch t := t.(type) {
	case *Struct:
		if g.IntN(3) == 0 {
			return s.zero(t)
		}
		var parts []*Value
		for _, f := range t.Fields {
			parts = append(parts, g.value(s, f.Type))
		}
		return s.make(t, parts...)
	case Array:
		if g.IntN(3) == 0 {
			return s.zero(t)
		}
		var parts []*Value
		for range t.Len {
			parts = append(parts, g.value(s, t.Elem))
		}
		return s.make(t, parts...)
	case Pointer:
		return s.op(OpLocal, g.value(s, t.Elem))
	case Slice:
		if t.Elem == Int64 && g.IntN(2) == 0 {
			return s.op(OpSliceOf, g.value(s, Pointer{Array{Int64, 4}}))
		}
	}
	return of[g.IntN(len(of))]
}

// part is a part of an aggregate, or the comparison of two.
func (g *generator) part(s *site) *Value {
	t := g.aggregate()
	v := g.value(s, t)
	if g.IntN(4) == 0 {
		return s.op(OpEq+Op(g.IntN(2)), v, g.value(s, t))
	}
	switch t := t.(type) {
	case *Struct:
		return s.field(v, g.IntN(len(t.Fields)))
	}
	i := g.value(s, Int64)
	if g.IntN(3) > 0 {
		i = g.index(s)
	}
	return s.op(OpElem, v, i)
}

// memory makes a variable, takes the address of a part of one, or loads or stores; what
// it gives may be nil.
func (g *generator) memory(s *site) *Value {
	ts := append([]Type{Int64, g.typ()}, aggregates...)
	t := ts[g.IntN(len(ts))]
	if g.IntN(4) == 0 {
		return s.op(OpLocal, g.value(s, t))
	}
	if g.IntN(12) == 0 {
		return s.op(OpLoad, s.op(OpLocal, g.value(s, Pointer{t})))
	}
	p := g.value(s, Pointer{t})
	if s.Func.Kernel && t == Type(vec) && g.IntN(3) == 0 {
		p = s.op(OpIndexAddr, g.value(s, Slice{vec}), g.index(s))
	}
	for g.IntN(3) > 0 {
		switch t := p.Type.(Pointer).Elem.(type) {
		case *Struct:
			p = s.fieldAddr(p, g.IntN(len(t.Fields)))
		case Array:
			p = s.op(OpElemAddr, p, s.op(OpRem, g.index(s), s.int(Int64, int64(t.Len))))
		}
	}
	switch g.IntN(5) {
	case 0, 1:
		s.store(p, g.value(s, p.Type.(Pointer).Elem))
		return nil
	case 2:
		return p
	}
	return s.op(OpLoad, p)
}

// check makes a check, one that mostly holds.
func (g *generator) check(s *site) {
	small := func() *Value { return g.index(s) }
	if g.IntN(30) == 0 {
		small = func() *Value { return g.value(s, Int64) }
	}
	switch g.IntN(5) {
	case 0:
		s.check(CheckIndex, small(), s.op(OpLen, g.value(s, Slice{Int64})))
	case 1:
		s.check(CheckSlice, s.int(Int64, 0), small(), s.int(Int64, 4))
	case 2:
		s.check(CheckDivide, s.op(OpOr, small(), s.int(Int64, 4)))
	case 3:
		s.check(CheckNil, g.value(s, Pointer{Int64}))
	default:
		s.Append(&Instr{Op: OpCheck, Check: CheckAssert, Message: "small", Args: []*Value{s.op(OpLt, small(), s.int(Int64, 4))}})
	}
}

// guarded makes a test, with more before or after, and checks of what it compares in
// its blocks.
func (g *generator) guarded(s *site) {
	near := func(s *site, v *Value) *Value {
		switch g.IntN(6) {
		case 0, 1:
			return s.op(OpAdd, v, s.int(Int64, int64(g.IntN(5)-2)))
		case 2:
			return s.op([]Op{OpMin, OpMax, OpSub, OpRem, OpShr, OpDiv, OpMul, OpAnd}[g.IntN(8)], v, g.value(s, Int64))
		}
		return v
	}
	x, y := near(s, g.value(s, Int64)), near(s, g.value(s, Int64))
	compare := func(s *site) *Value {
		a, b := x, y
		if g.IntN(3) == 0 {
			b = s.int(Int64, int64(g.IntN(4)))
		}
		if g.IntN(4) == 0 {
			a, b = b, a
		}
		return s.op([]Op{OpLt, OpLe, OpGt, OpGe, OpEq, OpNe}[g.IntN(6)], a, b)
	}
	test := compare(s)
	if g.IntN(2) == 0 {
		both := g.IntN(2) == 0
		quick := func(b builder) { b.yield(b.bool(!both)) }
		second := func(b builder) {
			in := *s
			in.builder = b
			b.yield(compare(&in))
		}
		if !both {
			quick, second = second, quick
		}
		test = s.ifelse(test, []Type{Bool}, second, quick).Result()
	}
	inside := func(b builder) {
		in := *s
		in.builder, in.see = b, append([]*Value(nil), s.see...)
		for range g.IntN(3) {
			i, n := near(&in, x), near(&in, y)
			if g.IntN(3) == 0 {
				n = b.int(Int64, int64(g.IntN(9)))
			}
			if g.IntN(4) == 0 {
				b.check(CheckSlice, b.int(Int64, 0), i, n)
			} else {
				b.check(CheckIndex, i, n)
			}
		}
		if s.leave && g.IntN(4) == 0 {
			b.ret(g.values(&in, s.results)...)
			return
		}
		b.yield(near(&in, x))
	}
	els := func(b builder) { b.yield(y) }
	if g.IntN(2) == 0 {
		els = inside
	}
	v := s.ifelse(test, []Type{Int64}, inside, els)
	if !v.fallsThrough() {
		s.see = append(s.see, x)
		return
	}
	s.see = append(s.see, v.Results...)
	if g.IntN(3) == 0 {
		s.check(CheckIndex, near(s, v.Result()), y)
	}
}
