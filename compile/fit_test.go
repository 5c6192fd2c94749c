package compile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// A kernel whose blocks need more memory than a target has is refused for that target, with the sum.
func TestBlockMemory(t *testing.T) {
	made := func(n int32) *ssa.Module {
		f := ssa.NewFunc("big")
		f.Kernel, f.Kind = true, ssa.BlockKernel
		f.Decl = ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: 7, Col: 6}}
		b := f.Body.AddParam(ssa.BlockPlace, "b")
		_ = b
		f.Body.Append(&ssa.Instr{Op: ssa.OpShared, Len: n, Storage: ssa.ScratchStorage}, ssa.Slice{Elem: ssa.Float32})
		f.Body.Append(&ssa.Instr{Op: ssa.OpShared, Len: 3}, ssa.Slice{Elem: ssa.Float64})
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
		return &ssa.Module{Name: "big", Pkg: "k", Funcs: []*ssa.Func{f}}
	}
	for _, tt := range []struct {
		pipeline compile.Pipeline
		stage    *compile.Stage
		n        int32
		want     string
	}{
		{compile.CUDA, compile.FitGPU, 227<<8 - 8, ""},
		{compile.CUDA, compile.FitGPU, 227 << 8, "k.go:7:6: the blocks of big need 232472 bytes of memory that their threads share, for tiles and qd.Shared (58112 of float32, 3 of float64 elements); a block on cuda has at most 232448"},
		{compile.CPU, compile.FitCPU, 12 << 10, ""},
		{compile.CPU, compile.FitCPU, 1 << 18, "a block on cpu has at most 1048576"},
	} {
		err := tt.pipeline.Optimized(made(tt.n), true).RunTo(context.Background(), tt.stage)
		if got := ""; err != nil {
			if got = err.Error(); tt.want == "" || !strings.Contains(got, tt.want) {
				t.Errorf("%d: %s", tt.n, got)
			}
		} else if tt.want != "" {
			t.Errorf("%d: no error", tt.n)
		}
	}
}
