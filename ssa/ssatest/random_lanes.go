package ssatest

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// RandomLanes is a random module of a kernel that may run in the lanes of vectors: each thread has memory of its own in
// the slices that it writes, and those that it reads stay as they are. Of four kernels one has checks and panics.
func RandomLanes(seed uint64) *ssa.Module {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 5)), m: &ssa.Module{Name: "k"}, lanes: true, stops: seed%4 == 1}
	g.scalars = []ssa.Type{ssa.Bool, ssa.Int64, ssa.Int32, ssa.Uint8, ssa.Float32, ssa.Float64}
	for i := range g.IntN(3) {
		g.budget = 20
		results := make([]ssa.Type, g.IntN(3))
		for i := range results {
			results[i] = g.typ()
		}
		params := append([]*ssa.Value{Arg(ssa.Int64, "a"), Arg(g.typ(), "b"), Arg(Vec, "v"), Arg(ssa.Int64, "thread")}, laneSlices()...)
		AddFunc(g.m, fmt.Sprintf("f%d", i), false, params, results, func(b Builder, p []*ssa.Value) {
			s := &point{Builder: b, see: p, results: results, leave: true}
			if i > 0 && g.IntN(2) == 0 {
				g.laneRecursion(s, p)
			}
			if g.laneInstrs(s, 8, 1) {
				b.Return(g.values(s, results)...)
			}
		})
	}
	g.budget = 90
	params := append([]*ssa.Value{Arg(ssa.Thread, "t"), Arg(ssa.Int64, "n"), Arg(ssa.Int32, "i"), Arg(ssa.Uint8, "u"), Arg(ssa.Float32, "x"),
		Arg(ssa.Float64, "y"), Arg(ssa.Bool, "c"), Arg(Vec, "v")}, laneSlices()...)
	AddFunc(g.m, "k", true, params, nil, func(b Builder, p []*ssa.Value) {
		thread := b.Named("thread", b.Op(ssa.OpThreadID, p[0]))
		see := append(p[:len(p):len(p)], thread, b.Convert(ssa.Float32, thread), b.Convert(ssa.Int32, thread), b.Op(ssa.OpLt, thread, b.Int(ssa.Int64, 5)))
		s := &point{Builder: b, see: see, leave: true}
		if g.laneInstrs(s, 14, 0) {
			for range 4 { // much of what was computed is seen
				g.laneStore(s)
			}
			b.Return()
		}
	})
	return g.m
}

// laneSlices are the slices of these kernels: what threads read, and what they write, and a distance of elements.
func laneSlices() []*ssa.Value {
	return append([]*ssa.Value{Arg(ssa.Slice{Elem: ssa.Int64}, "ints"), Arg(ssa.Slice{Elem: ssa.Float32}, "floats"), Arg(ssa.Slice{Elem: Vec}, "vecs"), Arg(ssa.Slice{Elem: ssa.Bool}, "bools"),
		Arg(ssa.Slice{Elem: ssa.Int64}, "own"), Arg(ssa.Slice{Elem: ssa.Float64}, "row"), Arg(ssa.Slice{Elem: Vec}, "ownVecs"), Arg(ssa.Slice{Elem: ssa.Bool}, "ownBools"),
		Arg(ssa.Slice{Elem: ssa.Int64}, "ownStrided"), Arg(ssa.Int64, "stride")}, partSlices()...)
}

// Sizes of these slices.
const (
	laneElements = 32 // that threads read
	laneThreads  = 16
	laneOwn      = 4 // numbers that a thread has of its own in a slice
	laneStride   = laneElements / laneThreads
)

// laneInstrs is instrs for these kernels.
func (g *generator) laneInstrs(s *point, n, depth int) bool {
	for range g.IntN(n) + 1 {
		if g.budget--; g.budget < 0 {
			return true
		}
		switch k := g.IntN(26); {
		case k == 24:
			g.laneArray(s)
		case (k == 11 || k == 25) && s.Func.Kernel && len(g.m.Funcs) > 1:
			f := g.m.Funcs[g.IntN(len(g.m.Funcs)-1)]
			args := g.values(s, []ssa.Type{ssa.Int64, f.Params()[1].Type, Vec})
			for _, p := range f.Params()[3:] {
				args = append(args, named(s, p.Name))
			}
			s.see = append(s.see, s.Call(f, args...)...)
		case k == 14 && g.IntN(2) == 0:
			s.see = append(s.see, g.laneCopy(s))
		case k == 13 && g.stops:
			g.laneCheck(s)
		case k == 23:
			g.laneLater(s)
		case k > 20:
			g.laneParts(s)
		case k == 20:
			s.see = append(s.see, g.laneRows(s))
		case k < 3 && depth < 4:
			if !g.branch(s, depth) {
				return false
			}
		case k < 5 && depth < 3:
			g.loop(s, depth)
		case k < 7:
			g.laneStore(s)
		case k < 10:
			s.see = append(s.see, g.laneLoad(s))
		case k < 11:
			g.laneAggregate(s)
		case k == 12:
			g.laneVariable(s)
		default:
			s.see = append(s.see, g.lanePure(s))
		}
	}
	return true
}

// laneRecursion lets a function call itself, at most three deep, with other values and the same slices.
func (g *generator) laneRecursion(s *point, params []*ssa.Value) {
	depth := s.Op(ssa.OpAnd, params[0], s.Int(ssa.Int64, 3))
	in := s.IfElse(s.Op(ssa.OpNe, depth, s.Int(ssa.Int64, 0)), s.results, func(b Builder) {
		args := []*ssa.Value{b.Op(ssa.OpSub, depth, b.Int(ssa.Int64, 1))}
		args = append(args, g.values(&point{Builder: b, see: s.see}, []ssa.Type{params[1].Type, Vec})...)
		b.Yield(b.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: b.Func, Args: append(args, params[3:]...)}, s.results...).Results...)
	}, func(b Builder) { b.Yield(g.values(&point{Builder: b, see: s.see}, s.results)...) })
	s.see = append(s.see, in.Results...)
}

// named is the visible value of a name that is nobody else's.
func named(s *point, name string) *ssa.Value {
	for _, v := range s.see {
		if v.Name == name {
			return v
		}
	}
	panic("BUG: no " + name)
}

func (g *generator) lanePure(s *point) *ssa.Value {
	for {
		switch g.IntN(9) {
		case 0:
			from, to := NumericTypes[g.IntN(len(NumericTypes))], g.scalars[1+g.IntN(len(g.scalars)-1)]
			return s.Convert(to, s.Convert(from, g.value(s, to)))
		case 1:
			t := []ssa.Type{ssa.Float32, ssa.Float64}[g.IntN(2)]
			fs := []ssa.Math{ssa.Abs, ssa.Floor, ssa.Sqrt, ssa.MathMax, ssa.IsNaN, ssa.Copysign, ssa.Signbit, ssa.Ldexp, ssa.Ilogb, ssa.Modf, ssa.Sincos, ssa.Frexp}
			f := fs[g.IntN(len(fs))]
			params, _ := f.Signature(t)
			results := s.Math(f, t, g.values(s, params)...)
			return results[g.IntN(len(results))]
		case 2:
			t := []ssa.Type{ssa.Uint8, ssa.Uint32, ssa.Uint64}[g.IntN(3)]
			n := s.Bits(ssa.BitsLen+ssa.BitsOp(g.IntN(5)), s.Convert(t, g.value(s, ssa.Int64)))
			return s.Convert(ssa.Int64, n)
		case 3:
			number := func() *ssa.Value { return s.Convert(ssa.Uint64, g.value(s, ssa.Int64)) }
			hi, lo := s.MulWide(number(), number())
			if g.IntN(2) == 0 {
				hi, lo = s.DivWide(hi, lo, number())
			}
			return s.Convert(ssa.Int64, []*ssa.Value{hi, lo, s.Op(ssa.OpXor, hi, lo)}[g.IntN(3)])
		}
		op := ssa.OpAdd + ssa.Op(g.IntN(int(ssa.OpMax-ssa.OpAdd)+1))
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
		return s.Op(op, args...)
	}
}

// laneLoad loads from what threads read, or from the thread's own.
func (g *generator) laneLoad(s *point) *ssa.Value {
	at := func(slice string, i *ssa.Value) *ssa.Value { return g.element(s, slice, i) }
	switch g.IntN(5) {
	case 0:
		p, _ := g.laneAddress(s)
		return s.Op(ssa.OpLoad, p)
	case 1: // next to that of the next thread
		i := s.Op(ssa.OpAdd, named(s, "thread"), s.Int(ssa.Int64, int64(g.IntN(laneElements-laneThreads))))
		return s.Op(ssa.OpLoad, at([]string{"ints", "floats", "bools"}[g.IntN(3)], i))
	case 2:
		return s.Op(ssa.OpLoad, at([]string{"ints", "floats", "bools"}[g.IntN(3)], g.strided(s, false)))
	}
	i := s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, laneElements-1))
	name := []string{"ints", "floats", "vecs", "bools"}[g.IntN(4)]
	p := at(name, i)
	if name == "vecs" && g.IntN(2) == 0 {
		p = s.FieldAddr(p, g.IntN(2))
	}
	return s.Op(ssa.OpLoad, p)
}

// element is the address of an element of a slice with a name.
func (g *generator) element(s *point, name string, i *ssa.Value) *ssa.Value {
	return g.elementOf(s, named(s, name), i)
}

// elementOf is the address of an element, which some threads take from a part of the slice, or from a part of that.
func (g *generator) elementOf(s *point, slice, i *ssa.Value) *ssa.Value {
	for g.IntN(4) == 0 {
		from := s.Op([]ssa.Op{ssa.OpAnd, ssa.OpMin}[g.IntN(2)], i, []*ssa.Value{named(s, "thread"), s.Int(ssa.Int64, int64(g.IntN(laneElements)))}[g.IntN(2)])
		slice = s.Append(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{slice, from, s.Op(ssa.OpLen, slice)}}, slice.Type).Result()
		i = s.Op(ssa.OpSub, i, from)
	}
	return s.Op(ssa.OpIndexAddr, slice, i)
}

// laneCopy copies some of the numbers that threads read, or of the thread's own, to the thread's own.
func (g *generator) laneCopy(s *point) *ssa.Value {
	part := func(slice string, from *ssa.Value, most int64) *ssa.Value {
		whole, n := named(s, slice), s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, most))
		return s.Append(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{whole, from, s.Op(ssa.OpAdd, from, n)}}, whole.Type).Result()
	}
	own := func(at int64) *ssa.Value {
		return s.Op(ssa.OpAdd, s.Op(ssa.OpMul, named(s, "thread"), s.Int(ssa.Int64, laneOwn)), s.Int(ssa.Int64, at))
	}
	to := part("own", own(int64(g.IntN(2))), 3)
	from := part("ints", s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, laneElements/2-1)), 7)
	switch g.IntN(4) {
	case 0:
		from = part("own", own(int64(g.IntN(2))), 3)
	case 1:
		from = named(s, "ints")
	}
	return s.Append(&ssa.Instr{Op: ssa.OpCopy, Args: []*ssa.Value{to, from}}, ssa.Int64).Result()
}

// strided is an index by a distance that is no constant: of the thread's own, or of any thread's.
func (g *generator) strided(s *point, own bool) *ssa.Value {
	thread := named(s, "thread")
	if !own && g.IntN(3) == 0 {
		thread = s.Op(ssa.OpSub, s.Int(ssa.Int64, laneThreads-1), thread)
	}
	by, k := named(s, "stride"), s.Int(ssa.Int64, int64(g.IntN(laneStride)))
	if g.IntN(2) == 0 {
		return s.Op(ssa.OpAdd, k, s.Op(ssa.OpMul, by, thread))
	}
	return s.Op(ssa.OpAdd, s.Op(ssa.OpMul, thread, by), k)
}

// laneRows adds up numbers that lie next to those of the next thread, and goes on by a step, as long as there are any. Some
// loops read two rows, and compute something with values from around them.
func (g *generator) laneRows(s *point) *ssa.Value {
	slices := []*ssa.Value{named(s, "ints"), named(s, "floats")}
	k := g.IntN(2)
	t := slices[k].Type.(ssa.Slice).Elem
	first := s.Op(ssa.OpAdd, named(s, "thread"), s.Int(ssa.Int64, int64(g.IntN(3))))
	end, step := s.Int(ssa.Int64, int64(g.IntN(laneElements+1))), s.Int(ssa.Int64, int64(1+g.IntN(laneThreads+4)))
	vars := []*ssa.Value{first, g.value(s, t)}
	two := g.IntN(2) == 0
	for two && g.IntN(2) == 0 {
		vars = append(vars, g.value(s, g.typ()))
	}
	in := s.Loop(vars, func(b Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], end) },
		func(b Builder, loop *ssa.Instr, v []*ssa.Value) {
			row := func(k int) *ssa.Value { return b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, slices[k], v[0])) }
			next := append(v[:1:1], b.Op(ssa.OpSub, row(k), v[1]))
			if two {
				in := &point{Builder: b, see: append(append(s.see[:len(s.see):len(s.see)], v...), next[1], row(1-k))}
				for range g.IntN(6) {
					switch g.IntN(4) {
					case 0:
						in.see = append(in.see, g.laneLoad(in))
					case 1:
						g.laneStore(in)
					default:
						in.see = append(in.see, g.lanePure(in))
					}
				}
				next[1] = b.Op(ssa.OpAdd, b.Op(ssa.OpSub, g.value(in, t), next[1]), b.Convert(t, row(1-k)))
				for _, x := range v[2:] {
					next = append(next, g.value(in, x.Type))
				}
			}
			b.Next(loop, next...)
		}, func(b Builder, v []*ssa.Value) []*ssa.Value {
			return append([]*ssa.Value{b.Op(ssa.OpAdd, v[0], step)}, v[1:]...)
		})
	if two { // it is seen
		s.Store(s.Op(ssa.OpIndexAddr, named(s, "row"), named(s, "thread")), s.Convert(ssa.Float64, in.Results[1]))
	}
	return in.Results[g.IntN(len(vars))]
}

// laneLater is a loop in a loop that never ends by itself: threads continue the outer loop, or leave it, in different
// iterations of the inner one, and take along a number that is counted there.
func (g *generator) laneLater(s *point) {
	first := []*ssa.Value{s.Int(ssa.Int64, 0), named(s, "thread"), g.value(s, ssa.Int64)}[g.IntN(3)]
	step, turns, most := s.Int(ssa.Int64, int64(1+g.IntN(3))), s.Int(ssa.Int64, int64(1+g.IntN(4))), s.Int(ssa.Int64, int64(g.IntN(9)))
	own := s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, 3))
	zero := s.Int(ssa.Int64, 0)
	add := func(b Builder, x, y *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, x, y) }
	outer := s.Loop([]*ssa.Value{zero, first}, func(b Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], turns) },
		func(b Builder, outer *ssa.Instr, v []*ssa.Value) {
			b.Loop([]*ssa.Value{zero, v[1]}, func(b Builder, _ []*ssa.Value) *ssa.Value { return b.Bool(true) },
				func(b Builder, inner *ssa.Instr, w []*ssa.Value) {
					n := add(b, w[1], step)
					in := &point{Builder: b, see: append(append(s.see[:len(s.see):len(s.see)], v...), append(w, n)...)}
					for range g.IntN(3) {
						in.see = append(in.see, g.lanePure(in))
					}
					taken := []*ssa.Value{n, w[0], g.value(in, ssa.Int64)}[g.IntN(3)]
					there := b.Op(ssa.OpEq, b.Op(ssa.OpAnd, n, b.Int(ssa.Int64, 3)), own)
					b.IfElse(there, nil, func(b Builder) { b.Next(outer, v[0], taken) }, nil)
					b.IfElse(b.Op(ssa.OpGt, w[0], most), nil, func(b Builder) { b.Break(outer, v[0], n) }, nil)
					b.Next(inner, w[0], n)
				}, func(b Builder, w []*ssa.Value) []*ssa.Value {
					return []*ssa.Value{add(b, w[0], b.Int(ssa.Int64, 1)), w[1]}
				})
			b.Unreachable()
		}, func(b Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{add(b, v[0], b.Int(ssa.Int64, 1)), v[1]}
		})
	s.Store(s.Op(ssa.OpIndexAddr, named(s, "row"), named(s, "thread")), s.Convert(ssa.Float64, outer.Results[1]))
	s.see = append(s.see, outer.Results...)
}

// laneAddress is the address of something of the thread's own, with the type.
func (g *generator) laneAddress(s *point) (*ssa.Value, ssa.Type) {
	thread := named(s, "thread")
	at := func(slice string, i *ssa.Value) *ssa.Value { return g.element(s, slice, i) }
	switch g.IntN(6) {
	case 5:
		return at("ownStrided", g.strided(s, true)), ssa.Int64
	case 0:
		return at("row", thread), ssa.Float64
	case 1:
		return at("ownBools", thread), ssa.Bool
	case 2:
		p := at("ownVecs", thread)
		switch g.IntN(3) {
		case 0:
			return s.FieldAddr(p, 0), ssa.Float32
		case 1:
			return s.FieldAddr(p, 1), ssa.Int64
		}
		return p, Vec
	}
	k := s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, laneOwn-1))
	return at("own", s.Op(ssa.OpAdd, s.Op(ssa.OpMul, thread, s.Int(ssa.Int64, laneOwn)), k)), ssa.Int64
}

func (g *generator) laneStore(s *point) {
	p, t := g.laneAddress(s)
	s.Store(p, g.value(s, t))
}

// laneArray makes an array and uses several parts of it.
func (g *generator) laneArray(s *point) {
	t := aggregates[1+g.IntN(len(aggregates)-1)]
	s.see = append(s.see, s.Op(ssa.OpLocal, g.value(s, t)))
	for range 2 + g.IntN(6) {
		g.lanePart(s, g.value(s, ssa.Pointer{Elem: t}))
	}
}

// laneVariable makes a variable in memory, or uses a part of one.
func (g *generator) laneVariable(s *point) {
	g.lanePart(s, g.value(s, ssa.Pointer{Elem: g.aggregate()}))
}

// lanePart loads or stores a variable in memory, or a part of it.
func (g *generator) lanePart(s *point, p *ssa.Value) {
	for g.IntN(4) > 0 {
		switch t := p.Type.(ssa.Pointer).Elem.(type) {
		case *ssa.Struct:
			p = s.FieldAddr(p, g.IntN(len(t.Fields)))
		case ssa.Array:
			i := g.laneIndex(s, t.Len)
			if g.IntN(4) == 0 {
				p = g.elementOf(s, s.Op(ssa.OpSliceOf, p), i)
			} else {
				p = s.Op(ssa.OpElemAddr, p, i)
			}
		}
	}
	if g.IntN(2) == 0 {
		s.Store(p, g.value(s, p.Type.(ssa.Pointer).Elem))
	} else {
		s.see = append(s.see, s.Op(ssa.OpLoad, p))
	}
}

// laneIndex is an index of an array, which is known or not.
func (g *generator) laneIndex(s *point, length int) *ssa.Value {
	if g.IntN(2) == 0 {
		return s.Int(ssa.Int64, int64(g.IntN(length)))
	}
	mask := int64(1)<<bits.Len(uint(length-1)) - 1
	return s.Op(ssa.OpMin, s.Op(ssa.OpAnd, g.value(s, ssa.Int64), s.Int(ssa.Int64, mask)), s.Int(ssa.Int64, int64(length-1)))
}

// laneAggregate makes an aggregate, or takes a part of one.
func (g *generator) laneAggregate(s *point) {
	t := g.aggregate()
	switch v := g.value(s, t); g.IntN(3) {
	case 0:
		s.see = append(s.see, s.Op(ssa.OpEq+ssa.Op(g.IntN(2)), v, g.value(s, t)))
	default:
		if st, ok := t.(*ssa.Struct); ok {
			s.see = append(s.see, s.Field(v, g.IntN(len(st.Fields))))
		} else {
			s.see = append(s.see, s.Op(ssa.OpElem, v, g.laneIndex(s, t.(ssa.Array).Len)))
		}
	}
}

// laneCheck makes a check that may fail.
func (g *generator) laneCheck(s *point) {
	v := g.value(s, ssa.Int64)
	switch g.IntN(6) {
	case 0:
		s.Check(ssa.CheckIndex, v, s.Int(ssa.Int64, int64(g.IntN(40))))
	case 1:
		s.Check(ssa.CheckIndex, v, s.Op(ssa.OpLen, g.value(s, ssa.Slice{Elem: ssa.Int64})))
	case 2:
		s.Check(ssa.CheckSlice, v, g.value(s, ssa.Int64), s.Op(ssa.OpLen, g.value(s, ssa.Slice{Elem: ssa.Int64})))
	case 3:
		s.Check(ssa.CheckDivide, g.value(s, ssa.Uint8))
	case 4:
		s.Check(ssa.CheckShift, g.value(s, ssa.Int32))
	default:
		s.Append(&ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Message: "small", Args: []*ssa.Value{g.value(s, ssa.Bool)}})
	}
}

// LaunchLanes runs the threads of such a kernel, or, with its function for vectors, as many at once as these have
// lanes. Barriers do nothing. What is seen is the memory. It is not seen if threads have stopped: these are stopped, each
// with what failed, but of those that run at once only one.
func LaunchLanes(f *ssa.Func, lanes int64) (seen string, stopped []string, ended bool) {
	return launchLanes(f, lanes)
}

// LaunchPhased is LaunchLanes of what fission makes of a kernel, in blocks of one thread.
func LaunchPhased(f *ssa.Func) (seen string, stopped []string, ended bool) {
	return launchLanes(f, 1, interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, 1)))
}

// LaunchBlock is LaunchPhased in one block of all threads.
func LaunchBlock(f *ssa.Func) (seen string, stopped []string, ended bool) {
	return launchLanes(f, laneThreads, interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, laneThreads)))
}

func launchLanes(f *ssa.Func, lanes int64, more ...[]byte) (seen string, stopped []string, ended bool) {
	var memory interp.Buffers
	var kept [][]byte
	slice := func(size, n int, element func(i int) []byte) []byte {
		b := make([]byte, 0, size*n)
		for i := range n {
			b = append(b, element(i)...)
		}
		kept = append(kept, b)
		return interp.SliceArg(memory.Add(b), n)
	}
	number := func(t ssa.Type, x int64) []byte { return interp.Scalar(t, ssa.IntConst(t, uint64(x))) }
	float := func(i int) []byte { return interp.Scalar(ssa.Float32, ssa.Float32Const(float32(i*i%7)-2.5)) }
	integer := func(i int) []byte { return number(ssa.Int64, int64(i*i%11-3)) }
	vec := func(i int) []byte {
		return append(append(float(i), 0, 0, 0, 0), integer(i+1)...)
	}
	truth := func(i int) []byte { return []byte{byte(i / 3 % 2)} }
	zero := func(n int) func(int) []byte { return func(int) []byte { return make([]byte, n) } }
	particle := func(i int) []byte {
		b := slices.Concat(float(i), float(i+1), float(i+2), float(i+3), number(ssa.Int32, int64(i-3)), number(ssa.Uint32, int64(1)<<31+int64(i)))
		return append(b, interp.Scalar(ssa.Float64, ssa.Float64Const(float64(i)-0.5))...)
	}
	args := [][]byte{number(ssa.Int64, 7), number(ssa.Int32, -3), number(ssa.Uint8, 200), float(3), interp.Scalar(ssa.Float64, ssa.Float64Const(-3.25)), {1}, vec(5),
		slice(8, laneElements, integer), slice(4, laneElements, float), slice(16, laneElements, vec), slice(1, laneElements, truth),
		slice(8, laneThreads*laneOwn, zero(8)), slice(8, laneThreads, zero(8)), slice(16, laneThreads, zero(16)), slice(1, laneThreads, zero(1)), slice(8, laneElements, zero(8)), number(ssa.Int64, laneStride),
		slice(32, laneThreads+1, particle), slice(4, laneThreads*flatParts, float), slice(32, laneThreads, particle), slice(3, laneThreads, zero(3)), slice(4, laneThreads*flatParts, float)}
	args = append(args, more...)
	p := interp.Compile(f)
	for thread := int64(0); thread < laneThreads; thread += lanes {
		env := &interp.Env{Memory: &memory, Steps: 200000 * lanes, Shared: memory.AddShared, Place: interp.Place{Flat: thread, Lane: thread, ID: [4]int64{thread}, Dim: [4]int64{laneThreads, 1, 1, 1}}}
		env.Sync = func(*ssa.Instr) error { return nil }
		var fault *interp.Fault
		switch _, err := p.Run(env, args); {
		case errors.Is(err, interp.ErrSteps):
			return "", nil, false
		case errors.As(err, &fault):
			switch fault.Instr.Check {
			case ssa.CheckDivide, ssa.CheckNil, ssa.CheckAssert: // whose operands are not recorded
				fault.Values = nil
			}
			stopped = append(stopped, fmt.Sprintf("thread %d: fault %d of %d", thread+int64(fault.Lane), fault.Instr.Number, fault.Values))
		case err != nil:
			return err.Error(), nil, true
		}
	}
	if stopped != nil {
		return "", stopped, true
	}
	var out strings.Builder
	for _, b := range kept[4:] {
		fmt.Fprintln(&out, b)
	}
	return out.String(), nil, true
}
