package main

import (
	"fmt"
	"math"
	"time"

	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// gathering times the backward kernel of a stencil beside one with atomic additions, on all cores. Their gradients are
// the same but for the order of the sums.
func gathering() ([]result, error) {
	dev, err := launch.Open("cpu")
	if err != nil {
		return nil, err
	}
	var results []result
	for _, size := range []int{256, 1024, 2048} {
		n := size * size
		u, next := make([]float32, n), make([]float32, n)
		seed := between(n, -1, 1, 0)
		var grads [2][]float32
		var times [2]func() (time.Duration, error)
		for i, k := range []*launch.Kernel{launch.NewKernel(backHeat, nil).Gradient(), launch.NewKernel(backHeat, nil).ScatteredGradient()} {
			grad, seeds := make([]float32, n), make([]float32, n)
			p, err := dev.Bind(k, dims.Of(size, size), []any{float32(0.2), u, next, grad, seeds})
			if err != nil {
				return results, err
			}
			back := timed(p.Launch)
			grads[i] = grad
			times[i] = func() (time.Duration, error) {
				clear(grad)
				for k, s := range seed {
					seeds[k] = float32(s)
				}
				return back()
			}
		}
		gathered, scattered, err := sideBySide(times[0], times[1])
		if err != nil {
			return results, err
		}
		for i, g := range grads[0] {
			if !(math.Abs(float64(g-grads[1][i])) < 1e-5) {
				return results, fmt.Errorf("the gradient of element %d is %v if it is gathered, and %v with atomic additions", i, g, grads[1][i])
			}
		}
		results = append(results, result{name: fmt.Sprintf("gathered heat, %d x %d", size, size), ours: gathered, theirs: scattered, note: "beside atomic additions"})
	}
	return results, nil
}
