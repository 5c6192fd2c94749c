package main

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd"
)

// sharing times a kernel whose function another kernel of the package calls too beside the same
// kernel with a function of its own. Both are in one module; calls that are left in a loop over threads
// keep it from being vectorized.
func sharing() ([]result, error) {
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	const n = 1 << 18
	x, y, out := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = float32(i%7), float32(i%11)
	}
	bind := func(kernel any) (*qd.Prepared, error) {
		launch, err := dev.Bind(kernel, qd.Dim(n), x, y, out)
		if err != nil {
			return nil, err
		}
		return launch, launch.Launch()
	}
	if _, err := bind(ripplesTwice); err != nil {
		return nil, err
	}
	alone, err := bind(ripplesAlone)
	if err != nil {
		return nil, err
	}
	want := slices.Clone(out)
	shared, err := bind(ripplesShared)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(out, want) {
		return nil, fmt.Errorf("the kernels differ")
	}
	da, db, err := sideBySide(rested(shared.Launch), rested(alone.Launch))
	return []result{{name: "a function of two kernels", ours: da, theirs: db, bound: bound{ratio: 1.1}, note: "beside the same one of one kernel"}}, err
}
