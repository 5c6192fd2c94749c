package widen_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/widen"
)

// A large function that is called at several places is there once, as a function with a mask. A small one is not, nor one
// that is called once. Calls with a number that lanes agree on, and with one of each lane's own, are of one function. A
// function that may wait for another lane refuses the kernel.
func TestCalls(t *testing.T) {
	floats := ssa.Slice{Elem: ssa.Float32}
	// work is a loop of n turns, each of so many operations.
	work := func(b ssatest.Builder, x, n *ssa.Value, size int) *ssa.Value {
		return repeat(b, n, x, func(b ssatest.Builder, _, x *ssa.Value) *ssa.Value {
			for range size {
				x = b.Op(ssa.OpMul, x, x)
			}
			return x
		})
	}
	for _, c := range []struct {
		name  string
		size  int  // of the function
		calls int  // under a condition on which lanes do not agree
		first bool // one of them has a number that lanes agree on
		lock  bool // the function waits, and is called in a loop
		want  int  // functions that are made
		why   bool // there are no vectors
	}{
		{name: "large", size: 100, calls: 3, want: 1},
		{name: "large, called in two ways", size: 100, calls: 3, first: true, want: 1},
		{name: "small", size: 5, calls: 3},
		{name: "called once", size: 100, calls: 1},
		{name: "waits", size: 100, calls: 2, lock: true, why: true},
	} {
		m := new(ssa.Module)
		f := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(ssa.Float32, "v"), ssatest.Arg(ssa.Float32, "w"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(floats, "x")}, []ssa.Type{ssa.Float32}, func(b ssatest.Builder, p []*ssa.Value) {
			v := b.Op(ssa.OpMul, work(b, p[0], p[2], c.size), p[1])
			if c.lock {
				v = b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicExch, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, p[3], b.Int(ssa.Int64, 0)), v}}, ssa.Float32).Result()
			}
			b.Return(v)
		})
		ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(floats, "x"), ssatest.Arg(ssa.Int64, "n")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
			at := b.Op(ssa.OpIndexAddr, p[1], b.Op(ssa.OpThreadID, p[0]))
			v := b.Op(ssa.OpLoad, at)
			call := func(b ssatest.Builder, v, w *ssa.Value) *ssa.Value {
				return b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{v, w, p[2], p[1]}}, ssa.Float32).Result()
			}
			for k := range c.calls {
				less := b.Op(ssa.OpLt, v, b.Float(ssa.Float32, float64(k)))
				with := v
				if k == 0 && c.first {
					with = b.Float(ssa.Float32, 0.5)
				}
				if c.lock {
					v = b.Loop([]*ssa.Value{v}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
						return b.Op(ssa.OpLt, v[0], b.Float(ssa.Float32, 5))
					},
						func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, call(b, v[0], v[0])) },
						func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v }).Results[0]
					continue
				}
				v = b.IfElse(less, []ssa.Type{ssa.Float32}, func(b ssatest.Builder) { b.Yield(call(b, v, with)) }, func(b ssatest.Builder) { b.Yield(v) }).Results[0]
			}
			b.Store(at, v)
			b.Return()
		})
		if err := ssa.Verify(m); err != nil {
			t.Fatal(err)
		}
		k := m.Kernels()[0]
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
		made := d.Kernel(k)
		if (k.Wide.By == nil) != c.why {
			t.Errorf("%s: %q", c.name, k.Wide.Why)
			continue
		}
		if c.why {
			continue
		}
		masked := 0
		for _, f := range made[:len(made)-1] {
			params := f.Params()
			if !f.OutOfLine || params[len(params)-1].Type != ssa.Type(ssa.Vec{Elem: ssa.Bool, Lanes: k.Wide.Lanes}) {
				t.Errorf("%s: not a function with a mask: %v", c.name, f)
			}
			masked++
		}
		calls := 0
		k.Wide.By.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCall {
				if calls++; !slices.Contains(made, in.Callee) {
					t.Errorf("%s: %v", c.name, in)
				}
			}
		})
		if masked != c.want || calls != c.want*c.calls {
			t.Errorf("%s: %d functions and %d calls, want %d and %d\n%v", c.name, masked, calls, c.want, c.want*c.calls, k.Wide.By)
		}
		if err := ssa.Verify(&ssa.Module{Name: "k", Funcs: append(made, m.Funcs...)}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Functions have names of their own, also where one of the user's is called as another one's second version would be.
func TestNames(t *testing.T) {
	m := new(ssa.Module)
	var callees []*ssa.Func
	for _, name := range []string{"f", "f2"} {
		callees = append(callees, ssatest.AddFunc(m, name, false, []*ssa.Value{ssatest.Arg(ssa.Float32, "v")}, []ssa.Type{ssa.Float32}, func(b ssatest.Builder, p []*ssa.Value) {
			v := p[0]
			for range 100 {
				v = b.Op(ssa.OpMul, v, v)
			}
			b.Return(v)
		}))
	}
	ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Slice{Elem: ssa.Float32}, "x")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		at := b.Op(ssa.OpIndexAddr, p[1], b.Op(ssa.OpThreadID, p[0]))
		v := b.Op(ssa.OpLoad, at)
		for _, f := range callees {
			call := func(b ssatest.Builder, v *ssa.Value) *ssa.Value {
				return b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{v}}, ssa.Float32).Result()
			}
			v = call(b, v)
			less := b.Op(ssa.OpLt, v, b.Float(ssa.Float32, 1))
			v = b.IfElse(less, []ssa.Type{ssa.Float32}, func(b ssatest.Builder) { b.Yield(call(b, v)) }, func(b ssatest.Builder) { b.Yield(v) }).Results[0]
		}
		b.Store(at, v)
		b.Return()
	})
	k := m.Kernels()[0]
	d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU, Lanes: 8}
	var names []string
	for _, f := range d.Kernel(k) {
		if slices.Contains(names, f.Name) {
			t.Errorf("two functions are called %s", f.Name)
		}
		names = append(names, f.Name)
	}
	if len(names) != 5 {
		t.Errorf("made %v, want two versions of each function, and the kernel's", names)
	}
}
