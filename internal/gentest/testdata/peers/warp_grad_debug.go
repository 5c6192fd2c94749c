package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
)

//qd:kernel
func cubeOfNumbers[T qd.Float](t qd.Thread, a, b, c, out1, out2 qd.View3[T]) {
	i, j, k := t.ID3()
	out1.Set(i, j, k, a.At(i, j, k)*b.At(i, j, k)+c.At(i, j, k))
	out2.Set(i, j, k, -a.At(i, j, k)*b.At(i, j, k)-c.At(i, j, k))
}

//qd:kernel
func mixedVectors(t qd.Thread, a []float32, b []f32.Vec3, out1 []f32.Vec2, out2 []f32.Quat) {
	i := t.ID()
	x, v := a[i], b[i]
	out1[i] = f32.Vec2{x * v.Norm(), -x * v.Dot(f32.Vec3{0.1, 1, -0.1})}
	out2[i] = f32.Quat{x, v[0], v[1], v[2]}.Normalize()
}

//qd:kernel
func widened(t qd.Thread, a []float32, out []float64) {
	x := float64(a[t.ID()])
	out[t.ID()] = x * x
}

//qd:kernel
func narrowed(t qd.Thread, a []float64, out []float32) {
	x := float32(a[t.ID()])
	out[t.ID()] = x * x
}

// plainLength is no f64.Vec3.Norm, which has a gradient at zero.
//
//qd:kernel
func plainLength(t qd.Thread, a []f64.Vec3, out []float64) {
	v := a[t.ID()]
	out[t.ID()] = qd.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
}

func wronglyDerived(x float64) float64 { return x * x }

//qd:gradient wronglyDerived
//lint:ignore U1000 the directive names it
func wronglyDerivedGradient(x, adj float64) float64 { return -2 * x * adj }

//qd:kernel
func wrongGradient(t qd.Thread, a, out []float64) { out[t.ID()] = wronglyDerived(a[t.ID()]) }

//qd:kernel
func pointsMoved(t qd.Thread, transforms []f64.Transform, points, out []f64.Vec3) {
	out[t.ID()] = transforms[t.ID()].Point(points[t.ID()])
}

//qd:kernel
func doublesOf(t qd.Thread, a, out []float64) { out[t.ID()] = 2 * a[t.ID()] }

//qd:kernel
func raised(t qd.Thread, x []float64) { x[t.ID()] = x[t.ID()] + 1 }

//qd:kernel
func squaresOf(t qd.Thread, x, y []float64) { y[t.ID()] = x[t.ID()] * x[t.ID()] }

// raisedSquares changes what it reads, and what it reads besides.
//
//qd:kernel
func raisedSquares(g qd.Grid, x, aux []float64, scale float64, y []float64) {
	g.For(len(x), func(i int) { x[i], aux[i] = x[i]+1, aux[i]+1 })
	g.For(len(x), func(i int) { y[i] = scale * x[i] * x[i] * aux[i] })
}

//qd:kernel
func raisedThenFails(t qd.Thread, x []float64) {
	x[t.ID()]++
	if x[t.ID()] > 3 {
		panic("boom")
	}
}
