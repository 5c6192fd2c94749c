package main

import (
	_ "embed"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/blocks.cpp
var blocksSource []byte

// blocks times kernels whose threads work together in blocks beside C++ for a CPU.
func blocks() ([]result, error) {
	libs, err := nativeByAll("blocks.cpp", blocksSource)
	if err != nil {
		return nil, err
	}
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	return measureAll(dev, libs, []func(*qd.Device) (laneCase, error){
		dotThreadCase, dotBlockCase, sumCase, dotThreadPartsCase, dotBlockPartsCase, sumPartsCase, histogramCase, matmulThreadCase, matmulBlockCase,
	})
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

// spread is a case of blocks that go through the arrays together. Its output is the sums of all blocks, which are other
// parts of the whole where C++ has each block read a part of its own.
func spread(name, symbol string, l *qd.Prepared, args []uintptr, out []float32) laneCase {
	return laneCase{name: name + ", spread, 2^22", symbol: symbol, launch: l, args: args, outputs: [][]float32{out}, tolerance: 1e-3, whole: "native_",
		kinds: []kind{{"spread_", "", 1.1}, {"native_", ", beside parts", 1.1}}}
}

// parts is a case of blocks that have a part of the arrays each, as the C++ has it.
func parts(name, symbol string, l *qd.Prepared, args []uintptr, out []float32) laneCase {
	return laneCase{name: name + ", parts, 2^22", symbol: symbol, launch: l, args: args, outputs: [][]float32{out}, tolerance: 1e-3, kinds: []kind{{"native_", "", 1.1}}}
}

func dotThreadCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(2, reduced), make([]float32, reducers)
	l, err := qd.NewKernel(dotThread).WithDevice(dev).WithBlockDim(blockSize).Bind(qd.Dim(reducers*blockSize), in[0], in[1], out)
	return spread("dot by Thread with Sync", "dot", l, []uintptr{reduced, reducers, dl.Address(in[0]), dl.Address(in[1]), dl.Address(out)}, out), err
}

func dotBlockCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(2, reduced), make([]float32, reducers)
	l, err := dev.Bind(dotBlock, qd.Dim(reducers), reducers, in[0], in[1], out)
	return spread("dot by Block", "dot", l, []uintptr{reduced, reducers, dl.Address(in[0]), dl.Address(in[1]), dl.Address(out)}, out), err
}

func sumCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(1, reduced), make([]float32, reducers)
	l, err := dev.Bind(sumBlock, qd.Dim(reducers), reducers, in[0], out)
	return spread("sum by Block", "sum", l, []uintptr{reduced, reducers, dl.Address(in[0]), dl.Address(out)}, out), err
}

func dotThreadPartsCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(2, reduced), make([]float32, reducers)
	l, err := qd.NewKernel(dotThreadParts).WithDevice(dev).WithBlockDim(blockSize).Bind(qd.Dim(reducers*blockSize), reduced/reducers, in[0], in[1], out)
	return parts("dot by Thread with Sync", "dot", l, []uintptr{reduced, reducers, dl.Address(in[0]), dl.Address(in[1]), dl.Address(out)}, out), err
}

func dotBlockPartsCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(2, reduced), make([]float32, reducers)
	l, err := dev.Bind(dotBlockParts, qd.Dim(reducers), reduced/reducers, in[0], in[1], out)
	return parts("dot by Block", "dot", l, []uintptr{reduced, reducers, dl.Address(in[0]), dl.Address(in[1]), dl.Address(out)}, out), err
}

func sumPartsCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(1, reduced), make([]float32, reducers)
	l, err := dev.Bind(sumBlockParts, qd.Dim(reducers), reduced/reducers, in[0], out)
	return parts("sum by Block", "sum", l, []uintptr{reduced, reducers, dl.Address(in[0]), dl.Address(out)}, out), err
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
