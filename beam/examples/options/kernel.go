package main

import (
	"math"

	"github.com/qdgen/qd"
)

// An Option is the right to buy for the strike, or to sell, after some years.
type Option struct {
	Spot, Strike, Years, Rate, Sigma float64
	Put                              bool
	Seed                             int64
}

// A Quote is what paths say about an option's price, and what the closed form does.
type Quote struct {
	Value, Variance, Closed float64
}

// A Summary is the sum of quotes.
type Summary struct {
	Options                 int64
	Value, Variance, Closed float64
	Worst                   float64 // the largest error, in standard deviations
}

// Price follows the logarithm of the price along paths that end where a normal distribution says. The numbers of an
// option follow from its seed: they are the same when a bundle is repeated, and on each device.
//
//qd:kernel
func Price(t qd.Thread, paths qd.Const[int], in []Option, out []Quote) {
	o := in[t.ID()]
	drift := (o.Rate - o.Sigma*o.Sigma/2) * o.Years
	spread := o.Sigma * math.Sqrt(o.Years)
	discount := math.Exp(-o.Rate * o.Years)
	sum, squares := 0.0, 0.0
	for i := range paths.V {
		end := o.Spot * math.Exp(drift+spread*qd.RandNormal[float64](o.Seed, i))
		gain := end - o.Strike
		if o.Put {
			gain = -gain
		}
		gain = max(gain, 0) * discount
		sum += gain
		squares += gain * gain
	}
	n := float64(paths.V)
	mean := sum / n
	out[t.ID()] = Quote{mean, (squares/n - mean*mean) / n, o.closed()}
}

// closed is the formula of Black and Scholes.
func (o Option) closed() float64 {
	spread := o.Sigma * math.Sqrt(o.Years)
	d1 := (math.Log(o.Spot/o.Strike) + (o.Rate+o.Sigma*o.Sigma/2)*o.Years) / spread
	d2 := d1 - spread
	discounted := o.Strike * math.Exp(-o.Rate*o.Years)
	if o.Put {
		return discounted*normal(-d2) - o.Spot*normal(-d1)
	}
	return o.Spot*normal(d1) - discounted*normal(d2)
}

// normal is the distribution function of the normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// Summarize adds the quotes of a group.
//
//qd:kernel
func Summarize(t qd.Thread, starts []int32, in []Quote, acc []Summary) {
	var s Summary
	for i := starts[t.ID()]; i < starts[t.ID()+1]; i++ {
		q := in[i]
		// Of a gain that few paths have, the variance is not known well: a thousandth of the currency is added.
		worst := math.Abs(q.Value-q.Closed) / math.Sqrt(q.Variance+1e-6)
		s = Merge(s, Summary{1, q.Value, q.Variance, q.Closed, worst})
	}
	acc[t.ID()] = s
}

// Merge adds two sums.
func Merge(a, b Summary) Summary {
	return Summary{a.Options + b.Options, a.Value + b.Value, a.Variance + b.Variance, a.Closed + b.Closed, max(a.Worst, b.Worst)}
}
