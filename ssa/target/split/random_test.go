package split_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/split"
)

// TestRandom runs threads of kernels that clamp, test and wrap indices. Those in the interior of a row do by the function for
// it what they do by the kernel, whatever numbers the kernel is given.
func TestRandom(t *testing.T) {
	seeds := ssatest.Trials()
	splits, inRows, inside := 0, 0, 0
	for seed := range seeds {
		g := &clamper{Rand: rand.New(rand.NewPCG(seed, 3))}
		m := g.module()
		if g.IntN(4) > 0 {
			opt.Optimize(m, nil)
		}
		whole := m.Clone().Kernels()[0]
		k, summaries := m.Kernels()[0], new(analysis.Summaries)
		if g.IntN(2) == 0 && split.CPU.Rows(k, summaries) {
			inRows++
			opt.Settle([]*ssa.Func{k}, summaries, nil)
		}
		if !split.CPU.Row(k, false, nil) {
			continue
		}
		splits++
		m.Funcs = append([]*ssa.Func{k.Interior.Inside}, m.Funcs...)
		if g.IntN(2) == 0 {
			opt.Settle([]*ssa.Func{k.Interior.Inside}, summaries, nil)
		}
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, m)
		}
		slow, quick := interp.Compile(whole), interp.Compile(k.Interior.Inside)
		for range 30 {
			l := g.launch(whole.Rank)
			for _, at := range l.interior(g, k) {
				want, ended := l.run(t, slow, at)
				got, end := l.run(t, quick, at)
				if !ended || !end {
					continue
				}
				inside++
				if got != want {
					t.Fatalf("seed %d, %v, thread %v: %#x, want %#x\n%s\n%s", seed, l, at, got, want, m, whole)
				}
			}
		}
	}
	if splits < int(seeds)/2 || inRows < int(seeds)/20 || inside < 10*int(seeds) {
		t.Errorf("of %d kernels %d are split, %d have rows of their own, and %d threads were inside: the generator has lost its bite", seeds, splits, inRows, inside)
	}
}

// config is a parameter with numbers in it.
var config = ssa.StructOf("Config", ssa.Field{Name: "edge", Type: ssa.Int64}, ssa.Field{Name: "half", Type: ssa.Int32}, ssa.Field{Name: "table", Type: ssa.Slice{Elem: ssa.Float32}})

// clamper makes kernels (t, n, w int64, h int32, u uint64, s []int64, c Config, o []int64) and launches of them.
type clamper struct {
	*rand.Rand
	rank     int
	index    *ssa.Value
	uniforms []*ssa.Value // the same in all threads of a row
	counters []*ssa.Value // of the loops around
	sum      *ssa.Value   // the variable in which all that is computed comes together
}

func (g *clamper) module() *ssa.Module {
	params := []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Int64, "w"), ssatest.Arg(ssa.Int32, "h"), ssatest.Arg(ssa.Uint64, "u"),
		ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s"), ssatest.Arg(config, "c"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "o")}
	g.rank = 1 + g.IntN(2)
	m := ssatest.KernelOf("k", params, g.build)
	m.Kernels()[0].Rank = g.rank
	return m
}

func (g *clamper) build(b ssatest.Builder, p []*ssa.Value) {
	id := func(rank, axis int) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: int8(rank), Axis: int8(axis), Args: p[:1]}, ssa.Int64).Result()
	}
	dim := func(axis int) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpThreadDim, Axis: int8(axis), Args: p[:1]}, ssa.Int64).Result()
	}
	g.index = id(g.rank, g.rank-1)
	n, w := p[1], p[2]
	g.uniforms = []*ssa.Value{n, n, w, w, b.Convert(ssa.Int64, p[3]), b.Convert(ssa.Int64, p[4]), b.Op(ssa.OpLen, p[5]), b.Field(p[6], 0),
		b.Convert(ssa.Int64, b.Field(p[6], 1)), b.Op(ssa.OpLen, b.Field(p[6], 2))}
	for axis := range g.rank {
		g.uniforms = append(g.uniforms, dim(axis), dim(axis))
	}
	if g.rank == 2 {
		g.uniforms = append(g.uniforms, id(2, 0), id(2, 0))
	}
	g.sum = b.Op(ssa.OpLocal, b.Int(ssa.Int64, 0))
	if g.rank == 1 && g.IntN(3) == 0 {
		by := []*ssa.Value{n, w, b.Int(ssa.Int64, 64), b.Int(ssa.Int64, 100)}[g.IntN(4)]
		row, column := b.Op(ssa.OpDiv, g.index, by), b.Op(ssa.OpRem, g.index, by)
		if g.IntN(4) == 0 {
			shift := []int64{-1, 6, 7, 40, 64}[g.IntN(5)]
			by = b.Int(ssa.Int64, 1<<uint64(shift))
			row, column = b.Op(ssa.OpShr, g.index, b.Int(ssa.Int64, shift&63)), b.Op(ssa.OpAnd, g.index, b.Int(ssa.Int64, by.Def.Const.Int()-int64(1+g.IntN(6)/5)))
		}
		g.add(b, row)
		g.uniforms = append(g.uniforms, by, by)
		if g.IntN(2) == 0 {
			g.uniforms = append(g.uniforms, row)
		}
		if g.IntN(4) > 0 {
			g.index = column
		}
	}
	g.statements(b, 2)
	b.Set(p[7], 0, b.Op(ssa.OpLoad, g.sum))
	b.Return()
}

// add adds a value to the sum, so that it is seen.
func (g *clamper) add(b ssatest.Builder, v *ssa.Value) {
	if v.Type == ssa.Bool {
		v = b.IfElse(v, []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(b.Int(ssa.Int64, 1)) }, func(b ssatest.Builder) { b.Yield(b.Int(ssa.Int64, 0)) }).Result()
	}
	b.Store(g.sum, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, b.Op(ssa.OpLoad, g.sum), b.Int(ssa.Int64, 31)), v))
}

// statements compute what is added to the sum, in branches and loops too.
func (g *clamper) statements(b ssatest.Builder, depth int) {
	for range 1 + g.IntN(1+g.IntN(4)) { // few, so that each of them bounds the interior
		switch k := g.IntN(6); {
		case k == 0 && depth > 0:
			ssatest.When(b, g.test(b), func(b ssatest.Builder) { g.statements(b, depth-1) })
		case k <= 2 && depth > 0:
			g.loop(b, depth)
		case k == 3:
			g.add(b, g.test(b))
		default:
			g.add(b, g.moved(b, 3))
		}
	}
}

func (g *clamper) one(list []*ssa.Value) *ssa.Value { return list[g.IntN(len(list))] }
func (g *clamper) op(list ...ssa.Op) ssa.Op         { return list[g.IntN(len(list))] }

// loop counts from a number to another one, or a few steps on.
func (g *clamper) loop(b ssatest.Builder, depth int) {
	first := b.Int(ssa.Int64, int64(g.IntN(7)-3))
	last := b.Int(ssa.Int64, first.Def.Const.Int()+int64(g.IntN(5)-1))
	switch g.IntN(4) {
	case 0:
		first = g.uniform(b, 1)
		last = b.Op(ssa.OpAdd, first, b.Int(ssa.Int64, int64(g.IntN(5)-1)))
	case 1:
		last = g.uniform(b, 1)
	}
	op, step := g.op(ssa.OpLt, ssa.OpLe), int64(1+g.IntN(2))
	if g.IntN(3) == 0 {
		op, step = g.op(ssa.OpGt, ssa.OpGe), -step
		first, last = last, first
	}
	visible := func(c *ssa.Value, do func()) {
		g.counters = append(g.counters, c)
		do()
		g.counters = g.counters[:len(g.counters)-1]
	}
	perhaps := func(b ssatest.Builder, c *ssa.Value) { // where the counter is one that the body does not see
		if g.IntN(4) == 0 {
			visible(c, func() { g.statements(b, 0) })
		}
	}
	b.Loop([]*ssa.Value{first}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
		perhaps(b, v[0])
		return b.Op(op, v[0], last)
	}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
		visible(v[0], func() { g.statements(b, depth-1) })
		b.Next(loop, v...)
	}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
		perhaps(b, v[0])
		return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, step))}
	})
}

// test compares a number that moves along the row with another one.
func (g *clamper) test(b ssatest.Builder) *ssa.Value {
	x, y := g.moved(b, 2), g.bound(b)
	if g.IntN(2) == 0 {
		x = g.multiple(b, x)
	}
	if g.IntN(3) == 0 {
		x, y = y, x
	}
	return b.Op(g.op(ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe), x, y)
}

// multiple is a multiple of a number plus another one, as for room for several elements.
func (g *clamper) multiple(b ssatest.Builder, x *ssa.Value) *ssa.Value {
	c := func(least, n int) *ssa.Value { return b.Int(ssa.Int64, int64(least+g.IntN(n))) }
	if g.IntN(2) == 0 {
		x = b.Op(ssa.OpAdd, x, c(-20, 24))
	}
	x = b.Op(ssa.OpMul, x, c(1, 6))
	if g.IntN(2) == 0 {
		x = b.Op(g.op(ssa.OpAdd, ssa.OpSub), x, c(-9, 19))
	}
	return x
}

// moved is a number that moves along the row: the index with something added, clamped, or what remains of it.
func (g *clamper) moved(b ssatest.Builder, depth int) *ssa.Value {
	if depth == 0 || g.IntN(6) == 0 {
		return g.index
	}
	x := g.moved(b, depth-1)
	switch g.IntN(7) {
	case 0, 1:
		return b.Op(g.op(ssa.OpMin, ssa.OpMax), x, g.bound(b))
	case 2:
		return b.Op(g.op(ssa.OpMin, ssa.OpMax), g.bound(b), x)
	case 3:
		by := g.uniform(b, 0)
		if g.IntN(3) > 0 {
			x = b.Op(ssa.OpAdd, b.Op(ssa.OpAdd, x, b.Int(ssa.Int64, int64(g.IntN(7)-3))), by)
		}
		return b.Op(ssa.OpRem, x, by)
	case 4, 5:
		if len(g.counters) > 0 {
			return b.Op(g.op(ssa.OpAdd, ssa.OpSub), x, g.one(g.counters))
		}
	}
	y := b.Int(ssa.Int64, int64(g.IntN(7)-3))
	if g.IntN(3) == 0 {
		y = g.uniform(b, 1)
	}
	if g.IntN(4) == 0 {
		return b.Op(ssa.OpAdd, y, x)
	}
	return b.Op(g.op(ssa.OpAdd, ssa.OpSub), x, y)
}

// bound is what an index is compared with.
func (g *clamper) bound(b ssatest.Builder) *ssa.Value {
	switch g.IntN(4) {
	case 0:
		return b.Int(ssa.Int64, int64(g.IntN(5)-1))
	case 1:
		return b.Op(ssa.OpSub, g.uniform(b, 0), b.Int(ssa.Int64, int64(g.IntN(5)-1)))
	}
	return g.uniform(b, 2)
}

// uniform is a number that is the same in all threads of a row.
func (g *clamper) uniform(b ssatest.Builder, depth int) *ssa.Value {
	switch k := g.IntN(8); {
	case k == 0:
		return b.Int(ssa.Int64, g.number())
	case k > 3 || depth == 0:
		return g.one(g.uniforms)
	case k == 1:
		return b.Op(g.op(ssa.OpDiv, ssa.OpRem), g.uniform(b, depth-1), b.Int(ssa.Int64, int64(2+g.IntN(3))))
	case k == 2 && g.IntN(2) == 0:
		return b.Op(ssa.OpNeg, g.uniform(b, depth-1))
	}
	return b.Op(g.op(ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMin, ssa.OpMax), g.uniform(b, depth-1), g.uniform(b, depth-1))
}

// number is small, or near a number at which something may wrap, or bounds of package split are.
func (g *clamper) number() int64 {
	near := []int64{0, 0, 0, 64, 100, 100, 1 << 30, 1 << 31, 1 << 40, math.MaxInt64, math.MinInt64}[g.IntN(11)]
	if g.IntN(3) == 0 {
		near = -near
	}
	return near + int64(g.IntN(9)-4)
}

// A launch is the sizes and the arguments of one.
type launch struct {
	dims        []int64
	n, w, u     int64
	h           int32
	length      int64
	edge        int64
	half        int32
	table       int64
	memory      interp.Buffers
	out, config []byte
	args        [][]byte
}

func (l *launch) String() string {
	return fmt.Sprintf("over %v, n %d, w %d, h %d, u %#x, length %d, c {%d, %d, %d}", l.dims, l.n, l.w, l.h, uint64(l.u), l.length, l.edge, l.half, l.table)
}

func (g *clamper) launch(rank int) *launch {
	l := &launch{}
	for range rank {
		l.dims = append(l.dims, []int64{1, 3, 64, 100, 100, 200, 1 << 30, 1 << 31}[g.IntN(8)])
	}
	if rank == 1 && g.IntN(4) == 0 {
		l.dims[0] = 1<<41 - int64(g.IntN(2))
	}
	number := func() int64 {
		if g.IntN(3) == 0 {
			return l.dims[rank-1] + int64(g.IntN(5)-2)
		}
		return g.number()
	}
	size := func() int64 { return min(max(number(), -number(), 0), 1<<48) }
	l.n, l.w, l.u, l.h, l.length = number(), number(), number(), int32(number()), size()
	l.edge, l.half, l.table = number(), int32(number()), size()
	scalar := func(t ssa.Type, x int64) []byte { return interp.Scalar(t, ssa.IntConst(t, uint64(x))) }
	l.out, l.config = make([]byte, 8), make([]byte, config.Size())
	binary.LittleEndian.PutUint64(l.config, uint64(l.edge))
	binary.LittleEndian.PutUint32(l.config[config.Offset(1):], uint32(l.half))
	binary.LittleEndian.PutUint64(l.config[config.Offset(2)+8:], uint64(l.table))
	l.args = [][]byte{scalar(ssa.Int64, l.n), scalar(ssa.Int64, l.w), scalar(ssa.Int32, int64(l.h)), scalar(ssa.Uint64, l.u),
		append(scalar(ssa.Int64, 0), scalar(ssa.Int64, l.length)...), l.config, interp.SliceArg(l.memory.Add(l.out), 1)}
	return l
}

// run gives what a thread computes.
func (l *launch) run(t *testing.T, p *interp.Program, at interp.Place) (sum uint64, ended bool) {
	t.Helper()
	clear(l.out)
	_, err := p.Run(&interp.Env{Memory: &l.memory, Steps: 2000, Place: at}, l.args)
	if err != nil && !errors.Is(err, interp.ErrSteps) {
		t.Fatal(err)
	}
	return binary.LittleEndian.Uint64(l.out), err == nil
}

// interior gives some threads in the interior of a row: the first ones, the last ones, and one between them.
func (l *launch) interior(g *clamper, k *ssa.Func) (list []interp.Place) {
	last := len(l.dims) - 1
	at := interp.Place{Dim: [4]int64{1, 1, 1, 1}, BlockDim: 1}
	copy(at.Dim[:], l.dims)
	lo, hi := int64(0), l.dims[last]
	width := int64(0)
	switch {
	case k.Rows != nil:
		if width = l.value(k.Rows.Width, &at); width < k.Rows.Least || width > k.Rows.Most {
			return nil
		}
		at.ID[0] = g.Int64N(1 + (hi-1)/width)
		hi = min(width, hi-at.ID[0]*width)
	case len(l.dims) == 2:
		at.ID[0] = g.Int64N(l.dims[0])
	}
	for _, b := range k.Interior.From {
		lo = max(lo, l.bound(b, &at))
	}
	for _, b := range k.Interior.To {
		hi = min(hi, l.bound(b, &at))
	}
	if lo >= hi {
		return nil
	}
	for _, i := range []int64{lo, lo + 1, lo + g.Int64N(hi-lo), hi - 2, hi - 1} {
		if i < lo || i >= hi {
			continue
		}
		here := at
		switch {
		case width > 0:
			here.ID[1] = i
			here.Flat = here.ID[0]*width + i
		case len(l.dims) == 2:
			here.ID[1] = i
			here.Flat = here.ID[0]*l.dims[1] + i
		default:
			here.ID[0], here.Flat = i, i
		}
		list = append(list, here)
	}
	return list
}

// bound is a bound of an interior, as the loop over a row computes it.
func (l *launch) bound(b ssa.Bound, at *interp.Place) int64 {
	if b.Base == nil {
		return b.Plus
	}
	x := l.value(b.Base, at)
	if b.Cut {
		x = min(max(x, -1<<62), 1<<62)
	}
	return x + b.Plus
}

// value is a number that is the same for all threads of a row.
func (l *launch) value(v *ssa.RowValue, at *interp.Place) int64 {
	n := v.Const
	var x, y int64
	if v.Op.IsOperator() || v.Op == ssa.OpConvert {
		x = l.value(v.Args[0], at)
		y = l.value(v.Args[len(v.Args)-1], at)
	}
	switch v.Op {
	case ssa.OpConst:
	case ssa.OpThreadID:
		n = at.ID[v.Axis]
	case ssa.OpThreadDim:
		n = at.Dim[v.Axis]
	case ssa.OpConvert:
		n = int64(ssa.Wrap(v.Type.(ssa.Basic), uint64(x)))
	case ssa.OpMin:
		n = min(x, y)
	case ssa.OpMax:
		n = max(x, y)
	case ssa.OpAdd:
		n = x + y
	case ssa.OpSub:
		n = x - y
	case ssa.OpMul:
		n = x * y
	case ssa.OpDiv:
		n = x / y
	case ssa.OpRem:
		n = x % y
	case ssa.OpLen:
		n = int64(binary.LittleEndian.Uint64(l.bytes(v.Args[0])[8:]))
	case ssa.OpInvalid, ssa.OpField:
		word := append(bytes.Clone(l.bytes(v)[:v.Type.Size()]), make([]byte, 8)...)
		n = int64(ssa.Wrap(v.Type.(ssa.Basic), binary.LittleEndian.Uint64(word)))
	default:
		panic("no value of a row: " + v.String())
	}
	return n + v.Plus
}

// bytes are those of a parameter, or of a field of one.
func (l *launch) bytes(v *ssa.RowValue) []byte {
	if v.Op == ssa.OpField {
		return l.bytes(v.Args[0])[v.Args[0].Type.(*ssa.Struct).Offset(v.Index):]
	}
	return l.args[v.Index]
}
