package main

import (
	"embed"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

//go:embed [^._]*.go
var kernelsSource embed.FS

// The benchmarks run where their source is not on disk too.
func init() {
	if err := qdreg.Source("main", kernelsSource); err != nil {
		panic("BUG: " + err.Error())
	}
}

//qd:kernel
func empty(t qd.Thread) {}

//qd:kernel
func emptyEight(t qd.Thread, a, b []float32, c, d []int32, i int, x float32, y float64, yes bool) {}

// Kernels with something that is known at compile time: see constants.

type tuning struct {
	Tile  int32
	Scale float64
}

//qd:kernel
func (c tuning) Kernel(t qd.Thread) {}

//qd:kernel
func emptyInt(t qd.Thread, n qd.Const[int]) {}

//qd:kernel
func emptyTuned(t qd.Thread, c qd.Const[tuning], x []int32) {}

//qd:kernel
func emptyStruct(t qd.Thread, c qd.Const[tuning]) {}

func half(x float64) float64 { return x / 2 }

//qd:kernel
func emptyFunc(t qd.Thread, f qd.Const[func(float64) float64]) {}

//qd:kernel
func emptyThree(t qd.Thread, n qd.Const[int], c qd.Const[tuning], f qd.Const[func(float64) float64]) {
}

var var0, var1, var2, var3, var4, var5, var6, var7, var8, var9 int32

func init() {
	qdreg.Vars("main", map[string]any{
		"var0": &var0, "var1": &var1, "var2": &var2, "var3": &var3, "var4": &var4,
		"var5": &var5, "var6": &var6, "var7": &var7, "var8": &var8, "var9": &var9,
	})
}

//qd:kernel
func readNone(t qd.Thread, x []int32) { x[0] = 1 }

//qd:kernel
func readOne(t qd.Thread, x []int32) { x[0] = var0 }

//qd:kernel
func readTen(t qd.Thread, x []int32) {
	x[0] = var0 + var1 + var2 + var3 + var4 + var5 + var6 + var7 + var8 + var9
}

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

//qd:kernel
func heat(t qd.Thread, r float32, u, next []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	c := u[i*m+j]
	up, down := u[max(i-1, 0)*m+j], u[min(i+1, n-1)*m+j]
	left, right := u[i*m+max(j-1, 0)], u[i*m+min(j+1, m-1)]
	next[i*m+j] = c + r*(up+down+left+right-4*c)
}

//qd:kernel
func mandelbrot(t qd.Thread, x0, y0, pixel float64, limit int32, out []int32) {
	row, col := t.ID2()
	cx, cy := x0+float64(col)*pixel, y0+float64(row)*pixel
	var x, y float64
	var n int32
	for n < limit && x*x+y*y <= 4 {
		x, y = x*x-y*y+cx, 2*x*y+cy
		n++
	}
	out[row*t.Dim(1)+col] = n
}

//qd:kernel
func blur(t qd.Thread, weights, in, out []float32) {
	i, j := t.ID2()
	width := t.Dim(1)
	radius := len(weights) / 2
	var sum float32
	for k := range weights {
		at := min(max(j+k-radius, 0), width-1)
		sum += weights[k] * in[i*width+at]
	}
	out[i*width+j] = sum
}

// gather has a check that no launch can answer.
//
//qd:kernel
func gather(t qd.Thread, index []int32, x, y []float32) {
	i := t.ID()
	y[i] = x[index[i]]
}

// Batches of small matrices: see linalg.

//qd:kernel
func matvec[M qd.SquareMatrix[M, V, T], V qd.Vector[V, T], T qd.Float](t qd.Thread, m []M, v, out []V) {
	i := t.ID()
	out[i] = m[i].MulVec(v[i])
}

//qd:kernel
func inverse[M qd.SquareMatrix[M, V, T], V qd.Vector[V, T], T qd.Float](t qd.Thread, m, out []M) {
	i := t.ID()
	out[i] = m[i].Inverse()
}

// withSVD is satisfied by matrices that have one.
type withSVD[M, V any] interface {
	SVD() (u M, s V, v M)
}

//qd:kernel
func svd[M withSVD[M, V], V any](t qd.Thread, m, u, v []M, s []V) {
	i := t.ID()
	u[i], s[i], v[i] = m[i].SVD()
}

// Kernels that call one function, and one that has its own: see sharing. Each type argument makes a function.

type (
	own    struct{}
	shared struct{}
)

// ripples is long enough that compilers leave it a call where two places call it.
func ripples[K any](x, y float32) float32 {
	s := x*y + qd.Sqrt(x*x+y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(1+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(2+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(3+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(4+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(5+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(6+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(7+s*y*y)
	s += s*y + qd.Sqrt(s*s+y*y) - x/(8+s*y*y)
	return s
}

//qd:kernel
func ripplesAlone(t qd.Thread, x, y, out []float32) {
	i := t.ID()
	out[i] = ripples[own](x[i], y[i])
}

//qd:kernel
func ripplesShared(t qd.Thread, x, y, out []float32) {
	i := t.ID()
	out[i] = ripples[shared](x[i], y[i])
}

//qd:kernel
func ripplesTwice(t qd.Thread, x, y, out []float32) {
	i := t.ID()
	out[i] = ripples[shared](y[i], x[i]) + ripples[shared](x[i], x[i])
}
