package main

import (
	"fmt"
	"time"

	"github.com/qdgen/qd"
)

// Launches are timed in many short turns: what else the machine does must not hit one of
// the sides only.
var (
	constantsTurn  = 200 // launches that are timed at once
	constantsTurns = 50  // for each repeat
)

// constants times launches of specializations that exist, beside launches of kernels
// that have nothing known at compile time: what finding the specialization costs.
func constants() ([]result, error) {
	var results []result
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			return results, err
		}
		size, tune, x := 512, tuning{Tile: 64, Scale: 0.5}, []int32{0}
		tuned := qd.Tune(qd.NewKernel(emptyTuned).WithDevice(dev), []tuning{tune}, qd.TuneKey("x"),
			qd.TuneGrid(func(_ tuning, a qd.Args) qd.Dims { return qd.Dim(a.Len("x")) }))
		for _, c := range []struct {
			name          string
			ours, without func() error
			bound         time.Duration
		}{
			{"an int", func() error { return dev.Launch(emptyInt, qd.Dim(1), qd.C(size)) }, func() error { return dev.Launch(empty, qd.Dim(1)) }, time.Microsecond},
			{"a struct", func() error { return dev.Launch(emptyStruct, qd.Dim(1), qd.C(tune)) }, func() error { return dev.Launch(empty, qd.Dim(1)) }, time.Microsecond},
			{"a function", func() error { return dev.Launch(emptyFunc, qd.Dim(1), qd.C(half)) }, func() error { return dev.Launch(empty, qd.Dim(1)) }, time.Microsecond},
			{"those three", func() error { return dev.Launch(emptyThree, qd.Dim(1), qd.C(size), qd.C(tune), qd.C(half)) }, func() error { return dev.Launch(empty, qd.Dim(1)) }, time.Microsecond},
			{"a receiver", func() error { return dev.Launch(tune, qd.Dim(1)) }, func() error { return dev.Launch(empty, qd.Dim(1)) }, time.Microsecond},
			{"tuning", func() error { return tuned.Run(x) }, func() error { return dev.Launch(emptyTuned, qd.Dim(1), qd.C(tune), x) }, 200 * time.Nanosecond},
			{"1 variable", func() error { return dev.Launch(readOne, qd.Dim(1), x) }, func() error { return dev.Launch(readNone, qd.Dim(1), x) }, 10 * time.Nanosecond},
			{"10 variables", func() error { return dev.Launch(readTen, qd.Dim(1), x) }, func() error { return dev.Launch(readNone, qd.Dim(1), x) }, 100 * time.Nanosecond},
		} {
			beside, more, err := difference(timed(times(constantsTurn, c.without)), timed(times(constantsTurn, c.ours)))
			if err != nil {
				return results, err
			}
			n := time.Duration(constantsTurn)
			results = append(results, result{
				name:  fmt.Sprintf("%s: over a launch without: %s", name, c.name),
				ours:  more / n,
				bound: bound{time: c.bound},
				note:  fmt.Sprintf("the launch without takes %v", beside/n),
			})
		}
	}
	return results, nil
}

// difference times two functions in turns and gives the median of the first, and that of
// what the second takes more than it.
func difference(a, b func() (time.Duration, error)) (first, more time.Duration, err error) {
	as, bs, err := inTurns(*repeats*constantsTurns, a, b)
	if err != nil {
		return 0, 0, err
	}
	for i := range bs { // before median sorts them
		bs[i] -= as[i]
	}
	return median(as), median(bs), nil
}

// times makes a function that calls another one a number of times.
func times(n int, f func() error) func() error {
	return func() error {
		for range n {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
}
