package main

import (
	"fmt"
	"math"
	"time"

	"github.com/qdgen/qd"
)

// The sizes of what is computed with tiles, and how many configurations are tried. The tests make them smaller.
var (
	gpuMatrix = 4096
	gpuRows   = 4096
	gpuTries  = 100
)

// of is a kernel with the threads and stages of a configuration.
func (c gpuProduct) of(kernel any) *qd.Kernel {
	return qd.NewKernel(kernel).WithBlockDim(c.Threads).WithStages(c.Stages)
}

// grid is a block for each tile of a product.
func (c gpuProduct) grid(m, n int) qd.Dims { return qd.Dim(qd.CeilDiv(m, c.M) * qd.CeilDiv(n, c.N)) }

// The configurations that are tried. The operands of all stages have at most 144 KiB together, and no thread needs more
// registers than it has. The first ones are also those of the tests.
var (
	gpuSingleConfigs = []gpuProduct{
		{128, 128, 16, 8, 256, 2}, {128, 64, 16, 8, 128, 2}, {128, 128, 8, 8, 256, 3}, {128, 128, 16, 8, 256, 3}, {64, 128, 16, 8, 128, 3}, {64, 64, 32, 8, 128, 2}, {128, 128, 32, 8, 256, 1}, {128, 128, 32, 8, 256, 2},
	}
	gpuTF32Configs = []gpuProduct{
		{128, 128, 16, 8, 256, 3}, {128, 64, 32, 8, 128, 2}, {128, 128, 32, 8, 256, 1}, {64, 64, 32, 8, 128, 3}, {128, 128, 16, 8, 128, 3}, {128, 64, 16, 8, 128, 4}, {128, 128, 16, 8, 256, 2}, {128, 128, 32, 8, 256, 3},
	}
	gpuHalfConfigs = []gpuProduct{
		{128, 128, 32, 8, 256, 3}, {128, 128, 32, 8, 128, 3}, {128, 64, 32, 8, 128, 4}, {64, 64, 64, 8, 128, 3}, {128, 128, 64, 8, 256, 1}, {256, 128, 32, 4, 256, 2}, {128, 256, 32, 8, 256, 2}, {128, 64, 64, 8, 128, 2}, {128, 128, 64, 8, 256, 3}, {128, 128, 64, 8, 128, 2}, {128, 256, 64, 8, 256, 3}, {256, 128, 64, 4, 256, 3},
	}
)

// gpuTileCases are products of matrices, softmax and layer norm.
func gpuTileCases() []gpuCase {
	float := func(x float32) float32 { return x }
	return []gpuCase{
		gpuProductCase("float32", gpuMatmul[float32], gpuSingleConfigs, float, float, 5e-5),
		gpuProductCase("TF32", gpuMatmulTF32, gpuTF32Configs, float, float, 2e-3),
		gpuProductCase("Float16", gpuMatmul[qd.Float16], gpuHalfConfigs, qd.ToFloat16, qd.Float16.Float32, 5e-5),
		gpuProductCase("BFloat16", gpuMatmul[qd.BFloat16], gpuHalfConfigs, qd.ToBFloat16, qd.BFloat16.Float32, 5e-5),
		gpuRowCase("softmax", gpuSoftmax, false, func() int { return gpuRows }, 1024, 1e-9, softmaxOf),
		gpuRowCase("softmax", gpuSoftmax, false, func() int { return 2 * gpuRows }, 4096, 1e-9, softmaxOf),
		gpuRowCase("layer norm", gpuLayerNorm, true, func() int { return gpuRows }, 1024, 1e-4, layerNormOf),
	}
}

// gpuNumbers are numbers from -1 to 1, others for each which.
func gpuNumbers[T any](n, which int, of func(float32) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = of(float32((i*7919+which*104729)%8191)/4095.5 - 1)
	}
	return list
}

// gpuProductCase is a product of matrices of numbers of some type, with the configuration that is the fastest. The
// tolerance is relative to the sum of the products' absolute values.
func gpuProductCase[T any](name string, kernel any, configs []gpuProduct, of func(float32) T, value func(T) float32, tolerance float64) gpuCase {
	name = "matmul " + name
	return gpuCase{name, func(dev *qd.Device) ([]result, error) {
		n := gpuMatrix
		hx, hy := gpuNumbers(n*n, 0, of), gpuNumbers(n*n, 1, of)
		x, y, z := qd.From(dev, hx, n, n), qd.From(dev, hy, n, n), qd.Zeros[float32](dev, n, n)
		defer x.Free()
		defer y.Free()
		defer z.Free()
		tuned := qd.Tune(qd.NewKernel(kernel).WithDevice(dev), configs[:min(len(configs), gpuTries)], qd.TuneKey("x", "y"),
			qd.TuneGrid(func(c gpuProduct, _ qd.Args) qd.Dims { return c.grid(n, n) }),
			qd.TuneBlockDim(func(c gpuProduct) int { return c.Threads }), qd.TuneStages(func(c gpuProduct) int { return c.Stages }))
		start := time.Now()
		best, err := tuned.Best(x, y, z)
		if err != nil {
			return nil, err
		}
		took := time.Since(start)
		c := best.(gpuProduct)
		p, err := dev.Bind(c.of(kernel), c.grid(n, n), qd.C(c), x, y, z)
		if err != nil {
			return nil, err
		}
		if err := p.Launch(); err != nil {
			return nil, err
		}
		got := z.Slice()
		for s := range 64 {
			i, j := s*2741%n, s*1543%n
			want, size := 0.0, 0.0
			for k := range n {
				p := float64(value(hx[i*n+k])) * float64(value(hy[k*n+j]))
				want, size = want+p, size+math.Abs(p)
			}
			if d := math.Abs(want - float64(got[i*n+j])); !(d <= tolerance*size) {
				return nil, fmt.Errorf("element %d, %d is %v, not %v", i, j, got[i*n+j], want)
			}
		}
		d, err := gpuTime(dev, p.Launch)
		return []result{{name: fmt.Sprintf("gpu: %s, %d", name, n), ours: d,
			note: fmt.Sprintf("%s, %+v, tuned in %v", speed(2*math.Pow(float64(n), 3), d), c, took.Round(time.Millisecond))}}, err
	}}
}

// speed says how many operations are done.
func speed(flops float64, d time.Duration) string {
	return fmt.Sprintf("%.0f GFLOP/s", flops/d.Seconds()/1e9)
}

// rate says how many bytes are read and written.
func rate(bytes float64, d time.Duration) string {
	return fmt.Sprintf("%.0f GB/s", bytes/d.Seconds()/1e9)
}

// gpuRowCase is something that is computed of each row of a matrix, by blocks of as many threads as is the fastest. row
// computes one in plain Go, to which results are near: relative to them, and absolute.
func gpuRowCase(name string, kernel any, weighted bool, rowsOf func() int, width int, absolute float64, row func(x, weight, bias []float32) []float64) gpuCase {
	return gpuCase{fmt.Sprintf("%s %d", name, width), func(dev *qd.Device) ([]result, error) {
		rows := rowsOf()
		float := func(x float32) float32 { return 4 * x }
		hx, weight, bias := gpuNumbers(rows*width, 0, float), gpuNumbers(width, 1, float), gpuNumbers(width, 2, float)
		x, y := qd.From(dev, hx, rows, width), qd.Zeros[float32](dev, rows, width)
		defer x.Free()
		defer y.Free()
		args := []any{x, y}
		if weighted {
			args = []any{x, qd.From(dev, weight), qd.From(dev, bias), y}
		}
		configs := []gpuRow{{width, 128}, {width, 256}, {width, 64}, {width, 512}, {width, 1024}}
		tuned := qd.Tune(qd.NewKernel(kernel).WithDevice(dev), configs[:min(len(configs), gpuTries)], qd.TuneKey("x"),
			qd.TuneGrid(func(gpuRow, qd.Args) qd.Dims { return qd.Dim(rows) }), qd.TuneBlockDim(func(c gpuRow) int { return c.Threads }))
		best, err := tuned.Best(args...)
		if err != nil {
			return nil, err
		}
		c := best.(gpuRow)
		p, err := dev.Bind(qd.NewKernel(kernel).WithBlockDim(c.Threads), qd.Dim(rows), append([]any{qd.C(c)}, args...)...)
		if err != nil {
			return nil, err
		}
		if err := p.Launch(); err != nil {
			return nil, err
		}
		got := y.Slice()
		for s := range 8 {
			i := s * 2741 % rows
			for j, want := range row(hx[i*width:][:width], weight, bias) {
				if d := math.Abs(want - float64(got[i*width+j])); !(d <= 1e-4*math.Abs(want)+absolute) {
					return nil, fmt.Errorf("element %d, %d is %v, not %v", i, j, got[i*width+j], want)
				}
			}
		}
		d, err := gpuTime(dev, p.Launch)
		return []result{{name: fmt.Sprintf("gpu: %s, %d x %d", name, rows, width), ours: d,
			note: fmt.Sprintf("%s, %d threads", rate(8*float64(rows*width), d), c.Threads)}}, err
	}}
}

// softmaxOf is the softmax of a row.
func softmaxOf(x, _, _ []float32) []float64 {
	sum, out := 0.0, make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Exp(float64(v))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// layerNormOf is the layer norm of a row.
func layerNormOf(x, weight, bias []float32) []float64 {
	mean, variance, out := 0.0, 0.0, make([]float64, len(x))
	for _, v := range x {
		mean += float64(v) / float64(len(x))
	}
	for _, v := range x {
		variance += (float64(v) - mean) * (float64(v) - mean) / float64(len(x))
	}
	for i, v := range x {
		out[i] = (float64(v)-mean)/math.Sqrt(variance+1e-5)*float64(weight[i]) + float64(bias[i])
	}
	return out
}
