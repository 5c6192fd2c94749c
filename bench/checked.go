package main

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd"
)

// checked times checked builds of the examples' kernels beside release builds. Their
// launches answer all of their checks; that is why there is one more, gather.
func checked() ([]result, error) {
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	const n, size, width, height, taps = 1 << 24, 2048, 768, 512, 31
	ramp := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(i*7919%1000) * 1e-3
		}
		return x
	}
	index := make([]int32, 1<<22)
	for i := range index {
		index[i] = int32(i ^ 5)
	}
	weights := slices.Repeat([]float32{1.0 / taps}, taps)
	var results []result
	for _, w := range []struct {
		name   string
		kernel any
		dim    qd.Dims
		args   []any // without the last one, which is the output
		out    any
	}{
		{"saxpy, 2^24", saxpy, qd.Dim(n), []any{0.5, ramp(n)}, make([]float32, n)},
		{"heat, 2048 x 2048", heat, qd.Dim(size, size), []any{0.2, ramp(size * size)}, make([]float32, size*size)},
		{"mandelbrot, 768 x 512", mandelbrot, qd.Dim(height, width), []any{-2.25, -1.0, 3.0 / width, 500}, make([]int32, width*height)},
		{"blur, 31 taps, 1024 x 1024", blur, qd.Dim(1024, 1024), []any{weights, ramp(1024 * 1024)}, make([]float32, 1024*1024)},
		{"gather, 2^22", gather, qd.Dim(len(index)), []any{index, ramp(len(index))}, make([]float32, len(index))},
	} {
		args := append(w.args, w.out)
		release, err := qd.NewKernel(w.kernel).WithDevice(dev).Bind(w.dim, args...)
		if err != nil {
			return results, err
		}
		check, err := qd.NewKernel(w.kernel).WithDevice(dev.Checked()).Bind(w.dim, args...)
		if err != nil {
			return results, err
		}
		first, err := resultOf(release, w.out)
		if err != nil {
			return results, err
		}
		second, err := resultOf(check, w.out)
		if err != nil {
			return results, err
		}
		if first != second {
			return results, fmt.Errorf("%s: the checked build gives other results", w.name)
		}
		ours, theirs, err := sideBySide(timed(check.Launch), timed(release.Launch))
		if err != nil {
			return results, err
		}
		results = append(results, result{name: "checked " + w.name, ours: ours, theirs: theirs})
	}
	return results, nil
}

// resultOf runs a launch once on zeros and gives a sum of its output.
func resultOf(launch *qd.Prepared, out any) (sum float64, err error) {
	switch out := out.(type) {
	case []float32:
		clear(out)
		err = launch.Launch()
		for i, v := range out {
			sum += float64(v) * float64(i%17+1)
		}
	case []int32:
		clear(out)
		err = launch.Launch()
		for i, v := range out {
			sum += float64(v) * float64(i%17+1)
		}
	}
	return sum, err
}

// checkedCase times the checked build of a kernel beside its release build.
func checkedCase(dev *qd.Device, prepare func(*qd.Device) (laneCase, error)) (result, error) {
	release, err := prepare(dev)
	if err != nil {
		return result{}, err
	}
	check, err := prepare(dev.Checked())
	if err != nil {
		return result{}, err
	}
	for _, c := range []laneCase{release, check} {
		c.prepare()
		if err := c.launch.Launch(); err != nil {
			return result{}, err
		}
	}
	if !check.unordered {
		check.tolerance = 0
	}
	if err := check.compare(copies(release.outputs), false); err != nil {
		return result{}, fmt.Errorf("checked %s: %w", release.name, err)
	}
	ours, theirs, err := sideBySide(rested(check.launch.Launch), rested(release.launch.Launch))
	return result{name: "checked " + release.name, ours: ours, theirs: theirs, bound: bound{ratio: 1.05}}, err
}
