package ssa

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// generator builds random modules that are well formed and run to their end:
// the first variable of each loop counts its turns up to a small bound.
type generator struct {
	*rand.Rand
	m       *Module
	scalars []Type
	budget  int // of instructions
}

// site is a place where the generator builds: what it sees, and where it may
// leave to.
type site struct {
	builder
	see     []*Value
	loops   []*Instr // around, that may be left and continued
	results []Type   // of the function
	leave   bool     // whether the loops and the function may be left here
}

func randomModule(seed uint64) *Module {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), m: &Module{Name: "k"}}
	g.scalars = []Type{Bool, Int64, Int32, Uint8, Float32, Float64}
	g.m.Formats = []Format{{Text: "%v %v\n", Args: []FormatArg{{Type: Int64, GoType: "int"}, {Type: Float32, GoType: "float32"}}}}
	for i := range g.IntN(3) {
		g.budget = 30
		params := []*Value{arg(Int64, "a"), arg(g.typ(), "b"), arg(Slice{Int64}, "s"), arg(g.aggregate(), "v"), arg(Pointer{Int64}, "p")}
		results := make([]Type, g.IntN(3))
		for i := range results {
			results[i] = g.typ()
		}
		addFunc(g.m, fmt.Sprintf("f%d", i), false, params, results, func(b builder, p []*Value) {
			s := &site{builder: b, see: slices.Clone(p), results: results, leave: true}
			s.see = append(s.see, b.op(OpLoad, p[len(p)-1]))
			g.body(s)
		})
	}
	g.budget = 90
	params := []*Value{arg(Thread, "t"), arg(Int64, "n"), arg(Int32, "i"), arg(Uint8, "u"), arg(Float32, "x"), arg(Float64, "y"),
		arg(Bool, "c"), arg(Slice{Int64}, "s"), arg(Slice{Float32}, "fs"), arg(Slice{vec}, "vs"), arg(vec, "v")}
	addFunc(g.m, "k", true, params, nil, func(b builder, p []*Value) {
		see := append(slices.Clone(p), b.op(OpThreadID, p[0]), b.op(OpThreadDim, p[0]), b.op(OpLen, p[7]), b.field(p[len(p)-1], 1))
		g.body(&site{builder: b, see: see, leave: true})
	})
	return g.m
}

func (g *generator) typ() Type { return g.scalars[g.IntN(len(g.scalars))] }

// body builds a function's body.
func (g *generator) body(s *site) {
	if g.instrs(s, 14, 0) {
		for i := range 4 { // much of what was computed is seen
			s.set(g.value(s, Slice{Int64}), int64(i), g.value(s, Int64))
			s.store(g.value(s, Pointer{Int64}), g.value(s, Int64))
			s.set(g.value(s, Slice{Int64}), int64(i), s.op(OpLoad, g.value(s, Pointer{Int64})))
		}
		s.Append(&Instr{Op: OpPrintf, Args: g.values(s, []Type{Int64, Float32})})
		s.ret(g.values(s, s.results)...)
	}
}

// value is a visible value of a type, or a constant.
func (g *generator) value(s *site, t Type) *Value {
	var of []*Value
	for _, v := range s.see {
		if v.Type == t {
			of = append(of, v)
		}
	}
	if !isConstType(t) && (len(of) == 0 || g.IntN(8) == 0) {
		v := g.composed(s, t, of)
		s.see = append(s.see, v)
		return v
	}
	if len(of) == 0 || isConstType(t) && g.IntN(5) == 0 {
		cs := interesting(t)
		v := s.constant(t, cs[g.IntN(len(cs))])
		if g.IntN(3) == 0 && t != Bool {
			v.Def.Const = goConst(t, g.IntN(3))
		}
		s.see = append(s.see, v)
		return v
	}
	return of[g.IntN(len(of))]
}

// goConst is a small number as a constant of any numeric type.
func goConst(t Type, x int) Const {
	if IsFloat(t) {
		return FloatConst(t, float64(x))
	}
	return IntConst(t, uint64(x))
}

func (g *generator) values(s *site, ts []Type) []*Value {
	vs := make([]*Value, len(ts))
	for i, t := range ts {
		vs[i] = g.value(s, t)
	}
	return vs
}

// instrs builds up to n instructions, and reports whether their end is reached:
// else it has ended the block.
func (g *generator) instrs(s *site, n, depth int) bool {
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
		case k < 11:
			if v := g.memory(s); v != nil {
				s.see = append(s.see, v)
			}
		case (k == 6 || k == 11) && len(g.m.Funcs) > 1 && s.Func.Kernel:
			f := g.m.Funcs[g.IntN(len(g.m.Funcs)-1)]
			var ts []Type
			for _, p := range f.Params() {
				ts = append(ts, p.Type)
			}
			args := g.values(s, ts)
			if last := len(args) - 1; g.IntN(2) == 0 { // to a variable that is for this call
				args[last] = s.op(OpLocal, g.value(s, Int64))
				s.store(args[last], g.value(s, Int64))
			}
			s.see = append(s.see, s.call(f, args...)...)
		default:
			s.see = append(s.see, g.pure(s)...)
		}
	}
	return true
}

// pure builds a computation or a load.
func (g *generator) pure(s *site) []*Value {
	switch g.IntN(8) {
	case 0:
		from, to := numericTypes[g.IntN(len(numericTypes))], g.scalars[1+g.IntN(len(g.scalars)-1)]
		return []*Value{s.convert(to, s.convert(from, g.value(s, to)))}
	case 1:
		t := []Type{Float32, Float64}[g.IntN(2)]
		fs := []Math{Abs, Floor, Sqrt, MathMax, Modf, Frexp, IsNaN, Copysign, Signbit}
		f := fs[g.IntN(len(fs))]
		params, _ := f.Signature(t)
		return s.math(f, t, g.values(s, params)...)
	case 2:
		slice := g.value(s, Slice{Int64})
		if s.Func.Kernel && g.IntN(2) == 0 {
			slice = g.value(s, Slice{Float32})
		}
		return []*Value{s.op(OpLoad, s.op(OpIndexAddr, slice, g.index(s)))}
	case 3:
		slice := g.value(s, Slice{Int64})
		switch {
		case g.IntN(4) == 0:
			return []*Value{s.op(OpIsNil, slice)}
		case slice.Def != nil || g.IntN(4) == 0:
			return []*Value{s.op(OpLen, slice)}
		}
		from := int64(0) // the slice has four elements, or is the kernel's of eight
		if s.Func.Kernel {
			from = int64(g.IntN(5))
		}
		sub := s.Append(&Instr{Op: OpSubslice, Args: []*Value{slice, s.int(Int64, from), s.int(Int64, from+4)}}, slice.Type)
		return sub.Results
	case 4:
		return []*Value{g.part(s)}
	}
	for {
		op := OpAdd + Op(g.IntN(int(OpMax-OpAdd)+1))
		if g.IntN(20) == 0 {
			op = OpOpaque
		}
		t := g.typ()
		if !ops[op].operands.includes(t) {
			continue
		}
		args := []*Value{g.value(s, t)}
		switch ops[op].shape {
		case shapeShift:
			args = append(args, g.value(s, g.scalars[1+g.IntN(3)]))
		case shapeBinary, shapeComparison:
			args = append(args, g.value(s, t))
		}
		return []*Value{s.op(op, args...)}
	}
}

// effect builds a write.
func (g *generator) effect(s *site) {
	switch g.IntN(4) {
	case 0:
		s.Append(&Instr{Op: OpPrintf, Args: g.values(s, []Type{Int64, Float32})})
	case 1:
		p := s.op(OpIndexAddr, g.value(s, Slice{Int64}), g.index(s))
		in := s.Append(&Instr{Op: OpAtomic, Atomic: AtomicAdd, Args: []*Value{p, g.value(s, Int64)}}, Int64)
		s.see = append(s.see, in.Result())
	case 2:
		s.see = append(s.see, s.op(OpCopy, g.value(s, Slice{Int64}), g.value(s, Slice{Int64})))
	default:
		s.store(s.op(OpIndexAddr, g.value(s, Slice{Int64}), g.index(s)), g.value(s, Int64))
	}
}

// branch builds an If, and reports whether its end is reached.
func (g *generator) branch(s *site, depth int) bool {
	types := make([]Type, g.IntN(3))
	for i := range types {
		types[i] = g.typ()
	}
	through := false
	build := func(b builder) {
		in := *s
		in.builder, in.see = b, slices.Clone(s.see)
		if !g.instrs(&in, 5, depth+1) {
			return
		}
		if g.IntN(20) == 0 && (s.leave || through) { // a loop's Cond and Post come to their end
			b.panic("no", g.values(&in, []Type{Int64, Bool}[:g.IntN(3)])...)
			return
		}
		if g.leave(&in) {
			return
		}
		through = true
		b.yield(g.values(&in, types)...)
	}
	v := s.ifelse(g.value(s, Bool), types, build, build)
	if !through {
		s.unreachable()
		return false
	}
	s.see = append(s.see, v.Results...)
	return true
}

// leave sometimes ends a block by leaving a loop or the function.
func (g *generator) leave(s *site) bool {
	if !s.leave || g.IntN(4) != 0 {
		return false
	}
	if len(s.loops) == 0 || g.IntN(5) == 0 {
		s.ret(g.values(s, s.results)...)
		return true
	}
	loop := s.loops[g.IntN(len(s.loops))]
	if g.IntN(2) == 0 {
		s.next(loop, g.variables(s, loop)...)
	} else {
		s.brk(loop, g.variables(s, loop)...)
	}
	return true
}

// variables is what a loop's variables are handed on as: the counter as it is,
// others often so.
func (g *generator) variables(s *site, loop *Instr) []*Value {
	vs := slices.Clone(loop.Cond().Params)
	for i := range vs[1:] {
		if g.IntN(2) == 0 {
			vs[i+1] = g.value(s, vs[i+1].Type)
		}
	}
	return vs
}

// loop builds a Loop.
func (g *generator) loop(s *site, depth int) {
	init := []*Value{s.int(Int64, 0)}
	for range g.IntN(4) {
		init = append(init, g.value(s, g.typ()))
	}
	turns := int64(g.IntN(4))
	outer := slices.Clone(s.see)
	l := s.loop(init, func(b builder, v []*Value) *Value {
		c := site{builder: b, see: append(slices.Clone(outer), v...)}
		g.instrs(&c, 2, depth+2)
		test := b.op(OpLt, v[0], b.int(Int64, turns))
		if g.IntN(3) == 0 {
			test = b.op(OpAnd, test, g.value(&c, Bool))
		}
		return test
	}, func(b builder, loop *Instr, v []*Value) {
		d := *s
		d.builder, d.see = b, append(slices.Clone(outer), v...)
		d.loops = append(slices.Clone(s.loops), loop)
		if !s.leave { // the loop itself may be left, nothing around it
			d.loops = d.loops[len(d.loops)-1:]
		}
		d.leave = s.leave
		if g.instrs(&d, 6, depth+1) {
			b.next(loop, g.variables(&d, loop)...)
		}
	}, func(b builder, v []*Value) []*Value {
		p := site{builder: b, see: append(slices.Clone(outer), v...)}
		g.instrs(&p, 2, depth+2)
		next := slices.Clone(v)
		for i := range next[1:] {
			if g.IntN(3) == 0 {
				next[i+1] = g.value(&p, next[i+1].Type)
			}
		}
		next[0] = b.op(OpAdd, v[0], b.int(Int64, 1))
		return next
	})
	s.see = append(s.see, l.Results...)
}

// BenchmarkOptimize is the pipeline over 100 random modules, each larger than
// most kernels.
func BenchmarkOptimize(b *testing.B) {
	instrs := 0
	for b.Loop() {
		b.StopTimer()
		ms := make([]*Module, 100)
		instrs = 0
		for i := range ms {
			ms[i] = randomModule(uint64(i))
			for _, f := range ms[i].Funcs {
				f.Body.Walk(func(*Instr) { instrs++ })
			}
		}
		b.StartTimer()
		for _, m := range ms {
			Optimize(m, nil)
		}
	}
	b.ReportMetric(float64(instrs), "instrs/op")
}

// BenchmarkVerify is the verifier over the same modules.
func BenchmarkVerify(b *testing.B) {
	ms := make([]*Module, 100)
	for i := range ms {
		ms[i] = randomModule(uint64(i))
	}
	for b.Loop() {
		for _, m := range ms {
			if err := Verify(m); err != nil {
				b.Fatal(err)
			}
		}
	}
}
