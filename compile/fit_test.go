package compile_test

import (
	"context"
	"fmt"
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

// A kernel is refused whose functions have more variables in memory at once than the stack of a thread has room for. Functions
// that are called one after the other have the same memory.
func TestStackOfThread(t *testing.T) {
	array := ssa.Array{Elem: ssa.Float64, Len: 1 << 15}
	made := func(depth int, nested bool) *ssa.Module {
		m := &ssa.Module{Name: "deep", Pkg: "k"}
		add := func(name string, callees ...*ssa.Func) *ssa.Func {
			f := ssa.NewFunc(name)
			if name == "deep" {
				f.Kernel, f.Decl = true, ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: 7, Col: 6}}
				f.Body.AddParam(ssa.Thread, "t")
			}
			x := f.Body.AddParam(ssa.Slice{Elem: ssa.Float64}, "x")
			value := func(in *ssa.Instr, t ssa.Type) *ssa.Value { return f.Body.Append(in, t).Result() }
			if name != "deep" {
				local := value(&ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{f.Body.AppendZero(array)}}, ssa.Pointer{Elem: array})
				n := value(&ssa.Instr{Op: ssa.OpLen, Args: []*ssa.Value{x}}, ssa.Int64)
				at := value(&ssa.Instr{Op: ssa.OpElemAddr, Args: []*ssa.Value{local, n}}, ssa.Pointer{Elem: ssa.Float64})
				v := value(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{at}}, ssa.Float64)
				to := value(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, n}}, ssa.Pointer{Elem: ssa.Float64})
				f.Body.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{to, v}})
			}
			for _, callee := range callees {
				f.Body.Append(&ssa.Instr{Op: ssa.OpCall, Callee: callee, Args: []*ssa.Value{x}})
			}
			f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
			m.Funcs = append(m.Funcs, f)
			return f
		}
		var list []*ssa.Func
		for n := range depth {
			if name := fmt.Sprintf("f%d", n); nested {
				list = []*ssa.Func{add(name, list...)}
			} else {
				list = append(list, add(name))
			}
		}
		add("deep", list...)
		return m
	}
	for _, tt := range []struct {
		pipeline compile.Pipeline
		stage    *compile.Stage
		depth    int
		nested   bool
		want     string
	}{
		{compile.CPU, compile.FitCPU, 7, true, ""},
		{compile.CPU, compile.FitCPU, 9, true, "k.go:7:6: the variables of deep and of the functions that it calls in one another, 10 functions, need"},
		{compile.CPU, compile.FitCPU, 9, false, ""},
		{compile.CUDA, compile.FitGPU, 1, true, ""},
		{compile.CUDA, compile.FitGPU, 3, true, "a thread on cuda has at most 524288"},
	} {
		err := tt.pipeline.Optimized(made(tt.depth, tt.nested), true).RunTo(context.Background(), tt.stage)
		if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%d functions, nested %v: %s", tt.depth, tt.nested, got)
		}
	}
}
