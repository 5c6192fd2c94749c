//go:build !race

package qd_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// pixels says which thread has written each element, through a function and in all ways, and reads the neighbours along
// each axis.
//
//qd:kernel
func pixels(t qd.Thread, in, out qd.View3[float32], flat []int32) {
	i, j, k := t.ID3()
	h, w := t.Dim(0), t.Dim(1)
	s := in.At(i, j, k)
	s += in.At(qd.Clamp(i-1, 0, h-1), j, k) * 2
	s += in.At(i, min(j+1, w-1), k) * 3
	if k > 0 {
		s += in.At(i, j, k-1) * 4
	}
	out.Set(i, j, k, s)
	flat[t.ID()] = int32(place(t)*10 + t.Dim(2))
}

func place(t qd.Thread) int {
	i, j, k := t.ID3()
	return (i*100+j)*10 + k + t.Dim(3)*1000
}

//qd:kernel
func fourAxes(t qd.Thread, out []int32) {
	a, b, c, d := t.ID4()
	n := int32(0)
	for x := 0; x < b+d; x++ { // lanes leave it at different times
		n += int32(x * (a + c))
	}
	out[t.ID()] = n*10_000 + int32(a*1000+b*100+c*10+d)
}

// TestShortRows launches over rows that are shorter than vectors. The order of the axes in memory, and that of the
// vectors, is not seen.
func TestShortRows(t *testing.T) {
	reference, err := qd.Open("go")
	noError(t, err)
	dev := alwaysInterchanged(t)
	for _, d := range [][3]int{{5, 33, 3}, {1, 40, 1}, {7, 2, 2}, {3, 1, 17}, {2, 16, 15}, {0, 3, 3}, {4, 0, 3}} {
		h, w, c := d[0], d[1], d[2]
		in := make([]float32, h*w*c)
		for i := range in {
			in[i] = float32(i%23) - 7
		}
		run := func(dev *qd.Device) ([]float32, []int32) {
			out, flat := make([]float32, len(in)), make([]int32, len(in))
			noError(t, dev.Launch(pixels, qd.Dim(h, w, c), qd.ViewOf3(in, h, w, c), qd.ViewOf3(out, h, w, c), flat))
			return out, flat
		}
		want, wantFlat := run(reference)
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			if out, flat := run(dev); !slices.Equal(out, want) || !slices.Equal(flat, wantFlat) {
				t.Errorf("%v: %v and %v, want %v and %v", d, out, flat, want, wantFlat)
			}
		}
	}

	out, want := make([]int32, 2*9*3*4), make([]int32, 2*9*3*4)
	noError(t, reference.Launch(fourAxes, qd.Dim(2, 9, 3, 4), want))
	noError(t, dev.Launch(fourAxes, qd.Dim(2, 9, 3, 4), out))
	if !slices.Equal(out, want) {
		t.Errorf("four axes: %v, want %v", out, want)
	}
}

// TestShortRowsFault is about the thread that a fault names.
func TestShortRowsFault(t *testing.T) {
	dev := alwaysInterchanged(t)
	out := make([]int32, 40*3)
	for _, at := range [][2]int{{0, 0}, {17, 2}, {39, 1}} {
		err := dev.Launch(pixelFails, qd.Dim(40, 3), out, at[0], at[1])
		var fault *qd.Fault
		if !errors.As(err, &fault) || fmt.Sprint(fault.Thread) != fmt.Sprint(at) {
			t.Errorf("thread %v: %v", at, err)
		}
	}
	short := make([]int32, 50)
	err := dev.Checked().Launch(pixelFails, qd.Dim(17, 3), short, -1, -1)
	var fault *qd.Fault
	if !errors.As(err, &fault) || fmt.Sprint(fault.Thread) != "[16 2]" {
		t.Errorf("an index that is out of range: %v", err)
	}
}
