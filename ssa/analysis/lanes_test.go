package analysis_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// Threads that skip the rest of an iteration leave a loop later than others, and with other values.
func TestLeavingApart(t *testing.T) {
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n")}, func(b ssatest.Builder, p []*ssa.Value) {
		odd := b.Op(ssa.OpLt, b.Op(ssa.OpThreadID, p[0]), p[1])
		uniform := b.Op(ssa.OpLt, p[1], b.Int(ssa.Int64, 5))
		l := b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], p[1]) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(odd, nil, func(b ssatest.Builder) { b.Next(loop, v...) }, nil)
				b.IfElse(uniform, nil, func(b ssatest.Builder) { b.Break(loop, v...) }, nil)
				b.Next(loop, v...)
			},
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
			})
		b.Named("last", l.Results[0])
		b.Return()
	})
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	f := m.Kernels()[0]
	lanes := analysis.NewLanes(f)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLoop {
			return
		}
		if c := analysis.NewDivergence(f).Of(in.Results[0]); c != analysis.Divergent {
			t.Errorf("threads agree on the result of the loop: %v", c)
		}
		if !lanes.Apart(in) || lanes.Apart(nil) {
			t.Errorf("left apart: the loop %v, the function %v", lanes.Apart(in), lanes.Apart(nil))
		}
		if i := in.Cond().Params[0]; !lanes.IsUniform(i) || lanes.IsUniform(in.Results[0]) {
			t.Errorf("agreed on: in the loop %v, behind it %v", lanes.IsUniform(i), lanes.IsUniform(in.Results[0]))
		}
	})
}

// How much an index grows from lane to lane.
func TestLaneStride(t *testing.T) {
	type number struct {
		v      *ssa.Value
		stride int64
		ok     bool
	}
	var want []number
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "x")}, func(b ssatest.Builder, p []*ssa.Value) {
		row := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 2, Args: p[:1]}, ssa.Int64).Result()
		col := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: 1, Rank: 2, Args: p[:1]}, ssa.Int64).Result()
		at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, row, p[1]), col)
		at4 := b.Op(ssa.OpSub, p[1], b.Op(ssa.OpMul, at, b.Int(ssa.Int64, 4)))
		same := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[2], row))
		own := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[2], col))
		want = []number{{row, 0, true}, {col, 1, true}, {at, 1, true}, {at4, -4, true}, {same, 0, true}, {own, 0, false}, {b.Op(ssa.OpMul, col, p[1]), 0, false}}
		b.Return()
	})
	f := m.Kernels()[0]
	f.Rank = 2
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	lanes := analysis.NewLanes(f)
	for _, w := range want {
		if s, ok := lanes.Stride(w.v); s != w.stride || ok != w.ok {
			t.Errorf("%v: %d %v, want %d %v\n%v", w.v, s, ok, w.stride, w.ok, f)
		}
	}
}

// How much an index grows from lane to lane, by a number that lanes agree on.
func TestLaneStep(t *testing.T) {
	type number struct {
		v  *ssa.Value
		c  int64
		of *ssa.Value
		ok bool
	}
	var want []number
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Int64, "m")}, func(b ssatest.Builder, p []*ssa.Value) {
		i := b.Op(ssa.OpThreadID, p[0])
		n, m := p[1], p[2]
		by := b.Op(ssa.OpMul, i, n)
		part := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, m, b.Op(ssa.OpSub, i, n)), m)
		back := b.Op(ssa.OpMul, b.Op(ssa.OpSub, n, by), b.Int(ssa.Int64, 3))
		want = []number{
			{n, 0, nil, true}, {i, 1, nil, true}, {by, 1, n, true}, {part, 1, m, true}, {back, -3, n, true},
			{b.Op(ssa.OpMul, b.Op(ssa.OpMul, i, b.Int(ssa.Int64, 4)), n), 4, n, true}, {b.Op(ssa.OpSub, by, by), 0, n, true},
			{b.Op(ssa.OpAdd, by, part), 0, nil, false}, {b.Op(ssa.OpAdd, by, i), 0, nil, false}, {b.Op(ssa.OpMul, by, n), 0, nil, false},
			{b.Op(ssa.OpMul, by, i), 0, nil, false}, {b.Op(ssa.OpAnd, by, n), 0, nil, false},
		}
		b.Return()
	})
	f := m.Kernels()[0]
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	lanes := analysis.NewLanes(f)
	for _, w := range want {
		if c, of, ok := lanes.Step(w.v); ok != w.ok || ok && (c != w.c || of != w.of) {
			t.Errorf("%v: %d times %v %v, want %d times %v %v\n%v", w.v, c, of, ok, w.c, w.of, w.ok, f)
		}
	}
}

// Lanes agree on the part of a block that they are in if its size is a multiple of their number. Where that is not known yet,
// it is chosen as a divisor of powers of 2, but not of other sizes.
func TestPartOfBlock(t *testing.T) {
	sizes := []int64{1, 3, 4, 10, 12, 32}
	var parts []*ssa.Value
	f := ssatest.AddFunc(new(ssa.Module), "f", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "index")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		for _, size := range sizes {
			parts = append(parts, b.Op(ssa.OpDiv, p[0], b.Int(ssa.Int64, size)))
		}
		b.Return()
	})
	for _, c := range []struct {
		width int
		agree []bool
	}{
		{0, []bool{false, false, true, false, false, true}},
		{4, []bool{false, false, true, false, true, true}},
		{16, []bool{false, false, false, false, false, true}},
	} {
		lanes := analysis.NewLanesOf(f, c.width)
		for i, part := range parts {
			if lanes.IsUniform(part) != c.agree[i] {
				t.Errorf("width %d: agreed on the part of %d: %v, want %v", c.width, sizes[i], !c.agree[i], c.agree[i])
			}
		}
	}
}
