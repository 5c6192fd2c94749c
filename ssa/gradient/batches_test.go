package gradient_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// A backward kernel for batches gives the same gradients, whatever the batches are.
func TestBatches(t *testing.T) {
	text := `package k

import "github.com/qdgen/qd"

func k(t qd.Thread, x, y []float64) {
	i, j := t.ID2()
	n := t.Dim(1)
	v, s := x[i*n+j], 0.0
	for v > 0.1 {
		s += v * v * float64(t.ID()+1)
		v *= 0.5
	}
	y[i*n+j] = s + float64(t.Dim(0)) * x[t.ID()]
}

func local(t qd.Thread, x, y []float64) {
	v := x[t.ID()]
	for v > 0.1 {
		v *= v * 0.5
	}
	y[t.BlockID()] = v
}
`
	lib := library(t)
	k := lower(t, lib, text, "k").Kernels()[0]
	plain, err := gradient.Of(k, gradient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	batched, err := gradient.Of(k, gradient.Options{Batches: true})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Batched || !batched.Batched || len(batched.Kernel.Params()) != len(plain.Kernel.Params())+5 {
		t.Fatalf("%v", batched.Kernel)
	}
	if err := ssa.Verify(&ssa.Module{Pkg: "k", Name: "k", Funcs: batched.Funcs()}); err != nil {
		t.Fatal(err)
	}
	const rows, columns, height = 3, 4, 8
	run := func(b *gradient.Backward, batch int) []float64 {
		var memory interp.Buffers
		var args [][]byte
		var data []byte
		for i := range 4 {
			p := make([]byte, 8*rows*columns)
			for j := range rows * columns {
				copy(p[8*j:], interp.Scalar(ssa.Float64, ssa.Float64Const(float64(i+1)*0.3+float64(j))))
			}
			if args = append(args, interp.SliceArg(memory.Add(p), rows*columns)); i == 2 {
				data = p
			}
		}
		for range b.Tapes {
			args = append(args, interp.SliceArg(memory.Add(make([]byte, 8*height*batch)), height*batch))
		}
		p := interp.Compile(b.Kernel)
		for first := 0; first < rows*columns; first += batch {
			n := min(batch, rows*columns-first)
			for thread := range n {
				flat := first + thread
				env := &interp.Env{Memory: &memory, Place: interp.Place{Flat: int64(flat), ID: [4]int64{int64(flat / columns), int64(flat % columns)}, Dim: [4]int64{rows, columns, 1, 1}}}
				now := args
				if b.Batched {
					env.Place = interp.Place{Flat: int64(thread), ID: [4]int64{int64(thread)}, Dim: [4]int64{int64(n), 1, 1, 1}}
					for _, x := range []int{first, rows, columns, 1, 1} {
						now = append(slices.Clip(now), interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(x))))
					}
				}
				if _, err := p.Run(env, now); err != nil {
					t.Fatalf("%v\n%v", err, b.Kernel)
				}
			}
		}
		var list []float64
		for i := range rows * columns {
			list = append(list, interp.ToConst(ssa.Float64, data[8*i:]).Float(ssa.Float64))
		}
		return list
	}
	want := run(plain, rows*columns)
	for _, batch := range []int{1, 5, rows * columns} {
		if got := run(batched, batch); !slices.Equal(got, want) {
			t.Errorf("batches of %d: %v, not %v\n%v", batch, got, want, batched.Kernel)
		}
	}
	local, err := gradient.Of(lower(t, lib, text, "local").Kernels()[0], gradient.Options{Batches: true})
	if err != nil || local.Batched {
		t.Errorf("a kernel that asks for its block: %v, %v", local.Batched, err)
	}
}
