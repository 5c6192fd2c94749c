package gradient_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// The threads of a block share the indices of a parallel loop. How many each of them has follows from the size of the
// block, so that no number of turns is kept, and the kernel that counts does nothing but compute.
func TestSharedIndices(t *testing.T) {
	const text = `package k

import "github.com/qdgen/qd"

func k(b qd.Block, n int, x, y []float64) {
	part := qd.Shared[float64](b, 64)
	b.For(64, func(i int) { part[i] = x[b.ID()*64+i] })
	for range n {
		b.For2(8, 8, func(i, j int) { part[i*8+j] *= part[i*8+j] })
		b.For(32, func(i int) { part[i] *= part[i+32] })
	}
	b.For(64, func(i int) { y[b.ID()*64+i] = part[i] })
}
`
	b, err := gradient.Of(kernelOf(lower(t, library(t), text, "k")), gradient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []ssa.Type{ssa.Float64}; !slices.Equal(b.Tapes, want) {
		t.Errorf("it keeps numbers of the types %v, want %v", b.Tapes, want)
	}
	b.Count.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpSync, ssa.OpLoad, ssa.OpAtomic:
			t.Errorf("the kernel that counts has a %v", in.Op)
		case ssa.OpStore:
			if root := in.Args[0].Root(); root.Def != nil {
				t.Errorf("the kernel that counts writes memory of the block")
			}
		}
	})
	if t.Failed() {
		t.Log(b.Count)
	}
	b.Kernel.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLocal && in.Result().Name == "top" {
			t.Errorf("the height of a stack stays in memory")
		}
	})
}

// What a loop keeps whose turns threads share, and in which another loop keeps something, is at the same height in all
// threads behind it.
func TestEvenHeights(t *testing.T) {
	const text = `package k

import "github.com/qdgen/qd"

func k(b qd.Block, n int, x, y []float64) {
	part := qd.Shared[float64](b, 64)
	b.For(64, func(i int) { part[i] = x[b.ID()*64+i] })
	for range n {
		b.For(40, func(i int) {
			v := part[i]
			for k := range n {
				v *= part[i] + float64(k)
			}
			part[i] = v
		})
	}
	b.For(64, func(i int) { y[b.ID()*64+i] = part[i] })
}
`
	b, err := gradient.Of(kernelOf(lower(t, library(t), text, "k")), gradient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.Count.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLane {
			t.Errorf("what a thread keeps depends on its place in the block:\n%v", b.Count)
		}
	})
}

// A thread keeps nothing for loops that neither it nor another one of its block comes to, whatever it has in place of their
// ends: here most.
func TestIdleThreads(t *testing.T) {
	for name, text := range map[string]string{
		"threads do not agree on the end": `
	most := n
	if t.Lane() >= 2 {
		most = 1 << 61
	}
	for i := t.Lane(); i < 2; i += dim {
		for k := 0; k < most; k++ {
			a = qd.Sin(a*a + x[k])
		}
	}`,
		"threads that have no turn come to the loop": `
	most := (n + 1) << 60
	if t.Lane() >= 2 {
		for i := t.Lane(); i < 2; i += dim {
			for k := 0; k < most; k++ {
				a = qd.Sin(a*a + x[k])
			}
		}
	}`,
		"threads do not agree on the bound": `
	most, bound := (n+1)<<60, t.Lane()
	for i := t.Lane(); i < bound; i += dim {
		for k := 0; k < most; k++ {
			a = qd.Sin(a*a + x[k])
		}
	}`,
	} {
		t.Run(name, func(t *testing.T) {
			m := lower(t, library(t), `package k

import "github.com/qdgen/qd"

func k(t qd.Thread, n int, x, y []float64) {
	a, dim := x[t.ID()], t.BlockDim()`+text+`
	for k := range n {
		a = qd.Sin(a*1.5 + x[k])
	}
	y[t.ID()] += a
}
`, "k")
			b, err := gradient.Of(kernelOf(m), gradient.Options{})
			if err != nil {
				t.Fatal(err)
			}
			tr := &trial{kernel: kernelOf(m), back: b, threads: blockSize, seed: 1}
			if err := tr.compare(tr.weights(), 1e-6); err != nil {
				t.Errorf("%v\n%v", err, moduleOf(m, b))
			}
		})
	}
}

// A loop that takes no turns has none in the gradient either, however far its ends are apart.
func TestFarEnds(t *testing.T) {
	const text = `package k

import (
	"math"

	"github.com/qdgen/qd"
)

func k(t qd.Thread, n int, x, y []float64) {
	a := x[t.ID()]
	for i := n + (math.MaxInt - 5); i < -n; i++ {
		a *= x[i]
	}
	y[t.ID()] += a * a
}

func twin(t qd.Thread, n int, x, y []float64) {
	a := x[t.ID()]
	y[t.ID()] += a * a
}
`
	if got, want := gradientsOf(t, text, "k"), gradientsOf(t, text, "twin"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
