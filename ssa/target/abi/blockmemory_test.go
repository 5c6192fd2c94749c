package abi

import (
	"testing"

	"github.com/qdgen/qd/ssa"
)

// What one thread hands to the others counts as if each of it stood before an array: arrays begin at multiples of 16.
func TestOnePiece(t *testing.T) {
	for _, tt := range []struct {
		array  int
		handed []ssa.Type
		want   bool
	}{
		{StaticBlockMemory, nil, false},
		{StaticBlockMemory + 1, nil, true},
		{StaticBlockMemory, []ssa.Type{ssa.Bool}, true},
		{StaticBlockMemory - 16, []ssa.Type{ssa.Bool}, false},
		{StaticBlockMemory - 15, []ssa.Type{ssa.Bool}, true},
		{StaticBlockMemory - 16, []ssa.Type{ssa.Bool, ssa.Int64}, true},
		{StaticBlockMemory - 32, []ssa.Type{ssa.Bool, ssa.Int64}, false},
	} {
		f := ssa.NewFunc("k")
		f.Kernel, f.Kind = true, ssa.BlockKernel
		f.Body.AddParam(ssa.BlockPlace, "b")
		f.Body.Append(&ssa.Instr{Op: ssa.OpShared, Len: int32(tt.array)}, ssa.Slice{Elem: ssa.Int8})
		for _, typ := range tt.handed {
			f.Body.Append(&ssa.Instr{Op: ssa.OpAtomic, Once: true}, typ)
		}
		if got := OnePiece(f); got != tt.want {
			t.Errorf("an array of %d bytes beside %v: one piece is %v", tt.array, tt.handed, got)
		}
	}
}
