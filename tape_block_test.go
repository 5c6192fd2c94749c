//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/qdtest"
	"github.com/qdgen/qd/tile"
)

//qd:kernel
func blockRowNorm(b qd.Block, width int, x, y []float64) {
	s := qd.Shared[float64](b, 8)
	row := x[b.ID()*width : (b.ID()+1)*width]
	b.For(8, func(lane int) {
		sum := 0.0
		for i := lane; i < len(row); i += 8 {
			sum += row[i] * row[i]
		}
		s[lane] = sum
	})
	total := 0.0
	for _, v := range s {
		total += v
	}
	norm := qd.Sqrt(total)
	b.For(width, func(i int) { y[b.ID()*width+i] = row[i] / norm })
	y[b.ID()*width] *= 1 + norm*0.1
}

//qd:kernel
func blockTree(b qd.Block, x []float64) {
	s := qd.Shared[float64](b, 16)
	at := b.ID() * 16
	b.For(16, func(i int) { s[i] = x[at+i] * x[at+i] })
	for h := 8; h > 0; h /= 2 {
		b.For(h, func(i int) { s[i] += s[i+h] * (1 + 0.1*s[i]) })
		if s[0] > 40 {
			break
		}
		s[1] *= 0.5
	}
	b.For(16, func(i int) {
		if i > 12 {
			return
		}
		x[at+i] = x[at+i]*0.5 + s[i%3]
	})
}

//qd:kernel
func blockSmooth(b qd.Block, turns int, u qd.View2[float64]) {
	s := qd.Shared[float64](b, 24)
	i, j := b.ID2()
	scale := 1.0
	for k := range turns {
		b.For(6, func(l int) { s[l] = u.At(2*i+l/3, 3*j+l%3) * scale })
		b.For(6, func(l int) { u.Set(2*i+l/3, 3*j+l%3, s[l]*s[(l+3)%6]+0.1) })
		scale *= 0.5 + s[k]
		if k == 1 {
			continue
		}
		s[k] = scale
		qd.AtomicAdd(&s[0], s[k]*s[1])
	}
	u.Set(2*i, 3*j, u.At(2*i, 3*j)*scale*s[0])
}

//qd:kernel
func blockTiles(b qd.Block, width qd.Const[int], x, y qd.View2[float64]) {
	row := tile.LoadOr(b, x.Row(b.ID()), 0, width.V, qd.Inf[float64](-1))
	e := tile.Exp(row.SubScalar(row.Max()))
	e.DivScalar(e.Sum()).Store(y.Row(b.ID()), 0)
}

//qd:kernel
func blockProduct(b qd.Block, x, y, z qd.View2[float64]) {
	i, j := b.ID2()
	sum := tile.Zeros2[float64](b, 2, 2)
	for k := 0; k < x.Dim(1); k += 2 {
		sum = tile.Dot(tile.Load2(b, x, i*2, k, 2, 2), tile.Load2(b, y, k, j*2, 2, 2), sum)
	}
	sum.Mul(sum).Store2(z, i*2, j*2)
}

//qd:kernel
func blockGather(b qd.Block, x, y []float64, at []int) {
	indices := tile.Load(b, at, b.ID()*6, 6)
	t := tile.Gather(b, x, indices)
	t.Mul(t).Store(y, b.ID()*6)
}

type blockCell struct {
	v f64.Vec2
	n int32
}

//qd:kernel
func blockMixed(b qd.Block, turns int, c []blockCell, x []float64) {
	s, at := qd.Shared[float64](b, 8), qd.Shared[int32](b, 8)
	own := x[8*b.ID() : 8*b.ID()+8]
	if own[0] > 2 {
		own[1] *= own[0]
		return
	}
	arr := [4]float64{own[1], 2, own[2]}
	b.For(8, func(i int) { at[i] = int32((3*i + 1) % 8) })
	add := func(i int, by float64) { s[i] += by * arr[i%4] }
	for k := range turns {
		copy(s, own[k%3:])
		add(k%8, c[b.ID()].v.Y())
		b.For(turns-1, func(i int) {
			for v := own[at[i]]; v > 0.2; v *= 0.5 {
				if v > 0.9 {
					continue
				}
				s[i] += v * c[b.ID()].v.X() * float64(c[b.ID()].n)
			}
		})
		if s[2] > 1.5 {
			arr[k%4] += s[2]
			b.For(0, func(i int) { s[i] = 7 })
			continue
		}
		for i := range at {
			if i == 5 {
				break
			}
			arr[i%4] *= 0.5 + s[at[i]]*0.1
		}
		c[b.ID()].v = c[b.ID()].v.Scale(arr[1] * 0.5)
		b.For(8, func(i int) { own[i] += s[at[i]] * arr[i%4] })
	}
	c[b.ID()].n++
}

//qd:kernel
func blockLargest(b qd.Block, x, most, sum []float64) {
	b.For(8, func(i int) { qd.AtomicMax(&most[b.ID()%2], x[8*b.ID()+i]) })
	qd.AtomicAdd(&sum[0], x[8*b.ID()]*x[8*b.ID()+1])
}

// The backward kernels of Block kernels agree with differences.
func TestTapeBlock(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		ramp := func(shape ...int) *qd.Array[float64] {
			a := qd.Zeros[float64](dev, shape...)
			host := make([]float64, a.Len())
			for i := range host {
				host[i] = 0.3 + 0.1*float64(i*5%11)
			}
			must(t, a.CopyFrom(host))
			return a
		}
		for _, threads := range []int{1, 5, 32} {
			with := func(k any) *qd.Kernel { return qd.NewKernel(k).WithBlockDim(threads) }
			qdtest.CheckGradient(t, with(blockRowNorm), qd.Dim(3), 10, ramp(30), ramp(30))
			qdtest.CheckGradient(t, with(blockTree), qd.Dim(2), ramp(32))
			for _, turns := range []int{0, 1, 3} {
				qdtest.CheckGradient(t, with(blockSmooth), qd.Dim(2, 2), turns, ramp(4, 6))
			}
			for _, turns := range []int{0, 2, 4} {
				cells := qd.From(dev, []blockCell{{f64.Vec2{0.5, 1}, 1}, {f64.Vec2{0.25, -0.5}, 2}, {f64.Vec2{1, 1}, 0}})
				qdtest.CheckGradient(t, with(blockMixed), qd.Dim(3), turns, cells, ramp(24))
			}
			qdtest.CheckGradient(t, with(blockLargest), qd.Dim(3), qd.From(dev, []float64{5, 1, 4, 2, 8, 5, 7, 1, 1.5, 2.5, 3.5, 0.5, 4.5, 5.5, 1, 2, 9, 8, 3, 5, 4, 1, 2, 6}), ramp(2), ramp(1))
			qdtest.CheckGradient(t, with(blockGather), qd.Dim(2), ramp(9), ramp(11), qd.From(dev, []int{8, 1, 1, -1, 3, 5, 0, 8, 2, 4, 9, 7}))
			qdtest.CheckGradient(t, with(blockTiles), qd.Dim(3), qd.C(4), ramp(3, 3), ramp(3, 3))
			qdtest.CheckGradient(t, with(blockProduct), qd.Dim(2, 2), ramp(4, 3), ramp(3, 4), ramp(4, 4))
		}
	})
}
