package ssa_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestPrint is a module with everything that the printer writes; the comments
// are those of the Go statements.
func TestPrint(t *testing.T) {
	m := &ssa.Module{Name: "count", Pkg: "example.com/k", Formats: []ssa.Format{
		{Text: "%d of %v\n", Args: []ssa.FormatArg{{ssa.Int64, "int"}, {ssa.Float32, "float32"}}},
		{Text: "here\n"},
	}}
	half := ssatest.AddFunc(m, "vec.Half", false, []*ssa.Value{ssatest.Arg(ssa.Float32, "x")}, []ssa.Type{ssa.Float32, ssa.Bool}, func(b ssatest.Builder, p []*ssa.Value) {
		r := b.Math(ssa.Modf, ssa.Float32, b.Op(ssa.OpDiv, p[0], b.Float(ssa.Float32, 2)))
		b.Return(r[0], b.Bool(true))
	})
	half.Decl = ssa.Stmt{Pos: ssa.Pos{File: "/home/me/vec/half.go", Line: 3}, Text: "func Half(x float32) (float32, bool) {"}

	stmts := make(map[int]*ssa.Stmt)
	at := func(line int, text string, ins ...*ssa.Instr) { // gives instructions their statement
		if stmts[line] == nil {
			stmts[line] = &ssa.Stmt{Pos: ssa.Pos{File: `C:\me\count.go`, Line: line}, Text: text}
		}
		for _, in := range ins {
			in.Stmt = stmts[line]
		}
	}
	k := ssatest.AddFunc(m, "count", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Float32}, "xs")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		id := b.Op(ssa.OpThreadID, p[0])
		id.Def.Rank, id.Def.Axis = 2, 1
		b.Op(ssa.OpThreadDim, p[0])
		l := b.Loop([]*ssa.Value{b.Named("i", b.Int(ssa.Int64, 0)), b.Named("sum", b.Int(ssa.Int64, 1))}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
			return b.Op(ssa.OpLt, v[0], p[1])
		}, func(b ssatest.Builder, outer *ssa.Instr, v []*ssa.Value) {
			sum := b.Named("sum", b.Op(ssa.OpAdd, v[1], v[0]))
			at(11, "sum += i", sum.Def)
			three := b.Int(ssa.Int64, 3)
			test := b.Op(ssa.OpGt, v[0], three)
			in := b.IfElse(test, nil, func(b ssatest.Builder) {
				in := b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
					func(b ssatest.Builder, inner *ssa.Instr, _ []*ssa.Value) {
						b.Break(outer, v[0], sum)
						at(14, "break outer", b.Terminator())
					},
					func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
				b.Unreachable()
				at(13, "for {", in, in.Cond().Terminator())
			}, nil)
			at(12, "if i > 3 {", three.Def, test.Def, in, in.Else().Terminator())
			b.Next(outer, v[0], sum)
			at(10, "for i := range n {", b.Terminator())
		}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[1]}
		})
		l.Label = "outer"
		at(10, "for i := range n {", l, l.Cond().Terminator(), l.Post().Instrs[0], l.Post().Terminator())
		h := b.Call(half, b.Convert(ssa.Float32, l.Results[1]))
		to := b.Op(ssa.OpIndexAddr, p[2], id)
		b.Store(to, h[0])
		b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{to, h[0]}}, ssa.Float32)
		b.Append(&ssa.Instr{Op: ssa.OpPrintf, Args: []*ssa.Value{id, h[0]}})
		at(18, "xs[0] = half(sum)", to.Def, b.Instrs[len(b.Instrs)-1])
		b.Append(&ssa.Instr{Op: ssa.OpPrintf, Format: 1})
		b.Return()
	})
	k.Rank = 2
	k.Decl = ssa.Stmt{Pos: ssa.Pos{File: `C:\me\count.go`, Line: 9}, Text: "func count(t qd.Thread, n int, xs []float32) {"}
	if err := ssa.Verify(m); err != nil {
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
		typ  ssa.Type
		c    ssa.Const
		want string
	}{
		{ssa.Bool, ssa.BoolConst(true), "true"},
		{ssa.Int8, ssa.IntConst(ssa.Int8, 0xff), "-1"},
		{ssa.Uint8, ssa.IntConst(ssa.Uint8, 0x1ff), "255"},
		{ssa.Uint64, ssa.IntConst(ssa.Uint64, 1<<63), "9223372036854775808"},
		{ssa.Float32, ssa.FloatConst(ssa.Float32, 0.1), "0.1"},
		{ssa.Float64, ssa.BitsConst(ssa.SignBit(ssa.Float64)), "-0"},
		{ssa.Float64, ssa.BitsConst(0x7ff8000000000001), "NaN(0x7ff8000000000001)"},
		{ssa.String, ssa.StringConst("a\n"), `"a\n"`},
	} {
		if got := c.c.Format(c.typ); got != c.want {
			t.Errorf("%v prints as %s, want %s", c.typ, got, c.want)
		}
	}
}

// TestPrintBroken wants text of IR that the verifier refuses, not a panic.
func TestPrintBroken(t *testing.T) {
	f := ssa.NewFunc("f")
	b := ssatest.Builder{Block: f.Body}
	b.Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{nil, nil}}, nil)
	b.Append(&ssa.Instr{Op: ssa.OpCall})
	b.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: f})
	b.Append(&ssa.Instr{Op: ssa.OpBreak})
	b.Append(&ssa.Instr{Op: ssa.OpMath, Math: 200})
	b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: 200})
	b.Append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{nil}})
	b.Append(&ssa.Instr{Op: 200})
	const want = `func f() {
	v0:<nil> = add <nil>, <nil>
	call <nil>()
	recur f()
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
