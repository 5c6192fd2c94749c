package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/tiles.cpp
var tilesSource []byte

// tiles times kernels that compute with tiles: products of matrices beside OpenBLAS, softmax and layer norm beside C++
// with vectors, and attention beside the same in three steps: see attention.go.
func tiles() ([]result, error) {
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	libs, err := nativeByAll("tiles.cpp", tilesSource)
	if err != nil {
		return nil, err
	}
	results, err := measureAll(dev, libs, []func(*qd.Device) (laneCase, error){softmaxCase, layerNormCase})
	if err != nil {
		return results, err
	}
	for _, causal := range []bool{false, true} {
		r, err := attentionBeside(dev, causal)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	blas, absent := openBLAS()
	for _, n := range []int{1024, 2048} {
		r, err := matmulBeside(dev, blas, n)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, absent
}

const tileRows = 4096

func softmaxCase(dev *qd.Device) (laneCase, error) {
	x, y := ramps(1, tileRows*rowWidth)[0], make([]float32, tileRows*rowWidth)
	for i := range x {
		x[i] *= 8
	}
	l, err := dev.Bind(tileSoftmax, qd.Dim(tileRows), qd.ViewOf2(x, tileRows, rowWidth), qd.ViewOf2(y, tileRows, rowWidth))
	return laneCase{name: "softmax 4096 x 1024", symbol: "softmax", launch: l, args: []uintptr{tileRows, dl.Address(x), dl.Address(y)}, outputs: [][]float32{y}, tolerance: 1e-5,
		kinds: []kind{{"native_", "", 1.1}}}, err
}

func layerNormCase(dev *qd.Device) (laneCase, error) {
	x, y := ramps(1, tileRows*rowWidth)[0], make([]float32, tileRows*rowWidth)
	w := ramps(2, rowWidth)
	l, err := dev.Bind(tileLayerNorm, qd.Dim(tileRows), qd.ViewOf2(x, tileRows, rowWidth), w[0], w[1], qd.ViewOf2(y, tileRows, rowWidth))
	return laneCase{name: "layer norm 4096 x 1024", symbol: "layernorm", launch: l, args: []uintptr{tileRows, dl.Address(x), dl.Address(w[0]), dl.Address(w[1]), dl.Address(y)}, outputs: [][]float32{y},
		tolerance: 1e-4, kinds: []kind{{"native_", "", 1.1}}}, err
}

var openBLASPath = flag.String("openblas", "", "the library of OpenBLAS that section tiles compares with, if it is none of the system's; also one that a package of Python brings, whose functions have names of their own")

// openBLAS opens its product of matrices in single precision, 0 without one. Some packages bring a library whose
// functions have a prefix, for integers of 32 bits or of 64.
func openBLAS() (sgemm uintptr, err error) {
	names := []string{"libopenblas.so.0", "libopenblas.so", "libscipy_openblas.so"}
	if *openBLASPath != "" {
		names = []string{*openBLASPath}
	}
	for _, name := range names {
		lib, err := dl.Open(name)
		if err != nil {
			continue
		}
		for _, symbol := range []string{"sgemm_", "scipy_sgemm_", "scipy_sgemm_64_"} {
			if sgemm, err := lib.Symbol(symbol); err == nil {
				return sgemm, nil
			}
		}
		return 0, missing("matmul beside OpenBLAS: %s has no sgemm_", name)
	}
	return 0, missing("matmul beside OpenBLAS: there is no %s; install libopenblas0, or name a library with -openblas", names[0])
}

// matmulBeside times a tuned product of matrices beside OpenBLAS, and alone without it.
func matmulBeside(dev *qd.Device, sgemm uintptr, n int) (result, error) {
	in, z, other := ramps(2, n*n), make([]float32, n*n), make([]float32, n*n)
	view := func(x []float32) qd.View2[float32] { return qd.ViewOf2(x, n, n) }
	tuned := qd.Tune(qd.NewKernel(tileMatmul).WithDevice(dev), []tileConfig{
		{64, 64, 64, 4}, {32, 64, 32, 8}, {64, 32, 32, 8}, {128, 64, 64, 4}, {128, 128, 64, 4}, {128, 128, 128, 4}, {256, 128, 64, 2},
	}, qd.TuneKey("x", "y"), qd.TuneGrid(func(c tileConfig, a qd.Args) qd.Dims {
		return qd.Dim(qd.CeilDiv(a.Dim("z", 0), c.M) * qd.CeilDiv(a.Dim("z", 1), c.N))
	}))
	run := func() error { return tuned.Run(view(in[0]), view(in[1]), view(z)) }
	if err := run(); err != nil {
		return result{}, err
	}
	best, err := tuned.Best(view(in[0]), view(in[1]), view(z))
	if err != nil {
		return result{}, err
	}
	r := result{name: fmt.Sprintf("matmul %d float32, tuned", n), note: fmt.Sprintf("tiles %+v", best)}
	speed := func() {
		r.note += fmt.Sprintf(", %.1f GFLOP/s", 2*math.Pow(float64(n), 3)/r.ours.Seconds()/1e9)
	}
	if sgemm == 0 {
		r.ours, _, err = sideBySide(rested(run), rested(func() error { return nil }))
		speed()
		return r, err
	}
	// By columns, as Fortran has matrices, these are the transposed ones: their product is y x.
	// The first half of a small integer of 64 bits is that of 32.
	size, plain, alpha, beta := int64(n), [1]byte{'N'}, float32(1), float32(0)
	at := func(p unsafe.Pointer) uintptr { return uintptr(p) }
	theirs := func() error {
		dl.Call(sgemm, at(unsafe.Pointer(&plain)), at(unsafe.Pointer(&plain)), at(unsafe.Pointer(&size)), at(unsafe.Pointer(&size)), at(unsafe.Pointer(&size)), at(unsafe.Pointer(&alpha)),
			dl.Address(in[1]), at(unsafe.Pointer(&size)), dl.Address(in[0]), at(unsafe.Pointer(&size)), at(unsafe.Pointer(&beta)), dl.Address(other), at(unsafe.Pointer(&size)))
		return nil
	}
	if err := theirs(); err != nil {
		return r, err
	}
	for i := range z {
		if math.Abs(float64(z[i]-other[i])) > 1e-4*math.Abs(float64(z[i])) {
			return r, fmt.Errorf("%s: element %d is %v here and %v there", r.name, i, z[i], other[i])
		}
	}
	r.bound.ratio = 1 / 0.7 // 0.7 of the throughput
	r.ours, r.theirs, err = sideBySide(rested(run), rested(theirs))
	speed()
	return r, err
}
