package main

import (
	_ "embed"
	"time"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/indexing.cpp
var indexingSource []byte

// indexing times kernels that read their neighbours, and random numbers, beside C++: as one writes it, and with the
// first and the last column out of the loop.
func indexing() ([]result, error) {
	return besideNative("indexing.cpp", indexingSource, wrapCase("wrapping by %", wrapRemainder), wrapCase("wrapping by tests", wrapTest),
		blur3Case, blur3ViewCase, boltzmannCase, philoxCase, pcgCase, pixelsCase, grayCase, brightenCase, brightenSomeCase, windowCase, flatCase, divisorsCase)
}

// besidePlain are the two ways to write a kernel that reads its neighbours.
var besidePlain = []kind{{"native_", "", 1.1}, {"tuned_", ", columns apart", 1.1}}

// gridSide is how many rows and columns a grid has.
const gridSide = 2048

func wrapCase(name string, kernel any) func(*qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		const r = 0.2
		u, next := ramps(1, gridSide*gridSide)[0], make([]float32, gridSide*gridSide)
		l, err := dev.Bind(kernel, qd.Dim(gridSide, gridSide), r, u, next)
		args := []uintptr{gridSide, gridSide, bits32(r), dl.Address(u), dl.Address(next)}
		return laneCase{name: name, symbol: "wrap", launch: l, args: args, outputs: [][]float32{next}, kinds: besidePlain}, err
	}
}

func blur3Case(dev *qd.Device) (laneCase, error) {
	in, out := ramps(1, gridSide*gridSide)[0], make([]float32, gridSide*gridSide)
	l, err := dev.Bind(blur3, qd.Dim(gridSide, gridSide), in, out)
	return blur3Beside("3x3 blur by Clamp", l, in, out), err
}

func blur3ViewCase(dev *qd.Device) (laneCase, error) {
	in, out := ramps(1, gridSide*gridSide)[0], make([]float32, gridSide*gridSide)
	l, err := dev.Bind(blur3View, qd.Dim(gridSide, gridSide), qd.ViewOf2(in, gridSide, gridSide), qd.ViewOf2(out, gridSide, gridSide))
	return blur3Beside("3x3 blur by Clamp, View2", l, in, out), err
}

func blur3Beside(name string, l *qd.Prepared, in, out []float32) laneCase {
	args := []uintptr{gridSide, gridSide, dl.Address(in), dl.Address(out)}
	return laneCase{name: name, symbol: "blur3", launch: l, args: args, outputs: [][]float32{out}, kinds: besidePlain}
}

func boltzmannCase(dev *qd.Device) (laneCase, error) {
	const side, omega = 512, 1.2
	f, next := ramps(1, 9*side*side)[0], make([]float32, 9*side*side)
	for i := range f {
		f[i] += 1
	}
	l, err := dev.Bind(latticeBoltzmann, qd.Dim(side, side), omega, f, next)
	args := []uintptr{side, side, bits32(omega), dl.Address(f), dl.Address(next)}
	return laneCase{name: "LBM D2Q9, 512 x 512", symbol: "lbm", launch: l, args: args, outputs: [][]float32{next}, kinds: besidePlain}, err
}

// randoms is how many random numbers are made.
const randoms = 1 << 20

func philoxCase(dev *qd.Device) (laneCase, error) {
	const seed = 0x123456789
	out := make([]float32, 2*randoms)
	l, err := dev.Bind(randomNumbers, qd.Dim(randoms), seed, unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(out))), randoms))
	return laneCase{name: "Philox, 2^20", symbol: "philox", launch: l, args: []uintptr{randoms, seed, dl.Address(out)}, outputs: [][]float32{out}, kinds: []kind{{"native_", "", 1.05}}}, err
}

func pcgCase(dev *qd.Device) (laneCase, error) {
	out := make([]float32, randoms)
	l, err := dev.Bind(pcg, qd.Dim(randoms), unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(out))), randoms))
	return laneCase{name: "pcg, 2^20", symbol: "pcg", launch: l, args: []uintptr{randoms, dl.Address(out)}, outputs: [][]float32{out}, kinds: []kind{{"native_", "", 1.05}}}, err
}

// pixelsCase launches over rows of three threads, often enough before it is measured that the kernel has been compiled for
// such rows.
func pixelsCase(dev *qd.Device) (laneCase, error) {
	const height, width = 1080, 1920
	in, out := ramps(1, height*width*3)[0], make([]float32, height*width*3)
	l, err := dev.Bind(tonePixels, qd.Dim(height, width, 3), qd.ViewOf3(in, height, width, 3), qd.ViewOf3(out, height, width, 3))
	for start := time.Now(); err == nil && time.Since(start) < time.Second; {
		err = l.Launch()
	}
	return laneCase{name: "tones of pixels, launched over 3 channels", symbol: "pixels", launch: l,
		args: []uintptr{height, width, dl.Address(in), dl.Address(out)}, outputs: [][]float32{out}, tolerance: 1e-6, kinds: []kind{{}}}, err
}

// grayCase computes with bytes as ints.
func grayCase(dev *qd.Device) (laneCase, error) {
	const pixels = 1920 * 1080
	rgb, light := make([]uint8, 3*pixels), make([]float32, pixels)
	for i, v := range noise(len(rgb)) {
		rgb[i] = uint8(v * 256)
	}
	l, err := dev.Bind(grayPixels, qd.Dim(pixels), rgb, light)
	return laneCase{name: "light of RGB bytes, in integers", symbol: "gray", launch: l,
		args: []uintptr{pixels, dl.Address(rgb), dl.Address(light)}, outputs: [][]float32{light}, kinds: []kind{{}}}, err
}

// brightenCase changes bytes of pixels, and writes them to another slice.
func brightenCase(dev *qd.Device) (laneCase, error) {
	const count, gain = 1920 * 1080, 1.25
	pixels, out := bytePixels(count)
	l, err := dev.Bind(brighten, qd.Dim(count), gain, pixels, bytesOf(out))
	return laneCase{name: "brighter RGB bytes, channel by channel", symbol: "brighten", launch: l,
		args: []uintptr{count, bits32(gain), dl.Address(pixels), dl.Address(out)}, outputs: [][]float32{out}, kinds: []kind{{}}}, err
}

// brightenSomeCase does so with some of them: 40 next to each other, and none of the next 40.
func brightenSomeCase(dev *qd.Device) (laneCase, error) {
	const count, gain = 1920 * 1080, 1.25
	pixels, out := bytePixels(count)
	mask := make([]uint8, count)
	for i := range mask {
		mask[i] = uint8(i / 40 % 2)
	}
	l, err := dev.Bind(brightenSome, qd.Dim(count), gain, mask, pixels, bytesOf(out))
	return laneCase{name: "some brighter RGB bytes, channel by channel", symbol: "brighten_some", launch: l,
		args: []uintptr{count, bits32(gain), dl.Address(mask), dl.Address(pixels), dl.Address(out)}, outputs: [][]float32{out}, kinds: []kind{{}}}, err
}

// bytePixels are pixels of three bytes each, and memory for as many.
func bytePixels(count int) (pixels []uint8, out []float32) {
	pixels = make([]uint8, 3*count)
	for i, v := range noise(len(pixels)) {
		pixels[i] = uint8(v * 256)
	}
	return pixels, make([]float32, 3*count/4)
}

// bytesOf is the memory of floats.
func bytesOf(x []float32) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

// windowCase adds up numbers around each, in a loop whose length the launch says.
func windowCase(dev *qd.Device) (laneCase, error) {
	const height, width, radius = 1080, 1920, 4
	u, sums := ramps(1, height*width)[0], make([]float32, height*width)
	l, err := dev.Bind(windowSums, qd.Dim(height, width), width, radius, u, sums)
	return laneCase{name: "sums of windows of any radius", symbol: "windows", launch: l,
		args: []uintptr{height, width, radius, dl.Address(u), dl.Address(sums)}, outputs: [][]float32{sums}, kinds: []kind{{}}}, err
}

// flatCase takes the index of a launch over one dimension apart.
func flatCase(dev *qd.Device) (laneCase, error) {
	u, next := ramps(1, gridSide*gridSide)[0], make([]float32, gridSide*gridSide)
	l, err := dev.Bind(heatFlat, qd.Dim(gridSide*gridSide), gridSide, gridSide, u, next)
	return laneCase{name: "heat, launched over one dimension", symbol: "heat_flat", launch: l,
		args: []uintptr{gridSide, gridSide, dl.Address(u), dl.Address(next)}, outputs: [][]float32{next}, kinds: []kind{{}}}, err
}

// divisorsCase divides integers by others that are not known.
func divisorsCase(dev *qd.Device) (laneCase, error) {
	const n = 1 << 18
	a, b, divisors := make([]int32, n), make([]int32, n), make([]float32, n)
	for i, v := range noise(2 * n) {
		if x := int32(v * (1 << 20)); i < n {
			a[i] = x
		} else {
			b[i-n] = x
		}
	}
	l, err := dev.Bind(divisorsOf, qd.Dim(n), a, b, divisors)
	return laneCase{name: "greatest common divisors", symbol: "divisors", launch: l,
		args: []uintptr{n, dl.Address(a), dl.Address(b), dl.Address(divisors)}, outputs: [][]float32{divisors}, kinds: []kind{{}}}, err
}
