package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// splat is a vector of four lanes of a number, mask compares it with itself.
func splat(b ssatest.Builder, v *ssa.Value) *ssa.Value {
	return ssatest.Emit(b.Block, ssa.OpSplat, ssa.Vec{Elem: v.Type.(ssa.Basic), Lanes: 4}, v)
}

func mask(b ssatest.Builder, v *ssa.Value) *ssa.Value {
	x := splat(b, v)
	return ssatest.Emit(b.Block, ssa.OpLt, ssa.Vec{Elem: ssa.Bool, Lanes: 4}, x, x)
}

// TestPrintOps is one line for each operation on aggregates, memory, blocks and
// checks.
func TestPrintOps(t *testing.T) {
	place := ssatest.Arg(ssa.Thread, "t")
	for _, c := range []struct {
		want  string
		kind  ssa.Kind
		build func(b ssatest.Builder, p []*ssa.Value)
	}{
		{"v4:Vec = zero", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Zero(ssatest.Vec) }},
		{"v4:[2]int64 = make n.v1, n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Make(ssa.Array{Elem: ssa.Int64, Len: 2}, p[1], p[1]) }},
		{"v5:int64 = field v4, 1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Field(b.Zero(ssatest.Vec), 1) }},
		{"v5:int64 = elem v4, n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Op(ssa.OpElem, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 2}), p[1])
		}},
		{"v4:*int64 = local n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpLocal, p[1]) }},
		{"v6:*float32 = field.addr v5, 0", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.FieldAddr(b.Op(ssa.OpLocal, b.Zero(ssatest.Vec)), 0) }},
		{"v6:*int64 = elem.addr v5, n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Op(ssa.OpElemAddr, b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 2})), p[1])
		}},
		{"v6:[]int64 = sliceof v5", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Op(ssa.OpSliceOf, b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 2})))
		}},
		{"v4:bool = isnil s.v2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpIsNil, p[2]) }},
		{"v4:bool = apart s.v2, s.v2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpApart, p[2], p[2]) }},
		{"v4:int64 = copy s.v2, s.v2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpCopy, p[2], p[2]) }},
		{"v4:int64 = bits onescount u.v3", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Bits(ssa.BitsOnesCount, p[3]) }},
		{"v4:uint32 = bits reverse u.v3", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Bits(ssa.BitsReverse, p[3]) }},
		{"v5:uint64, v6:uint64 = mulwide v4, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			x := b.Convert(ssa.Uint64, p[1])
			b.MulWide(x, x)
		}},
		{"v5:uint64, v6:uint64 = divwide v4, v4, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			x := b.Convert(ssa.Uint64, p[1])
			b.DivWide(x, x, x)
		}},
		{"check index n.v1, n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckIndex, p[1], p[1]) }},
		{`check assert v4, "n is \"small\""`, ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			in := &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Message: `n is "small"`, Args: []*ssa.Value{b.Op(ssa.OpLt, p[1], p[1])}}
			b.Append(in)
		}},
		{`panic "bad", n.v1, u.v3`, ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Panic("bad", p[1], p[3]) }},
		{`panic ""`, ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Panic("") }},
		{"sync", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Append(&ssa.Instr{Op: ssa.OpSync}) }},
		{"v4:[]float32 = shared 256", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpShared, Len: 256}, ssa.Slice{Elem: ssa.Float32})
		}},
		{"v4:int64 = lane t.v0", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpLane, p[0]) }},
		{"v4:int64 = block.id t.v0", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpBlockID, p[0]) }},
		{"v4:int64 = block.dim t.v0", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpBlockDim, p[0]) }},
		{"v4:int64 = block.index t.v0 axis 1 of 2", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpBlockIndex, Axis: 1, Rank: 2, Args: p[:1]}, ssa.Int64)
		}},
		{"v4:int64x4 = splat n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { splat(b, p[1]) }},
		{"v4:int32x4 = iota", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpIota}, ssa.Vec{Elem: ssa.Int32, Lanes: 4})
		}},
		{"v5:int64x4 = mul v4, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			v := splat(b, p[1])
			ssatest.Emit(b.Block, ssa.OpMul, v.Type, v, v)
		}},
		{"v5:boolx4 = lt v4, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { mask(b, p[1]) }},
		{"v5:int64x2 = extract v4 from 2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpExtract, Index: 2, Args: []*ssa.Value{splat(b, p[1])}}, ssa.Vec{Elem: ssa.Int64, Lanes: 2})
		}},
		{"v5:int64x8 = concat v4, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			v := splat(b, p[1])
			ssatest.Emit(b.Block, ssa.OpConcat, ssa.Vec{Elem: ssa.Int64, Lanes: 8}, v, v)
		}},
		{"v6:bool = any v5", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { ssatest.Emit(b.Block, ssa.OpAny, ssa.Bool, mask(b, p[1])) }},
		{"v6:int64x4 = select v5, v4, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			m := mask(b, p[1])
			v := m.Def.Args[0]
			ssatest.Emit(b.Block, ssa.OpSelect, v.Type, m, v, v)
		}},
		{"v7:int64x4 = load.row v6, v5", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			m := mask(b, p[1])
			ssatest.Emit(b.Block, ssa.OpLoadRow, ssa.Vec{Elem: ssa.Int64, Lanes: 4}, b.Op(ssa.OpIndexAddr, p[2], p[1]), m)
		}},
		{"store.row v5, v4", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			v := splat(b, p[1])
			b.Append(&ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, p[2], p[1]), v}})
		}},
		{"v7:int64x4, v8:int64x4 = load.parts v4, v6 by 24", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			at := b.Op(ssa.OpIndexAddr, p[2], p[1])
			m := mask(b, p[1])
			t := ssa.Vec{Elem: ssa.Int64, Lanes: 4}
			b.Append(&ssa.Instr{Op: ssa.OpLoadParts, Len: 24, Args: []*ssa.Value{at, m}}, t, t)
		}},
		{"store.parts v5, v4, v4 by 16", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			v := splat(b, p[1])
			b.Append(&ssa.Instr{Op: ssa.OpStoreParts, Len: 16, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, p[2], p[1]), v, v}})
		}},
		{"v7:int64x4 = load.strided v6, n.v1, v5 by 8", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			m := mask(b, p[1])
			at := b.Op(ssa.OpIndexAddr, p[2], p[1])
			b.Append(&ssa.Instr{Op: ssa.OpLoadStrided, Len: 8, Args: []*ssa.Value{at, p[1], m}}, ssa.Vec{Elem: ssa.Int64, Lanes: 4})
		}},
		{"store.strided v5, n.v1, v4 by 16", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			v := splat(b, p[1])
			b.Append(&ssa.Instr{Op: ssa.OpStoreStrided, Len: 16, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, p[2], p[1]), p[1], v}})
		}},
		{"v6:int64x4 = gather v5, v4 by 8", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			v := splat(b, p[1])
			at := b.Op(ssa.OpIndexAddr, p[2], p[1])
			b.Append(&ssa.Instr{Op: ssa.OpGather, Len: 8, Args: []*ssa.Value{at, v}}, v.Type)
		}},
		{"scatter v6, v4, v4, v5 by 16", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			m := mask(b, p[1])
			v := m.Def.Args[0]
			b.Append(&ssa.Instr{Op: ssa.OpScatter, Len: 16, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, p[2], p[1]), v, v, m}})
		}},
		{"advance n.v1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpAdvance, Args: []*ssa.Value{p[1]}})
		}},
		{"prefetch s.v2, n.v1 len 16", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpPrefetch, Len: 16, Args: []*ssa.Value{p[2], p[1]}})
		}},
		{"for n.v1, n.v1 (i.v4:int64, i.v5:int64) {\n\t\tv6:int64 = add i.v4, i.v5\n\t\tyield\n\t}", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel([]*ssa.Value{p[1], p[1]}, func(b ssatest.Builder, i []*ssa.Value) { b.Op(ssa.OpAdd, i...) })
		}},
		{"launch step over n.v0 (n.v0, s.v1)", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpLaunch, Rank: 1, Args: []*ssa.Value{p[0], p[0], p[1]}})
		}},
		{"v5:[]int64 = restore v4", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			note := b.Append(&ssa.Instr{Op: ssa.OpSnapshot, Args: p[1:2]}, ssa.Int64).Result()
			b.Append(&ssa.Instr{Op: ssa.OpPush, Args: []*ssa.Value{note}})
			note = b.Append(&ssa.Instr{Op: ssa.OpPop}, ssa.Int64).Result()
			b.Append(&ssa.Instr{Op: ssa.OpRestore, Args: []*ssa.Value{note}}, p[1].Type)
		}},
		{"v3:int64 = snapshot s.v1\n\tpush v3", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			note := b.Append(&ssa.Instr{Op: ssa.OpSnapshot, Args: p[1:2]}, ssa.Int64).Result()
			b.Append(&ssa.Instr{Op: ssa.OpPush, Args: []*ssa.Value{note}})
		}},
		{"v3:[]int64 = shared 1\n\tv4:int64 = pop", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpShared, Len: 1}, p[1].Type)
			b.Append(&ssa.Instr{Op: ssa.OpPop}, ssa.Int64)
		}},
	} {
		m := ssatest.KernelOf("step", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) { b.Return() })
		others := []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s"), ssatest.Arg(ssa.Uint32, "u")}
		params := append([]*ssa.Value{place}, others...)
		switch c.kind {
		case ssa.BlockKernel:
			params[0] = ssatest.Arg(ssa.BlockPlace, "t")
		case ssa.GridKernel:
			params = others
		}
		k := ssatest.AddFunc(m, "k", true, params, nil, func(b ssatest.Builder, p []*ssa.Value) {
			b.Func.Kind = c.kind
			c.build(b, p)
			b.Block.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpLaunch {
					in.Callee = m.Funcs[0]
				}
			})
			if b.Terminator() == nil {
				b.Return()
			}
		})
		if err := ssa.Verify(m); err != nil {
			t.Error(err)
		}
		lines := strings.TrimSuffix(k.String(), "}\n") // the kernel's
		lines = strings.TrimSuffix(lines, "\treturn\n")
		if got := strings.TrimSuffix(lines, "\n"); !strings.HasSuffix(got, "\n\t"+c.want) {
			t.Errorf("got:\n%s\nwant at the end: %s", got, c.want)
		}
	}
}

// TestPrintKinds is the first line of each kind of kernel.
func TestPrintKinds(t *testing.T) {
	for _, c := range []struct {
		kind   ssa.Kind
		params []*ssa.Value
		want   string
	}{
		{ssa.ThreadKernel, []*ssa.Value{ssatest.Arg(ssa.Thread, "t")}, "kernel k(t.v0:thread) rank 2 {"},
		{ssa.BlockKernel, []*ssa.Value{ssatest.Arg(ssa.BlockPlace, "b")}, "kernel k(b.v0:block) of block rank 2 {"},
		{ssa.GridKernel, []*ssa.Value{ssatest.Arg(ssa.Int64, "n")}, "kernel k(n.v0:int64) of grid rank 2 {"},
	} {
		m := &ssa.Module{Name: "k"}
		f := ssatest.AddFunc(m, "k", true, c.params, nil, func(b ssatest.Builder, p []*ssa.Value) { b.Return() })
		f.Kind, f.Rank = c.kind, 2
		if err := ssa.Verify(m); err != nil {
			t.Error(err)
		}
		if got, _, _ := strings.Cut(f.String(), "\n"); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}
