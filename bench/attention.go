package main

import (
	"fmt"
	"math"

	"github.com/qdgen/qd"
)

// attentionOf are tuned tiles of attention of heads: of the kernel that does all at once, and of the products of the
// one that does it in steps.
func attentionOf(dev *qd.Device, kernel any, columns bool, configs []attentionTiles, heads int) *qd.Tuned {
	return qd.Tune(qd.NewKernel(kernel).WithDevice(dev), configs, qd.TuneGrid(func(c attentionTiles, _ qd.Args) qd.Dims {
		blocks := heads * headQueries / c.Queries
		if columns {
			blocks *= headQueries / c.Keys
		}
		return qd.Dim(blocks)
	}))
}

// attentionBeside times attention of 8 heads in one kernel beside three: products, softmax, products, whose results go
// through memory. All products have tuned tiles. The causal one, whose queries see only the keys up to their own place,
// computes half of the products in one kernel, and all of them in steps: only the softmax knows there.
func attentionBeside(dev *qd.Device, causal bool) (result, error) {
	const heads = 8
	in := ramps(3, heads*headQueries*headDepth)
	fused, steps := make([]float32, len(in[0])), make([]float32, len(in[0]))
	scores, weights := make([]float32, heads*headQueries*headQueries), make([]float32, heads*headQueries*headQueries)
	head := func(x []float32) qd.View3[float32] { return qd.ViewOf3(x, heads, headQueries, headDepth) }
	square := func(x []float32) qd.View3[float32] { return qd.ViewOf3(x, heads, headQueries, headQueries) }
	rows := func(x []float32) qd.View2[float32] { return qd.ViewOf2(x, heads*headQueries, headQueries) }

	var products, ones []attentionTiles
	for _, m := range []int{32, 64, 128, 256} {
		for _, n := range []int{32, 64, 128, 256} {
			products = append(products, attentionTiles{m, n, false})
			ones = append(ones, attentionTiles{m, n, causal})
		}
	}
	one := attentionOf(dev, tileAttention, false, ones, heads)
	first, last := attentionOf(dev, tileScores, true, products, heads), attentionOf(dev, tileValues, false, products, heads)
	softmax, name := any(tileSoftmax), "attention 1 x 8 x 1024 x 64"
	if causal {
		softmax, name = tileCausalSoftmax, name+", causal: one kernel skips half"
	}
	middle, err := dev.Bind(softmax, qd.Dim(heads*headQueries), rows(scores), rows(weights))
	if err != nil {
		return result{}, err
	}
	q, k, v := head(in[0]), head(in[1]), head(in[2])
	once := func() error { return one.Run(q, k, v, head(fused)) }
	separate := func() error {
		if err := first.Run(q, k, square(scores)); err != nil {
			return err
		}
		if err := middle.Launch(); err != nil {
			return err
		}
		return last.Run(square(weights), v, head(steps))
	}
	if err := once(); err != nil {
		return result{}, err
	}
	if err := separate(); err != nil {
		return result{}, err
	}
	for i := range fused {
		if math.Abs(float64(fused[i]-steps[i])) > 1e-4 {
			return result{}, fmt.Errorf("%s: element %d is %v in one kernel and %v in three", name, i, fused[i], steps[i])
		}
	}
	r := result{name: name, bound: bound{ratio: 0.5}}
	if causal {
		r.bound = bound{}
	}
	for _, t := range []struct {
		name string
		of   *qd.Tuned
		args []any
	}{{"one kernel", one, []any{q, k, v, head(fused)}}, {"scores", first, []any{q, k, square(scores)}}, {"values", last, []any{square(weights), v, head(steps)}}} {
		best, err := t.of.Best(t.args...)
		if err != nil {
			return r, err
		}
		c := best.(attentionTiles)
		r.note += fmt.Sprintf("%s %d x %d, ", t.name, c.Queries, c.Keys)
	}
	r.note = "tiles: " + r.note[:len(r.note)-2]
	r.ours, r.theirs, err = sideBySide(rested(once), rested(separate))
	return r, err
}
