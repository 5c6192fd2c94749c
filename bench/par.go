package main

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/par"
)

//go:embed native/par.cpp
var parSource []byte

// parallel times package par beside hand-written C++ with OpenMP, gonum, and slices.Sort over all cores.
func parallel() ([]result, error) {
	lib, err := buildNative("par.cpp", parSource)
	if err != nil {
		return nil, err
	}
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	const n, bins = 1 << 24, 256
	host, other, wide := make([]float32, n), make([]float32, n), make([]float64, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range host {
		host[i] = r.Float32()
		other[i], wide[i] = r.Float32(), float64(host[i])
	}
	x, z, y, x64 := qd.From(dev, host), qd.From(dev, other), qd.Zeros[float32](dev, n), qd.From(dev, wide)
	out, out64, counts := qd.Zeros[float32](dev, 1), qd.Zeros[float64](dev, 1), qd.Zeros[int32](dev, bins)
	one, theirs, theirCounts := make([]float32, 1), make([]float32, n), make([]int32, bins)
	f32 := func(f float32) uintptr { return uintptr(math.Float32bits(f)) }
	call := func(symbol string, args ...uintptr) func() error {
		return func() error {
			f, err := lib.Symbol(symbol)
			if err == nil {
				dl.Call(f, args...)
			}
			return err
		}
	}
	sum64 := 0.0
	cases := []struct {
		name         string
		ours, theirs func() error
		bound        float64
		check        func() bool
	}{
		{"par.Sum", func() error { return par.Sum(dev, x, out) }, call("bench_sum", n, dl.Address(host), dl.Address(one)), 1.1,
			func() bool { return near(out.Slice(), one, 1e-5) }},
		{"par.Dot", func() error { return par.Dot(dev, x, z, out) }, call("bench_dot", n, dl.Address(host), dl.Address(other), dl.Address(one)), 1.1,
			func() bool { return near(out.Slice(), one, 1e-5) }},
		{"par.Scan", func() error { return par.Scan(dev, x, y) }, call("bench_scan", n, dl.Address(host), dl.Address(theirs)), 1.3,
			func() bool { return near(y.Slice(), theirs, 1e-3) }},
		{"par.Histogram", func() error { return par.Histogram(dev, x, 0, 1, counts) },
			call("bench_histogram", n, dl.Address(host), f32(0), f32(1), bins, dl.Address(theirCounts)), 1.1,
			func() bool { return slices.Equal(counts.Slice(), theirCounts) }},
		{"par.Sum, beside gonum's floats.Sum", func() error { return par.Sum(dev, x64, out64) }, func() error { sum64 = floats.Sum(wide); return nil }, 0,
			func() bool { return math.Abs(out64.Slice()[0]-sum64) < 1e-3 }},
	}
	var results []result
	for _, c := range cases {
		ours, theirs, err := sideBySide(rested(c.ours), rested(c.theirs))
		if err != nil {
			return results, err
		}
		if !c.check() {
			return results, fmt.Errorf("%s: the results differ", c.name)
		}
		results = append(results, result{name: c.name, ours: ours, theirs: theirs, bound: bound{ratio: c.bound}})
	}
	sorting, err := sortBeside(dev, host, call("bench_sort", n, dl.Address(theirs)), theirs, y)
	return append(results, sorting...), err
}

// sortBeside sorts the same elements by par.Sort, by C++ and by slices.Sort.
func sortBeside(dev *qd.Device, host []float32, native func() error, theirs []float32, y *qd.Array[float32]) ([]result, error) {
	of := func(prepare func() error, f func() error) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			if err := prepare(); err != nil {
				return 0, err
			}
			time.Sleep(250 * time.Millisecond) // as rested does
			return timed(f)()
		}
	}
	again := func() error { copy(theirs, host); return nil }
	ours := of(func() error { return y.CopyFrom(host) }, func() error { return par.Sort(dev, y) })
	var results []result
	for _, c := range []struct {
		name string
		f    func() error
	}{{"par.Sort, beside __gnu_parallel", native}, {"par.Sort, beside slices.Sort", func() error { sortAllCores(theirs); return nil }}} {
		a, b, err := sideBySide(ours, of(again, c.f))
		if err != nil {
			return results, err
		}
		if !slices.Equal(y.Slice(), theirs) {
			return results, fmt.Errorf("%s: the results differ", c.name)
		}
		results = append(results, result{name: c.name, ours: a, theirs: b, bound: bound{ratio: 1.3}})
	}
	return results, nil
}

// sortAllCores sorts pieces by slices.Sort, one on each core, and merges them.
func sortAllCores(x []float32) {
	cores := runtime.GOMAXPROCS(0)
	piece := (len(x) + cores - 1) / cores
	var all sync.WaitGroup
	for part := range slices.Chunk(x, piece) {
		all.Go(func() { slices.Sort(part) })
	}
	all.Wait()
	for ; piece < len(x); piece *= 2 {
		for two := range slices.Chunk(x, 2*piece) {
			if len(two) <= piece {
				continue
			}
			all.Go(func() { merge(two, piece) })
		}
		all.Wait()
	}
}

// merge merges two sorted parts, of which the first has n elements.
func merge(x []float32, n int) {
	a, b := slices.Clone(x[:n]), x[n:]
	for i := range x {
		switch {
		case len(a) == 0:
			return
		case len(b) == 0 || a[0] <= b[0]:
			x[i], a = a[0], a[1:]
		default:
			x[i], b = b[0], b[1:]
		}
	}
}

// near reports whether numbers are the same but for rounding.
func near(x, y []float32, tolerance float64) bool {
	return slices.EqualFunc(x, y, func(a, b float32) bool {
		return math.Abs(float64(a)-float64(b)) <= tolerance*math.Abs(float64(b))
	})
}
