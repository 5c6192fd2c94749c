//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

type localSample struct {
	at  f32.Vec2
	hit [2]int32
}

// localMedian sorts the elements of each row in an array of the thread's own.
//
//qd:kernel
func localMedian[T qd.Number](t qd.Thread, n qd.Const[int], x, medians []T) {
	i := t.ID()
	row := qd.Local[T](2*n.V + 1)
	copy(row, x[i*len(row):])
	for j := 1; j < len(row); j++ {
		for k := j; k > 0 && row[k] < row[k-1]; k-- {
			row[k], row[k-1] = row[k-1], row[k]
		}
	}
	medians[i] = row[n.V]
}

//qd:kernel
func localSamples(t qd.Thread, n qd.Const[int], out []f32.Vec2, hits []int32) {
	i := t.ID()
	samples := qd.Local[localSample](n.V)
	turns := qd.Local[[2]bool](n.V)
	for k := range qd.Static(n.V) {
		samples[k].at = samples[k].at.Add(f32.Vec2{float32(k), float32(i)})
		samples[n.V-1-k].hit[k%2] += int32(k)
		turns[k][i%2] = true
	}
	for k, s := range samples {
		out[i] = out[i].Add(s.at)
		if turns[k][0] {
			hits[i] += s.hit[0] + 10*s.hit[1]
		}
	}
}

// TestLocal has arrays with the lengths of launches.
func TestLocal(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range []int{0, 1, 2, 20} {
			width := 2*n + 1
			x, y := make([]float32, 2*width), make([]uint8, 2*width)
			for k := range x {
				x[k], y[k] = float32(k*7%width), uint8(k*5%width)
			}
			medians, bytes := make([]float32, 2), make([]uint8, 2)
			for i := range 2 {
				row := slices.Sorted(slices.Values(y[i*width : (i+1)*width]))
				bytes[i] = row[n] + 1
			}
			if err := dev.Launch(localMedian[float32], qd.Dim(2), qd.C(n), x, medians); err != nil {
				t.Fatal(err)
			}
			got := make([]uint8, 2)
			if err := dev.Launch(localMedian[uint8], qd.Dim(2), qd.C(n), y, got); err != nil {
				t.Fatal(err)
			}
			for i := range 2 {
				row := slices.Sorted(slices.Values(x[i*width : (i+1)*width]))
				if medians[i] != row[n] || got[i]+1 != bytes[i] {
					t.Errorf("n = %d: medians %v %v, want %v %d", n, medians, got, row[n], bytes[i]-1)
				}
			}
		}
		out, hits := make([]f32.Vec2, 3), make([]int32, 3)
		if err := dev.Launch(localSamples, qd.Dim(3), qd.C(4), out, hits); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out, []f32.Vec2{{6, 0}, {6, 4}, {6, 8}}) || !slices.Equal(hits, []int32{42, 0, 42}) {
			t.Errorf("%v %v", out, hits)
		}
	})
}
