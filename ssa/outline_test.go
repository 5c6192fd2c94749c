package ssa

import (
	"strings"
	"testing"
)

// gridFunc begins a Grid kernel with a slice x and a number n, and a For over n:
// body is in the For's block and is to end it.
func gridFunc(outside func(f *Func, x, n *Value) []*Value, body func(b *Block, x, i *Value, vals []*Value)) *Module {
	f := NewFunc("k")
	f.Kernel, f.Kind = true, GridKernel
	x, n := f.Body.AddParam(Slice{Float32}, "x"), f.Body.AddParam(Int64, "n")
	vals := outside(f, x, n)
	loop := f.Body.Append(&Instr{Op: OpFor, Args: []*Value{n}})
	b := loop.NewBlock()
	i := b.AddParam(Int64, "i")
	body(b, x, i, vals)
	b.Append(&Instr{Op: OpYield})
	f.Body.Append(&Instr{Op: OpReturn})
	return &Module{Name: "k", Funcs: []*Func{f}}
}

func op(b *Block, op Op, t Type, args ...*Value) *Value {
	return b.Append(&Instr{Op: op, Args: args}, t).Result()
}

// localArray makes a variable [4]float32 of zeros.
func localArray(f *Func, name string) *Value {
	arr := Array{Float32, 4}
	v := op(f.Body, OpLocal, Pointer{arr}, op(f.Body, OpZero, arr))
	v.Name = name
	return v
}

// elem is the address of element i of an array variable.
func elem(b *Block, addr, i *Value) *Value {
	return op(b, OpElemAddr, Pointer{Float32}, addr, i)
}

func store(b *Block, addr, v *Value) { b.Append(&Instr{Op: OpStore, Args: []*Value{addr, v}}) }

// TestOutlineCopies outlines a body that reads two variables in memory, one
// through a slice, and an element's address: of the variables it has copies.
func TestOutlineCopies(t *testing.T) {
	m := gridFunc(func(f *Func, x, n *Value) []*Value {
		a, b := localArray(f, "a"), localArray(f, "b")
		return []*Value{a, op(f.Body, OpSliceOf, Slice{Float32}, b), op(f.Body, OpIndexAddr, Pointer{Float32}, x, n)}
	}, func(b *Block, x, i *Value, vals []*Value) {
		one := op(b, OpLoad, Float32, elem(b, vals[0], i))
		two := op(b, OpLoad, Float32, op(b, OpIndexAddr, Pointer{Float32}, vals[1], i))
		store(b, vals[2], op(b, OpAdd, Float32, one, two))
		store(b, op(b, OpIndexAddr, Pointer{Float32}, x, i), one)
	})
	if err := Verify(m); err != nil {
		t.Fatal(err)
	}
	if c := Outline(m); c != nil {
		t.Fatalf("captives: %v", c)
	}
	if err := Verify(m); err != nil {
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
// that use memory which is not known.
func TestOutlineCaptives(t *testing.T) {
	array := func(f *Func, x, n *Value) []*Value { return []*Value{localArray(f, "a")} }
	// chosen is a's address or that of b, and a slice of x or of a.
	chosen := func(f *Func, x, n *Value) []*Value {
		a, b := localArray(f, "a"), localArray(f, "b")
		s := op(f.Body, OpSliceOf, Slice{Float32}, a)
		which := f.Body.Append(&Instr{Op: OpIf, Args: []*Value{op(f.Body, OpEq, Bool, n, n)}})
		which.NewBlock().Append(&Instr{Op: OpYield, Args: []*Value{a, x}})
		which.NewBlock().Append(&Instr{Op: OpYield, Args: []*Value{b, s}})
		return []*Value{which.AddResult(a.Type, "p"), which.AddResult(x.Type, "s")}
	}
	zero := func(b *Block) *Value {
		return b.Append(&Instr{Op: OpConst, Const: FloatConst(Float32, 0)}, Float32).Result()
	}
	tests := map[string]struct {
		outside func(f *Func, x, n *Value) []*Value
		body    func(b *Block, x, i *Value, vals []*Value)
		want    string // the variable, and where: "a store"
	}{
		"element": {array, func(b *Block, _, i *Value, vals []*Value) {
			store(b, elem(b, vals[0], i), zero(b))
		}, "a store"},
		"atomic": {array, func(b *Block, _, i *Value, vals []*Value) {
			b.Append(&Instr{Op: OpAtomic, Atomic: AtomicAdd, Args: []*Value{elem(b, vals[0], i), zero(b)}}, Float32)
		}, "a atomic"},
		"copy": {array, func(b *Block, x, _ *Value, vals []*Value) {
			op(b, OpCopy, Int64, op(b, OpSliceOf, x.Type, vals[0]), x)
		}, "a copy"},
		"copy from": {array, func(b *Block, x, _ *Value, vals []*Value) {
			op(b, OpCopy, Int64, x, op(b, OpSliceOf, x.Type, vals[0]))
		}, ""},
		"through memory": {array, func(b *Block, _, i *Value, vals []*Value) {
			kept := op(b, OpLocal, Pointer{vals[0].Type}, vals[0])
			store(b, elem(b, op(b, OpLoad, vals[0].Type, kept), i), zero(b))
		}, "a store"},
		"in a loop": {array, func(b *Block, _, i *Value, vals []*Value) {
			loop := b.Append(&Instr{Op: OpLoop, Args: []*Value{vals[0]}})
			cond := loop.NewBlock()
			p := cond.AddParam(vals[0].Type, "p")
			cond.Append(&Instr{Op: OpTest, Args: []*Value{op(cond, OpEq, Bool, i, i)}})
			do := loop.NewBlock()
			store(do, elem(do, p, i), zero(do))
			do.Append(&Instr{Op: OpContinue, Target: loop, Args: []*Value{p}})
			post := loop.NewBlock()
			post.Append(&Instr{Op: OpYield, Args: []*Value{post.AddParam(p.Type, "")}})
			loop.AddResult(p.Type, "")
		}, "a store"},
		"chosen pointer": {chosen, func(b *Block, x, i *Value, vals []*Value) {
			store(b, op(b, OpIndexAddr, Pointer{Float32}, x, i), op(b, OpLoad, Float32, elem(b, vals[0], i)))
		}, "p for"},
		"chosen slice": {chosen, func(b *Block, x, i *Value, vals []*Value) {
			store(b, op(b, OpIndexAddr, Pointer{Float32}, x, i), op(b, OpLoad, Float32, op(b, OpIndexAddr, Pointer{Float32}, vals[1], i)))
		}, "s for"},
		"kept slice": {func(f *Func, x, n *Value) []*Value {
			s := op(f.Body, OpSliceOf, x.Type, localArray(f, "a"))
			kept := op(f.Body, OpLocal, Pointer{x.Type}, s)
			kept.Name = "kept"
			return []*Value{kept}
		}, func(b *Block, x, i *Value, vals []*Value) {
			s := op(b, OpLoad, x.Type, vals[0])
			op(b, OpLoad, Float32, op(b, OpIndexAddr, Pointer{Float32}, s, i))
		}, "kept for"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := gridFunc(tt.outside, tt.body)
			if err := Verify(m); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range Outline(m) {
				if c.Written == (c.In.Op == OpFor) {
					t.Errorf("written: %v", c.Written)
				}
				got = append(got, c.Value.Name+" "+c.In.Op.String())
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if err := Verify(m); err != nil && tt.want == "" {
				t.Error(err)
			}
		})
	}
}

// TestOutlineCalls outlines bodies that give a variable's address to functions,
// one of which writes through it.
func TestOutlineCalls(t *testing.T) {
	ptr := Pointer{Array{Float32, 4}}
	reads, writes := NewFunc("reads"), NewFunc("writes")
	for _, f := range []*Func{reads, writes} {
		p, i := f.Body.AddParam(ptr, "p"), f.Body.AddParam(Int64, "i")
		at := elem(f.Body, p, i)
		if v := op(f.Body, OpLoad, Float32, at); f == writes {
			store(f.Body, at, v)
		}
		f.Body.Append(&Instr{Op: OpReturn})
	}
	for _, callee := range []*Func{reads, writes} {
		m := gridFunc(
			func(f *Func, _, _ *Value) []*Value { return []*Value{localArray(f, "a")} },
			func(b *Block, _, i *Value, vals []*Value) {
				b.Append(&Instr{Op: OpCall, Callee: callee, Args: []*Value{vals[0], i}})
			})
		m.Funcs = append([]*Func{callee}, m.Funcs...)
		if c := Outline(m); len(c) > 0 != (callee == writes) {
			t.Errorf("%s: captives %v", callee.Name, c)
		}
		if err := Verify(m); err != nil {
			t.Error(err)
		}
	}
}
