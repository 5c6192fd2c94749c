package qd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// Rows that are split, and indices of lanes that follow each other: by flat index, in rows of two dimensions, and in rows that
// the kernel makes.

//qd:kernel
func splitWindows(t qd.Thread, by, radius int, x, y []float32) {
	i, j := t.ID2()
	w := t.Dim(1)
	sum := float32(0)
	for d := -radius; d <= radius; d++ {
		sum += steadied(x[i*w+min(max(j+d, 0), w-1)+by])
	}
	y[i*w+j] = sum
}

//qd:kernel
func splitApart(t qd.Thread, by, width int, x, y []float32) {
	i := t.ID()
	row, col := i/width, i%width
	s := float32(row)
	if col > 0 {
		s += x[i-1+by]
	}
	if col < width-1 {
		s += x[i+1+by]
	}
	y[i] = s + steadied(x[i+by])
}

//qd:kernel
func stridesOfTwo(t qd.Thread, by, step int, x, y []float32) {
	i := t.ID()
	s := float32(0)
	for k := range 3 {
		if (i+step)%5 != k {
			s += steadied(x[i*2+by+k])
		}
	}
	y[i] = s
}

//qd:kernel
func rowWritten(t qd.Thread, by, width int, x, y []float32) {
	i := t.ID()
	if r := i / (width + by); r < len(y) {
		y[r] = x[0]
	}
}

//qd:kernel
func rowRead(t qd.Thread, by, width int, x, y []float32) {
	i := t.ID()
	if r := i / (width + by); r < len(x) {
		y[i] = x[r]
	}
}

//qd:kernel
func columnOfSize(t qd.Thread, by, width int, x, y []float32) {
	i := t.ID()
	z := x[by:][:t.Dim(1)]
	y[i] = z[i%width]
}

//qd:kernel
func rowOfSize(t qd.Thread, by, width int, x, y []float32) {
	i := t.ID()
	z := x[by:][:t.Dim(0)]
	y[i] = z[i/width]
}

// TestFaultOfRows has rows whose sizes are none of the launch's, and numbers of rows below 0.
func TestFaultOfRows(t *testing.T) {
	const n = 300
	x := make([]float32, n)
	for name, tt := range map[string]struct {
		kernel    any
		dim       []int
		by, width int
		length    func(i int) int // of what is read or written
		at        func(i int) int
	}{
		"below 0":            {rowRead, []int{n}, 0, -3, nil, func(i int) int { return i / -3 }},
		"written below 0":    {rowWritten, []int{n}, -2, 1, nil, func(i int) int { return -i }},
		"columns of Dim(1)":  {columnOfSize, []int{n}, 0, 64, func(int) int { return 1 }, func(i int) int { return i % 64 }},
		"rows of Dim(0)":     {rowOfSize, []int{2, 150}, 0, 64, func(int) int { return 2 }, func(i int) int { return i / 64 }},
		"columns in 2 rows":  {columnOfSize, []int{2, 150}, 0, 200, func(int) int { return 150 }, func(i int) int { return i % 200 }},
		"columns of a short": {columnOfSize, []int{n}, 2, 7, func(int) int { return 1 }, func(i int) int { return i % 7 }},
	} {
		t.Run(name, func(t *testing.T) {
			want := map[int][]string{}
			for i := range n {
				at := tt.at(i)
				switch {
				case at < 0:
					want[i] = []string{fmt.Sprintf("index out of range [%d]", at)}
				case tt.length != nil && at >= tt.length(i):
					want[i] = []string{fmt.Sprintf("index out of range [%d] with length %d", at, tt.length(i))}
				}
			}
			launchFaults(t, faultDevices(t, false), name, tt.dim, n, want, func(dev *qd.Device, y []float32) error {
				return dev.Launch(tt.kernel, qd.Dim(tt.dim...), tt.by, tt.width, x, y)
			})
		})
	}
}

// TestFaultRows shifts what threads read, so that some read out of range: one of them is reported, and nobody writes out of
// range.
func TestFaultRows(t *testing.T) {
	const n = 1200
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i%7) / 8
	}
	outside := func(at ...int) (reasons []string) {
		for _, k := range at {
			switch {
			case k < 0:
				reasons = append(reasons, fmt.Sprintf("index out of range [%d]", k))
			case k >= n:
				reasons = append(reasons, fmt.Sprintf("index out of range [%d] with length %d", k, n))
			}
		}
		return reasons
	}
	apart := func(width int) func(i, by int) []int {
		return func(i, by int) (at []int) {
			if i%width > 0 {
				at = append(at, i-1+by)
			}
			if i%width < width-1 {
				at = append(at, i+1+by)
			}
			return append(at, i+by)
		}
	}
	for name, tt := range map[string]struct {
		kernel any
		dim    []int
		given  int
		reads  func(i, by int) []int
	}{
		"windows": {splitWindows, []int{8, 150}, 2, func(i, by int) (at []int) {
			for d := -2; d <= 2; d++ {
				at = append(at, i/150*150+min(max(i%150+d, 0), 149)+by)
			}
			return at
		}},
		"apart": {splitApart, []int{n}, 100, apart(100)},
		"short": {splitApart, []int{n}, 7, apart(7)},
		"strides": {stridesOfTwo, []int{n / 2}, 1, func(i, by int) (at []int) {
			for k := range 3 {
				if (i+1)%5 != k {
					at = append(at, i*2+by+k)
				}
			}
			return at
		}},
	} {
		t.Run(name, func(t *testing.T) {
			threads := 1
			for _, d := range tt.dim {
				threads *= d
			}
			for _, by := range []int{0, -1, 1, -2, 2, 13, -450, 451, n, -n, huge(62), -huge(62)} {
				want := map[int][]string{}
				for i := range threads {
					if reasons := outside(tt.reads(i, by)...); len(reasons) > 0 {
						want[i] = reasons
					}
				}
				results := launchFaults(t, faultDevices(t, false), fmt.Sprint("by ", by), tt.dim, n, want, func(dev *qd.Device, y []float32) error {
					return dev.Launch(tt.kernel, qd.Dim(tt.dim...), by, tt.given, x, y)
				})
				for _, r := range results {
					if !slices.Equal(r, results[0]) {
						t.Errorf("by %d: the results are %v, and %v", by, results[0], r)
					}
				}
			}
		})
	}
}
