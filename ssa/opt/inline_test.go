package opt_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

func allCalls(*ssa.Instr) bool { return true }

func countOps(f *ssa.Func, op ssa.Op) (n int) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == op {
			n++
		}
	})
	return n
}

// Random modules do the same when what they call is inlined, all or some of it, and when that is optimized.
func TestInlineRandom(t *testing.T) {
	seeds := ssatest.Trials()
	inlined, turns := 0, 0
	for seed := range seeds {
		m := ssatest.RandomModule(seed)
		want, ended := ssatest.Run(m)
		if !ended {
			continue
		}
		before := m.String()
		k := m.Kernels()[0]
		calls, loops := countOps(k, ssa.OpCall), countOps(k, ssa.OpLoop)
		some := 0
		wanted := func(*ssa.Instr) bool { some++; return seed%3 != 0 || some%2 == 0 }
		if seed%3 == 2 {
			opt.Optimize(m, nil)
			calls = countOps(k, ssa.OpCall)
		}
		if changed := opt.Inline(k, new(analysis.Summaries), wanted); changed {
			inlined++
		} else if seed%3 == 1 && calls > 0 && before != m.String() {
			t.Errorf("seed %d: calls were inlined in secret", seed)
		}
		if countOps(k, ssa.OpLoop) > loops {
			turns++
		}
		for _, step := range []string{"inlined", "optimized"} {
			if step == "optimized" {
				opt.Optimize(m, nil)
			}
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("seed %d, %s: %v\nbefore:\n%s\nafter:\n%s", seed, step, err, before, m)
			}
			if got, _ := ssatest.Run(m); got != want {
				t.Fatalf("seed %d, %s: it runs differently:\n%s\nnot:\n%s\nbefore:\n%s\nafter:\n%s", seed, step, got, want, before, m)
			}
		}
	}
	if inlined < int(seeds)/4 || turns < int(seeds)/20 {
		t.Errorf("of %d modules calls were inlined in %d, with early returns in %d: the generator has lost its bite", seeds, inlined, turns)
	}
}

// stmt is a statement of a Go file.
func stmt(line int, text string) *ssa.Stmt {
	return &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: line}, Text: text}
}

// A body stands where its call was: with its own Go lines, under the names of the parameters, and with the bodies of what it
// calls itself. Calls of what never returns stay.
func TestInline(t *testing.T) {
	m := &ssa.Module{Name: "k"}
	x := func() []*ssa.Value { return []*ssa.Value{ssatest.Arg(ssa.Int64, "x")} }
	double := ssatest.AddFunc(m, "double", false, x(), []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
		sum := b.Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{p[0], p[0]}, Stmt: stmt(2, "return x + x")}, ssa.Int64)
		b.Return(sum.Result())
	})
	sign := ssatest.AddFunc(m, "sign", false, x(), []ssa.Type{ssa.Int64, ssa.Bool}, func(b ssatest.Builder, p []*ssa.Value) {
		b.IfElse(b.Op(ssa.OpLt, p[0], b.Int(ssa.Int64, 0)), nil, func(b ssatest.Builder) { b.Return(b.Int(ssa.Int64, -1), b.Bool(true)) }, nil)
		b.Return(b.Call(double, p[0])[0], b.Bool(false))
	})
	never := ssatest.AddFunc(m, "never", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Panic("never") })
	k := ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		less := b.Op(ssa.OpSub, b.Op(ssa.OpThreadID, p[0]), b.Int(ssa.Int64, 1))
		results := b.Call(sign, less)
		b.Set(p[1], 0, results[0])
		b.IfElse(results[1], nil, func(b ssatest.Builder) { b.Call(never); b.Yield() }, nil)
		b.Return()
	})
	if !opt.Inline(k, new(analysis.Summaries), allCalls) || opt.Inline(k, new(analysis.Summaries), allCalls) {
		t.Error("all calls but those that never return are inlined at once")
	}
	if err := ssa.Verify(m); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	want := `
		v2:int64 = thread.id t.v0 axis 0 of 1
		v3:int64 = const 1
		x.v4:int64 = sub v2, v3
		v15:int64 = const 0
		v16:bool = const false
		v19:int64, v22:bool = loop L0 (v17:int64 = v15, v20:bool = v16) {
			v23:bool = const true
			test v23
		} do {
			v9:int64 = const 0
			v10:bool = lt x.v4, v9
			if v10 {
				v11:int64 = const -1
				v12:bool = const true
				break L0 (v11, v12)
			} else {
				yield
			}
			// k.go:2: return x + x
			v24:int64 = add x.v4, x.v4
			v14:bool = const false
			break L0 (v24, v14)
		} post (v18:int64, v21:bool) {
			yield v18, v21
		}
		v7:int64 = const 0
		v8:*int64 = index s.v1, v7
		store v8, v19
		if v22 {
			call never()
			yield
		} else {
			yield
		}
		return`
	if got := ssatest.Body(k); got != ssatest.Outdent(want) {
		t.Errorf("it became\n%s\nnot\n%s", got, ssatest.Outdent(want))
	}
	opt.Optimize(m, nil)
	want = `
		v2:int64 = thread.id t.v0 axis 0 of 1
		v3:int64 = const 1
		x.v4:int64 = sub v2, v3
		v15:int64 = const 0
		v10:bool = lt x.v4, v15
		v25:int64 = if v10 {
			v11:int64 = const -1
			yield v11
		} else {
			// k.go:2: return x + x
			v24:int64 = add x.v4, x.v4
			yield v24
		}
		v8:*int64 = index s.v1, v15
		store v8, v25
		if v10 {
			call never()
			yield
		} else {
			yield
		}
		return`
	if got := ssatest.Body(k); got != ssatest.Outdent(want) {
		t.Errorf("optimized it is\n%s\nnot\n%s", got, ssatest.Outdent(want))
	}
	if len(m.Funcs) != 2 || m.Funcs[0] != never {
		t.Errorf("left are %d functions", len(m.Funcs))
	}
}
