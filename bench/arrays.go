package main

import (
	_ "embed"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/arrays.cpp
var arraysSource []byte

// arrays times kernels whose threads have arrays of their own beside plain loops in C++.
func arrays() ([]result, error) {
	return besideNative("arrays.cpp", arraysSource, medianCase, determinantsCase, boxesCase, commonestCase, automatonCase)
}

// noise is n numbers below 1 without an order.
func noise(n int) []float32 {
	x := make([]float32, n)
	seed := uint32(1)
	for i := range x {
		seed = seed*1664525 + 1013904223
		x[i] = float32(seed>>8) / (1 << 24)
	}
	return x
}

func medianCase(dev *qd.Device) (laneCase, error) {
	const height, width = 1026, 1026
	in, out := noise(height*width), make([]float32, (height-2)*(width-2))
	l, err := dev.Bind(medianFilter, qd.Dim(height-2, width-2), width, in, out)
	return laneCase{name: "median of 3x3 by insertion", symbol: "median", launch: l,
		args: []uintptr{height, width, dl.Address(in), dl.Address(out)}, outputs: [][]float32{out}, kinds: plain}, err
}

func determinantsCase(dev *qd.Device) (laneCase, error) {
	const count, size = 1 << 14, 64
	in, out := noise(count*size), make([]float32, count)
	for i := range count {
		for k := range 8 {
			in[i*size+k*9] += 2 // no pivot is small
		}
	}
	l, err := dev.Bind(determinants, qd.Dim(count), in, out)
	return laneCase{name: "determinants of 8x8 by elimination", symbol: "determinants", launch: l,
		args: []uintptr{count, dl.Address(in), dl.Address(out)}, outputs: [][]float32{out}, tolerance: 1e-4, kinds: plain}, err
}

func boxesCase(dev *qd.Device) (laneCase, error) {
	const count, inner = 1 << 13, 1<<12 - 1
	nodes := make([]boxNode, 2*inner+1)
	var build func(k int32, low, high float32)
	build = func(k int32, low, high float32) {
		nodes[k] = boxNode{Low: low - 0.001, High: high + 0.001}
		if k < inner {
			nodes[k].Left, nodes[k].Right = 2*k+1, 2*k+2
			build(2*k+1, low, (low+high)/2)
			build(2*k+2, (low+high)/2, high)
		}
	}
	build(0, 0, 1)
	in, out := noise(count), make([]float32, count)
	l, err := dev.Bind(countBoxes, qd.Dim(count), nodes, in, asInts(out))
	return laneCase{name: "tree of intervals, with a stack", symbol: "boxes", launch: l,
		args: []uintptr{count, dl.Address(nodes), dl.Address(in), dl.Address(out)}, outputs: [][]float32{out}, kinds: plain}, err
}

func commonestCase(dev *qd.Device) (laneCase, error) {
	const count, length = 1 << 14, 256
	in, out := make([]uint8, count*length), make([]float32, count)
	for i, x := range noise(len(in)) {
		in[i] = uint8(x * 256)
	}
	l, err := dev.Bind(commonest, qd.Dim(count), length, in, asInts(out))
	return laneCase{name: "commonest of 256 bytes, with bins", symbol: "commonest", launch: l,
		args: []uintptr{count, length, dl.Address(in), dl.Address(out)}, outputs: [][]float32{out}, kinds: plain}, err
}

func automatonCase(dev *qd.Device) (laneCase, error) {
	const count, length = 1 << 16, 20
	text, ends := make([]uint8, count*length), make([]float32, count)
	for i, x := range noise(len(text)) {
		text[i] = uint8(x * 128)
	}
	l, err := dev.Bind(automaton, qd.Dim(count), length, text, asInts(ends))
	return laneCase{name: "automaton with a table of 64x128", symbol: "automaton", launch: l,
		args: []uintptr{count, length, dl.Address(text), dl.Address(ends)}, outputs: [][]float32{ends}, kinds: plain}, err
}
