//go:build !race

package qd_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdtest"
)

// Kernels for which a gather would lose additions, or count them twice, if it trusted in more than each launch has checked.

//qd:kernel
func hardBytes(t qd.Thread, x, y []float64) {
	i := int(int8(16*t.ID())) + 128 // the same for every sixteenth thread
	y[t.ID()] = x[i/8]*x[i/8+1] + x[(t.ID()+1)&15]
}

//qd:kernel
func hardRows(t qd.Thread, w, s int, x, y []float64) {
	i, j := t.ID2()
	if j > 0 && j < w-1 && i*s+w < len(x) { // rows share elements if s < w
		qd.AtomicAdd(&y[i*s+j], x[i*s+j-1]*x[i*s+j+1])
	}
}

//qd:kernel
func hardClamp(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = x[max(min(i+1, n-1), 0)]*x[min(i, n)] + x[min(max(i-1, 3), n)]
}

//qd:kernel
func hardNarrow(t qd.Thread, w int32, x, y []float64) {
	i, j := t.ID2()
	at := int32(i)*w + int32(j) // it wraps
	if at > 0 && int(at)+1 < len(x) {
		qd.AtomicAdd(&y[at], x[at+1]*x[at-1])
	}
}

//qd:kernel
func hardTwo(t qd.Thread, x, z, y []float64) {
	i := t.ID()
	if i > 0 && 2*i+1 < len(x) {
		y[i] = x[i-1]*z[2*i+1] + x[i]*z[i+1]
	}
}

//qd:kernel
func hardParts(t qd.Thread, w int, x, y []float64) {
	i := t.ID()
	if i > 0 && (i+1)*w+2 < len(x) {
		qd.AtomicAdd(&y[i*w], x[i*w]*x[i*w+1]+x[(i-1)*w]*x[i*w+2]+x[(i+1)*w])
	}
}

// Launches in which several threads add to an element that they would not share in others.
func TestGradientGathersChecks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kernel any
		before []any
		arrays int
		dims   []qd.Dims
	}{
		{"bytes", hardBytes, nil, 2, []qd.Dims{qd.Dim(48), qd.Dim(15)}},
		{"rows", hardRows, []any{8, 8}, 2, []qd.Dims{qd.Dim(6, 8), qd.Dim(3, 9), qd.Dim(4, 4)}},
		{"rows with gaps", hardRows, []any{5, 8}, 2, []qd.Dims{qd.Dim(6, 8), qd.Dim(3, 4)}},
		{"rows that overlap", hardRows, []any{8, 5}, 2, []qd.Dims{qd.Dim(6, 8), qd.Dim(4, 4)}},
		{"one row", hardRows, []any{8, 0}, 2, []qd.Dims{qd.Dim(6, 8)}},
		{"clamp", hardClamp, []any{47}, 2, []qd.Dims{qd.Dim(48), qd.Dim(20)}},
		{"clamp to few", hardClamp, []any{10}, 2, []qd.Dims{qd.Dim(48), qd.Dim(9), qd.Dim(11)}},
		{"clamp to none", hardClamp, []any{0}, 2, []qd.Dims{qd.Dim(48), qd.Dim(1)}},
		{"narrow", hardNarrow, []any{int32(8)}, 2, []qd.Dims{qd.Dim(6, 8), qd.Dim(3, 9)}},
		{"narrow that wraps", hardNarrow, []any{int32(1 << 30)}, 2, []qd.Dims{qd.Dim(6, 8)}},
		{"two", hardTwo, nil, 3, []qd.Dims{qd.Dim(48), qd.Dim(20)}},
		{"parts", hardParts, []any{3}, 2, []qd.Dims{qd.Dim(40), qd.Dim(10)}},
		{"parts that overlap", hardParts, []any{2}, 2, []qd.Dims{qd.Dim(40)}},
		{"parts of one", hardParts, []any{0}, 2, []qd.Dims{qd.Dim(40)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, dev := range devices(t) {
				for _, dim := range tt.dims {
					args := slices.Clone(tt.before)
					for k := range tt.arrays {
						args = append(args, qd.From(dev, hardNumbers(48, 0.7+float64(k))))
					}
					qdtest.CheckGradient(t, tt.kernel, dim, args...)
				}
			}
		})
	}
}

func hardNumbers(n int, by float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1.1 + 0.9*math.Sin(by*float64(i+1))
	}
	return x
}

// Two slices that share elements have gradients that share theirs, and each element gets what is added through either.
func TestGradientGathersOverlap(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const h = 1e-5
		for _, n := range []int{7, 20, 40} {
			x, seed := hardNumbers(40, 0.7), hardNumbers(40, 0.3)
			got := make([]float64, 40)
			noError(t, dev.Launch(qd.NewKernel(hardTwo).Gradient(), qd.Dim(n), x[:25], x[5:35], make([]float64, 40), got[:25], got[5:35], slices.Clone(seed)))
			loss := func(i int, v float64) (sum float64) {
				from, y := slices.Clone(x), make([]float64, 40)
				from[i] = v
				noError(t, dev.Launch(hardTwo, qd.Dim(n), from[:25], from[5:35], y))
				for k := range y {
					sum += seed[k] * y[k]
				}
				return sum
			}
			for i := range x {
				if want := (loss(i, x[i]+h) - loss(i, x[i]-h)) / (2 * h); math.Abs(got[i]-want) > 1e-6 {
					t.Errorf("of %d threads, the gradient of element %d is %v, not %v", n, i, got[i], want)
				}
			}
		}
	})
}

// The second derivatives of a stencil are the same in three ways.
func TestGradientGathersTwice(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		k := qd.NewKernel(gatherCube)
		for _, n := range []int{9, 20, 33} {
			x, seed, v := hardNumbers(20, 0.7), hardNumbers(20, 0.3), hardNumbers(20, 2.1)
			zero := func() []float64 { return make([]float64, 20) }
			one, two, three := zero(), zero(), zero()
			noError(t, errors.Join(
				dev.Launch(k.Gradient().Tangent(), qd.Dim(n), x, zero(), zero(), slices.Clone(seed), v, zero(), one, zero()),
				dev.Launch(k.Gradient().Gradient(), qd.Dim(n), x, zero(), zero(), slices.Clone(seed), two, zero(), slices.Clone(v), zero()),
				dev.Launch(k.Tangent().Gradient(), qd.Dim(n), x, zero(), v, zero(), three, zero(), zero(), slices.Clone(seed))))
			for i := range x {
				if math.Abs(one[i]-two[i]) > 1e-9 || math.Abs(one[i]-three[i]) > 1e-9 || one[i] == 0 && i < min(n, 18) {
					t.Fatalf("of %d threads:\n%v\n%v\n%v", n, one, two, three)
				}
			}
		}
	})
}

//qd:kernel
func gatherCube(t qd.Thread, x, y []float64) {
	i := t.ID()
	if i > 0 && i < len(x)-1 {
		y[i] = x[i-1] * x[i] * x[i+1]
	}
}
