package main

import (
	"time"

	"github.com/qdgen/qd"
)

// taped multiplies elements.
//
//qd:kernel
func taped(t qd.Thread, x, y, z []float32) { z[t.ID()] = x[t.ID()] * y[t.ID()] }

// taping times what recording adds to a launch, with a tape of 1,000 small launches, which is reset at the end: where
// nothing has to be copied; where each launch overwrites what the one before it needs; and where that is within a loop
// of steps.
func taping() ([]result, error) {
	const launches, n = 1000, 16
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	x, y, z := qd.Zeros[float32](dev, n).WithGrad(), qd.Zeros[float32](dev, n), qd.Zeros[float32](dev, n)
	tape := qd.NewTape(dev)
	each := func(f func(int) error) error {
		for i := range launches {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	}
	launch := func(y *qd.Array[float32]) func() (time.Duration, error) {
		return timed(func() error { return each(func(int) error { return dev.Launch(taped, qd.Dim(n), x, y, z) }) })
	}
	record := func(y *qd.Array[float32], loop func(f func(int) error) error) func() (time.Duration, error) {
		return timed(func() error {
			defer tape.Reset()
			return loop(func(int) error { return tape.Launch(taped, qd.Dim(n), x, y, z) })
		})
	}
	steps := func(f func(int) error) error { return tape.Steps(launches, f) }
	var results []result
	for _, tt := range []struct {
		name          string
		plain, record func() (time.Duration, error)
	}{
		{"a recorded launch, beyond launching", launch(y), record(y, each)},
		{"the same, with a copy of an array", launch(z), record(z, each)},
		{"the same, as a step of a loop", launch(z), record(z, steps)},
	} {
		plain, recorded, err := sideBySide(tt.plain, tt.record)
		if err != nil {
			return nil, err
		}
		results = append(results, result{name: tt.name, ours: max(1, (recorded-plain)/launches), bound: bound{time: time.Microsecond}, note: "of 1,000; a launch takes " + show(plain/launches)})
	}
	return results, nil
}
