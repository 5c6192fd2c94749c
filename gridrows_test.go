//go:build !race

package qd_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// gridRows has parallel loops whose last size is small, so that vectors lie along another axis, and reads what an earlier
// loop has written.
//
//qd:kernel
func gridRows(g qd.Grid, h, w int, x, y []float32, where []int32) {
	g.For3(h, w, 3, func(i, j, k int) {
		at := (i*w+j)*3 + k
		y[at] = x[at]*2 + float32(k)
		where[at] = int32(i*10_000 + j*10 + k)
	})
	g.For2(h*w, 3, func(i, k int) {
		if k > 0 && i > 0 {
			x[i*3+k] = y[i*3+k-1] + y[(i-1)*3+k]
		}
	})
	g.For3(h, 2, 2, func(i, j, k int) {
		if at := i*4 + j*2 + k; at < len(where) {
			where[at] -= int32(i*100_000 + j*7 + k*3)
		}
	})
}

//qd:kernel
func gridRowFails(g qd.Grid, n, i, j int, y []float32) {
	g.For2(n, 3, func(a, b int) {
		if a == i && b == j {
			panic("this one")
		}
		y[a*3+b] = 1
	})
}

// TestGridShortRows runs parallel loops over rows that are shorter than a vector.
func TestGridShortRows(t *testing.T) {
	run := func(dev *qd.Device, h, w int) string {
		x, y, where := make([]float32, h*w*3), make([]float32, h*w*3), make([]int32, h*w*3)
		for i := range x {
			x[i] = float32(i%19) - 4
		}
		noError(t, dev.Run(gridRows, h, w, x, y, where))
		return fmt.Sprint(x, y, where)
	}
	reference, err := qd.Open("go")
	noError(t, err)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, size := range [][2]int{{5, 33}, {40, 1}, {1, 100}, {0, 3}, {3, 0}, {1, 1}} {
			want := run(reference, size[0], size[1])
			for _, dev := range []*qd.Device{dev, dev.Checked()} {
				if got := run(dev, size[0], size[1]); got != want {
					t.Errorf("%v: %v, want %v", size, got, want)
				}
			}
		}
		tooMany := dev.Run(gridRowFails, huge(40), 0, 0, nil)
		if want := reference.Run(gridRowFails, huge(40), 0, 0, nil); fmt.Sprint(tooMany) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", tooMany, want)
		}
		y := make([]float32, 40*3)
		for _, at := range [][2]int{{0, 0}, {17, 2}, {39, 1}} {
			err := dev.Run(gridRowFails, 40, at[0], at[1], y)
			var fault *qd.Fault
			if !errors.As(err, &fault) || !slices.Equal(fault.Thread, at[:]) {
				t.Errorf("%v: %v", at, err)
			}
		}
	})
}
