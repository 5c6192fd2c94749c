package main

import (
	_ "embed"
	"slices"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/blocks.cpp
var blocksSource []byte

// blocks times kernels whose threads work together in blocks beside C++ for a CPU.
func blocks() ([]result, error) {
	return besideNative("blocks.cpp", blocksSource, append(slices.Clip(reductions), histogramCase, matmulThreadCase, matmulBlockCase)...)
}

// Reductions are of so many numbers, by so many blocks.
const (
	reduced  = 1 << 22
	reducers = 64
)

func ramps(n, size int) [][]float32 {
	list := make([][]float32, n)
	for k := range list {
		list[k] = make([]float32, size)
		for i := range list[k] {
			list[k][i] = float32((i*7919+k*104729)%8191) / 8191
		}
	}
	return list
}

// reduction is a case of a kernel that gives a sum for each block. launch binds the kernel to so many inputs and the sums.
func reduction(name, symbol string, inputs int, form laneCase, launch func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error)) func(*qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		in, out := ramps(inputs, reduced), make([]float32, reducers)
		l, err := launch(dev, in, out)
		c := form
		c.name, c.symbol, c.launch, c.args, c.outputs, c.tolerance = name+form.name+", 2^22", symbol, l, []uintptr{reduced, reducers}, [][]float32{out}, 1e-3
		for _, s := range append(in, out) {
			c.args = append(c.args, dl.Address(s))
		}
		return c, err
	}
}

var (
	// spread is of blocks that go through the arrays together. Their sums are other parts of the whole where C++ has each
	// block read a part of its own.
	spread = laneCase{name: ", spread", whole: "native_", kinds: []kind{{"spread_", "", 1.1}, {"native_", ", beside parts", 1.1}}}
	// parts is of blocks that have a part of the arrays each, as the C++ has it.
	parts = laneCase{name: ", parts", kinds: []kind{{"native_", "", 1.1}}}
)

// reductions are the sums of the blocks of arrays.
var reductions = []func(*qd.Device) (laneCase, error){
	reduction("dot by Thread with Sync", "dot", 2, spread, func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error) {
		return qd.NewKernel(dotThread).WithDevice(dev).WithBlockDim(blockSize).Bind(qd.Dim(reducers*blockSize), in[0], in[1], out)
	}),
	reduction("dot by Block", "dot", 2, spread, func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error) {
		return dev.Bind(dotBlock, qd.Dim(reducers), reducers, in[0], in[1], out)
	}),
	reduction("sum by Block", "sum", 1, spread, func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error) {
		return dev.Bind(sumBlock, qd.Dim(reducers), reducers, in[0], out)
	}),
	reduction("dot by Thread with Sync", "dot", 2, parts, func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error) {
		return qd.NewKernel(dotThreadParts).WithDevice(dev).WithBlockDim(blockSize).Bind(qd.Dim(reducers*blockSize), reduced/reducers, in[0], in[1], out)
	}),
	reduction("dot by Block", "dot", 2, parts, func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error) {
		return dev.Bind(dotBlockParts, qd.Dim(reducers), reduced/reducers, in[0], in[1], out)
	}),
	reduction("sum by Block", "sum", 1, parts, func(dev *qd.Device, in [][]float32, out []float32) (*qd.Prepared, error) {
		return dev.Bind(sumBlockParts, qd.Dim(reducers), reduced/reducers, in[0], out)
	}),
}

func histogramCase(dev *qd.Device) (laneCase, error) {
	x, out := make([]uint8, reduced), make([]float32, 256)
	for i := range x {
		x[i] = uint8(i * i >> 3)
	}
	l, err := dev.Bind(histogram, qd.Dim(reducers), reducers, x, asInts(out))
	c := laneCase{name: "histogram by Block, 2^22", symbol: "histogram", launch: l, args: []uintptr{reduced, reducers, dl.Address(x), dl.Address(out)},
		outputs: [][]float32{out}, clear: true, kinds: []kind{{"native_", "", 1.5}}}
	return c, err
}

// The matrices that are multiplied have so many rows and columns.
const order = 512

func matmulCase(name string, in [][]float32, out []float32, l *qd.Prepared) laneCase {
	return laneCase{name: name, symbol: "matmul", launch: l, args: []uintptr{order, dl.Address(in[0]), dl.Address(in[1]), dl.Address(out)},
		outputs: [][]float32{out}, tolerance: 1e-3, kinds: []kind{{"native_", "", 1.5}}}
}

func matmulThreadCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(2, order*order), make([]float32, order*order)
	l, err := qd.NewKernel(matmulThread).WithDevice(dev).WithBlockDim(side*side).Bind(qd.Dim(order*order), order, in[0], in[1], out)
	return matmulCase("matmul 512 by Thread with Sync", in, out, l), err
}

func matmulBlockCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(2, order*order), make([]float32, order*order)
	l, err := dev.Bind(matmulBlock, qd.Dim(order*order/(side*side)), order, in[0], in[1], out)
	return matmulCase("matmul 512 by Block", in, out, l), err
}
