package ssa

import "testing"

// TestPrint is a module with everything that the printer writes; the comments
// are those of the Go statements.
func TestPrint(t *testing.T) {
	m := &Module{Name: "count", Pkg: "example.com/k", Formats: []Format{
		{Text: "%d of %v\n", Args: []FormatArg{{Int64, "int"}, {Float32, "float32"}}},
		{Text: "here\n"},
	}}
	half := addFunc(m, "vec.Half", false, []*Value{arg(Float32, "x")}, []Type{Float32, Bool}, func(b builder, p []*Value) {
		r := b.math(Modf, Float32, b.op(OpDiv, p[0], b.float(Float32, 2)))
		b.ret(r[0], b.bool(true))
	})
	half.Decl = Stmt{Pos: Pos{File: "/home/me/vec/half.go", Line: 3}, Text: "func Half(x float32) (float32, bool) {"}

	stmts := make(map[int]*Stmt)
	at := func(line int, text string, ins ...*Instr) { // gives instructions their statement
		if stmts[line] == nil {
			stmts[line] = &Stmt{Pos: Pos{File: `C:\me\count.go`, Line: line}, Text: text}
		}
		for _, in := range ins {
			in.Stmt = stmts[line]
		}
	}
	k := addFunc(m, "count", true, []*Value{arg(Thread, "t"), arg(Int64, "n"), arg(Slice{Float32}, "xs")}, nil, func(b builder, p []*Value) {
		id := b.op(OpThreadID, p[0])
		id.Def.Rank, id.Def.Axis = 2, 1
		b.op(OpThreadDim, p[0])
		l := b.loop([]*Value{b.named("i", b.int(Int64, 0)), b.named("sum", b.int(Int64, 1))}, func(b builder, v []*Value) *Value {
			return b.op(OpLt, v[0], p[1])
		}, func(b builder, outer *Instr, v []*Value) {
			sum := b.named("sum", b.op(OpAdd, v[1], v[0]))
			at(11, "sum += i", sum.Def)
			three := b.int(Int64, 3)
			test := b.op(OpGt, v[0], three)
			in := b.ifelse(test, nil, func(b builder) {
				in := b.loop(nil, func(b builder, v []*Value) *Value { return b.bool(true) },
					func(b builder, inner *Instr, _ []*Value) {
						b.brk(outer, v[0], sum)
						at(14, "break outer", b.Terminator())
					},
					func(b builder, v []*Value) []*Value { return nil })
				b.unreachable()
				at(13, "for {", in, in.Cond().Terminator())
			}, nil)
			at(12, "if i > 3 {", three.Def, test.Def, in, in.Else().Terminator())
			b.next(outer, v[0], sum)
			at(10, "for i := range n {", b.Terminator())
		}, func(b builder, v []*Value) []*Value {
			return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1)), v[1]}
		})
		l.Label = "outer"
		at(10, "for i := range n {", l, l.Cond().Terminator(), l.Post().Instrs[0], l.Post().Terminator())
		h := b.call(half, b.convert(Float32, l.Results[1]))
		to := b.op(OpIndexAddr, p[2], id)
		b.store(to, h[0])
		b.Append(&Instr{Op: OpAtomic, Atomic: AtomicAdd, Args: []*Value{to, h[0]}}, Float32)
		b.Append(&Instr{Op: OpPrintf, Args: []*Value{id, h[0]}})
		at(18, "xs[0] = half(sum)", to.Def, b.Instrs[len(b.Instrs)-1])
		b.Append(&Instr{Op: OpPrintf, Format: 1})
		b.ret()
	})
	k.Rank = 2
	k.Decl = Stmt{Pos: Pos{File: `C:\me\count.go`, Line: 9}, Text: "func count(t qd.Thread, n int, xs []float32) {"}
	if err := Verify(m); err != nil {
		t.Error(err)
	}

	const want = `module count "example.com/k"
format 0 "%d of %v\n": int64 as int, float32
format 1 "here\n"

// half.go:3: func Half(x float32) (float32, bool) {
func vec.Half(x.v0:float32) (float32, bool) {
	v1:float32 = const 2
	v2:float32 = div x.v0, v1
	v3:float32, v4:float32 = math modf v2
	v5:bool = const true
	return v3, v5
}

// count.go:9: func count(t qd.Thread, n int, xs []float32) {
kernel count(t.v0:thread, n.v1:int64, xs.v2:[]float32) rank 2 {
	v3:int64 = thread.id t.v0 axis 1 of 2
	v4:int64 = thread.dim t.v0 axis 0
	i.v5:int64 = const 0
	sum.v6:int64 = const 1
	// count.go:10: for i := range n {
	i.v7:int64, sum.v8:int64 = loop L0 outer (i.v9:int64 = i.v5, sum.v10:int64 = sum.v6) {
		v13:bool = lt i.v9, n.v1
		test v13
	} do {
		// count.go:11: sum += i
		sum.v14:int64 = add sum.v10, i.v9
		// count.go:12: if i > 3 {
		v15:int64 = const 3
		v16:bool = gt i.v9, v15
		if v16 {
			// count.go:13: for {
			loop L1 {
				v17:bool = const true
				test v17
			} do {
				// count.go:14: break outer
				break L0 (i.v9, sum.v14)
			} post {
				yield
			}
			unreachable
		} else {
			yield
		}
		continue L0 (i.v9, sum.v14)
	} post (i.v11:int64, sum.v12:int64) {
		v18:int64 = const 1
		v19:int64 = add i.v11, v18
		yield v19, sum.v12
	}
	v20:float32 = convert sum.v8
	v21:float32, v22:bool = call vec.Half(v20)
	// count.go:18: xs[0] = half(sum)
	v23:*float32 = index xs.v2, v3
	store v23, v21
	v24:float32 = atomic add v23, v21
	printf 0, v3, v21
	printf 1
	return
}
`
	if got := m.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestPrintConstants wants constants that parse back to the same bits.
func TestPrintConstants(t *testing.T) {
	for _, c := range []struct {
		typ  Type
		c    Const
		want string
	}{
		{Bool, BoolConst(true), "true"},
		{Int8, IntConst(Int8, 0xff), "-1"},
		{Uint8, IntConst(Uint8, 0x1ff), "255"},
		{Uint64, IntConst(Uint64, 1<<63), "9223372036854775808"},
		{Float32, FloatConst(Float32, 0.1), "0.1"},
		{Float64, Const{bits: signBit(Float64)}, "-0"},
		{Float64, Const{bits: 0x7ff8000000000001}, "NaN(0x7ff8000000000001)"},
		{String, StringConst("a\n"), `"a\n"`},
	} {
		if got := c.c.Format(c.typ); got != c.want {
			t.Errorf("%v prints as %s, want %s", c.typ, got, c.want)
		}
	}
}

// TestPrintBroken wants text of IR that the verifier refuses, not a panic.
func TestPrintBroken(t *testing.T) {
	f := NewFunc("f")
	b := builder{f.Body}
	b.Append(&Instr{Op: OpAdd, Args: []*Value{nil, nil}}, nil)
	b.Append(&Instr{Op: OpCall})
	b.Append(&Instr{Op: OpBreak})
	b.Append(&Instr{Op: OpMath, Math: 200})
	b.Append(&Instr{Op: OpAtomic, Atomic: 200})
	b.Append(&Instr{Op: OpLoop, Args: []*Value{nil}})
	b.Append(&Instr{Op: 200})
	const want = `func f() {
	v0:<nil> = add <nil>, <nil>
	call <nil>()
	break <nil>
	math invalid
	atomic invalid
	loop L0 (<nil> = <nil>)
	invalid
}
`
	if got := f.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
