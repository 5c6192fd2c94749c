package declare

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/abi"
)

// Each struct stands behind those that it contains. What is compared, and what the host lays out, is told apart from
// the rest.
func TestStructs(t *testing.T) {
	inner := ssa.StructOf("Inner", ssa.Field{Name: "a", Type: ssa.Array{Elem: ssa.Int64, Len: 2}})
	outer := ssa.StructOf("Outer", ssa.Field{Name: "in", Type: inner}, ssa.Field{Name: "x", Type: ssa.Float32})
	alone := ssa.StructOf("Alone", ssa.Field{Name: "x", Type: ssa.Float32})
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: outer}, "s"), ssatest.Arg(ssa.Slice{Elem: ssa.Bool}, "out")}, func(b ssatest.Builder, p []*ssa.Value) {
		b.Op(ssa.OpLocal, b.Zero(alone))
		x := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[1], b.Int(ssa.Int64, 0)))
		b.Set(p[2], 0, b.Op(ssa.OpEq, b.Field(x, 0), b.Field(x, 0)))
		b.Return()
	})
	d := Find(m, abi.CPU, new(analysis.Summaries)).Structs
	if len(d.Order) != 3 || d.Order[0] != inner || d.Order[1] != outer || d.Order[2] != alone || d.Ahead != nil {
		t.Errorf("the order is %v, ahead of it %v", d.Order, d.Ahead)
	}
	if !d.Compared[inner] || d.Compared[outer] || !d.Arrays {
		t.Errorf("compared are %v, arrays %v", d.Compared, d.Arrays)
	}
	if !d.Shared[inner] || !d.Shared[outer] || d.Shared[alone] {
		t.Errorf("the host lays out %v", d.Shared)
	}
}

// A Thread has what the functions read of it.
func TestPlace(t *testing.T) {
	find := func(op ssa.Op, rank int) Place {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
			v := b.Op(op, p[0])
			v.Def.Rank = int8(rank)
			b.Set(p[1], 0, v)
			b.Return()
		})
		return Find(m, abi.GPU, new(analysis.Summaries)).Place
	}
	for _, c := range []struct {
		op   ssa.Op
		rank int
		want Place
	}{
		{ssa.OpThreadID, 1, Place{Thread: true}},
		{ssa.OpThreadID, 2, Place{Thread: true, IDs: true}},
		{ssa.OpThreadDim, 2, Place{Thread: true, Sizes: true}},
		{ssa.OpLane, 0, Place{Thread: true, Lane: true}},
		{ssa.OpBlockID, 0, Place{Thread: true, BlockID: true}},
		{ssa.OpBlockDim, 0, Place{Thread: true, BlockDim: true}},
	} {
		if got := find(c.op, c.rank); got != c.want {
			t.Errorf("%v of rank %d: %+v", c.op, c.rank, got)
		}
	}
}
