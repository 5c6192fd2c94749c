package ssa

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// randomGrid is a random module of a Grid kernel, with parallel Fors in the host's
// part and under Ifs and Loops of it.
func randomGrid(seed uint64) *Module {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 3)), m: &Module{Name: "k"}}
	g.scalars = []Type{Bool, Int64, Int32, Uint8, Float32, Float64}
	g.m.Formats = []Format{{Text: "%v %v\n", Args: []FormatArg{{Type: Int64, GoType: "int"}, {Type: Float32, GoType: "float32"}}}}
	for i := range g.IntN(3) {
		g.budget = 20
		params := []*Value{arg(Int64, "a"), arg(Slice{Int64}, "s"), arg(g.aggregate(), "v"), arg(Pointer{Int64}, "p")}
		results := []Type{g.typ()}
		addFunc(g.m, fmt.Sprintf("f%d", i), false, params, results, func(b builder, p []*Value) {
			g.body(&site{builder: b, see: slices.Clone(p), results: results, leave: true})
		})
	}
	params := []*Value{arg(Int64, "n"), arg(Int32, "i"), arg(Uint8, "u"), arg(Float32, "x"), arg(Float64, "y"),
		arg(Bool, "c"), arg(Slice{Int64}, "s"), arg(Slice{Float32}, "fs"), arg(Slice{vec}, "vs"), arg(vec, "v")}
	k := addFunc(g.m, "k", true, params, nil, func(b builder, p []*Value) {
		s := &site{builder: b, see: slices.Clone(p)}
		for range 1 + g.IntN(4) {
			g.budget = 12
			g.instrs(s, 8, 0)
			g.somewhere(s, g.IntN(3))
		}
		g.body(s)
	})
	k.Kind = GridKernel
	return g.m
}

// somewhere builds a parallel For, in so many Ifs and Loops.
func (g *generator) somewhere(s *site, depth int) {
	inside := func(b builder, more ...*Value) *site {
		in := *s
		in.builder, in.see = b, append(slices.Clone(s.see), more...)
		return &in
	}
	switch {
	case depth == 0:
		g.parallel(s)
	case g.IntN(2) == 0:
		t := g.typ()
		in := s.ifelse(g.value(s, Bool), []Type{t}, func(b builder) {
			then := inside(b)
			g.somewhere(then, depth-1)
			b.yield(g.value(then, t))
		}, func(b builder) { b.yield(g.value(inside(b), t)) })
		s.see = append(s.see, in.Results...)
	default:
		// The loop exchanges two slices, as kernels with two buffers do.
		init := []*Value{s.int(Int64, 0), g.value(s, Slice{Int64}), g.value(s, Slice{Int64})}
		l := s.loop(init, func(b builder, v []*Value) *Value {
			return b.op(OpLt, v[0], b.int(Int64, int64(g.IntN(3))))
		}, func(b builder, loop *Instr, v []*Value) {
			do := inside(b, v...)
			g.somewhere(do, depth-1)
			b.next(loop, v...)
		}, func(b builder, v []*Value) []*Value {
			return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1)), v[2], v[1]}
		})
		s.see = append(s.see, l.Results...)
	}
}

// parallel builds a parallel For whose body is random, in a loop of one turn now and
// then.
func (g *generator) parallel(s *site) {
	var sizes []*Value
	for range 1 + g.IntN(3) {
		sizes = append(sizes, s.int(Int64, int64(g.IntN(3))))
	}
	loop := s.Append(&Instr{Op: OpFor, Args: sizes})
	body := builder{loop.NewBlock()}
	in := &site{builder: body, see: slices.Clone(s.see)}
	for range sizes {
		in.see = append(in.see, body.AddParam(Int64, "i"))
	}
	g.budget = 12
	if g.IntN(2) == 0 {
		body.loop(nil, func(b builder, _ []*Value) *Value { return b.bool(true) }, func(b builder, loop *Instr, _ []*Value) {
			d := *in
			d.builder, d.see = b, slices.Clone(in.see)
			b.ifelse(g.value(&d, Bool), nil, func(b builder) { b.brk(loop) }, func(b builder) { b.yield() })
			g.instrs(&d, 8, 1)
			g.effect(&d)
			b.brk(loop)
		}, func(builder, []*Value) []*Value { return nil })
	} else {
		g.instrs(in, 8, 1)
		g.effect(in)
	}
	body.yield()
}
