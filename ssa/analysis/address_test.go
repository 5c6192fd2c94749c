package analysis_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestAddresses is about addresses in a slice of arrays: whether two of them may be the same.
func TestAddresses(t *testing.T) {
	array := ssa.Array{Elem: ssa.Int64, Len: 4}
	ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: array}, "s"), ssatest.Arg(ssa.Int64, "i")}, func(b ssatest.Builder, p []*ssa.Value) {
		s, i := p[1], p[2]
		next := b.Op(ssa.OpAdd, i, b.Int(ssa.Int64, 1))
		at := func(index *ssa.Value) *ssa.Value { return b.Op(ssa.OpIndexAddr, s, index) }
		elem := func(index *ssa.Value, k int64) *ssa.Value {
			return b.Op(ssa.OpElemAddr, at(index), b.Int(ssa.Int64, k))
		}
		part := func(index *ssa.Value, k *ssa.Value) *ssa.Value {
			return b.Op(ssa.OpIndexAddr, b.Op(ssa.OpSliceOf, at(index)), k)
		}
		for _, c := range []struct {
			name     string
			a, b     *ssa.Value
			disjoint bool
		}{
			{"the same", at(i), at(i), false},
			{"the next element", at(i), at(next), false},
			{"constants", at(b.Int(ssa.Int64, 3)), at(b.Int(ssa.Int64, 4)), true},
			{"other parts of one element", elem(i, 1), elem(i, 2), true},
			{"other parts of some elements", elem(i, 1), elem(next, 2), true},
			{"a part and the whole", elem(i, 1), at(i), false},
			{"of a slice of an element", part(i, next), part(i, next), false},
			{"of one by its name and one of its slice", elem(i, 1), part(i, b.Int(ssa.Int64, 2)), false},
		} {
			if c.a.Root() != s || c.b.Root() != s {
				t.Errorf("%s: another root", c.name)
			}
			if got := analysis.Disjoint(c.a, c.b); got != c.disjoint {
				t.Errorf("%s: disjoint is %t", c.name, got)
			}
		}
		b.Return()
	})
}

// TestStride is about how integers differ between threads that are next to each other.
func TestStride(t *testing.T) {
	ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		id, n := b.Op(ssa.OpThreadID, p[0]), p[1]
		three := b.Int(ssa.Int64, 3)
		loaded := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[2], id))
		for _, c := range []struct {
			v    *ssa.Value
			want int64
			ok   bool
		}{
			{id, 1, true},
			{n, 0, true},
			{b.Op(ssa.OpAdd, id, n), 1, true},
			{b.Op(ssa.OpSub, n, id), -1, true},
			{b.Op(ssa.OpMul, b.Op(ssa.OpSub, id, three), three), 3, true},
			{b.Op(ssa.OpMul, n, n), 0, true},
			{b.Op(ssa.OpMul, n, id), 0, false},
			{b.Op(ssa.OpAdd, id, loaded), 0, false},
		} {
			if got, ok := analysis.Stride(c.v); ok != c.ok || ok && got != c.want {
				t.Errorf("%v: stride %d, ok: %t", c.v.Def, got, ok)
			}
		}
		sum := id
		for range 64 { // 2^64 paths
			sum = b.Op(ssa.OpAdd, sum, sum)
		}
		analysis.Stride(sum)
		b.Return()
	})
}
