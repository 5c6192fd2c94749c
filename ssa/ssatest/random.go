package ssatest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// generator builds random modules that are well formed and run to their end:
// the first variable of each loop counts its iterations up to a small bound.
type generator struct {
	*rand.Rand
	m       *ssa.Module
	scalars []ssa.Type
	budget  int  // of instructions
	lanes   bool // of kernels for RandomLanes
	stops   bool // checks and panics in these
}

// point is an insertion point: a place where the generator builds: what it sees, and where it may
// leave to.
type point struct {
	Builder
	see     []*ssa.Value
	loops   []*ssa.Instr // around, that may be left and continued
	results []ssa.Type   // of the function
	leave   bool         // whether the loops and the function may be left here
}

// RandomModule is a random module that is well formed and runs to its end.
func RandomModule(seed uint64) *ssa.Module {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), m: &ssa.Module{Name: "k"}}
	g.scalars = []ssa.Type{ssa.Bool, ssa.Int64, ssa.Int32, ssa.Uint8, ssa.Float32, ssa.Float64}
	g.m.Formats = []ssa.Format{{Text: "%v %v\n", Args: []ssa.FormatArg{{Type: ssa.Int64, GoType: "int"}, {Type: ssa.Float32, GoType: "float32"}}}}
	for i := range g.IntN(3) {
		g.budget = 30
		params := []*ssa.Value{Arg(ssa.Int64, "a"), Arg(g.typ(), "b"), Arg(ssa.Slice{Elem: ssa.Int64}, "s"), Arg(g.aggregate(), "v"), Arg(ssa.Pointer{Elem: ssa.Int64}, "p")}
		results := make([]ssa.Type, g.IntN(3))
		for i := range results {
			results[i] = g.typ()
		}
		AddFunc(g.m, fmt.Sprintf("f%d", i), false, params, results, func(b Builder, p []*ssa.Value) {
			s := &point{Builder: b, see: slices.Clone(p), results: results, leave: true}
			s.see = append(s.see, b.Op(ssa.OpLoad, p[len(p)-1]))
			g.body(s)
		})
	}
	g.budget = 90
	params := []*ssa.Value{Arg(ssa.Thread, "t"), Arg(ssa.Int64, "n"), Arg(ssa.Int32, "i"), Arg(ssa.Uint8, "u"), Arg(ssa.Float32, "x"), Arg(ssa.Float64, "y"),
		Arg(ssa.Bool, "c"), Arg(ssa.Slice{Elem: ssa.Int64}, "s"), Arg(ssa.Slice{Elem: ssa.Float32}, "fs"), Arg(ssa.Slice{Elem: Vec}, "vs"), Arg(Vec, "v")}
	AddFunc(g.m, "k", true, params, nil, func(b Builder, p []*ssa.Value) {
		see := append(slices.Clone(p), b.Op(ssa.OpThreadID, p[0]), b.Op(ssa.OpThreadDim, p[0]), b.Op(ssa.OpLen, p[7]), b.Field(p[len(p)-1], 1))
		if g.IntN(4) == 0 {
			see = append(see, b.Op(ssa.OpLane, p[0]), b.Op(ssa.OpBlockID, p[0]), b.Op(ssa.OpBlockDim, p[0]))
		}
		g.body(&point{Builder: b, see: see, leave: true})
	})
	return g.m
}

func (g *generator) typ() ssa.Type { return g.scalars[g.IntN(len(g.scalars))] }

// body builds a function's body.
func (g *generator) body(s *point) {
	if g.instrs(s, 14, 0) {
		for i := range 4 { // much of what was computed is seen
			s.Set(g.value(s, ssa.Slice{Elem: ssa.Int64}), int64(i), g.value(s, ssa.Int64))
			s.Store(g.value(s, ssa.Pointer{Elem: ssa.Int64}), g.value(s, ssa.Int64))
			s.Set(g.value(s, ssa.Slice{Elem: ssa.Int64}), int64(i), s.Op(ssa.OpLoad, g.value(s, ssa.Pointer{Elem: ssa.Int64})))
		}
		s.Append(&ssa.Instr{Op: ssa.OpPrintf, Args: g.values(s, []ssa.Type{ssa.Int64, ssa.Float32})})
		s.Return(g.values(s, s.results)...)
	}
}

// value is a visible value of a type, or a constant.
func (g *generator) value(s *point, t ssa.Type) *ssa.Value {
	var of []*ssa.Value
	for _, v := range s.see {
		if v.Type == t {
			of = append(of, v)
		}
	}
	if !ssa.IsConstType(t) && (len(of) == 0 || g.IntN(8) == 0) {
		v := g.composed(s, t, of)
		s.see = append(s.see, v)
		return v
	}
	if len(of) == 0 || ssa.IsConstType(t) && g.IntN(5) == 0 {
		cs := Interesting(t)
		v := s.Constant(t, cs[g.IntN(len(cs))])
		if g.IntN(3) == 0 && t != ssa.Bool {
			v.Def.Const = GoConst(t, g.IntN(3))
		}
		s.see = append(s.see, v)
		return v
	}
	if g.lanes && g.IntN(3) == 0 { // what all threads agree on, more often than by chance
		if params := slices.DeleteFunc(slices.Clone(of), func(v *ssa.Value) bool { return v.Def != nil }); len(params) > 0 {
			of = params
		}
	}
	return of[g.IntN(len(of))]
}

// GoConst is a small number as a constant of any numeric type.
func GoConst(t ssa.Type, x int) ssa.Const {
	if ssa.IsFloat(t) {
		return ssa.FloatConst(t, float64(x))
	}
	return ssa.IntConst(t, uint64(x))
}

func (g *generator) values(s *point, ts []ssa.Type) []*ssa.Value {
	vs := make([]*ssa.Value, len(ts))
	for i, t := range ts {
		vs[i] = g.value(s, t)
	}
	return vs
}

// instrs builds up to n instructions, and reports whether their end is reached:
// else it has ended the block.
func (g *generator) instrs(s *point, n, depth int) bool {
	if g.lanes {
		return g.laneInstrs(s, n, depth)
	}
	for range g.IntN(n) + 1 {
		if g.budget--; g.budget < 0 {
			return true
		}
		switch k := g.IntN(20); {
		case k < 3 && depth < 4:
			if !g.branch(s, depth) {
				return false
			}
		case k < 5 && depth < 3:
			g.loop(s, depth)
		case k == 5:
			g.effect(s)
		case k == 7:
			g.check(s)
		case k == 12 && depth < 4:
			g.guarded(s)
		case k == 13 && depth < 3:
			g.counted(s)
		case k < 11:
			if v := g.memory(s); v != nil {
				s.see = append(s.see, v)
			}
		case (k == 6 || k == 11) && len(g.m.Funcs) > 1:
			f := g.m.Funcs[g.IntN(len(g.m.Funcs)-1)]
			var ts []ssa.Type
			for _, p := range f.Params() {
				ts = append(ts, p.Type)
			}
			args := g.values(s, ts)
			if last := len(args) - 1; g.IntN(2) == 0 { // to a variable that is for this call
				args[last] = s.Op(ssa.OpLocal, g.value(s, ssa.Int64))
				s.Store(args[last], g.value(s, ssa.Int64))
			}
			s.see = append(s.see, s.Call(f, args...)...)
		default:
			s.see = append(s.see, g.pure(s)...)
		}
	}
	return true
}

// pure builds a computation or a load.
func (g *generator) pure(s *point) []*ssa.Value {
	switch g.IntN(8) {
	case 0:
		from, to := NumericTypes[g.IntN(len(NumericTypes))], g.scalars[1+g.IntN(len(g.scalars)-1)]
		return []*ssa.Value{s.Convert(to, s.Convert(from, g.value(s, to)))}
	case 1:
		t := []ssa.Type{ssa.Float32, ssa.Float64}[g.IntN(2)]
		fs := []ssa.Math{ssa.Abs, ssa.Floor, ssa.Sqrt, ssa.MathMax, ssa.Modf, ssa.Frexp, ssa.IsNaN, ssa.Copysign, ssa.Signbit}
		f := fs[g.IntN(len(fs))]
		params, _ := f.Signature(t)
		return s.Math(f, t, g.values(s, params)...)
	case 2:
		slice := g.value(s, ssa.Slice{Elem: ssa.Int64})
		if s.Func.Kernel && g.IntN(2) == 0 {
			slice = g.value(s, ssa.Slice{Elem: ssa.Float32})
		}
		return []*ssa.Value{s.Op(ssa.OpLoad, s.Op(ssa.OpIndexAddr, slice, g.index(s)))}
	case 3:
		slice := g.value(s, ssa.Slice{Elem: ssa.Int64})
		switch {
		case g.IntN(4) == 0:
			return []*ssa.Value{s.Op(ssa.OpIsNil, slice)}
		case g.IntN(4) == 0:
			return []*ssa.Value{s.Op(ssa.OpApart, slice, g.value(s, ssa.Slice{Elem: ssa.Int64}))}
		case slice.Def != nil || g.IntN(4) == 0:
			return []*ssa.Value{s.Op(ssa.OpLen, slice)}
		}
		from := int64(0) // the slice has four elements, or is the kernel's of eight
		if s.Func.Kernel {
			from = int64(g.IntN(5))
		}
		sub := s.Append(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{slice, s.Int(ssa.Int64, from), s.Int(ssa.Int64, from+4)}}, slice.Type)
		return sub.Results
	case 4:
		return []*ssa.Value{g.part(s)}
	}
	for {
		op := ssa.OpAdd + ssa.Op(g.IntN(int(ssa.OpMax-ssa.OpAdd)+1))
		if g.IntN(20) == 0 {
			op = ssa.OpOpaque
		}
		t := g.typ()
		if !op.Takes(t) {
			continue
		}
		args := []*ssa.Value{g.value(s, t)}
		switch {
		case op.IsShift():
			args = append(args, g.value(s, g.scalars[1+g.IntN(3)]))
		case op.Operands() == 2:
			args = append(args, g.value(s, t))
		}
		return []*ssa.Value{s.Op(op, args...)}
	}
}

// effect builds a write.
func (g *generator) effect(s *point) {
	switch g.IntN(4) {
	case 0:
		s.Append(&ssa.Instr{Op: ssa.OpPrintf, Args: g.values(s, []ssa.Type{ssa.Int64, ssa.Float32})})
	case 1:
		p := s.Op(ssa.OpIndexAddr, g.value(s, ssa.Slice{Elem: ssa.Int64}), g.index(s))
		in := s.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{p, g.value(s, ssa.Int64)}}, ssa.Int64)
		s.see = append(s.see, in.Result())
	case 2:
		s.see = append(s.see, s.Op(ssa.OpCopy, g.value(s, ssa.Slice{Elem: ssa.Int64}), g.value(s, ssa.Slice{Elem: ssa.Int64})))
	default:
		s.Store(s.Op(ssa.OpIndexAddr, g.value(s, ssa.Slice{Elem: ssa.Int64}), g.index(s)), g.value(s, ssa.Int64))
	}
}

// branch builds an If, and reports whether its end is reached.
func (g *generator) branch(s *point, depth int) bool {
	types := make([]ssa.Type, g.IntN(3))
	for i := range types {
		types[i] = g.typ()
	}
	through := false
	build := func(b Builder) {
		in := *s
		in.Builder, in.see = b, slices.Clone(s.see)
		if !g.instrs(&in, 5, depth+1) {
			return
		}
		panics := s.leave || through // a loop's Cond and Post come to their end
		if g.lanes {
			panics = s.leave && g.stops // the front end has no panic in Cond or Post
		}
		if g.IntN(20) == 0 && panics {
			b.Panic("no", g.values(&in, []ssa.Type{ssa.Int64, ssa.Bool}[:g.IntN(3)])...)
			return
		}
		if g.leave(&in) {
			return
		}
		through = true
		b.Yield(g.values(&in, types)...)
	}
	v := s.IfElse(g.value(s, ssa.Bool), types, build, build)
	if !through {
		s.Unreachable()
		return false
	}
	s.see = append(s.see, v.Results...)
	return true
}

// leave sometimes ends a block by leaving a loop or the function.
func (g *generator) leave(s *point) bool {
	if !s.leave || g.IntN(4) != 0 {
		return false
	}
	if len(s.loops) == 0 || g.IntN(5) == 0 {
		s.Return(g.values(s, s.results)...)
		return true
	}
	loop := s.loops[g.IntN(len(s.loops))]
	if g.IntN(2) == 0 {
		s.Next(loop, g.variables(s, loop)...)
	} else {
		s.Break(loop, g.variables(s, loop)...)
	}
	return true
}

// variables is what a loop's variables are handed on as: the counter as it is,
// others often so.
func (g *generator) variables(s *point, loop *ssa.Instr) []*ssa.Value {
	vs := slices.Clone(loop.Cond().Params)
	for i := range vs[1:] {
		if g.IntN(2) == 0 {
			vs[i+1] = g.value(s, vs[i+1].Type)
		}
	}
	return vs
}

// loop builds a Loop.
func (g *generator) loop(s *point, depth int) {
	init := []*ssa.Value{s.Int(ssa.Int64, 0)}
	for range g.IntN(4) {
		init = append(init, g.value(s, g.typ()))
	}
	turns := int64(g.IntN(4))
	outer := slices.Clone(s.see)
	l := s.Loop(init, func(b Builder, v []*ssa.Value) *ssa.Value {
		c := point{Builder: b, see: append(slices.Clone(outer), v...)}
		g.instrs(&c, 2, depth+2)
		test := b.Op(ssa.OpLt, v[0], b.Int(ssa.Int64, turns))
		if g.IntN(3) == 0 {
			test = b.Op(ssa.OpAnd, test, g.value(&c, ssa.Bool))
		}
		return test
	}, func(b Builder, loop *ssa.Instr, v []*ssa.Value) {
		d := *s
		d.Builder, d.see = b, append(slices.Clone(outer), v...)
		d.loops = append(slices.Clone(s.loops), loop)
		if !s.leave { // the loop itself may be left, nothing around it
			d.loops = d.loops[len(d.loops)-1:]
		}
		d.leave = s.leave
		if g.instrs(&d, 6, depth+1) {
			b.Next(loop, g.variables(&d, loop)...)
		}
	}, func(b Builder, v []*ssa.Value) []*ssa.Value {
		p := point{Builder: b, see: append(slices.Clone(outer), v...)}
		g.instrs(&p, 2, depth+2)
		next := slices.Clone(v)
		for i := range next[1:] {
			if g.IntN(3) == 0 {
				next[i+1] = g.value(&p, next[i+1].Type)
			}
		}
		next[0] = b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))
		return next
	})
	s.see = append(s.see, l.Results...)
}
