//go:build !race

package qd_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

func sumsArray(p *[3]int) (sum int) {
	for i, v := range p {
		sum += v << i
	}
	return sum
}

func doublesArray(p *[3]int) {
	for i := range p {
		p[i] *= 2
	}
}

// A pointer to the first elements of a slice.
//
//qd:kernel
func pointsToSlice(t qd.Thread, x []int, grid []float32) {
	p := (*[3]int)(x[1:])
	doublesArray(p)
	p[0]++
	x[0] = sumsArray(p) + len(p) + p[2]
	m := (*[2][2]float32)([][2]float32{{1, 2}, {grid[0], 4}})
	m[1][1] += m[0][1]
	grid[1] = m[1][1] + m[1][0]
	q := (*[1]int)((*[3]int)(x)[1:][:2])
	q[0] += 100
}

//qd:kernel
func pointsPastSlice(t qd.Thread, x []int, grid []float32) {
	p := (*[9]int)(x)
	x[0] = p[1]
}

func TestPointersToSlices(t *testing.T) {
	want, wantGrid := []int{1, 2, 3, 4, 5}, []float32{7, 0}
	pointsToSlice(qd.Thread{}, want, wantGrid)
	for checked, dev := range map[bool]*qd.Device{false: cpuDevice(t), true: cpuDevice(t).Checked()} {
		x, grid := []int{1, 2, 3, 4, 5}, []float32{7, 0}
		if err := dev.Launch(pointsToSlice, qd.Dim(1), x, grid); err != nil || !slices.Equal(x, want) || !slices.Equal(grid, wantGrid) {
			t.Errorf("checked %v: %v %v, want %v %v: %v", checked, x, grid, want, wantGrid, err)
		}
	}
	for _, device := range []string{"cpu", "go"} {
		dev, err := qd.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		var fault *qd.Fault
		err = dev.Checked().Launch(pointsPastSlice, qd.Dim(1), []int{1, 2, 3, 4, 5}, []float32{7, 0})
		if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "cannot convert slice with length 5 to array or pointer to array with length 9") {
			t.Errorf("%s: %v", device, err)
		}
	}
}
