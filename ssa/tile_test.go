package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// tileKernel is a kernel of a block that makes a tile, joins it and multiplies it. change spoils it.
func tileKernel(change func(make, reduce, dot *ssa.Instr)) *ssa.Module {
	f := ssa.NewFunc("k")
	f.Kernel, f.Kind = true, ssa.BlockKernel
	f.Body.AddParam(ssa.BlockPlace, "b")
	matrix := ssa.TileType{Elem: ssa.Float32, Rank: 2, Dims: [3]int{1, 4, 4}}
	row := ssa.TileType{Elem: ssa.Float32, Rank: 1, Dims: [3]int{1, 1, 4}}
	made := f.Body.Append(&ssa.Instr{Op: ssa.OpTileMake}, matrix)
	body := made.NewBlock()
	for range 3 {
		body.AddParam(ssa.Int64, "")
	}
	v := body.Append(&ssa.Instr{Op: ssa.OpConvert, Args: []*ssa.Value{body.Params[2]}}, ssa.Float32).Result()
	body.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{v}})
	reduce := f.Body.Append(&ssa.Instr{Op: ssa.OpTileReduce, Axis: 1, Args: []*ssa.Value{made.Result()}}, row)
	joins := reduce.NewBlock()
	x, y := joins.AddParam(ssa.Float32, ""), joins.AddParam(ssa.Float32, "")
	sum := joins.Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{x, y}}, ssa.Float32).Result()
	joins.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{sum}})
	dot := f.Body.Append(&ssa.Instr{Op: ssa.OpTileDot, Args: []*ssa.Value{made.Result(), made.Result(), made.Result()}}, matrix)
	if change != nil {
		change(made, reduce, dot)
	}
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	return &ssa.Module{Name: "k", Pkg: "k", Funcs: []*ssa.Func{f}}
}

// Operations on tiles are verified, and printed with the lengths.
func TestTiles(t *testing.T) {
	m := tileKernel(nil)
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"v1:tile 4x4 of float32 = tile.make (v2:int64, v3:int64, v4:int64) {",
		"v6:tile 4 of float32 = tile.reduce v1 axis 1 (v7:float32, v8:float32) {",
		"v10:tile 4x4 of float32 = tile.dot v1, v1, v1",
	} {
		if !strings.Contains(m.String(), want) {
			t.Errorf("%q is not in\n%v", want, m)
		}
	}
	if err := ssa.Hold(m, ssa.NoTiles); err == nil {
		t.Error("a module with tiles has none")
	}
	for want, change := range map[string]func(made, reduce, dot *ssa.Instr){
		"has no axis 0":            func(_, reduce, _ *ssa.Instr) { reduce.Axis = 0 },
		"result 0 is tile 4":       func(_, reduce, _ *ssa.Instr) { reduce.Results[0].Type = reduce.Args[0].Type; reduce.Axis = 2 },
		"not a tile with lengths":  func(made, _, _ *ssa.Instr) { made.Results[0].Type = ssa.Float32 },
		"no product of":            func(_, reduce, dot *ssa.Instr) { dot.Args[1] = reduce.Result() },
		"parameters":               func(made, _, _ *ssa.Instr) { made.Blocks[0].Params = made.Blocks[0].Params[1:] },
		"not a tile":               func(_, _, dot *ssa.Instr) { dot.Args[0] = dot.Block.Params[0] },
		"elsewhere than in a kern": func(made, _, _ *ssa.Instr) { made.Block.Func.Kind = ssa.ThreadKernel },
	} {
		m := tileKernel(change)
		if err := ssa.Verify(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
