package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/par"
)

// gpuBins is how many bins the histogram has.
const gpuBins = 256

// A gpuPar is what package par works on. The numbers are from 0 to 1.
type gpuPar struct {
	dev          *qd.Device
	x, y         []float32
	ax, ay, work *qd.Array[float32]
	one          *qd.Array[float32]
	counts       *qd.Array[int32]
}

// gpuParCases are functions of package par on arrays of gpuSide * gpuSide numbers.
func gpuParCases() (list []gpuCase) {
	var shared *gpuPar // of all, made by the first
	for _, c := range []struct {
		name  string
		bytes float64 // that are read and written at least, of each element
		run   func(p *gpuPar) error
		check func(p *gpuPar) error
	}{
		{"par.Sum", 4, func(p *gpuPar) error { return par.Sum(p.dev, p.ax, p.one) }, func(p *gpuPar) error {
			want := 0.0
			for _, v := range p.x {
				want += float64(v)
			}
			return p.isOne(want)
		}},
		{"par.Dot", 8, func(p *gpuPar) error { return par.Dot(p.dev, p.ax, p.ay, p.one) }, func(p *gpuPar) error {
			want := 0.0
			for i, v := range p.x {
				want += float64(v) * float64(p.y[i])
			}
			return p.isOne(want)
		}},
		{"par.Scan", 8, func(p *gpuPar) error { return par.Scan(p.dev, p.ax, p.work) }, func(p *gpuPar) error {
			sum, got := 0.0, p.work.Slice()
			for i, v := range p.x {
				sum += float64(v)
				if i%1013 == 0 && !(math.Abs(float64(got[i])-sum) <= 1e-4*sum+1e-4) {
					return fmt.Errorf("element %d is %v, not %v", i, got[i], sum)
				}
			}
			return nil
		}},
		{"par.Histogram", 4, func(p *gpuPar) error { return par.Histogram(p.dev, p.ax, 0, 1, p.counts) }, func(p *gpuPar) error {
			want := make([]int32, gpuBins)
			for _, v := range p.x {
				if v < 1 {
					want[int(v*gpuBins)]++
				}
			}
			if got := p.counts.Slice(); !slices.Equal(got, want) {
				return fmt.Errorf("the counts are %v, not %v", got, want)
			}
			return nil
		}},
	} {
		list = append(list, gpuCase{c.name, func(dev *qd.Device) ([]result, error) {
			if shared == nil {
				p, err := newGPUPar(dev)
				if err != nil {
					return nil, err
				}
				shared = p
			}
			if err := c.run(shared); err != nil {
				return nil, err
			}
			if err := c.check(shared); err != nil {
				return nil, err
			}
			d, err := gpuTime(dev, func() error { return c.run(shared) })
			return []result{{name: fmt.Sprintf("gpu: %s, %d", c.name, len(shared.x)), ours: d, note: rate(c.bytes*float64(len(shared.x)), d)}}, err
		}})
	}
	return append(list, gpuCase{"par.Sort", func(dev *qd.Device) ([]result, error) {
		if shared == nil {
			p, err := newGPUPar(dev)
			if err != nil {
				return nil, err
			}
			shared = p
		}
		return shared.sort()
	}})
}

func newGPUPar(dev *qd.Device) (*gpuPar, error) {
	n := gpuSide * gpuSide
	p := &gpuPar{dev: dev, x: make([]float32, n), y: make([]float32, n)}
	at := uint32(1)
	for i := range p.x { // in no order that a sort would profit from
		at = at*1664525 + 1013904223
		p.x[i], p.y[i] = float32(at>>8)/(1<<24), float32(i%1021)/1021
	}
	p.ax, p.ay, p.work = qd.From(dev, p.x), qd.From(dev, p.y), qd.Zeros[float32](dev, n)
	p.one, p.counts = qd.Zeros[float32](dev, 1), qd.Zeros[int32](dev, gpuBins)
	return p, errors.Join(p.ax.Err(), p.ay.Err(), p.work.Err(), p.one.Err(), p.counts.Err())
}

// isOne makes sure of a result that is one number.
func (p *gpuPar) isOne(want float64) error {
	if got := float64(p.one.Slice()[0]); !(math.Abs(got-want) <= 1e-4*math.Abs(want)) {
		return fmt.Errorf("the result is %v, not %v", got, want)
	}
	return nil
}

// sort times par.Sort, each time of the numbers as they were at first. Their copying is not counted.
func (p *gpuPar) sort() ([]result, error) {
	once := func() (time.Duration, error) {
		if err := errors.Join(p.work.CopyArray(p.ax), p.dev.Wait()); err != nil {
			return 0, err
		}
		return timed(func() error { return errors.Join(par.Sort(p.dev, p.work), p.dev.Wait()) })()
	}
	if _, err := once(); err != nil {
		return nil, err
	}
	// The result is in order, and its bits have the sums of the input: no likely mistake passes that.
	got, sums := p.work.Slice(), [2]uint64{}
	for i, v := range p.x {
		a, b := uint64(math.Float32bits(v)), uint64(math.Float32bits(got[i]))
		sums[0], sums[1] = sums[0]+a*a, sums[1]+b*b
	}
	if sums[0] != sums[1] || !slices.IsSorted(got) {
		return nil, errors.New("the numbers are not the same ones in order")
	}
	var times []time.Duration
	for start := time.Now(); len(times) < *repeats && (len(times) < 3 || time.Since(start) < gpuLongAll); {
		d, err := once()
		if err != nil {
			return nil, err
		}
		times = append(times, d)
	}
	d := median(times)
	return []result{{name: fmt.Sprintf("gpu: par.Sort, %d", len(p.x)), ours: d, note: fmt.Sprintf("%.2f billion keys/s", float64(len(p.x))/d.Seconds()/1e9)}}, nil
}
