package target

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// gridFunc begins a Grid kernel with a slice x and a number n, and a For over n:
// body is in the For's block and is to end it.
func gridFunc(outside func(f *ssa.Func, x, n *ssa.Value) []*ssa.Value, body func(b *ssa.Block, x, i *ssa.Value, vals []*ssa.Value)) *ssa.Module {
	f := ssa.NewFunc("k")
	f.Kernel, f.Kind = true, ssa.GridKernel
	x, n := f.Body.AddParam(ssa.Slice{Elem: ssa.Float32}, "x"), f.Body.AddParam(ssa.Int64, "n")
	vals := outside(f, x, n)
	loop := f.Body.Append(&ssa.Instr{Op: ssa.OpFor, Args: []*ssa.Value{n}})
	b := loop.NewBlock()
	i := b.AddParam(ssa.Int64, "i")
	body(b, x, i, vals)
	b.Append(&ssa.Instr{Op: ssa.OpYield})
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	return &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}
}

// captives are those of the loops of a module's Grid kernel.
func captives(m *ssa.Module) (list []analysis.Captive) {
	for _, loop := range analysis.CapturedBy(m.Host()) {
		list = append(list, loop.Captives...)
	}
	return list
}

// localArray makes a variable [4]float32 of zeros.
func localArray(f *ssa.Func, name string) *ssa.Value {
	arr := ssa.Array{Elem: ssa.Float32, Len: 4}
	v := ssatest.Emit(f.Body, ssa.OpLocal, ssa.Pointer{Elem: arr}, ssatest.Emit(f.Body, ssa.OpZero, arr))
	v.Name = name
	return v
}

// elem is the address of element i of an array variable.
func elem(b *ssa.Block, addr, i *ssa.Value) *ssa.Value {
	return ssatest.Emit(b, ssa.OpElemAddr, ssa.Pointer{Elem: ssa.Float32}, addr, i)
}

// TestOutlineCopies outlines a body that reads two variables in memory, one
// through a slice, and an element's address: of the variables it has copies.
func TestOutlineCopies(t *testing.T) {
	m := gridFunc(func(f *ssa.Func, x, n *ssa.Value) []*ssa.Value {
		a, b := localArray(f, "a"), localArray(f, "b")
		return []*ssa.Value{a, ssatest.Emit(f.Body, ssa.OpSliceOf, ssa.Slice{Elem: ssa.Float32}, b), ssatest.Emit(f.Body, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, x, n)}
	}, func(b *ssa.Block, x, i *ssa.Value, vals []*ssa.Value) {
		one := ssatest.Emit(b, ssa.OpLoad, ssa.Float32, elem(b, vals[0], i))
		two := ssatest.Emit(b, ssa.OpLoad, ssa.Float32, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, vals[1], i))
		ssatest.EmitStore(b, vals[2], ssatest.Emit(b, ssa.OpAdd, ssa.Float32, one, two))
		ssatest.EmitStore(b, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, x, i), one)
	})
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	if c := captives(m); c != nil {
		t.Fatalf("captives: %v", c)
	}
	Outline(m)
	if err := ssa.Verify(m); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	const want = `module k

kernel k.1(v0:thread, a.v2:[4]float32, b.v4:[4]float32, x.v7:[]float32, n.v8:int64) rank 1 {
	i.v1:int64 = thread.id v0 axis 0 of 1
	a.v3:*[4]float32 = local a.v2
	b.v5:*[4]float32 = local b.v4
	v6:[]float32 = sliceof b.v5
	v9:*float32 = index x.v7, n.v8
	v10:*float32 = elem.addr a.v3, i.v1
	v11:float32 = load v10
	v12:*float32 = index v6, i.v1
	v13:float32 = load v12
	v14:float32 = add v11, v13
	store v9, v14
	v15:*float32 = index x.v7, i.v1
	store v15, v11
	return
}

kernel k(x.v0:[]float32, n.v1:int64) of grid {
	v2:[4]float32 = zero
	a.v3:*[4]float32 = local v2
	v4:[4]float32 = zero
	b.v5:*[4]float32 = local v4
	v6:[]float32 = sliceof b.v5
	v7:*float32 = index x.v0, n.v1
	a.v15:[4]float32 = load a.v3
	b.v16:[4]float32 = load b.v5
	launch k.1 over n.v1 (a.v15, b.v16, x.v0, n.v1)
	return
}
`
	if got := m.String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	if d := m.Device(); len(d.Funcs) != 1 || d.Funcs[0].Name != "k.1" || m.Host() != m.Funcs[1] {
		t.Errorf("for the device:\n%s", d)
	}
}

// TestOutlineCaptives outlines bodies that write to variables of the host, and
// that may use any memory.
func TestOutlineCaptives(t *testing.T) {
	array := func(f *ssa.Func, x, n *ssa.Value) []*ssa.Value { return []*ssa.Value{localArray(f, "a")} }
	// chosen is a's address or that of b, and a slice of x or of a.
	chosen := func(f *ssa.Func, x, n *ssa.Value) []*ssa.Value {
		a, b := localArray(f, "a"), localArray(f, "b")
		s := ssatest.Emit(f.Body, ssa.OpSliceOf, ssa.Slice{Elem: ssa.Float32}, a)
		which := f.Body.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{ssatest.Emit(f.Body, ssa.OpEq, ssa.Bool, n, n)}})
		which.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{a, x}})
		which.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{b, s}})
		return []*ssa.Value{which.AddResult(a.Type, "p"), which.AddResult(x.Type, "s")}
	}
	zero := func(b *ssa.Block) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.FloatConst(ssa.Float32, 0)}, ssa.Float32).Result()
	}
	tests := map[string]struct {
		outside func(f *ssa.Func, x, n *ssa.Value) []*ssa.Value
		body    func(b *ssa.Block, x, i *ssa.Value, vals []*ssa.Value)
		want    string // the variable, and where: "a store"
	}{
		"element": {array, func(b *ssa.Block, _, i *ssa.Value, vals []*ssa.Value) {
			ssatest.EmitStore(b, elem(b, vals[0], i), zero(b))
		}, "a store"},
		"atomic": {array, func(b *ssa.Block, _, i *ssa.Value, vals []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{elem(b, vals[0], i), zero(b)}}, ssa.Float32)
		}, "a atomic"},
		"copy": {array, func(b *ssa.Block, x, _ *ssa.Value, vals []*ssa.Value) {
			ssatest.Emit(b, ssa.OpCopy, ssa.Int64, ssatest.Emit(b, ssa.OpSliceOf, x.Type, vals[0]), x)
		}, "a copy"},
		"copy from": {array, func(b *ssa.Block, x, _ *ssa.Value, vals []*ssa.Value) {
			ssatest.Emit(b, ssa.OpCopy, ssa.Int64, x, ssatest.Emit(b, ssa.OpSliceOf, x.Type, vals[0]))
		}, ""},
		"through memory": {array, func(b *ssa.Block, _, i *ssa.Value, vals []*ssa.Value) {
			kept := ssatest.Emit(b, ssa.OpLocal, ssa.Pointer{Elem: vals[0].Type}, vals[0])
			ssatest.EmitStore(b, elem(b, ssatest.Emit(b, ssa.OpLoad, vals[0].Type, kept), i), zero(b))
		}, "a store"},
		"in a loop": {array, func(b *ssa.Block, _, i *ssa.Value, vals []*ssa.Value) {
			loop := b.Append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{vals[0]}})
			cond := loop.NewBlock()
			p := cond.AddParam(vals[0].Type, "p")
			cond.Append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{ssatest.Emit(cond, ssa.OpEq, ssa.Bool, i, i)}})
			do := loop.NewBlock()
			ssatest.EmitStore(do, elem(do, p, i), zero(do))
			do.Append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{p}})
			post := loop.NewBlock()
			post.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{post.AddParam(p.Type, "")}})
			loop.AddResult(p.Type, "")
		}, "a store"},
		"chosen pointer": {chosen, func(b *ssa.Block, x, i *ssa.Value, vals []*ssa.Value) {
			ssatest.EmitStore(b, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, x, i), ssatest.Emit(b, ssa.OpLoad, ssa.Float32, elem(b, vals[0], i)))
		}, "p for"},
		"chosen slice": {chosen, func(b *ssa.Block, x, i *ssa.Value, vals []*ssa.Value) {
			ssatest.EmitStore(b, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, x, i), ssatest.Emit(b, ssa.OpLoad, ssa.Float32, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, vals[1], i)))
		}, "s for"},
		"kept slice": {func(f *ssa.Func, x, n *ssa.Value) []*ssa.Value {
			s := ssatest.Emit(f.Body, ssa.OpSliceOf, x.Type, localArray(f, "a"))
			kept := ssatest.Emit(f.Body, ssa.OpLocal, ssa.Pointer{Elem: x.Type}, s)
			kept.Name = "kept"
			return []*ssa.Value{kept}
		}, func(b *ssa.Block, x, i *ssa.Value, vals []*ssa.Value) {
			s := ssatest.Emit(b, ssa.OpLoad, x.Type, vals[0])
			ssatest.Emit(b, ssa.OpLoad, ssa.Float32, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float32}, s, i))
		}, "kept for"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := gridFunc(tt.outside, tt.body)
			if err := ssa.Verify(m); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range captives(m) {
				if c.Written == (c.In.Op == ssa.OpFor) {
					t.Errorf("written: %v", c.Written)
				}
				got = append(got, c.Value.Name+" "+c.In.Op.String())
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if Outline(m); tt.want != "" {
				return
			}
			if err := ssa.Verify(m); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOutlineCalls outlines bodies that give a variable's address to functions,
// one of which writes through it.
func TestOutlineCalls(t *testing.T) {
	ptr := ssa.Pointer{Elem: ssa.Array{Elem: ssa.Float32, Len: 4}}
	reads, writes := ssa.NewFunc("reads"), ssa.NewFunc("writes")
	for _, f := range []*ssa.Func{reads, writes} {
		p, i := f.Body.AddParam(ptr, "p"), f.Body.AddParam(ssa.Int64, "i")
		at := elem(f.Body, p, i)
		if v := ssatest.Emit(f.Body, ssa.OpLoad, ssa.Float32, at); f == writes {
			ssatest.EmitStore(f.Body, at, v)
		}
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	}
	for _, callee := range []*ssa.Func{reads, writes} {
		m := gridFunc(
			func(f *ssa.Func, _, _ *ssa.Value) []*ssa.Value { return []*ssa.Value{localArray(f, "a")} },
			func(b *ssa.Block, _, i *ssa.Value, vals []*ssa.Value) {
				b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: callee, Args: []*ssa.Value{vals[0], i}})
			})
		m.Funcs = append([]*ssa.Func{callee}, m.Funcs...)
		if c := captives(m); len(c) > 0 != (callee == writes) {
			t.Errorf("%s: captives %v", callee.Name, c)
		}
		Outline(m)
		if err := ssa.Verify(m); err != nil {
			t.Error(err)
		}
	}
}

// Copies of a For that are the same launch one kernel, which is of no turn. What differs, or may tell its turn, has its own.
func TestOutlineSame(t *testing.T) {
	for _, c := range []struct {
		name    string
		numbers [3]float64
		checks  bool
		kernels int
	}{
		{"same", [3]float64{1, 1, 1}, false, 1},
		{"one differs", [3]float64{1, 2, 1}, false, 2},
		{"checks", [3]float64{1, 1, 1}, true, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ssa.NewFunc("k")
			f.Kernel, f.Kind = true, ssa.GridKernel
			x, n := f.Body.AddParam(ssa.Slice{Elem: ssa.Float64}, "x"), f.Body.AddParam(ssa.Int64, "n")
			for turn, number := range c.numbers {
				stmt := &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: 3}, Text: "x[i] = c", Turn: "turn = " + string(rune('0'+turn))}
				loop := f.Body.Append(&ssa.Instr{Op: ssa.OpFor, Args: []*ssa.Value{n}, Stmt: stmt})
				b := loop.NewBlock()
				i := b.AddParam(ssa.Int64, "i")
				value := b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.FloatConst(ssa.Float64, number), Stmt: stmt}, ssa.Float64).Result()
				if c.checks {
					truth := ssatest.Emit(b, ssa.OpLt, ssa.Bool, i, n)
					b.Append(&ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Args: []*ssa.Value{truth}, Stmt: stmt})
				}
				at := ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Float64}, x, i)
				b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, value}, Stmt: stmt})
				b.Append(&ssa.Instr{Op: ssa.OpYield, Stmt: stmt})
			}
			f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
			m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}
			Outline(m)
			if err := ssa.Verify(m); err != nil {
				t.Fatal(err)
			}
			if n := len(m.Funcs) - 1; n != c.kernels {
				t.Errorf("%d kernels, want %d", n, c.kernels)
			}
			launches := 0
			f.Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpLaunch {
					launches++
				}
			})
			if launches != len(c.numbers) {
				t.Errorf("%d launches, want %d", launches, len(c.numbers))
			}
			if turn := m.Funcs[0].Decl.Turn; (turn == "") != (c.kernels < 3) {
				t.Errorf("the first kernel is of turn %q", turn)
			}
		})
	}
}
