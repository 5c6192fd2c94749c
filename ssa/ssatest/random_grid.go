package ssatest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// RandomGrid is a random module of a Grid kernel, with parallel Fors in the host's
// part and under Ifs and Loops of it.
func RandomGrid(seed uint64) *ssa.Module { return randomFors(seed, ssa.GridKernel) }

// RandomBlocks is a random module of a Block kernel, with Fors over its lanes, also under Ifs and Loops.
func RandomBlocks(seed uint64) *ssa.Module { return randomFors(seed, ssa.BlockKernel) }

// randomFors is a random module of a kernel with Fors.
func randomFors(seed uint64, kind ssa.Kind) *ssa.Module {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 3)), m: &ssa.Module{Name: "k"}}
	g.scalars = []ssa.Type{ssa.Bool, ssa.Int64, ssa.Int32, ssa.Uint8, ssa.Float32, ssa.Float64}
	g.m.Formats = []ssa.Format{{Text: "%v %v\n", Args: []ssa.FormatArg{{Type: ssa.Int64, GoType: "int"}, {Type: ssa.Float32, GoType: "float32"}}}}
	for i := range g.IntN(3) {
		g.budget = 20
		params := []*ssa.Value{Arg(ssa.Int64, "a"), Arg(ssa.Slice{Elem: ssa.Int64}, "s"), Arg(g.aggregate(), "v"), Arg(ssa.Pointer{Elem: ssa.Int64}, "p")}
		results := []ssa.Type{g.typ()}
		AddFunc(g.m, fmt.Sprintf("f%d", i), false, params, results, func(b Builder, p []*ssa.Value) {
			g.body(&point{Builder: b, see: slices.Clone(p), results: results, leave: true})
		})
	}
	params := []*ssa.Value{Arg(ssa.Int64, "n"), Arg(ssa.Int32, "i"), Arg(ssa.Uint8, "u"), Arg(ssa.Float32, "x"), Arg(ssa.Float64, "y"),
		Arg(ssa.Bool, "c"), Arg(ssa.Slice{Elem: ssa.Int64}, "s"), Arg(ssa.Slice{Elem: ssa.Float32}, "fs"), Arg(ssa.Slice{Elem: Vec}, "vs"), Arg(Vec, "v")}
	if kind == ssa.BlockKernel {
		params = append([]*ssa.Value{Arg(ssa.BlockPlace, "b")}, params...)
	}
	k := AddFunc(g.m, "k", true, params, nil, func(b Builder, p []*ssa.Value) {
		s := &point{Builder: b, see: slices.Clone(p)}
		if kind == ssa.BlockKernel {
			s.see = append(s.see, b.Op(ssa.OpBlockID, p[0]))
		}
		for range 1 + g.IntN(4) {
			g.budget = 12
			g.instrs(s, 8, 0)
			g.somewhere(s, g.IntN(3))
		}
		g.body(s)
	})
	k.Kind = kind
	return g.m
}

// somewhere builds a parallel For, in so many Ifs and Loops.
func (g *generator) somewhere(s *point, depth int) {
	inside := func(b Builder, more ...*ssa.Value) *point {
		in := *s
		in.Builder, in.see = b, append(slices.Clone(s.see), more...)
		return &in
	}
	switch {
	case depth == 0:
		g.parallel(s)
	case g.IntN(2) == 0:
		t := g.typ()
		in := s.IfElse(g.value(s, ssa.Bool), []ssa.Type{t}, func(b Builder) {
			then := inside(b)
			g.somewhere(then, depth-1)
			b.Yield(g.value(then, t))
		}, func(b Builder) { b.Yield(g.value(inside(b), t)) })
		s.see = append(s.see, in.Results...)
	default:
		// The loop exchanges two slices, as kernels with two buffers do.
		init := []*ssa.Value{s.Int(ssa.Int64, 0), g.value(s, ssa.Slice{Elem: ssa.Int64}), g.value(s, ssa.Slice{Elem: ssa.Int64})}
		l := s.Loop(init, func(b Builder, v []*ssa.Value) *ssa.Value {
			return b.Op(ssa.OpLt, v[0], b.Int(ssa.Int64, int64(g.IntN(3))))
		}, func(b Builder, loop *ssa.Instr, v []*ssa.Value) {
			do := inside(b, v...)
			g.somewhere(do, depth-1)
			b.Next(loop, v...)
		}, func(b Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[2], v[1]}
		})
		s.see = append(s.see, l.Results...)
	}
}

// parallel builds a parallel For whose body is random, in a loop with one iteration now and
// then.
func (g *generator) parallel(s *point) {
	var sizes []*ssa.Value
	for range 1 + g.IntN(3) {
		if s.Func.Body.Params[0].Type == ssa.Type(ssa.BlockPlace) && g.IntN(2) == 0 {
			sizes = append(sizes, s.Op(ssa.OpMin, g.value(s, ssa.Int64), s.Int(ssa.Int64, int64(g.IntN(4)))))
		} else {
			sizes = append(sizes, s.Int(ssa.Int64, int64(g.IntN(3))))
		}
	}
	loop := s.Append(&ssa.Instr{Op: ssa.OpFor, Args: sizes})
	body := Builder{loop.NewBlock()}
	in := &point{Builder: body, see: slices.Clone(s.see)}
	for range sizes {
		in.see = append(in.see, body.AddParam(ssa.Int64, "i"))
	}
	g.budget = 12
	if g.IntN(2) == 0 {
		body.Loop(nil, func(b Builder, _ []*ssa.Value) *ssa.Value { return b.Bool(true) }, func(b Builder, loop *ssa.Instr, _ []*ssa.Value) {
			d := *in
			d.Builder, d.see = b, slices.Clone(in.see)
			b.IfElse(g.value(&d, ssa.Bool), nil, func(b Builder) { b.Break(loop) }, func(b Builder) { b.Yield() })
			g.instrs(&d, 8, 1)
			g.effect(&d)
			b.Break(loop)
		}, func(Builder, []*ssa.Value) []*ssa.Value { return nil })
	} else {
		g.instrs(in, 8, 1)
		g.effect(in)
	}
	body.Yield()
}
