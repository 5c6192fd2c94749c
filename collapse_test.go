//go:build !race

package qd_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// toned reads and writes numbers by their place, and tells which thread has done so.
//
//qd:kernel
func toned(t qd.Thread, in, out qd.View3[float32], flat []int32) {
	i, j, k := t.ID3()
	v := in.At(i, j, k)
	out.Set(i, j, k, v*v+1/(v+9))
	flat[t.ID()] += int32(t.ID())
}

// scaledRows has a factor for each row, and adds to what is there.
//
//qd:kernel
func scaledRows(t qd.Thread, by []int32, stride int, x, y []int32) {
	i, j, k, l := t.ID4()
	n := ((i*stride+j)*2+k)*3 + l
	y[n] += x[n] * by[i]
}

// channelsApart knows the channel.
//
//qd:kernel
func channelsApart(t qd.Thread, x []int32) {
	i, k := t.ID2()
	x[i*3+k] += int32(k)
}

// backward counts from the end, and stops at a zero.
//
//qd:kernel
func backward(t qd.Thread, n int, x, y []int32) {
	i, k := t.ID2()
	y[n-1-i*3-k] = 100 / x[i*3+k]
}

// TestCollapse launches over short rows that lie next to each other in memory, or do not.
func TestCollapse(t *testing.T) {
	reference, err := qd.Open("go")
	noError(t, err)
	dev, err := qd.Open("cpu")
	noError(t, err)
	for _, d := range [][3]int{{5, 33, 3}, {1, 40, 1}, {7, 2, 2}, {3, 1, 17}, {2, 16, 15}, {0, 3, 3}, {4, 0, 3}, {9, 9, 40}} {
		h, w, c := d[0], d[1], d[2]
		in := make([]float32, 2*(h+1)*(w+1)*(c+1))
		for i := range in {
			in[i] = float32(i%23) - 7
		}
		for how := range 4 {
			run := func(dev *qd.Device) ([]float32, []int32) {
				out, flat := make([]float32, len(in)), make([]int32, h*w*c)
				view := func(data []float32, h, w, c int) qd.View3[float32] { return qd.ViewOf3(data[:h*w*c], h, w, c) }
				x, y := view(in, h, w, c), view(out, h, w, c)
				switch how {
				case 1: // a row of more numbers
					y = view(out, h, w, c+1).Sub(0, h, 0, w, 0, c)
				case 2: // more rows
					x = view(in, h, w+1, c).Sub(0, h, 1, w+1, 0, c)
				case 3: // axes in another order
					y = view(out, c, w, h).T()
				}
				noError(t, dev.Launch(toned, qd.Dim(h, w, c), x, y, flat))
				return out, flat
			}
			want, wantFlat := run(reference)
			for _, dev := range []*qd.Device{dev, dev.Checked()} {
				if out, flat := run(dev); !slices.Equal(out, want) || !slices.Equal(flat, wantFlat) {
					t.Errorf("%v, %d: %v and %v, want %v and %v", d, how, out, flat, want, wantFlat)
				}
			}
		}
	}
	for _, stride := range []int{9, 10} {
		x, by := make([]int32, 3*10*2*3), []int32{2, 3, 5}
		for i := range x {
			x[i] = int32(i % 17)
		}
		want := slices.Repeat([]int32{7}, len(x))
		noError(t, reference.Launch(scaledRows, qd.Dim(3, 9, 2, 3), by, stride, x, want))
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			y := slices.Repeat([]int32{7}, len(x))
			noError(t, dev.Launch(scaledRows, qd.Dim(3, 9, 2, 3), by, stride, x, y))
			if !slices.Equal(y, want) {
				t.Errorf("a stride of %d: %v, want %v", stride, y, want)
			}
		}
	}
	x, want := make([]int32, 120), make([]int32, 120)
	noError(t, dev.Launch(channelsApart, qd.Dim(40, 3), x))
	noError(t, reference.Launch(channelsApart, qd.Dim(40, 3), want))
	if !slices.Equal(x, want) {
		t.Errorf("channels: %v, want %v", x, want)
	}
}

// TestCollapseFault is about the thread that a fault names.
func TestCollapseFault(t *testing.T) {
	dev, err := qd.Open("cpu")
	noError(t, err)
	for _, at := range [][2]int{{0, 0}, {17, 2}, {39, 1}} {
		x := slices.Repeat([]int32{1}, 40*3)
		x[at[0]*3+at[1]] = 0
		err := dev.Checked().Launch(backward, qd.Dim(40, 3), len(x), x, make([]int32, len(x)))
		var fault *qd.Fault
		if !errors.As(err, &fault) || fmt.Sprint(fault.Thread) != fmt.Sprint(at) {
			t.Errorf("thread %v: %v", at, err)
		}
	}
}
