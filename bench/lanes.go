package main

import (
	_ "embed"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"time"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/lanes.cpp
var lanesSource []byte

// A nativeLib is hand-written C++ as one compiler has built it.
type nativeLib struct {
	compiler string
	lib      *dl.Lib
}

// nativeByAll builds hand-written C++ by the compiler of the kernels, and by g++ if there is one.
func nativeByAll(name string, source []byte) ([]nativeLib, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	paths := []string{compiler.Path}
	if gcc, err := exec.LookPath("g++"); err == nil && gcc != compiler.Path {
		paths = append(paths, gcc)
	}
	var libs []nativeLib
	for _, path := range paths {
		lib, err := buildNativeBy(path, name, source, compiler.Flags()...)
		if err != nil {
			return nil, err
		}
		libs = append(libs, nativeLib{filepath.Base(path), lib})
	}
	return libs, nil
}

// A laneCase is a kernel, and the functions beside it.
type laneCase struct {
	name, symbol string
	launch       *qd.Prepared
	args         []uintptr
	outputs      [][]float32 // or integers, by their bits
	tolerance    float64     // 0: to the bit
	unordered    bool        // threads add floats in any order: the results of two launches may differ
	whole        string      // the prefix of the kind of which only the sum of an output is compared
	clear        bool        // outputs are added to: they are zero at first
	reset        func()      // gives the memory its first values, for kernels that change what they read; nil for others
	kinds        []kind      // nil for vectors and scalars
}

// A kind is a way to write the same by hand.
type kind struct {
	prefix, name string
	bound        float64
}

// lanes times kernels that have a loop, a branch or a function of package math beside the same written by hand: with
// vectors, and without.
func lanes() ([]result, error) {
	return besideNative("lanes.cpp", lanesSource, mandelbrot64Case, mandelbrot32Case, marchCase, nbodyCase, nbodyVec4Case,
		blackScholesCase(16), blackScholesCase(22))
}

// besideNative measures cases beside C++ written by hand, as all compilers have built it.
func besideNative(name string, source []byte, cases ...func(*qd.Device) (laneCase, error)) ([]result, error) {
	libs, err := nativeByAll(name, source)
	if err != nil {
		return nil, err
	}
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	return measureAll(dev, libs, cases)
}

// measureAll prepares and measures cases, one after the other, and then their checked builds beside the release builds.
func measureAll(dev *qd.Device, libs []nativeLib, cases []func(*qd.Device) (laneCase, error)) (results []result, err error) {
	for _, prepare := range cases {
		c, err := prepare(dev)
		if err != nil {
			return results, err
		}
		more, err := c.measure(libs)
		if err != nil {
			return results, fmt.Errorf("%s: %w", c.name, err)
		}
		results = append(results, more...)
	}
	for _, prepare := range cases {
		r, err := checkedCase(dev, prepare)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

// prepare gives the memory of a case what it has before a launch.
func (c laneCase) prepare() {
	if c.clear {
		for _, s := range c.outputs {
			clear(s)
		}
	}
	if c.reset != nil {
		c.reset()
	}
}

// measure times a case beside the best of all compilers.
func (c laneCase) measure(libs []nativeLib) ([]result, error) {
	c.prepare()
	if err := c.launch.Launch(); err != nil {
		return nil, err
	}
	ours := copies(c.outputs)
	kinds := c.kinds
	if kinds == nil {
		kinds = []kind{{"vector_", ", vectors", 1.25}, {"scalar_", ", scalars", 0.25}}
	}
	fs := []func() (time.Duration, error){rested(c.launch.Launch)}
	for _, kind := range kinds {
		for _, lib := range libs {
			addr, err := lib.lib.Symbol(kind.prefix + c.symbol)
			if err != nil {
				return nil, err
			}
			c.prepare()
			dl.Call(addr, c.args...)
			if err := c.compare(ours, kind.prefix == c.whole); err != nil {
				return nil, fmt.Errorf("%s by %s: %w", kind.prefix+c.symbol, lib.compiler, err)
			}
			fs = append(fs, rested(func() error { dl.Call(addr, c.args...); return nil }))
		}
	}
	times, err := allInTurns(*repeats, fs...)
	if err != nil {
		return nil, err
	}
	var results []result
	for k, kind := range kinds {
		r := result{name: c.name + kind.name, ours: median(times[0]), bound: bound{ratio: kind.bound}}
		for i, lib := range libs {
			if d := median(times[1+k*len(libs)+i]); r.theirs == 0 || d < r.theirs {
				r.theirs, r.note = d, "beside: "+lib.compiler
			}
		}
		results = append(results, r)
	}
	return results, nil
}

func copies(of [][]float32) (list [][]float32) {
	for _, s := range of {
		list = append(list, append([]float32(nil), s...))
	}
	return list
}

// compare compares what is in the outputs with what the kernel gave, or only their sums.
func (c laneCase) compare(ours [][]float32, whole bool) error {
	for k := range ours {
		if whole {
			if x, y := total(ours[k]), total(c.outputs[k]); math.Abs(x-y) > c.tolerance*math.Abs(y) {
				return fmt.Errorf("the sum of output %d is %v here and %v there", k, x, y)
			}
			continue
		}
		wrong := 0
		for i, x := range ours[k] {
			y := c.outputs[k][i]
			if math.Float32bits(x) == math.Float32bits(y) || math.Abs(float64(x-y)) <= c.tolerance*max(1, math.Abs(float64(y))) {
				continue
			}
			// A ray that just misses something, or a point that just stays, is not the same for all who round.
			if wrong++; wrong > len(ours[k])/1000 || c.tolerance == 0 {
				return fmt.Errorf("element %d of output %d is %v here and %v there", i, k, x, y)
			}
		}
	}
	return nil
}

func total(s []float32) (sum float64) {
	for _, x := range s {
		sum += float64(x)
	}
	return sum
}

func bits64(f float64) uintptr { return uintptr(math.Float64bits(f)) }
func bits32(f float32) uintptr { return uintptr(math.Float32bits(f)) }

func mandelbrot64Case(dev *qd.Device) (laneCase, error) {
	const height, width, limit = 512, 768, 500
	const x0, y0, pixel = -2.25, -1.0, 3.0 / 768
	out := make([]float32, height*width)
	l, err := dev.Bind(mandelbrot, qd.Dim(height, width), x0, y0, pixel, limit, asInts(out))
	return laneCase{name: "mandelbrot float64", symbol: "mandelbrot64", launch: l, args: []uintptr{height, width, bits64(x0), bits64(y0), bits64(pixel), limit, dl.Address(out)}, outputs: [][]float32{out}, tolerance: 0}, err
}

func mandelbrot32Case(dev *qd.Device) (laneCase, error) {
	const height, width, limit = 512, 768, 500
	const x0, y0, pixel = -2.25, -1.0, 3.0 / 768
	out := make([]float32, height*width)
	l, err := dev.Bind(mandelbrot32, qd.Dim(height, width), x0, y0, pixel, limit, asInts(out))
	return laneCase{name: "mandelbrot float32", symbol: "mandelbrot32", launch: l, args: []uintptr{height, width, bits32(x0), bits32(y0), bits32(pixel), limit, dl.Address(out)}, outputs: [][]float32{out}, tolerance: 0}, err
}

func marchCase(dev *qd.Device) (laneCase, error) {
	const height, width = 512, 768
	out := make([]float32, height*width)
	l, err := dev.Bind(march, qd.Dim(height, width), height, width, out)
	return laneCase{name: "ray marching", symbol: "march", launch: l, args: []uintptr{height, width, dl.Address(out)}, outputs: [][]float32{out}, tolerance: 1e-3}, err
}

// bodies is how many bodies attract each other.
const bodies = 8192

func nbodyCase(dev *qd.Device) (laneCase, error) {
	in, out := make([][]float32, 4), make([][]float32, 3)
	for k := range in {
		in[k] = make([]float32, bodies)
		for i := range in[k] {
			in[k][i] = float32((i*7919+k*104729)%8191) / 8191
		}
	}
	for k := range out {
		out[k] = make([]float32, bodies)
	}
	l, err := dev.Bind(nbody, qd.Dim(bodies), in[0], in[1], in[2], in[3], out[0], out[1], out[2])
	args := []uintptr{bodies}
	for _, s := range append(in, out...) {
		args = append(args, dl.Address(s))
	}
	return laneCase{name: "n-body 8192, slices", symbol: "nbody", launch: l, args: args, outputs: out, tolerance: 1e-3}, err
}

func nbodyVec4Case(dev *qd.Device) (laneCase, error) {
	in, out := make([]f32.Vec4, bodies), make([]f32.Vec4, bodies)
	for i := range in {
		for k := range in[i] {
			in[i][k] = float32((i*7919+k*104729)%8191) / 8191
		}
	}
	l, err := dev.Bind(nbodyVec4, qd.Dim(bodies), in, out)
	return laneCase{name: "n-body 8192, Vec4", symbol: "nbody4", launch: l, args: []uintptr{bodies, dl.Address(in), dl.Address(out)}, outputs: [][]float32{numbers[float32](out)}, tolerance: 1e-3}, err
}

// blackScholesCase prices 2^log options.
func blackScholesCase(log int) func(dev *qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		const rate, volatility = 0.02, 0.3
		n := 1 << log
		s := make([][]float32, 5)
		for k := range s {
			s[k] = make([]float32, n)
		}
		for i := range n {
			s[0][i] = 5 + 25*float32(i*7919%8191)/8191
			s[1][i] = 1 + 99*float32(i*104729%8191)/8191
			s[2][i] = 0.25 + 9.75*float32(i*1299709%8191)/8191
		}
		l, err := dev.Bind(blackScholes, qd.Dim(n), rate, volatility, s[0], s[1], s[2], s[3], s[4])
		args := []uintptr{uintptr(n), bits32(rate), bits32(volatility)}
		for _, s := range s {
			args = append(args, dl.Address(s))
		}
		return laneCase{name: fmt.Sprintf("Black-Scholes, 2^%d", log), symbol: "blackscholes", launch: l, args: args, outputs: s[3:], tolerance: 1e-3}, err
	}
}

// asInts are the same elements as integers.
func asInts(s []float32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}
