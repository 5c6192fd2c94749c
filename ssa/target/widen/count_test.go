package widen_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/widen"
)

// counting is a kernel with a loop that lanes leave at different times. A turn adds to a number that they agree on, in
// its body and in Post; what the number is when they leave is the result.
func counting(inBody, inPost func(b ssatest.Builder, n *ssa.Value) *ssa.Value) *ssa.Func {
	return kernel(func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
		limit := b.Func.Params()[3]
		n := b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0), y}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
			return b.Op(ssa.OpAnd, b.Op(ssa.OpLt, v[0], limit), b.Op(ssa.OpLt, v[1], y))
		}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
			b.Next(loop, inBody(b, v[0]), b.Op(ssa.OpMul, v[1], v[1]))
		}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{inPost(b, v[0]), v[1]}
		}).Results[0]
		return b.Convert(ssa.Float32, n)
	}).Kernels()[0]
}

// What a turn adds to a number is added for the lanes that stay. Numbers that change in another way are put into the
// slot in each turn.
func TestCount(t *testing.T) {
	same := func(_ ssatest.Builder, n *ssa.Value) *ssa.Value { return n }
	op := func(op ssa.Op, c int64) func(b ssatest.Builder, n *ssa.Value) *ssa.Value {
		return func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return b.Op(op, n, b.Int(ssa.Int64, c)) }
	}
	for name, c := range map[string]struct {
		inBody, inPost func(b ssatest.Builder, n *ssa.Value) *ssa.Value
		counts         bool
		step           int64
	}{
		"in the body":      {op(ssa.OpAdd, 3), same, true, 3},
		"in Post":          {same, op(ssa.OpAdd, 1), true, 1},
		"in both":          {op(ssa.OpAdd, 3), op(ssa.OpSub, 5), true, -2},
		"a constant first": {func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, b.Int(ssa.Int64, 4), n) }, same, true, 4},
		"from a constant":  {func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return b.Op(ssa.OpSub, b.Int(ssa.Int64, 4), n) }, same, false, 0},
		"product":          {op(ssa.OpMul, 3), op(ssa.OpAdd, 1), false, 0},
		"not a constant":   {func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, n, n) }, same, false, 0},
	} {
		k := counting(c.inBody, c.inPost)
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
		d.Kernel(k)
		if k.Wide.By == nil {
			t.Fatalf("%s: %s", name, k.Wide.Why)
		}
		added, selected := int64(0), 0
		k.Wide.By.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpSelect {
				return
			}
			switch v := in.Args[1].Def; {
			case v == nil || v.Op != ssa.OpAdd && v.Op != ssa.OpSplat:
			case v.Op == ssa.OpSplat:
				selected++
			default:
				step, _ := v.Args[1].Def.Args[0].Const()
				added = step.Int()
			}
		})
		if (selected == 0) != c.counts || added != c.step {
			t.Errorf("%s: the number is selected %d times, and %d added to it, want %d\n%v", name, selected, added, c.step, k.Wide.By)
		}
	}
}
