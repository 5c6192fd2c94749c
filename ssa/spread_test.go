package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// The warps of a block cover a matrix, without a row or a column of warps that has nothing to do.
func TestWarps(t *testing.T) {
	for _, tt := range []struct{ rows, columns, threads, down, across, each int }{
		{64, 64, 32, 1, 1, 128},
		{64, 64, 256, 2, 4, 16},
		{128, 128, 256, 2, 4, 64},
		{16, 8, 256, 1, 1, 4},
		{1, 1, 32, 1, 1, 4},
		{17, 9, 128, 2, 2, 4},
		{16, 64, 128, 1, 4, 8}, {20, 20, 1024, 2, 3, 4},
		{128, 16, 128, 4, 1, 16},
		{48, 24, 96, 3, 1, 12},
	} {
		down, across := ssa.Warps(tt.rows, tt.columns, tt.threads)
		if each := ssa.PerThread(tt.rows, tt.columns, tt.threads); down*across > tt.threads/32 || each != tt.each || each*down*across*32 < tt.rows*tt.columns {
			t.Errorf("%d x %d elements by %d threads: %d x %d warps, %d elements each", tt.rows, tt.columns, tt.threads, down, across, each)
		}
		if down != tt.down || across != tt.across {
			t.Errorf("%d x %d elements by %d threads: %d x %d warps, not %d x %d", tt.rows, tt.columns, tt.threads, down, across, tt.down, tt.across)
		}
	}
}

// spreadKernel is a kernel of a block that computes a product in registers. change spoils it.
func spreadKernel(change func(sum, x, loop, at, multiply *ssa.Instr)) *ssa.Module {
	f := ssa.NewFunc("k")
	f.Kernel, f.Kind, f.Threads = true, ssa.BlockKernel, 64
	f.Body.AddParam(ssa.BlockPlace, "b")
	sum := f.Body.Append(&ssa.Instr{Op: ssa.OpShared, Storage: ssa.RegisterStorage, Len: 16 * 8, Index: 8}, ssa.Slice{Elem: ssa.Float32})
	x := f.Body.Append(&ssa.Instr{Op: ssa.OpShared, Storage: ssa.ScratchStorage, Len: 16 * 4}, ssa.Slice{Elem: ssa.Float32})
	number := func(b *ssa.Block, n int) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(n))}, ssa.Int64).Result()
	}
	loop := &ssa.Instr{Op: ssa.OpFor, Spread: true, Args: []*ssa.Value{number(f.Body, 16), number(f.Body, 8)}}
	f.Body.Append(loop)
	body := loop.NewBlock()
	i, j := body.AddParam(ssa.Int64, ""), body.AddParam(ssa.Int64, "")
	flat := body.Append(&ssa.Instr{Op: ssa.OpMul, Args: []*ssa.Value{i, number(body, 8)}}, ssa.Int64).Result()
	flat = body.Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{flat, j}}, ssa.Int64).Result()
	at := body.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{sum.Result(), flat}}, ssa.Pointer{Elem: ssa.Float32})
	zero := body.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.FloatConst(ssa.Float32, 0)}, ssa.Float32).Result()
	body.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at.Result(), zero}})
	body.Append(&ssa.Instr{Op: ssa.OpYield})
	multiply := &ssa.Instr{Op: ssa.OpMultiply, Len: 4, Args: []*ssa.Value{sum.Result(), x.Result(), x.Result()}}
	f.Body.Append(multiply)
	if change != nil {
		change(sum, x, loop, at, multiply)
	}
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	return &ssa.Module{Name: "k", Pkg: "k", Funcs: []*ssa.Func{f}}
}

// Matrices in registers are verified, and printed with how they lie.
func TestSpread(t *testing.T) {
	m := spreadKernel(nil)
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"v1:[]float32 = shared 128 in registers by 8",
		"spread (v5:int64, v6:int64) {",
		"multiply v1, v2, v2 depth 4",
	} {
		if !strings.Contains(m.String(), want) {
			t.Errorf("%q is not in\n%v", want, m)
		}
	}
	waiting := spreadKernel(func(_, _, loop, _, _ *ssa.Instr) { loop.Async = true })
	if err := ssa.Verify(waiting); err != nil {
		t.Error(err)
	}
	if want := "spread without waiting (v5:int64, v6:int64) {"; !strings.Contains(waiting.String(), want) {
		t.Errorf("%q is not in\n%v", want, waiting)
	}
	for want, change := range map[string]func(sum, x, loop, at, multiply *ssa.Instr){
		"elements in rows of 7":        func(sum, _, _, _, _ *ssa.Instr) { sum.Index = 7 },
		"in the registers of 0":        func(sum, _, _, _, _ *ssa.Instr) { sum.Block.Func.Threads = 0 },
		"the sum is no matrix":         func(sum, _, _, _, _ *ssa.Instr) { sum.Storage = ssa.ScratchStorage },
		"in a loop over its elements":  func(_, _, loop, _, _ *ssa.Instr) { loop.Spread = false },
		"no memory that threads share": func(sum, _, _, _, multiply *ssa.Instr) { multiply.Args[2] = sum.Result() },
		"is no barrier, and no loop":   func(sum, _, _, _, _ *ssa.Instr) { sum.Async = true },
		"fewer than 16 x 5":            func(_, _, _, _, multiply *ssa.Instr) { multiply.Len = 5 },
		"has elements of type float32": func(_, _, _, _, multiply *ssa.Instr) { multiply.Narrow = ssa.NarrowInt8 },
		"in the code of a lane": func(_, _, loop, _, multiply *ssa.Instr) {
			b := loop.Blocks[0]
			multiply.Block.Instrs = multiply.Block.Instrs[:len(multiply.Block.Instrs)-1]
			b.Instrs = append(b.Instrs[:len(b.Instrs)-1:len(b.Instrs)-1], multiply, b.Instrs[len(b.Instrs)-1])
			multiply.Block = b
		},
	} {
		m := spreadKernel(change)
		if err := ssa.Verify(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
