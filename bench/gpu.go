package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/nvrtc"
)

//go:embed native/native.cu
var nativeCUDA string

// gpuBatch is the number of launches that are timed together: single ones are
// shorter than the time to wait for them.
var gpuBatch = 50

// gpuSide is the length of a side of the largest arrays, in elements. The tests,
// which have no GPU, make it smaller.
var gpuSide = 8192

// gpuOnly selects cases of section gpu.
var gpuOnly = flag.String("gpu", "", "regular expression: only the cases of section gpu that match")

// A gpuCase measures results on a GPU. Its name is for -gpu, and for the line that says that it was not measured.
type gpuCase struct {
	name string
	run  func(dev *qd.Device) ([]result, error)
}

// gpu times kernels on device "cuda:0". It prints each result at once: should the GPU hang, those before it are known.
// A case that cannot be measured does not stop the others.
func gpu() ([]result, error) {
	dev, err := qd.Open("cuda:0")
	if err != nil {
		return nil, err
	}
	fmt.Println(dev.Description())
	only, err := regexp.Compile(*gpuOnly)
	if err != nil {
		return nil, err
	}
	var failed []string
	for _, c := range gpuCases() {
		if !only.MatchString(c.name) {
			continue
		}
		results, err := c.guarded(dev)
		for _, r := range results {
			fmt.Print(r)
		}
		if err != nil {
			fmt.Printf("%-34s not measured: %v\n", "gpu: "+c.name, err)
			failed = append(failed, c.name)
		}
	}
	if len(failed) > 0 {
		return nil, fmt.Errorf("not measured: %s", strings.Join(failed, ", "))
	}
	return nil, nil
}

// gpuCases lists the cases, the short ones first.
func gpuCases() []gpuCase {
	return slices.Concat(
		[]gpuCase{{"launches", gpuLaunches}, {"graph", gpuGraph}},
		gpuNativeCases(), gpuTileCases(), gpuAttentionCases(), gpuParCases(), gpuGradientCases(), gpuColdCases())
}

// guarded runs a case. A panic is an error of the case.
func (c gpuCase) guarded(dev *qd.Device) (results []result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.Join(err, fmt.Errorf("panic: %v", r))
		}
	}()
	return c.run(dev)
}

// gpuNativeCases are the examples' kernels beside hand-written CUDA, compiled by the same NVRTC with the same options.
func gpuNativeCases() (list []gpuCase) {
	native := sync.OnceValues(openNativeGPU)
	for _, c := range []struct {
		name string
		run  func(*qd.Device, *nativeGPU) (result, error)
	}{{"saxpy", gpuSaxpy}, {"heat", gpuHeat}, {"mandelbrot", gpuMandelbrot}, {"blur", gpuBlur}} {
		list = append(list, gpuCase{c.name, func(dev *qd.Device) ([]result, error) {
			g, err := native()
			if err != nil {
				return nil, err
			}
			r, err := c.run(dev, g)
			if err != nil {
				return nil, err
			}
			return []result{r}, nil
		}})
	}
	return list
}

// nativeGPU is the hand-written side.
type nativeGPU struct {
	dev *cuda.Device
	mod *cuda.Module
}

func openNativeGPU() (*nativeGPU, error) {
	driver, err := cuda.Open()
	if err != nil {
		return nil, err
	}
	dev, err := driver.Device(0)
	if err != nil {
		return nil, err
	}
	lib, err := nvrtc.FindUpTo(driver.Version().Major)
	if err != nil {
		return nil, err
	}
	arch, err := lib.Target(10*dev.Info().Major + dev.Info().Minor)
	if err != nil {
		return nil, err
	}
	code, err := lib.Compile(nativeCUDA, "native.cu", nvrtc.Options{Arch: arch})
	if err != nil {
		return nil, err
	}
	image := code.Cubin
	if image == nil {
		image = code.PTX
	}
	mod, err := dev.Load(image, nil)
	return &nativeGPU{dev, mod}, err
}

// copyOf copies a slice to the device.
func copyOf[T float32 | int32](g *nativeGPU, host []T) (*cuda.Memory, error) {
	m, err := g.dev.Alloc(4 * len(host))
	if err == nil {
		err = m.Write(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(host))), 4*len(host)))
	}
	return m, err
}

// compareGPU times batches of launches of both sides, after making sure that one
// launch of each, of the same inputs, gives the same.
func compareGPU[T float32 | int32](g *nativeGPU, name, symbol string, ours *qd.Prepared, out *qd.Array[T], outNative *cuda.Memory, threads int, args ...any) (result, error) {
	kernel, err := g.mod.Kernel(symbol)
	if err != nil {
		return result{}, err
	}
	theirs, err := kernel.Launch(g.dev.Stream(), pack(args), int64(threads), 0)
	if err != nil {
		return result{}, err
	}
	if err := errors.Join(ours.Launch(), theirs.Run(), g.dev.Stream().Sync(context.Background())); err != nil {
		return result{}, err
	}
	here, there := out.Slice(), make([]T, out.Len())
	if err := outNative.Read(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(there))), 4*len(there))); err != nil {
		return result{}, err
	}
	for i := range here {
		if here[i] != there[i] {
			return result{}, fmt.Errorf("%s: element %d is %v here and %v there", name, i, here[i], there[i])
		}
	}
	batch := func(launch func() error) func() (time.Duration, error) {
		return timed(func() error {
			for range gpuBatch {
				if err := launch(); err != nil {
					return err
				}
			}
			return g.dev.Sync()
		})
	}
	da, db, err := sideBySide(batch(ours.Launch), batch(theirs.Run))
	return result{name: "gpu: " + name, ours: da / time.Duration(gpuBatch), theirs: db / time.Duration(gpuBatch)}, err
}

// pack lays arguments out as C lays out a struct of them.
func pack(args []any) []byte {
	var b []byte
	for _, a := range args {
		if m, ok := a.(*cuda.Memory); ok {
			a = uint64(m.Address())
		}
		size := binary.Size(a)
		for len(b)%size != 0 {
			b = append(b, 0)
		}
		b, _ = binary.Append(b, binary.NativeEndian, a) // of fixed-size numbers there is no error
	}
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

func gpuSaxpy(dev *qd.Device, g *nativeGPU) (result, error) {
	n := gpuSide * gpuSide
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%1000)*1e-3, 1
	}
	ax, ay := qd.From(dev, x), qd.From(dev, y)
	mx, err1 := copyOf(g, x)
	my, err2 := copyOf(g, y)
	p, err3 := dev.Bind(saxpy, qd.Dim(n), 0.5, ax, ay)
	if err := errors.Join(err1, err2, err3); err != nil {
		return result{}, err
	}
	return compareGPU(g, fmt.Sprintf("saxpy, %d", n), "native_saxpy", p, ay, my, n, int64(n), float32(0.5), mx, my)
}

func gpuHeat(dev *qd.Device, g *nativeGPU) (result, error) {
	n := gpuSide
	u := make([]float32, n*n)
	for i := range u {
		u[i] = float32(i*7919%1000) * 1e-3
	}
	au, anext := qd.From(dev, u), qd.Zeros[float32](dev, n*n)
	mu, err1 := copyOf(g, u)
	mnext, err2 := copyOf(g, make([]float32, n*n))
	p, err3 := dev.Bind(heat, qd.Dim(n, n), 0.2, au, anext)
	if err := errors.Join(err1, err2, err3); err != nil {
		return result{}, err
	}
	return compareGPU(g, fmt.Sprintf("heat, %d x %d", n, n), "native_heat", p, anext, mnext, n*n, int32(n), int32(n), float32(0.2), mu, mnext)
}

func gpuMandelbrot(dev *qd.Device, g *nativeGPU) (result, error) {
	height, width := gpuSide/4, 3*gpuSide/8
	const limit, x0, y0 = 1000, -2.25, -1.0
	pixel := 3 / float64(width)
	out := qd.Zeros[int32](dev, height*width)
	mout, err1 := copyOf(g, make([]int32, height*width))
	p, err2 := dev.Bind(mandelbrot, qd.Dim(height, width), x0, y0, pixel, limit, out)
	if err := errors.Join(err1, err2); err != nil {
		return result{}, err
	}
	return compareGPU(g, fmt.Sprintf("mandelbrot, %d x %d", width, height), "native_mandelbrot", p, out, mout, height*width,
		int32(height), int32(width), math.Float64bits(x0), math.Float64bits(y0), math.Float64bits(pixel), int32(limit), mout)
}

func gpuBlur(dev *qd.Device, g *nativeGPU) (result, error) {
	const taps = 31
	height, width := gpuSide/2, gpuSide/2
	in, weights := make([]float32, height*width), make([]float32, taps)
	for i := range in {
		in[i] = float32(i*7919%256) / 255
	}
	for i := range weights {
		weights[i] = 1.0 / taps
	}
	ain, aw, aout := qd.From(dev, in), qd.From(dev, weights), qd.Zeros[float32](dev, height*width)
	mIn, err1 := copyOf(g, in)
	mw, err2 := copyOf(g, weights)
	mout, err3 := copyOf(g, make([]float32, height*width))
	p, err4 := dev.Bind(blur, qd.Dim(height, width), aw, ain, aout)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return result{}, err
	}
	return compareGPU(g, fmt.Sprintf("blur, %d taps, %d x %d", taps, width, height), "native_blur", p, aout, mout, height*width,
		int32(height), int32(width), int32(taps), mw, mIn, mout)
}
