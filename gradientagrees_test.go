package qd_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// productsUntil multiplies by what the neighbour has, until the first number of the block is too large.
//
//qd:kernel
func productsUntil(t qd.Thread, limit float64, x, y []float64) {
	s := qd.Shared[float64](t, 4)
	l := t.Lane()
	v := x[t.ID()]
	for range 3 {
		s[l] = v
		t.Sync()
		v *= s[(l+1)%4]
		stop := s[0] > limit
		t.Sync()
		if stop { // the same in all threads of the block
			break
		}
	}
	y[t.ID()] = v
}

// stopsApart is one whose threads do not agree.
//
//qd:kernel
func stopsApart(t qd.Thread, limit float64, x, y []float64) {
	s := qd.Shared[float64](t, 4)
	l := t.Lane()
	v := x[t.ID()]
	for range 3 {
		s[l] = v
		t.Sync()
		v *= s[(l+1)%4]
		if s[l] > limit {
			break
		}
		t.Sync()
	}
	y[t.ID()] = v
}

// On a checked device, and on device "go", the derivatives of a kernel check that the threads of a block come to a
// barrier together. They find no fault where the threads agree to stop.
func TestGradientThreadsAgree(t *testing.T) {
	start := []float64{1, 2, 3, 4, 5, 6, 7, 8, 0.5, 0.25, 2, 1}
	const limit = 1.5
	onAll(t, func(t *testing.T, dev *qd.Device) {
		k := qd.NewKernel(productsUntil).WithBlockDim(4)
		run := func(x []float64) (sum float64) {
			y := make([]float64, len(x))
			must(t, dev.Launch(k, qd.Dim(len(x)), limit, x, y))
			for _, v := range y {
				sum += v
			}
			return sum
		}
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			x, y, gx, gy := append([]float64{}, start...), make([]float64, len(start)), make([]float64, len(start)), make([]float64, len(start))
			tx := make([]float64, len(start))
			for i := range gy {
				gy[i], tx[i] = 1, 1
			}
			must(t, dev.Launch(k.Gradient(), qd.Dim(len(x)), limit, x, y, gx, gy))
			total := 0.0
			for i := range x {
				const h = 1e-6
				up, down := append([]float64{}, start...), append([]float64{}, start...)
				up[i] += h
				down[i] -= h
				want := (run(up) - run(down)) / (2 * h)
				if math.Abs(gx[i]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%v: the derivative by element %d is %v, not %v", dev, i, gx[i], want)
				}
				total += gx[i]
			}
			ty := make([]float64, len(start))
			must(t, dev.Launch(k.Tangent(), qd.Dim(len(x)), limit, x, y, tx, ty))
			for _, v := range ty {
				total -= v
			}
			if math.Abs(total) > 1e-6 {
				t.Errorf("%v: the tangents are %v", dev, ty)
			}
		}
	})
}

// They do find one where the threads disagree.
func TestGradientThreadsDisagree(t *testing.T) {
	k := qd.NewKernel(stopsApart).WithBlockDim(4)
	const limit = 1.5
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := func() []float64 { return []float64{1, 2, 1, 1} }
		launches := map[string]error{
			"tangent":  dev.Checked().Launch(k.Tangent(), qd.Dim(4), limit, x(), x(), x(), x()),
			"gradient": dev.Checked().Launch(k.Gradient(), qd.Dim(4), limit, x(), x(), x(), x()),
		}
		if !strings.HasSuffix(t.Name(), "/go") { // which may see other threads wait at a Sync first
			launches["kernel"] = dev.Checked().Launch(k, qd.Dim(4), limit, x(), x())
		}
		for what, err := range launches {
			var fault *qd.Fault
			if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "threads of the block disagree") {
				t.Errorf("%s: %v", what, err)
			} else if strings.HasSuffix(t.Name(), "/go") && fault.Thread[0] != 1 {
				t.Errorf("%s: thread %v is the first of them, and not thread 1", what, fault.Thread)
			}
		}
	})
}
