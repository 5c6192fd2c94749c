//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// A block of two dimensions transposes a part of a matrix in shared memory of two dimensions.
//
//qd:kernel
func blockTranspose(b qd.Block, n, m int, x, y qd.View2[float32]) {
	i0, j0 := b.ID2()
	i0, j0 = i0*n, j0*m
	part := qd.ViewOf2(qd.Shared[float32](b, 64), 8, 8)
	b.For2(n, m, func(i, j int) {
		if i0+i < x.Dim(0) && j0+j < x.Dim(1) {
			part.Set(j, i, x.At(i0+i, j0+j))
		}
	})
	b.For2(m, n, func(j, i int) {
		if i0+i < x.Dim(0) && j0+j < x.Dim(1) {
			y.Set(j0+j, i0+i, part.At(j, i))
		}
	})
}

//qd:kernel
func blockID3(b qd.Block, x []int32) {
	i, j, k := b.ID3()
	b.For2(2, -1, func(p, q int) { x[0] = -1 })
	b.For2(-2, -3, func(p, q int) { x[0] = -1 })
	b.For2(1, 2, func(p, q int) { x[2*b.ID()+q] = int32(1000*i + 100*j + 10*k + q) })
}

func TestBlockFor2(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const rows, cols = 13, 9
		host, want := make([]float32, rows*cols), make([]float32, rows*cols)
		for i := range host {
			host[i] = float32(i)
			want[i%cols*rows+i/cols] = float32(i)
		}
		for _, size := range [][2]int{{8, 8}, {3, 5}, {1, 8}} {
			x, y := qd.From(dev, host, rows, cols), qd.Zeros[float32](dev, cols, rows)
			n, m := size[0], size[1]
			if err := dev.Launch(blockTranspose, qd.Dim((rows+n-1)/n, (cols+m-1)/m), n, m, x, y); err != nil {
				t.Fatal(err)
			}
			if got := y.Slice(); !slices.Equal(got, want) {
				t.Errorf("blocks of %v: %v", size, got)
			}
		}
	})
}

func TestBlockID3(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := make([]int32, 2*2*3*4)
		if err := dev.Launch(blockID3, qd.Dim(2, 3, 4), x); err != nil {
			t.Fatal(err)
		}
		for i, got := range x {
			if b := i / 2; got != int32(1000*(b/12)+100*(b/4%3)+10*(b%4)+i%2) {
				t.Fatalf("x[%d] is %d", i, got)
			}
		}
		if err := dev.Launch(blockID3, qd.Dim(24), x); err == nil {
			t.Error("a launch over one dimension")
		}
	})
}

// Two indices of a lane have gradients as one has.
//
//qd:kernel
func blockSquares(b qd.Block, x, y []float64) {
	s := qd.Shared[float64](b, 6)
	b.For2(2, 3, func(i, j int) { s[i*3+j] = x[j*2+i] * x[j*2+i] })
	b.For(6, func(l int) { y[6*b.ID()+l] = s[l] * x[l] })
}

func TestBlockFor2Gradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{1, 2, 3, 4, 5, 6}).WithGrad()
		y := qd.Zeros[float64](dev, 6)
		tape := qd.NewTape(dev)
		if err := tape.Launch(blockSquares, qd.Dim(1), x, y); err != nil {
			t.Fatal(err)
		}
		if err := tape.BackwardFrom(y, []float64{1, 1, 1, 1, 1, 1}); err != nil {
			t.Fatal(err)
		}
		want := make([]float64, 6)
		h := []float64{1, 2, 3, 4, 5, 6}
		for l := range 6 {
			from := l%3*2 + l/3
			want[from] += 2 * h[from] * h[l]
			want[l] += h[from] * h[from]
		}
		if got := x.Grad().Slice(); !slices.Equal(got, want) {
			t.Errorf("the gradient is %v, not %v", got, want)
		}
	})
}

type laneState struct {
	sum   float64
	turns [2]int32
}

// What a lane keeps from loop to loop is its element of shared memory, of any type.
//
//qd:kernel
func laneStates(b qd.Block, turns int, x []float64) {
	own := qd.Shared[laneState](b, 12)
	grid := qd.ViewOf2(own, 3, 4)
	for turn := range turns {
		b.For(12, func(l int) {
			s := &own[l]
			s.sum += x[12*b.ID()+l] * float64(turn+1)
			s.turns[turn%2]++
		})
		b.For2(3, 4, func(i, j int) {
			if left := grid.At(i, max(j-1, 0)); turn%2 == 1 && left.turns[0] > 0 {
				x[12*b.ID()+4*i+j] += left.sum
			}
		})
	}
	b.For(12, func(l int) { x[12*b.ID()+l] += 1000 * float64(own[l].turns[0]-own[l].turns[1]) })
}

func TestBlockLaneStates(t *testing.T) {
	var first []float64
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := make([]float64, 24)
		for i := range x {
			x[i] = float64(i)
		}
		if err := dev.Launch(laneStates, qd.Dim(2), 3, x); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = x
			if x[0] != 1000 || x[2] != 2+3+1000 { // 3 from the left lane, after two turns
				t.Errorf("%v", x)
			}
		} else if !slices.Equal(x, first) {
			t.Errorf("%v, but on another device %v", x, first)
		}
	})
}
