package target_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// TestHoistTakenApart launches kernels that take an index apart by numbers of any sign and size, and have guards for the
// parts, with all checks and without those that the launch answers.
func TestHoistTakenApart(t *testing.T) {
	seeds, held := ssatest.Trials(), 0
	for seed := range seeds {
		g := &takesApart{Rand: rand.New(rand.NewPCG(seed, 2))}
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Int64, "w"), ssatest.Arg(ssa.Int32, "h"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, g.build)
		opt.Optimize(m, nil)
		k := m.Kernels()[0]
		fast, test := target.HoistChecks(k, new(analysis.Summaries))
		if fast == nil {
			continue
		}
		slow, quick := interp.Compile(k), interp.Compile(fast)
		sizes := []int64{-9, -3, -1, 0, 1, 2, 3, 5, 12, 100, -1 << 63, 1<<63 - 1, 1 << 31}
		for range 40 {
			of := func(list []int64) int64 { return list[g.IntN(len(list))] }
			n, w, h, threads, length := of(sizes), of(sizes), of(sizes), of([]int64{1, 3, 12, 24}), of([]int64{0, 1, 2, 4, 24, 60})
			var memory interp.Buffers
			args := [][]byte{interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))), interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(w))),
				interp.Scalar(ssa.Int32, ssa.IntConst(ssa.Int32, uint64(h))), interp.SliceArg(memory.Add(make([]byte, 8*60)), int(length))}
			if !test.Holds(target.LaunchSize{Dims: []int64{threads}, Block: 4}, args) {
				continue
			}
			held++
			for thread := range threads {
				run := func(p *interp.Program) error {
					env := &interp.Env{Memory: &memory, Steps: 5000, Place: interp.Place{Flat: thread, ID: [4]int64{thread}, Dim: [4]int64{threads, 1, 1, 1}, Lane: thread % 4, Block: thread / 4, BlockDim: 4}}
					_, err := p.Run(env, args)
					return err
				}
				want := run(slow)
				if got := run(quick); !errors.Is(want, interp.ErrSteps) && fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d, n %d, w %d, h %d, length %d, thread %d of %d: %v, want %v\n%s\n%s\n%+v", seed, n, w, h, length, thread, threads, got, want, k, fast, test)
				}
			}
		}
	}
	if held < int(seeds) {
		t.Errorf("of %d kernels, launches can answer checks %d times: the generator has lost its bite", seeds, held)
	}
}

// takesApart makes kernels (t, n, w int64, h int32, s []int64).
type takesApart struct {
	*rand.Rand
	typ    ssa.Type
	given  []*ssa.Value // the same in all threads
	length *ssa.Value
	parts  []*ssa.Value // an index, its quotients and its remainders
	terms  []*ssa.Value // these, and the divisors
}

func (g *takesApart) build(b ssatest.Builder, p []*ssa.Value) {
	g.typ = []ssa.Type{ssa.Int64, ssa.Int64, ssa.Int32, ssa.Uint32}[g.IntN(4)]
	g.length = b.Op(ssa.OpLen, p[4])
	g.given = []*ssa.Value{p[1], p[2], p[2], p[2], p[3], g.length}
	index := g.converted(b, b.Op(ssa.OpThreadID, p[0]), g.typ)
	for range g.IntN(3) {
		index = b.Op(g.op(ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMin, ssa.OpMax), index, g.uniform(b))
	}
	g.parts, g.terms = []*ssa.Value{index}, []*ssa.Value{index}
	for range 1 + g.IntN(2) {
		of, by := g.one(g.parts), g.uniform(b)
		b.Check(ssa.CheckDivide, by)
		y, x := b.Op(ssa.OpDiv, of, by), b.Op(ssa.OpRem, of, by)
		g.parts, g.terms = append(g.parts, y, x), append(g.terms, y, x, by)
	}
	g.guarded(b, 1+g.IntN(5))
	b.Return()
}

// guarded checks sums of the parts under so many guards.
func (g *takesApart) guarded(b ssatest.Builder, guards int) {
	small := func() *ssa.Value { return b.Int(g.typ, int64(g.IntN(3)-1)) }
	if guards == 0 {
		i := g.terms[g.IntN(1+g.IntN(len(g.terms)))]
		switch g.IntN(4) {
		case 0, 1:
			i = b.Op(g.op(ssa.OpAdd, ssa.OpSub, ssa.OpMin, ssa.OpMax, ssa.OpAnd), i, g.one(g.terms))
		case 2:
			i = b.Op(ssa.OpAdd, i, small())
		}
		b.Check(ssa.CheckIndex, g.converted(b, i, ssa.Int64), g.length)
		return
	}
	x, y := g.one(g.parts), g.uniform(b)
	switch g.IntN(5) {
	case 0:
		y = b.Op(ssa.OpAdd, y, small())
	case 1:
		y = g.one(g.parts)
	}
	ssatest.When(b, b.Op(g.op(ssa.OpNe, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe), x, y), func(b ssatest.Builder) { g.guarded(b, guards-1) })
}

func (g *takesApart) one(list []*ssa.Value) *ssa.Value { return list[g.IntN(len(list))] }
func (g *takesApart) op(list ...ssa.Op) ssa.Op         { return list[g.IntN(len(list))] }

// uniform is a number that is the same in all threads.
func (g *takesApart) uniform(b ssatest.Builder) *ssa.Value {
	if g.IntN(6) == 0 {
		return b.Int(g.typ, int64(g.IntN(9)-4))
	}
	return g.converted(b, g.one(g.given), g.typ)
}

func (g *takesApart) converted(b ssatest.Builder, v *ssa.Value, t ssa.Type) *ssa.Value {
	if v.Type == t {
		return v
	}
	return b.Convert(t, v)
}
