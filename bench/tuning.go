package main

import (
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/processor"
)

// A chainConfig is a configuration of a kernel: how many steps are one after the other in its code. Add makes the code
// new.
type chainConfig struct {
	Unroll int
	Add    float64
}

// chainSteps is how many steps a thread takes, each of which waits for the one before, and chainThreads how many
// threads take about 10 ms.
const (
	chainSteps   = 480
	chainThreads = 1 << 16
)

//qd:kernel
func chain(t qd.Thread, c qd.Const[chainConfig], y []float64) {
	v := y[t.ID()]
	for range chainSteps / c.V.Unroll {
		for range qd.Static(c.V.Unroll) {
			v = v*0.5 + c.V.Add
		}
	}
	y[t.ID()] = v
}

// tuning12 times the tuning of 12 configurations of a kernel of about 10 ms, of which nothing is known and nothing is
// compiled.
func tuning12() ([]result, error) {
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	now := processor.Both
	if !*byProcessor {
		start := time.Now()
		now = func() time.Duration { return time.Since(start) }
	}
	y := make([]float64, chainThreads)
	var all, once []time.Duration
	for range *repeats {
		var configs []chainConfig
		add := float64(time.Now().UnixNano())
		for _, unroll := range []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20} {
			configs = append(configs, chainConfig{unroll, add})
		}
		tuned := qd.Tune(qd.NewKernel(chain).WithDevice(dev), configs, qd.TuneKey("y"), qd.TuneGrid(func(_ chainConfig, a qd.Args) qd.Dims { return qd.Dim(a.Len("y")) }))
		for _, into := range []*[]time.Duration{&all, &once} {
			start := now()
			if err := tuned.Run(y); err != nil {
				return nil, err
			}
			*into = append(*into, now()-start)
		}
	}
	return []result{{name: "tuning 12 configurations", ours: median(all), bound: bound{time: 3 * time.Second}, note: "a launch of the best one takes " + show(median(once))}}, nil
}
