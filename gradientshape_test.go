package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

type shapedPair struct {
	at   []int
	a, b []float64
	v    qd.View2[float64]
}

// A gradient that is shorter than its slice, or lies in memory in another way, is an error before anything runs: a backward kernel would
// go past its end.
func TestGradientShapes(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		square := qd.NewKernel(func(t qd.Thread, by qd.Const[float64], n int, x, y []float64) {
			i := t.ID()
			y[i] = by.V * x[i] * x[i]
		})
		x := []float64{1, 2, 3}
		s, err := dev.NewStream()
		must(t, err)
		ones := func(n int) []float64 { return slices.Repeat([]float64{1}, n) }
		for _, k := range []*qd.Kernel{square.Gradient(), square.Tangent()} {
			xGrad, yGrad := ones(3), ones(3)
			what := "gradient"
			if k != nil && k.Name() == square.Tangent().Name() {
				what = "tangent"
			}
			wants(t, dev.Launch(k, qd.Dim(3), qd.C(2.0), 1, x, ones(3), xGrad[:2], yGrad),
				"parameter 5 ([]float64): the "+what+" of parameter 3 has 2 elements, but parameter 3 itself has 3 elements; make it of the same size")
			wants(t, dev.Launch(k, qd.Dim(3), qd.C(2.0), 1, x, ones(3), xGrad, ones(4)),
				"parameter 6 ([]float64): the "+what+" of parameter 4 has 4 elements, but parameter 4 itself has 3 elements")
			wants(t, dev.Launch(k, qd.Dim(0), qd.C(2.0), 1, x, ones(3), []float64(nil), yGrad), "has 0 elements, but parameter 3 itself has 3")
			a, y := qd.From(dev, x), qd.Zeros[float64](dev, 3)
			wants(t, dev.Launch(k, qd.Dim(3), qd.C(2.0), 1, a, y, qd.Zeros[float64](dev, 2), qd.From(dev, yGrad)), "has 2 elements, but")
			wants(t, s.Launch(k, qd.Dim(3), qd.C(2.0), 1, a, y, qd.Zeros[float64](dev, 2), qd.From(dev, yGrad)), "has 2 elements, but")
			if !slices.Equal(xGrad, ones(3)) || !slices.Equal(yGrad, ones(3)) {
				t.Error("a launch that is refused has changed gradients")
			}
			must(t, dev.Launch(k, qd.Dim(3), qd.C(2.0), 1, x, ones(3), xGrad, yGrad))
			must(t, dev.Launch(k, qd.Dim(3), qd.C(2.0), 1, a, y, qd.Zeros[float64](dev, 3), qd.From(dev, ones(3))))
		}
		twice := square.Tangent().Gradient()
		wants(t, dev.Launch(twice, qd.Dim(3), qd.C(2.0), 1, x, ones(3), ones(3), ones(2), ones(3), ones(3), ones(3), ones(3)),
			"parameter 6 ([]float64): the tangent of parameter 4 has 2 elements")
		wants(t, dev.Launch(twice, qd.Dim(3), qd.C(2.0), 1, x, ones(3), ones(3), ones(3), ones(3), ones(3), ones(2), ones(3)),
			"parameter 9 ([]float64): the gradient of parameter 5 has 2 elements")

		views := qd.NewKernel(func(t qd.Thread, x, y qd.View2[float64]) {
			i, j := t.ID2()
			y.Set(i, j, 3*x.At(i, j))
		}).Gradient()
		view := func(n0, n1 int) qd.View2[float64] { return qd.ViewOf2(ones(n0*n1), n0, n1) }
		wants(t, dev.Launch(views, qd.Dim(2, 3), view(2, 3), view(2, 3), view(3, 2), view(2, 3)),
			"the gradient of parameter 1 has the sizes [3 2], but parameter 1 itself has the sizes [2 3]")
		wants(t, dev.Launch(views, qd.Dim(2, 3), view(2, 3), view(2, 3), view(3, 2).T(), view(2, 3)),
			"the gradient of parameter 1 has the strides [1 2], but parameter 1 itself has [3 1]; take the same view of a slice or an array for the gradient")
		must(t, dev.Launch(views, qd.Dim(2, 3), view(3, 2).T(), view(2, 3), view(3, 2).T(), view(2, 3)))
		must(t, dev.Launch(views, qd.Dim(1, 3), view(1, 3), view(1, 3), view(3, 1).T(), view(1, 3))) // one row: the stride does not matter

		structs := qd.NewKernel(func(t qd.Thread, p shapedPair, y []float64) {
			i := t.ID()
			y[i] = p.a[i] * p.b[p.at[i]] * p.v.At(i, 0)
		}).Gradient()
		pair := func(a, b, v int) shapedPair {
			return shapedPair{[]int{0, 1}, ones(a), ones(b), qd.ViewOf2(ones(v), v, 1)}
		}
		wants(t, dev.Launch(structs, qd.Dim(2), pair(2, 2, 2), ones(2), pair(2, 1, 2), ones(2)),
			"the gradient of field b of parameter 1 has 1 elements, but field b of parameter 1 itself has 2 elements")
		wants(t, dev.Launch(structs, qd.Dim(2), pair(2, 2, 2), ones(2), pair(2, 2, 1), ones(2)), "the gradient of field v of parameter 1 has the sizes [1 1]")
		g := pair(2, 2, 2)
		g.at = nil // there is nothing in it
		must(t, dev.Launch(structs, qd.Dim(2), pair(2, 2, 2), ones(2), g, ones(2)))

		grid := qd.NewKernel(func(g qd.Grid, x, y []float64) {
			g.For(len(x), func(i int) { y[i] = x[i] * x[i] })
		}).Gradient()
		wants(t, dev.Run(grid, x, ones(3), ones(2), ones(3)), "the gradient of parameter 1 has 2 elements")
		must(t, dev.Run(grid, x, ones(3), ones(3), ones(3)))
	})
}
