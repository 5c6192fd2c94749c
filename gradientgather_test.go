//go:build !race

package qd_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdtest"
)

// Kernels whose backward kernels gather what neighbouring threads add to one gradient.

//qd:kernel
func gatherBorder(t qd.Thread, h, w int, u, v []float32) {
	i, j := t.ID2()
	if i == 0 || j == 0 || i >= h-1 || j >= w-1 {
		return
	}
	c := u[i*w+j]
	v[i*w+j] = c + 0.2*(u[(i-1)*w+j]+u[(i+1)*w+j]+u[i*w+j-1]+u[i*w+j+1]-4*c)*c
}

//qd:kernel
func gatherBlur(t qd.Thread, x, y qd.View2[float32]) {
	i, j := t.ID2()
	if i > 0 && j > 0 && i < x.Dim(0)-1 && j < x.Dim(1)-1 {
		s := float32(0)
		for a := range 3 {
			for b := range 3 {
				s += x.At(i+a-1, j+b-1) / float32(2+a+b)
			}
		}
		y.Set(i, j, s*s)
	}
}

//qd:kernel
func gatherWave(t qd.Thread, w int, now, before, next []float32) {
	i, j := t.ID2()
	at := (i+1)*w + j + 1
	c := now[at]
	next[at] = 2*c - before[at] + 0.3*(now[at-w]+now[at+w]+now[at-1]+now[at+1]-4*c)
}

//qd:kernel
func gatherVolume(t qd.Thread, u, v qd.View3[float32]) {
	i, j, k := t.ID3()
	if i < 1 || j < 1 || k < 1 || i >= u.Dim(0)-1 || j >= u.Dim(1)-1 || k >= u.Dim(2)-1 {
		return
	}
	c := u.At(i, j, k)
	v.Set(i, j, k, c*(u.At(i-1, j, k)+0.7*u.At(i+1, j, k)+u.At(i, j-1, k)-u.At(i, j+1, k)+u.At(i, j, k-1)+0.1*u.At(i, j, k+1)))
}

//qd:kernel
func gatherCoarse(t qd.Thread, x, y []float32) {
	i := t.ID() + 1
	y[i] = x[2*i-1]*x[2*i] + x[2*i+1]/3
}

//qd:kernel
func gatherNot(t qd.Thread, at []int, x, y []float32) {
	i := t.ID()
	y[i] = x[at[i]] * x[at[len(at)-1-i]]
}

// Gradients of stencils are the same on all devices, in each run, to the bit, and are what differences say. The launches are smaller
// than the arrays, of their size, and larger.
func TestGradientGathers(t *testing.T) {
	ring := make([]int, 40)
	for i := range ring {
		ring[i] = (7*i + 3) % 20
	}
	for _, tt := range []struct {
		name   string
		kernel any
		dims   []qd.Dims
		size   []int // of the arrays
		arrays int
		before []any // arguments in front of the arrays
		shared bool  // additions may be atomic, so that only differences are asked
	}{
		{"clamped", gatherClamped, []qd.Dims{qd.Dim(300), qd.Dim(255), qd.Dim(1), qd.Dim(15, 20)}, []int{300}, 2, nil, false},
		{"border", gatherBorder, []qd.Dims{qd.Dim(20, 30), qd.Dim(9, 17), qd.Dim(33, 64)}, []int{600}, 2, []any{20, 30}, false},
		{"blur", gatherBlur, []qd.Dims{qd.Dim(20, 30), qd.Dim(7, 30), qd.Dim(21, 40)}, []int{20, 30}, 2, nil, false},
		{"wave", gatherWave, []qd.Dims{qd.Dim(18, 28), qd.Dim(5, 5)}, []int{600}, 3, []any{30}, false},
		{"volume", gatherVolume, []qd.Dims{qd.Dim(6, 7, 9), qd.Dim(3, 4, 5), qd.Dim(7, 8, 12)}, []int{6, 7, 9}, 2, nil, false},
		{"coarse", gatherCoarse, []qd.Dims{qd.Dim(99), qd.Dim(30)}, []int{201}, 2, nil, false},
		{"chosen", gatherNot, []qd.Dims{qd.Dim(40)}, []int{40}, 2, []any{ring}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, dim := range tt.dims {
				var first [][]float32
				for _, dev := range devices(t) {
					arguments := func() (args []any, all []*qd.Array[float32]) {
						args = slices.Clone(tt.before)
						n := 1
						for _, size := range tt.size {
							n *= size
						}
						for k := range tt.arrays {
							a := qd.From(dev, gatherSeed(n, 0.7+float64(k)), tt.size...).WithGrad()
							args, all = append(args, a), append(all, a)
						}
						return args, all
					}
					for range 2 {
						args, all := arguments()
						last := all[len(all)-1]
						seed := qd.From(dev, gatherSeed(last.Len(), 0.3), tt.size...)
						tape := qd.NewTape(dev)
						if err := errors.Join(tape.Launch(tt.kernel, dim, args...), tape.BackwardFrom(last, seed)); err != nil {
							t.Fatalf("%v, %v: %v", dev, dim, err)
						}
						var grads [][]float32
						for _, a := range all {
							grads = append(grads, a.Grad().Slice())
						}
						if first == nil {
							first = grads
						}
						if !tt.shared && fmt.Sprint(grads) != fmt.Sprint(first) {
							t.Fatalf("%v, %v: the gradients are not the same:\n%v\n%v", dev, dim, grads, first)
						}
					}
					args, _ := arguments()
					qdtest.CheckGradient(t, tt.kernel, dim, args...)
				}
			}
		})
	}
}
