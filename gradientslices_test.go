package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func productOfThree(t qd.Thread, xs [3][]float64, y []float64) {
	i := t.ID()
	p := 1.0
	for k := range 3 {
		p *= xs[k][i]
	}
	y[i] = p
}

type rowsOf struct {
	scale float64
	rows  [2][]float64
}

// shiftsRows reads one slice at the place of another thread, and overwrites the other one.
//
//qd:kernel
func shiftsRows(t qd.Thread, a rowsOf) {
	i := t.ID()
	v := a.rows[1][i]
	a.rows[1][i] = a.scale * v * v * a.rows[0][(i+1)%3]
}

// The slices in an array have gradients, where the indices are known when the kernel is compiled.
func TestGradientOfArrayOfSlices(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		xs := [3][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
		gs, y, gy := [3][]float64{make([]float64, 3), make([]float64, 3), make([]float64, 3)}, make([]float64, 3), []float64{1, 10, 100}
		must(t, dev.Launch(qd.NewKernel(productOfThree).Gradient(), qd.Dim(3), xs, y, gs, gy))
		near(t, "first", gs[0], []float64{28, 400, 5400})
		near(t, "second", gs[1], []float64{7, 160, 2700})
		near(t, "third", gs[2], []float64{4, 100, 1800})
		ty := make([]float64, 3)
		must(t, dev.Launch(qd.NewKernel(productOfThree).Tangent(), qd.Dim(3), xs, y, [3][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, ty))
		near(t, "tangents", ty, []float64{28, 16, 18})

		a := rowsOf{2, [2][]float64{{1, 2, 3}, {4, 5, 6}}}
		g := rowsOf{0, [2][]float64{make([]float64, 3), {1, 10, 100}}}
		must(t, dev.Launch(qd.NewKernel(shiftsRows).Gradient(), qd.Dim(3), a, g))
		near(t, "what is read", g.rows[0], []float64{2 * 36 * 100, 2 * 16, 2 * 25 * 10})
		near(t, "what is overwritten", g.rows[1], []float64{4 * 4 * 2, 4 * 5 * 3 * 10, 4 * 6 * 100})

		both := []float64{2, 3, 4} // one slice in three places
		sum := make([]float64, 3)
		must(t, dev.Launch(qd.NewKernel(productOfThree).Gradient(), qd.Dim(3), [3][]float64{both, both, both}, y, [3][]float64{sum, sum, sum}, []float64{1, 1, 1}))
		near(t, "one slice", sum, []float64{12, 27, 48})
	})
}
