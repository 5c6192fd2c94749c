package main

import (
	"fmt"
	"math"
	"time"

	"github.com/qdgen/qd"
)

// The shape of attention: 4 x 16 heads of 2048 queries and keys of headDepth numbers. The tests make it smaller.
var gpuHeadCount, gpuQueries = 4 * 16, 2048

// The configurations that are tried, of products of half precision and of float32. A GPU of sm_80 or sm_90 has the
// memory for the tiles of each.
var (
	gpuHeadConfigs    = []gpuHeads{{64, 32, 128}, {64, 32, 256}, {32, 64, 64}, {32, 64, 128}, {32, 32, 64}, {64, 16, 128}, {128, 16, 256}, {64, 16, 64}, {64, 64, 128}, {128, 32, 256}, {128, 64, 256}}
	gpuSingleHeads    = []attentionTiles{{32, 32, false}, {64, 16, false}, {32, 16, false}, {16, 64, false}, {16, 32, false}}
	gpuAttentionScale = 1 / math.Sqrt(headDepth)
)

// gpuAttentionCases are attention of half precision, and of float32.
func gpuAttentionCases() []gpuCase {
	return []gpuCase{
		{"attention Float16", func(dev *qd.Device) ([]result, error) {
			return gpuAttentionCase(dev, "Float16", qd.ToFloat16, qd.Float16.Float32, func(args ...any) (*qd.Prepared, string, error) {
				tuned := qd.Tune(qd.NewKernel(gpuAttention).WithDevice(dev), gpuHeadConfigs[:min(len(gpuHeadConfigs), gpuTries)], qd.TuneKey("q"),
					qd.TuneGrid(func(c gpuHeads, _ qd.Args) qd.Dims { return qd.Dim(gpuHeadCount * gpuQueries / c.Queries) }),
					qd.TuneBlockDim(func(c gpuHeads) int { return c.Threads }))
				best, err := tuned.Best(args...)
				if err != nil {
					return nil, "", err
				}
				c := best.(gpuHeads)
				p, err := dev.Bind(qd.NewKernel(gpuAttention).WithBlockDim(c.Threads), qd.Dim(gpuHeadCount*gpuQueries/c.Queries), append([]any{qd.C(c)}, args...)...)
				return p, fmt.Sprintf("%+v", c), err
			})
		}},
		{"attention float32", func(dev *qd.Device) ([]result, error) {
			float := func(x float32) float32 { return x }
			return gpuAttentionCase(dev, "float32", float, float, func(args ...any) (*qd.Prepared, string, error) {
				grid := func(c attentionTiles) qd.Dims { return qd.Dim(gpuHeadCount * gpuQueries / c.Queries) }
				tuned := qd.Tune(qd.NewKernel(tileAttention).WithDevice(dev), gpuSingleHeads[:min(len(gpuSingleHeads), gpuTries)], qd.TuneKey("q"),
					qd.TuneGrid(func(c attentionTiles, _ qd.Args) qd.Dims { return grid(c) }))
				best, err := tuned.Best(args...)
				if err != nil {
					return nil, "", err
				}
				c := best.(attentionTiles)
				p, err := dev.Bind(tileAttention, grid(c), append([]any{qd.C(c)}, args...)...)
				return p, fmt.Sprintf("%+v", c), err
			})
		}},
	}
}

// gpuAttentionCase times attention of numbers of some type, after making sure of some rows. bind prepares the launch
// and says with which configuration.
func gpuAttentionCase[T any](dev *qd.Device, name string, of func(float32) T, value func(T) float32, bind func(args ...any) (*qd.Prepared, string, error)) ([]result, error) {
	heads, n := gpuHeadCount, gpuQueries
	var host [3][]T
	var in [3]*qd.Array[T]
	for i := range in {
		host[i] = gpuNumbers(heads*n*headDepth, i, of)
		in[i] = qd.From(dev, host[i], heads, n, headDepth)
		defer in[i].Free()
	}
	out := qd.Zeros[float32](dev, heads, n, headDepth)
	defer out.Free()
	start := time.Now()
	p, config, err := bind(in[0], in[1], in[2], out)
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	if err := p.Launch(); err != nil {
		return nil, err
	}
	got := out.Slice()
	for s := range 8 {
		head, i := s*37%heads, s*2741%n
		row := func(x []T, i int) []T { return x[(head*n+i)*headDepth:][:headDepth] }
		want, sum := make([]float64, headDepth), 0.0
		for j := range n {
			dot := 0.0
			for c, x := range row(host[0], i) {
				dot += float64(value(x)) * float64(value(row(host[1], j)[c]))
			}
			w := math.Exp(dot * gpuAttentionScale)
			sum += w
			for c, x := range row(host[2], j) {
				want[c] += w * float64(value(x))
			}
		}
		for c, w := range want {
			// Weights in half precision have 11 bits.
			if g := float64(got[(head*n+i)*headDepth+c]); !(math.Abs(w/sum-g) <= 2e-3) {
				return nil, fmt.Errorf("element %d of row %d of head %d is %v, not %v", c, i, head, g, w/sum)
			}
		}
	}
	d, err := gpuTime(dev, p.Launch)
	return []result{{name: fmt.Sprintf("gpu: attention %s, %d x %d x %d", name, heads, n, headDepth), ours: d,
		note: fmt.Sprintf("%s, %s, tuned in %v", speed(4*float64(heads*n)*float64(n)*headDepth, d), config, took.Round(time.Millisecond))}}, err
}
