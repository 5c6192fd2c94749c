//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func gatherTimes(t qd.Thread, index []int32, x, y []float32) {
	i := t.ID()
	y[i] = 3 * x[index[i]]
}

// Threads that run one after the other add to gradients in plain steps. No addition is lost.
func TestAloneVectors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range []int{1, 7, 64, 301, 5000} {
			index := make([]int32, n)
			ones := func(n int) []float32 {
				x := make([]float32, n)
				for i := range x {
					x[i] = 1
				}
				return x
			}
			for i := range index {
				index[i] = int32(i % 3)
			}
			g := make([]float32, 3)
			must(t, dev.Launch(qd.NewKernel(gatherTimes).Gradient(), qd.Dim(n), index, ones(3), ones(n), g, ones(n)))
			for k := range g {
				if want := float32(3 * ((n + 2 - k) / 3)); g[k] != want {
					t.Errorf("%d threads: the gradient of element %d is %v, want %v", n, k, g[k], want)
				}
			}
			g = make([]float32, 1)
			must(t, dev.Launch(qd.NewKernel(scaleAll).Gradient(), qd.Dim(n), ones(n), ones(1), ones(n), make([]float32, n), g, ones(n)))
			if g[0] != float32(n) {
				t.Errorf("%d threads: the gradient of the factor is %v", n, g[0])
			}
		}
	})
}

// addsAround reads its own element and those beside it, up to the edges.
//
//qd:kernel
func addsAround(t qd.Thread, u, next []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	next[i*m+j] = u[i*m+j] + 2*u[max(i-1, 0)*m+j] + 3*u[min(i+1, n-1)*m+j] + 4*u[i*m+max(j-1, 0)] + 5*u[i*m+min(j+1, m-1)] + 6*u[i*m+(7*j)%m]
}

// Threads in the lanes of vectors add to elements next to each other, to one at an edge, and to some anywhere: whether they are all
// threads of the launch or not.
func TestAloneRows(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, size := range [][2]int{{1, 1}, {1, 40}, {3, 17}, {40, 33}, {600, 500}} {
			n, m := size[0], size[1]
			u, next, got, seed, want := make([]float32, n*m), make([]float32, n*m), make([]float32, n*m), make([]float32, n*m), make([]float32, n*m)
			for k := range seed {
				seed[k] = float32(k%5 - 2) // sums of these are exact
			}
			for i := range n {
				for j := range m {
					s := seed[i*m+j]
					want[i*m+j] += s
					want[max(i-1, 0)*m+j] += 2 * s
					want[min(i+1, n-1)*m+j] += 3 * s
					want[i*m+max(j-1, 0)] += 4 * s
					want[i*m+min(j+1, m-1)] += 5 * s
					want[i*m+(7*j)%m] += 6 * s
				}
			}
			must(t, dev.Launch(qd.NewKernel(addsAround).Gradient(), qd.Dim(n, m), u, next, got, seed))
			for k, w := range want {
				if got[k] != w {
					t.Fatalf("%d by %d: element %d has the gradient %v, want %v", n, m, k, got[k], w)
				}
			}
		}
	})
}
