package main

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/native.cpp
var nativeSource []byte

// native builds and loads the hand-written side: same compiler, same options,
// and OpenMP.
func native() (*dl.Lib, error) { return buildNative("native.cpp", nativeSource) }

// buildNative builds and loads hand-written C++.
func buildNative(name string, source []byte, options ...string) (*dl.Lib, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	return buildNativeBy(compiler.Path, name, source, slices.Concat(compiler.Flags(), options)...)
}

// buildNativeBy does so by a compiler.
func buildNativeBy(compiler, name string, source []byte, options ...string) (*dl.Lib, error) {
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	src, so := filepath.Join(dir, name), filepath.Join(dir, "native.so")
	if err := os.WriteFile(src, source, 0o600); err != nil {
		return nil, err
	}
	options = append(slices.Clone(options), "-shared", "-o", so, src)
	out, err := exec.Command(compiler, append(slices.Clone(options), "-fopenmp")...).CombinedOutput()
	if err != nil {
		// Without the option the pragmas are comments: what is left to fail is the text.
		if exec.Command(compiler, options...).Run() == nil {
			return nil, missing("%s has no OpenMP; for clang, install libomp-dev", filepath.Base(compiler))
		}
		return nil, fmt.Errorf("the hand-written kernels do not compile: %v\n%s", err, out)
	}
	return dl.Open(so)
}

// throughput times the examples' kernels beside hand-written C++ with OpenMP.
func throughput() ([]result, error) {
	lib, err := native()
	if err != nil {
		return nil, err
	}
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	var results []result
	for _, c := range []func(*dl.Lib, *qd.Device) (result, error){compareSaxpy, compareSaxpyTuned, compareHeat, compareMandelbrot, compareBlur} {
		r, err := c(lib, dev)
		if err != nil {
			return results, err
		}
		if !strings.Contains(r.name, "tuned") {
			r.bound.ratio = 1 / 0.95 // 0.95 of the throughput
		}
		results = append(results, r)
	}
	return results, nil
}

// compare times a prepared launch beside a call of a hand-written function, after
// making sure that both give the same. The checks are made on arrays of their own;
// what is timed works on the same memory, because where memory lies can make more
// of a difference than what is compared.
func compare[T float32 | int32](name string, lib *dl.Lib, fn string, launch *qd.Prepared, ours, theirs []T, args func(out []T) []uintptr) (result, error) {
	addr, err := lib.Symbol(fn)
	if err != nil {
		return result{}, err
	}
	if err := launch.Launch(); err != nil {
		return result{}, err
	}
	dl.Call(addr, args(theirs)...)
	for i := range ours {
		if ours[i] != theirs[i] {
			return result{}, fmt.Errorf("%s: element %d is %v here and %v there", name, i, ours[i], theirs[i])
		}
	}
	same := args(ours)
	da, db, err := sideBySide(rested(launch.Launch), rested(func() error { dl.Call(addr, same...); return nil }))
	return result{name: "throughput " + name, ours: da, theirs: db}, err
}

// rested times a function after a rest: the median of five calls that follow those which warm up.
// OpenMP's threads keep a core busy for 200 ms after their work is done,
// in which the other side would have to do without it.
func rested(f func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		time.Sleep(250 * time.Millisecond)
		// Linux may put a thread that is woken behind another on the same core, and moves it at a tick of up to 10 ms.
		for start := time.Now(); time.Since(start) < warmUp; {
			if err := f(); err != nil {
				return 0, err
			}
		}
		var times []time.Duration
		for range 5 {
			d, err := timed(f)()
			if err != nil {
				return 0, err
			}
			times = append(times, d)
		}
		return median(times), nil
	}
}

// warmUp is how long both sides run before they are timed.
const warmUp = 30 * time.Millisecond

// Floats go to the hand-written side by their bits, as integers: see native/native.cpp.

func compareSaxpy(lib *dl.Lib, dev *qd.Device) (result, error) {
	return saxpyBeside(lib, dev, "saxpy, 2^24", "bench_saxpy")
}

// compareSaxpyTuned is beside what one writes who knows how OpenMP's loops keep
// clang from vectorizing.
func compareSaxpyTuned(lib *dl.Lib, dev *qd.Device) (result, error) {
	return saxpyBeside(lib, dev, "saxpy, 2^24, tuned", "bench_saxpy_tuned")
}

func saxpyBeside(lib *dl.Lib, dev *qd.Device, name, symbol string) (result, error) {
	const n = 1 << 24
	x, y, y2 := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i], y2[i] = float32(i%1000)*1e-3, 1, 1
	}
	l, err := dev.Bind(saxpy, qd.Dim(n), 0.5, x, y)
	if err != nil {
		return result{}, err
	}
	return compare(name, lib, symbol, l, y, y2, func(o []float32) []uintptr {
		return []uintptr{n, uintptr(math.Float32bits(0.5)), dl.Address(x), dl.Address(o)}
	})
}

func compareHeat(lib *dl.Lib, dev *qd.Device) (result, error) {
	const n = 2048
	u, next, next2 := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range u {
		u[i] = float32(i*7919%1000) * 1e-3
	}
	l, err := dev.Bind(heat, qd.Dim(n, n), 0.2, u, next)
	if err != nil {
		return result{}, err
	}
	return compare("heat, 2048 x 2048", lib, "bench_heat", l, next, next2, func(o []float32) []uintptr {
		return []uintptr{n, n, uintptr(math.Float32bits(0.2)), dl.Address(u), dl.Address(o)}
	})
}

func compareMandelbrot(lib *dl.Lib, dev *qd.Device) (result, error) {
	const height, width, limit = 512, 768, 500
	const x0, y0, pixel = -2.25, -1.0, 3.0 / 768
	out, out2 := make([]int32, height*width), make([]int32, height*width)
	l, err := dev.Bind(mandelbrot, qd.Dim(height, width), x0, y0, pixel, limit, out)
	if err != nil {
		return result{}, err
	}
	bits := func(f float64) uintptr { return uintptr(math.Float64bits(f)) }
	return compare("mandelbrot, 768 x 512", lib, "bench_mandelbrot", l, out, out2, func(o []int32) []uintptr {
		return []uintptr{height, width, bits(x0), bits(y0), bits(pixel), limit, dl.Address(o)}
	})
}

func compareBlur(lib *dl.Lib, dev *qd.Device) (result, error) {
	const height, width, taps = 1024, 1024, 31
	in, out, out2 := make([]float32, height*width), make([]float32, height*width), make([]float32, height*width)
	for i := range in {
		in[i] = float32(i*7919%256) / 255
	}
	weights := make([]float32, taps)
	for i := range weights {
		weights[i] = 1.0 / taps
	}
	l, err := dev.Bind(blur, qd.Dim(height, width), weights, in, out)
	if err != nil {
		return result{}, err
	}
	return compare("blur, 31 taps, 1024 x 1024", lib, "native_blur", l, out, out2, func(o []float32) []uintptr {
		return []uintptr{height, width, taps, dl.Address(weights), dl.Address(in), dl.Address(o)}
	})
}
