package main

import (
	_ "embed"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/branching.cpp
var branchingSource []byte

// branching times kernels that read and write where a test holds, for about half of the threads, beside plain C++.
func branching() ([]result, error) {
	return besideNative("branching.cpp", branchingSource, updateSomeCase, moveSomeCase, addTermsCase, multiplyRowsCase)
}

// unbound is plain C++ beside kernels that have no bound yet. Functions out of line move the structs of some lanes. A
// processor waits for a number that it reads after a masked store.
var unbound = []kind{{"", "", 0}}

// branched is how many threads there are. What they read is in a core's own cache.
const branched = 1 << 14

//qd:kernel
func updateSome(t qd.Thread, chance, x, y []float32) {
	i := t.ID()
	if chance[i] < 0.5 {
		v := x[i]
		for range 4 {
			v = v*v - 0.7
		}
		y[i] += v
	}
}

func updateSomeCase(dev *qd.Device) (laneCase, error) {
	chance, x, y := noise(branched), ramps(1, branched)[0], make([]float32, branched)
	l, err := dev.Bind(updateSome, qd.Dim(branched), chance, x, y)
	return laneCase{name: "update of half", symbol: "update", launch: l, args: []uintptr{branched, dl.Address(chance), dl.Address(x), dl.Address(y)},
		outputs: [][]float32{y}, clear: true, kinds: plain}, err
}

//qd:kernel
func moveSome(t qd.Thread, chance []float32, by f32.Vec3, at []f32.Vec3) {
	i := t.ID()
	if chance[i] < 0.5 {
		at[i] = at[i].Add(by)
	}
}

func moveSomeCase(dev *qd.Device) (laneCase, error) {
	chance, by, at := noise(branched), f32.Vec3{0.25, -0.5, 0.125}, make([]f32.Vec3, branched)
	l, err := dev.Bind(moveSome, qd.Dim(branched), chance, by, at)
	return laneCase{name: "update of half, Vec3", symbol: "move", launch: l, args: []uintptr{branched, dl.Address(chance), bits32(by[0]), bits32(by[1]), bits32(by[2]), dl.Address(at)},
		outputs: [][]float32{numbers[float32](at)}, clear: true, kinds: unbound}, err
}

// addTerms adds up as many numbers as each thread has, in memory.
//
//qd:kernel
func addTerms(t qd.Thread, chance, x, y []float32) {
	i := t.ID()
	for k := range int(chance[i] * 32) {
		y[i] += x[k]
	}
}

func addTermsCase(dev *qd.Device) (laneCase, error) {
	chance, x, y := noise(branched), ramps(1, 32)[0], make([]float32, branched)
	l, err := dev.Bind(addTerms, qd.Dim(branched), chance, x, y)
	return laneCase{name: "sums of up to 31, in memory", symbol: "terms", launch: l, args: []uintptr{branched, dl.Address(chance), dl.Address(x), dl.Address(y)},
		outputs: [][]float32{y}, clear: true, kinds: unbound}, err
}

// multiplyRows multiplies a sparse matrix by a vector. Each row has most places for numbers, of which some are empty.
//
//qd:kernel
func multiplyRows(t qd.Thread, rows, most int, column []int32, value, x, y []float32) {
	i := t.ID()
	sum := float32(0)
	for k := range most {
		if c := column[k*rows+i]; c >= 0 {
			sum += value[k*rows+i] * x[c]
		}
	}
	y[i] = sum
}

func multiplyRowsCase(dev *qd.Device) (laneCase, error) {
	const most = 16
	chance, value, x, y := noise(branched*most), ramps(1, branched*most)[0], ramps(1, branched)[0], make([]float32, branched)
	column := make([]int32, branched*most)
	for i, c := range chance {
		if column[i] = -1; c < 0.5 {
			column[i] = int32(c * 2 * branched)
		}
	}
	l, err := dev.Bind(multiplyRows, qd.Dim(branched), branched, most, column, value, x, y)
	return laneCase{name: "rows of a sparse matrix", symbol: "rows", launch: l,
		args:    []uintptr{branched, most, dl.Address(column), dl.Address(value), dl.Address(x), dl.Address(y)},
		outputs: [][]float32{y}, kinds: unbound}, err
}
