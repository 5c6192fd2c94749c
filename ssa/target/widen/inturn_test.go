package widen_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/widen"
)

// A function that calls itself is called in a loop over the lanes, and says whose turn it is if it may stop. If all lanes
// would make the same call, which changes nothing, there is one.
func TestInTurn(t *testing.T) {
	floats := ssa.Slice{Elem: ssa.Float32}
	for _, c := range []struct {
		name     string
		body     func(b ssatest.Builder, p []*ssa.Value) // what the function does besides
		same     bool                                    // lanes give it the same
		loops    int
		advances int
		why      string
	}{
		{name: "plain", loops: 1},
		{name: "once", same: true},
		{name: "checks", body: func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckIndex, p[1], b.Op(ssa.OpLen, p[2])) }, loops: 1, advances: 2},
		{name: "checks the same", same: true, body: func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckIndex, p[1], b.Op(ssa.OpLen, p[2])) }, loops: 1, advances: 2},
		{name: "writes", same: true, body: func(b ssatest.Builder, p []*ssa.Value) {
			b.Store(b.Op(ssa.OpIndexAddr, p[2], b.Int(ssa.Int64, 1)), p[0])
		}, loops: 1},
		{name: "exchanges", body: func(b ssatest.Builder, p []*ssa.Value) {
			at := b.Op(ssa.OpIndexAddr, p[2], b.Int(ssa.Int64, 1))
			b.Store(at, b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicExch, Args: []*ssa.Value{at, p[0]}}, ssa.Float32).Result())
		}, why: "may wait for another"},
		{name: "prints", body: func(b ssatest.Builder, p []*ssa.Value) { b.Append(&ssa.Instr{Op: ssa.OpPrintf}) }, why: "which prints"},
		{name: "thread", body: func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpThreadID, p[3]) }, why: "takes the Thread"},
	} {
		m := &ssa.Module{Formats: []ssa.Format{{}}}
		params := []*ssa.Value{ssatest.Arg(ssa.Float32, "v"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(floats, "x")}
		takesThread := c.name == "thread"
		if takesThread {
			params = append(params, ssatest.Arg(ssa.Thread, "t"))
		}
		f := ssatest.AddFunc(m, "f", false, params, []ssa.Type{ssa.Float32}, func(b ssatest.Builder, p []*ssa.Value) {
			if c.body != nil {
				c.body(b, p)
			}
			deeper := b.Op(ssa.OpGt, p[1], b.Int(ssa.Int64, 0))
			b.Return(b.IfElse(deeper, []ssa.Type{ssa.Float32}, func(b ssatest.Builder) {
				args := append([]*ssa.Value{p[0], b.Op(ssa.OpSub, p[1], b.Int(ssa.Int64, 1))}, p[2:]...)
				b.Yield(b.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: b.Func, Args: args}, ssa.Float32).Result())
			}, func(b ssatest.Builder) { b.Yield(p[0]) }).Result())
		})
		ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(floats, "x"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(floats, "y")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
			at := b.Op(ssa.OpIndexAddr, p[1], b.Op(ssa.OpThreadID, p[0]))
			args := []*ssa.Value{b.Op(ssa.OpLoad, at), p[2], p[3]}
			if c.same {
				args[0] = b.Float(ssa.Float32, 2)
			}
			if takesThread {
				args = append(args, p[0])
			}
			v := b.Call(f, args...)[0]
			b.Store(at, b.Op(ssa.OpAdd, v, b.Op(ssa.OpLoad, at)))
			b.Return()
		})
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		k := m.Kernels()[0]
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU, Lanes: 8}
		made := d.Kernel(k)
		if c.why != "" || k.Wide.By == nil {
			if c.why == "" || !strings.Contains(k.Wide.Why, c.why) {
				t.Errorf("%s: %q, want %q", c.name, k.Wide.Why, c.why)
			}
			continue
		}
		calls, loops, advances := 0, 0, 0
		k.Wide.By.Body.Walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpCall:
				if calls++; in.Callee != f {
					t.Errorf("%s: %v", c.name, in)
				}
			case ssa.OpLoop:
				loops++
			case ssa.OpAdvance:
				advances++
			}
		})
		if calls != 1 || loops != c.loops || advances != c.advances {
			t.Errorf("%s: %d calls, %d loops, and %d turns are said, want 1, %d and %d\n%v", c.name, calls, loops, advances, c.loops, c.advances, k.Wide.By)
		}
		if err := ssa.Verify(&ssa.Module{Name: "k", Formats: m.Formats, Funcs: append(m.Funcs[:1:1], append(made, k)...)}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
