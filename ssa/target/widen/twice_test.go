package widen_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/widen"
)

// Threads may run twice if they do not read what they write, and nobody sees how often they write.
func TestTwice(t *testing.T) {
	floats := ssa.Slice{Elem: ssa.Float32}
	view := ssa.StructOf("view", ssa.Field{Name: "n", Type: ssa.Int64}, ssa.Field{Name: "data", Type: floats})
	load := func(b ssatest.Builder, slice, i *ssa.Value) *ssa.Value {
		return b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, slice, i))
	}
	for name, c := range map[string]struct {
		rank  int
		twice bool
		apart string
		body  func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value // what is written to p[1] at i
	}{
		"reads nothing": {2, true, "", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value { return b.Convert(ssa.Float32, i) }},
		"one dimension": {1, false, "", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value { return b.Convert(ssa.Float32, i) }},
		"reads another": {2, true, "[param 1 apart param 0]", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value {
			return b.Op(ssa.OpAdd, load(b, p[2], i), load(b, p[2], b.Int(ssa.Int64, 0)))
		}},
		"reads a field": {3, true, "[field(param 2).1 apart param 0]", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value {
			return load(b, b.Field(p[3], 1), i)
		}},
		"reads a part": {2, true, "[param 1 apart param 0]", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value {
			part := b.Append(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{p[2], b.Int(ssa.Int64, 1), b.Int(ssa.Int64, 9)}}, floats).Result()
			return load(b, part, i)
		}},
		"reads the same": {2, false, "", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value { return load(b, p[1], i) }},
		"writes another": {2, true, "", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value {
			b.Store(b.Op(ssa.OpIndexAddr, p[2], i), b.Float(ssa.Float32, 1))
			return b.Convert(ssa.Float32, i)
		}},
		"reads one of two": {2, false, "", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value {
			chosen := b.IfElse(b.Op(ssa.OpLt, b.Field(p[3], 0), b.Int(ssa.Int64, 5)), []ssa.Type{floats},
				func(b ssatest.Builder) { b.Yield(p[1]) }, func(b ssatest.Builder) { b.Yield(p[2]) })
			return load(b, chosen.Results[0], i)
		}},
		"adds": {2, false, "", func(b ssatest.Builder, i *ssa.Value, p []*ssa.Value) *ssa.Value {
			at := b.Op(ssa.OpIndexAddr, p[2], i)
			return b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{at, b.Float(ssa.Float32, 1)}}, ssa.Float32).Result()
		}},
	} {
		params := []*ssa.Value{ssatest.Arg(floats, "x"), ssatest.Arg(floats, "y"), ssatest.Arg(view, "v")}
		m := ssatest.KernelOf("k", params, func(b ssatest.Builder, p []*ssa.Value) {
			i := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: int8(c.rank), Axis: int8(c.rank - 1), Args: p[:1]}, ssa.Int64).Result()
			b.Store(b.Op(ssa.OpIndexAddr, p[1], i), c.body(b, i, p))
			b.Return()
		})
		k := m.Kernels()[0]
		k.Rank = c.rank
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU, Lanes: 8}
		m.Funcs = append(d.Kernel(k), m.Funcs...)
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("%s: %v\n%v", name, err, m)
		}
		if k.Wide.By == nil || k.Wide.Twice != c.twice {
			t.Errorf("%s: in lanes %v (%s), twice %v, want %v", name, k.Wide.By != nil, k.Wide.Why, k.Wide.Twice, c.twice)
		}
		want := ""
		if c.twice {
			want = " twice"
		}
		if c.apart != "" {
			want += " " + c.apart
		}
		if line, _, _ := strings.Cut(k.String(), "\n"); !strings.Contains(line, "by k.wide"+want+" {") {
			t.Errorf("%s: want %q in %s", name, want, line)
		}
	}
}
