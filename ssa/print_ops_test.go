package ssa

import (
	"strings"
	"testing"
)

// TestPrintOps is one line for each operation on aggregates, memory, blocks and
// checks.
func TestPrintOps(t *testing.T) {
	place := arg(Thread, "t")
	for _, c := range []struct {
		want  string
		kind  Kind
		build func(b builder, p []*Value)
	}{
		{"v4:Vec = zero", ThreadKernel, func(b builder, p []*Value) { b.zero(vec) }},
		{"v4:[2]int64 = make n.v1, n.v1", ThreadKernel, func(b builder, p []*Value) { b.make(Array{Int64, 2}, p[1], p[1]) }},
		{"v5:int64 = field v4, 1", ThreadKernel, func(b builder, p []*Value) { b.field(b.zero(vec), 1) }},
		{"v5:int64 = elem v4, n.v1", ThreadKernel, func(b builder, p []*Value) { b.op(OpElem, b.zero(Array{Int64, 2}), p[1]) }},
		{"v4:*int64 = local n.v1", ThreadKernel, func(b builder, p []*Value) { b.op(OpLocal, p[1]) }},
		{"v6:*float32 = field.addr v5, 0", ThreadKernel, func(b builder, p []*Value) { b.fieldAddr(b.op(OpLocal, b.zero(vec)), 0) }},
		{"v6:*int64 = elem.addr v5, n.v1", ThreadKernel, func(b builder, p []*Value) {
			b.op(OpElemAddr, b.op(OpLocal, b.zero(Array{Int64, 2})), p[1])
		}},
		{"v6:[]int64 = sliceof v5", ThreadKernel, func(b builder, p []*Value) {
			b.op(OpSliceOf, b.op(OpLocal, b.zero(Array{Int64, 2})))
		}},
		{"v4:bool = isnil s.v2", ThreadKernel, func(b builder, p []*Value) { b.op(OpIsNil, p[2]) }},
		{"v4:int64 = copy s.v2, s.v2", ThreadKernel, func(b builder, p []*Value) { b.op(OpCopy, p[2], p[2]) }},
		{"v4:int64 = bits onescount u.v3", ThreadKernel, func(b builder, p []*Value) { b.bits(BitsOnesCount, p[3]) }},
		{"v4:uint32 = bits reverse u.v3", ThreadKernel, func(b builder, p []*Value) { b.bits(BitsReverse, p[3]) }},
		{"check index n.v1, n.v1", ThreadKernel, func(b builder, p []*Value) { b.check(CheckIndex, p[1], p[1]) }},
		{`check assert v4, "n is \"small\""`, ThreadKernel, func(b builder, p []*Value) {
			in := &Instr{Op: OpCheck, Check: CheckAssert, Message: `n is "small"`, Args: []*Value{b.op(OpLt, p[1], p[1])}}
			b.Append(in)
		}},
		{`panic "bad", n.v1, u.v3`, ThreadKernel, func(b builder, p []*Value) { b.panic("bad", p[1], p[3]) }},
		{`panic ""`, ThreadKernel, func(b builder, p []*Value) { b.panic("") }},
		{"sync", ThreadKernel, func(b builder, p []*Value) { b.Append(&Instr{Op: OpSync}) }},
		{"v4:[]float32 = shared 256", ThreadKernel, func(b builder, p []*Value) { b.Append(&Instr{Op: OpShared, Len: 256}, Slice{Float32}) }},
		{"v4:int64 = lane t.v0", ThreadKernel, func(b builder, p []*Value) { b.op(OpLane, p[0]) }},
		{"v4:int64 = block.id t.v0", ThreadKernel, func(b builder, p []*Value) { b.op(OpBlockID, p[0]) }},
		{"v4:int64 = block.dim t.v0", ThreadKernel, func(b builder, p []*Value) { b.op(OpBlockDim, p[0]) }},
		{"v4:int64 = block.index t.v0 axis 1 of 2", BlockKernel, func(b builder, p []*Value) {
			b.Append(&Instr{Op: OpBlockIndex, Axis: 1, Rank: 2, Args: p[:1]}, Int64)
		}},
		{"for n.v1, n.v1 (i.v4:int64, i.v5:int64) {\n\t\tv6:int64 = add i.v4, i.v5\n\t\tyield\n\t}", BlockKernel, func(b builder, p []*Value) {
			b.parallel([]*Value{p[1], p[1]}, func(b builder, i []*Value) { b.op(OpAdd, i...) })
		}},
		{"launch step over n.v0 (n.v0, s.v1)", GridKernel, func(b builder, p []*Value) {
			b.Append(&Instr{Op: OpLaunch, Rank: 1, Args: []*Value{p[0], p[0], p[1]}})
		}},
	} {
		m := kernelOf("step", []*Value{arg(Int64, "n"), arg(Slice{Int64}, "s")}, func(b builder, p []*Value) { b.ret() })
		others := []*Value{arg(Int64, "n"), arg(Slice{Int64}, "s"), arg(Uint32, "u")}
		params := append([]*Value{place}, others...)
		switch c.kind {
		case BlockKernel:
			params[0] = arg(BlockPlace, "t")
		case GridKernel:
			params = others
		}
		k := addFunc(m, "k", true, params, nil, func(b builder, p []*Value) {
			b.Func.Kind = c.kind
			c.build(b, p)
			b.Block.Walk(func(in *Instr) {
				if in.Op == OpLaunch {
					in.Callee = m.Funcs[0]
				}
			})
			if b.Terminator() == nil {
				b.ret()
			}
		})
		if err := Verify(m); err != nil {
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
		kind   Kind
		params []*Value
		want   string
	}{
		{ThreadKernel, []*Value{arg(Thread, "t")}, "kernel k(t.v0:thread) rank 2 {"},
		{BlockKernel, []*Value{arg(BlockPlace, "b")}, "kernel k(b.v0:block) of block rank 2 {"},
		{GridKernel, []*Value{arg(Int64, "n")}, "kernel k(n.v0:int64) of grid rank 2 {"},
	} {
		m := &Module{Name: "k"}
		f := addFunc(m, "k", true, c.params, nil, func(b builder, p []*Value) { b.ret() })
		f.Kind, f.Rank = c.kind, 2
		if err := Verify(m); err != nil {
			t.Error(err)
		}
		if got, _, _ := strings.Cut(f.String(), "\n"); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}
