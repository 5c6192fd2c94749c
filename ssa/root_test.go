package ssa_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestRoots asks for the roots of addresses that lie in each other, from the first to the last and
// from the last to the first: of two variables, so that one is not taken for the other.
func TestRoots(t *testing.T) {
	f := ssa.NewFunc("f")
	type node struct{ addr, root *ssa.Value }
	var all []node
	for range 2 {
		arr := ssa.Array{Elem: ssa.Float32, Len: 100}
		root := ssatest.Emit(f.Body, ssa.OpLocal, ssa.Pointer{Elem: arr}, ssatest.Emit(f.Body, ssa.OpZero, arr))
		s := ssatest.Emit(f.Body, ssa.OpSliceOf, ssa.Slice{Elem: ssa.Float32}, root)
		n := ssatest.Emit(f.Body, ssa.OpLen, ssa.Int64, s)
		for range 100 {
			all = append(all, node{s, root})
			s = ssatest.Emit(f.Body, ssa.OpSubslice, s.Type, s, n, n)
		}
	}
	check := func() {
		t.Helper()
		var roots ssa.Roots
		for i, a := range all {
			if got := roots.Of(a.addr); got != a.root || got != a.addr.Root() {
				t.Errorf("address %d has root %v, not %v", i, got, a.root)
			}
			if got := roots.Variable(a.addr); got != a.root.Def {
				t.Errorf("address %d lies in %v", i, got)
			}
		}
	}
	check()
	slices.Reverse(all)
	check()
}
