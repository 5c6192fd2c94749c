package gradient_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// Gradients of elements at indices that are not known are what differences say.
func TestElements(t *testing.T) { differences(t, "testdata/elements.go", 3) }

// A turn of a loop that goes through an array adds to one element of its adjoint: it does as much for a long array as
// for a short one, and makes none.
func TestElementOfTurn(t *testing.T) {
	const text = `package k

import "github.com/qdgen/qd"

const n = %d

type layer struct {
	bias, scale float32
	w           [n]float32
	m           [n][3]float32
}

func dot(a [n]float32, x []float32) (s float32) {
	for i := range len(a) {
		s += a[i] * x[i]
	}
	return s
}

func (l layer) at(x []float32) (s float32) {
	for i := range l.w {
		s += l.w[i]*l.scale*x[i] + l.bias
		if s > 0 {
			s *= l.w[i]
		}
		for j := range l.m[i] {
			s += l.m[i][j] * x[j]
		}
	}
	return s
}

//qd:kernel
func byValue(t qd.Thread, a [][n]float32, x, y []float32) {
	y[t.ID()] = dot(a[t.ID()], x)
}

//qd:kernel
func copied(t qd.Thread, x, y []float32) {
	var h [n]float32
	for i := range h {
		h[i] = x[i] * x[i]
	}
	for i, v := range h {
		y[t.ID()] += v * x[i]
	}
}

//qd:kernel
func ofFields(t qd.Thread, ls []layer, x, y []float32) {
	y[t.ID()] = ls[t.ID()].at(x)
}
`
	lib := library(t)
	for _, name := range []string{"byValue", "copied", "ofFields"} {
		for _, lengths := range [][2]int{{4, 16}, {20, 48}} {
			var counts [2]int
			for i, n := range lengths {
				m := lower(t, lib, fmt.Sprintf(text, n), name)
				b, err := gradient.Of(kernelOf(m), gradient.Options{})
				if err != nil {
					t.Fatal(err)
				}
				counts[i] = turns(t, b.Kernel)
			}
			if counts[0] != counts[1] {
				t.Errorf("%s: loops have %v instructions for arrays of %v", name, counts, lengths)
			}
		}
	}
}

// turns is how many instructions the loops of a kernel have. None of them makes an array.
func turns(t *testing.T, k *ssa.Func) (count int) {
	k.Body.Walk(func(loop *ssa.Instr) {
		if loop.Op != ssa.OpLoop {
			return
		}
		for _, turn := range loop.Blocks {
			turn.Walk(func(in *ssa.Instr) {
				count++
				if in.Op == ssa.OpMake || in.Op == ssa.OpLocal {
					t.Errorf("a turn of %s makes an array: %v", k.Name, in)
				}
			})
		}
	})
	return count
}
