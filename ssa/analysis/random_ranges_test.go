package analysis_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestRangesRandom runs kernels, and expects each integer in its range, and no overflow where there can be none.
func TestRangesRandom(t *testing.T) {
	for _, c := range []struct {
		name   string
		random func(seed uint64) *ssa.Module
	}{
		{"modules", ssatest.RandomModule},
		{"blocks", ssatest.RandomBlocks},
		{"sums", func(seed uint64) *ssa.Module { return (&summer{Rand: rand.New(rand.NewPCG(seed, 4))}).module() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			seeds, seen, bounded := ssatest.Trials()/2, 0, 0
			for seed := range seeds {
				m := c.random(seed)
				g := rand.New(rand.NewPCG(seed, 5))
				if g.IntN(2) == 0 {
					opt.Optimize(m, nil)
				}
				for _, n := range []int64{7, interesting(g)} {
					w := &rangeWatcher{n: n, ranges: make(map[*ssa.Func]*analysis.Ranges)}
					w.ask(m, g)
					k := m.Kernels()[0]
					a := ssatest.NewArguments()
					a.Bytes[0] = interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
					p := interp.CompileWatched(k, w.watch)
					for thread := range int64(2) {
						env := &interp.Env{Memory: &a.Memory, Steps: 3000, Place: interp.Place{
							Flat: thread, ID: [4]int64{thread}, Dim: [4]int64{2, 1, 1, 1}, Lane: thread, BlockDim: ssatest.BlockDim,
						}, Printf: func(*ssa.Instr, []uint64) error { return nil }}
						w.lost = false
						_, _ = p.Run(env, a.Bytes) // whether it ends in a failed check or not
					}
					if w.wrong != "" {
						t.Fatalf("seed %d, n %d: %s\n%s", seed, n, w.wrong, m)
					}
					seen += w.seen
					bounded += w.bounded
				}
			}
			if seen < 50*int(seeds) || bounded < seen/10 {
				t.Errorf("of %d numbers %d have bounds: the generator has lost its bite", seen, bounded)
			}
		})
	}
}

// interesting is any number, most often one that is interesting.
func interesting(g *rand.Rand) int64 {
	if g.IntN(4) == 0 {
		return int64(g.Uint64())
	}
	cs := ssatest.Interesting(ssa.Int64)
	return cs[g.IntN(len(cs))].Int()
}

// A rangeWatcher compares what a run computes with ranges.
type rangeWatcher struct {
	n             int64 // the first argument
	ranges        map[*ssa.Func]*analysis.Ranges
	seen, bounded int
	wrong         string // the first number out of its range
	lost          bool   // what a run computes may come of an element that no array has
}

// ask finds the ranges of all values of a module, in any order, with what is given and without.
func (w *rangeWatcher) ask(m *ssa.Module, g *rand.Rand) {
	given := g.IntN(3) > 0
	for _, f := range m.Funcs {
		r := new(analysis.Ranges)
		w.ranges[f] = r
		if given {
			r.Given = make(map[*ssa.Value]analysis.Interval)
			if f.Kernel && g.IntN(4) > 0 {
				n := f.Params()[1]
				lo, _ := analysis.Plus(w.n, -int64(g.IntN(20)))
				hi, _ := analysis.Plus(w.n, int64(g.IntN(20)))
				r.Given[n] = analysis.Interval{Lo: min(lo, w.n), Hi: max(hi, w.n)}
			}
		}
		var values []*ssa.Value
		f.Body.Walk(func(in *ssa.Instr) { values = append(append(values, in.Args...), in.Results...) })
		g.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		for _, v := range values[:g.IntN(len(values)+1)] {
			r.Of(v)
		}
	}
}

// watch looks at an instruction's operands, which may be variables of loops and results of branches, and at its result.
func (w *rangeWatcher) watch(in *ssa.Instr) func(value func(*ssa.Value) uint64) {
	var values []*ssa.Value
	for _, v := range append(in.Results[:1:1], in.Args...) {
		if ssa.IsInteger(v.Type) && v.Type != ssa.Uint64 {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil
	}
	ranges := w.ranges[in.Block.Func]
	bounds := make([]analysis.Interval, len(values))
	for i, v := range values {
		bounds[i] = ranges.Of(v)
		w.seen++
		if bounds[i] != analysis.OfType(v.Type) {
			w.bounded++
		}
	}
	exact := in.Op == ssa.OpAdd || in.Op == ssa.OpSub || in.Op == ssa.OpMul || in.Op == ssa.OpNeg
	exact = exact && ssa.IsSigned(in.Results[0].Type) && !ranges.MayOverflow(in)
	return func(value func(*ssa.Value) uint64) {
		number := func(v *ssa.Value) int64 { return ssa.BitsConst(value(v)).Int() }
		for d := in; d != nil && d.Op == ssa.OpElem; d = d.Args[0].Def {
			i := number(d.Args[1])
			w.lost = w.lost || i < 0 || i >= int64(d.Args[0].Type.(ssa.Array).Len)
		}
		if w.lost || w.wrong != "" {
			return
		}
		for i, v := range values {
			if x := number(v); x < bounds[i].Lo || x > bounds[i].Hi {
				w.wrong = fmt.Sprintf("v%d is %d, and not in %v, with %v given", v.ID, x, bounds[i], ranges.Given)
			}
		}
		if exact {
			x, y := number(in.Args[0]), number(in.Args[len(in.Args)-1])
			if in.Op == ssa.OpNeg {
				x = 0
			}
			if z := exactly(in.Op, x, y); z.Cmp(big.NewInt(number(in.Results[0]))) != 0 {
				w.wrong = fmt.Sprintf("v%d overflows: %d, %d", in.Results[0].ID, x, y)
			}
		}
	}
}

// exactly is a sum, a product or a difference.
func exactly(op ssa.Op, x, y int64) *big.Int {
	a, b := big.NewInt(x), big.NewInt(y)
	switch op {
	case ssa.OpAdd:
		return a.Add(a, b)
	case ssa.OpMul:
		return a.Mul(a, b)
	}
	return a.Sub(a, b)
}

// summer makes kernels with the parameters of [ssatest.RandomModule], in which loops add numbers to their variables.
type summer struct {
	*rand.Rand
	typ    ssa.Type
	budget int
}

func (g *summer) module() *ssa.Module {
	v := ssatest.RandomModule(0).Kernels()[0].Params()
	var params []*ssa.Value
	for _, p := range v[1:] {
		params = append(params, ssatest.Arg(p.Type, p.Name))
	}
	g.typ = []ssa.Type{ssa.Int64, ssa.Int64, ssa.Int32, ssa.Int8, ssa.Uint8, ssa.Int16}[g.IntN(6)]
	g.budget = 60
	return ssatest.KernelOf("k", params, func(b ssatest.Builder, p []*ssa.Value) {
		see := []*ssa.Value{b.Convert(g.typ, p[1]), b.Convert(g.typ, p[2]), b.Convert(g.typ, p[3]), b.Convert(g.typ, b.Op(ssa.OpLen, p[7])), g.constant(b)}
		g.statements(b, see, nil, 3)
		b.Return()
	})
}

func (g *summer) one(list []*ssa.Value) *ssa.Value { return list[g.IntN(len(list))] }

// constant is small most often.
func (g *summer) constant(b ssatest.Builder) *ssa.Value {
	if g.IntN(4) > 0 {
		return b.Int(g.typ, int64(g.IntN(13)-6))
	}
	cs := ssatest.Interesting(g.typ)
	return b.Constant(g.typ, cs[g.IntN(len(cs))])
}

// operand is a value that is seen, or a constant.
func (g *summer) operand(b ssatest.Builder, see []*ssa.Value) *ssa.Value {
	if g.IntN(3) == 0 {
		return g.constant(b)
	}
	return g.one(see)
}

// statements compute numbers, which are seen after them. The loops around may be left in branches.
func (g *summer) statements(b ssatest.Builder, see []*ssa.Value, loops []*ssa.Instr, depth int) []*ssa.Value {
	for range 1 + g.IntN(5) {
		if g.budget--; g.budget < 0 {
			return see
		}
		switch k := g.IntN(10); {
		case k < 2 && depth > 0:
			see = append(see, g.branch(b, see, loops, depth))
		case k < 5 && depth > 0:
			see = append(see, g.loop(b, see, loops, depth)...)
		case k == 5:
			to := []ssa.Type{ssa.Int8, ssa.Int32, ssa.Uint8, ssa.Uint16, ssa.Uint32, ssa.Uint64, ssa.Int64}[g.IntN(7)]
			see = append(see, b.Convert(g.typ, b.Convert(to, g.one(see))))
		case k == 6:
			array := b.Make(ssa.Array{Elem: g.typ, Len: 2}, g.operand(b, see), g.operand(b, see))
			see = append(see, b.Op(ssa.OpElem, array, b.Int(ssa.Int64, int64(g.IntN(2)))))
		default:
			see = append(see, g.operation(b, see))
		}
	}
	return see
}

func (g *summer) operation(b ssatest.Builder, see []*ssa.Value) *ssa.Value {
	ops := []ssa.Op{ssa.OpAdd, ssa.OpAdd, ssa.OpAdd, ssa.OpSub, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpAnd, ssa.OpShr, ssa.OpMin, ssa.OpMax, ssa.OpNeg, ssa.OpCom, ssa.OpOr, ssa.OpShl, ssa.OpXor, ssa.OpAndNot}
	op := ops[g.IntN(len(ops))]
	if op.Operands() == 1 {
		return b.Op(op, g.one(see))
	}
	x, y := g.operand(b, see), g.operand(b, see)
	if op == ssa.OpRem && g.IntN(2) == 0 {
		y = b.Int(g.typ, int64(1+g.IntN(9)))
	}
	return b.Op(op, x, y)
}

func (g *summer) test(b ssatest.Builder, see []*ssa.Value) *ssa.Value {
	ops := []ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe}
	return b.Op(ops[g.IntN(6)], g.one(see), g.operand(b, see))
}

// branch is a number from one of two blocks, of which one may leave a loop.
func (g *summer) branch(b ssatest.Builder, see []*ssa.Value, loops []*ssa.Instr, depth int) *ssa.Value {
	leaves := len(loops) > 0 && g.IntN(2) == 0
	return b.IfElse(g.test(b, see), []ssa.Type{g.typ}, func(b ssatest.Builder) {
		in := g.statements(b, see[:len(see):len(see)], loops, depth-1)
		if !leaves {
			b.Yield(g.one(in))
			return
		}
		loop := loops[g.IntN(len(loops))]
		if g.IntN(2) == 0 {
			b.Next(loop, g.variables(b, loop, in)...)
		} else {
			b.Break(loop, g.variables(b, loop, in)...)
		}
	}, func(b ssatest.Builder) {
		b.Yield(g.operand(b, g.statements(b, see[:len(see):len(see)], loops, depth-1)))
	}).Result()
}

// variables are those of a loop for its next turn: most are as they are, or something is added to them.
func (g *summer) variables(b ssatest.Builder, loop *ssa.Instr, see []*ssa.Value) []*ssa.Value {
	return g.moved(b, loop.Cond().Params, see)
}

func (g *summer) moved(b ssatest.Builder, from, see []*ssa.Value) (list []*ssa.Value) {
	for i, v := range from {
		switch k := g.IntN(8); {
		case k < 3 || i == 0 && k < 7:
		case k < 5:
			v = b.Op([]ssa.Op{ssa.OpAdd, ssa.OpSub}[g.IntN(2)], v, g.operand(b, see))
		case k < 6:
			v = b.Op(ssa.OpAdd, g.operand(b, see), v)
		default:
			v = g.one(see)
		}
		list = append(list, v)
	}
	return list
}

// loop counts, and adds to other variables.
func (g *summer) loop(b ssatest.Builder, see []*ssa.Value, loops []*ssa.Instr, depth int) []*ssa.Value {
	init := []*ssa.Value{g.operand(b, see)}
	for range 1 + g.IntN(3) {
		init = append(init, g.operand(b, see))
	}
	step, op := int64(1+g.IntN(3)), []ssa.Op{ssa.OpLt, ssa.OpLe, ssa.OpNe}[g.IntN(3)]
	if g.IntN(3) == 0 {
		step, op = -step, []ssa.Op{ssa.OpGt, ssa.OpGe, ssa.OpNe}[g.IntN(3)]
	}
	limit := g.operand(b, see)
	if g.IntN(3) > 0 {
		first := int64(g.IntN(9) - 4)
		init[0], limit = b.Int(g.typ, first), b.Int(g.typ, first+step*int64(g.IntN(6)))
	}
	return b.Loop(init, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
		if g.IntN(4) == 0 {
			in := append(see[:len(see):len(see)], v...)
			both := func(b ssatest.Builder) *ssa.Value { return g.test(b, in) }
			return ssatest.AndAlso(b, b.Op(op, v[0], limit), both)
		}
		return b.Op(op, v[0], limit)
	}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
		in := g.statements(b, append(see[:len(see):len(see)], v...), append(loops[:len(loops):len(loops)], loop), depth-1)
		b.Next(loop, g.variables(b, loop, in)...)
	}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
		next := g.moved(b, v, append(see[:len(see):len(see)], v...))
		if g.IntN(8) > 0 {
			next[0] = b.Op(ssa.OpAdd, v[0], b.Int(g.typ, step))
		}
		return next
	}).Results
}
