package qd_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

//qd:kernel
func eightParameters(t qd.Thread, x, y []float32, a, b []int32, i int, f float32, d float64, yes bool) {
	if id := t.ID(); yes {
		y[id] = x[id]*f + float32(d)
		b[id] = a[id] + int32(i)
	}
}

//qd:kernel
func otherTypes(t qd.Thread, b []uint8, c byte, v [2]int16, s struct{ A, B int32 }, h qd.Float16, z complex64, x []int64) {
	x[t.ID()] = int64(b[t.ID()]) + int64(c) + int64(v[1]) + int64(s.B) + int64(h.Float32()) + int64(imag(z))
}

// A launch of a release build that is not prepared allocates nothing on device cpu, beside what Go makes of its arguments.
func TestLaunchDoesNotAllocate(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	if raceDetector {
		t.Skip("which has a sync.Pool forget things at random")
	}
	x, y, a, b := make([]float32, 4), make([]float32, 4), make([]int32, 4), make([]int32, 4)
	for name, args := range map[string][]any{
		"slices": {x, y, a, b, 3, float32(2), 0.5, true},
		"arrays": {qd.From(dev, x), qd.From(dev, y), qd.From(dev, a), qd.From(dev, b), 3, float32(2), 0.5, true},
	} {
		var err error
		n := testing.AllocsPerRun(100, func() { err = dev.Launch(eightParameters, qd.Dim(4), args...) })
		if n != 0 || err != nil {
			t.Errorf("%s: %v allocations, error %v", name, n, err)
		}
	}
	// The list of arguments that a caller writes out is on its stack: a launch does not keep it. A slice among them is a copy on the heap.
	c, d, e, f := qd.From(dev, x), qd.From(dev, y), qd.From(dev, a), qd.From(dev, b)
	for name, of := range map[string]struct {
		launch func() error
		allocs float64
	}{
		"written out, arrays": {func() error { return dev.Launch(eightParameters, qd.Dim(4), c, d, e, f, 3, float32(2), 0.5, true) }, 0},
		"written out, slices": {func() error { return dev.Launch(eightParameters, qd.Dim(4), x, y, a, b, 3, float32(2), 0.5, true) }, 4},
	} {
		var err error
		if n := testing.AllocsPerRun(100, func() { err = of.launch() }); n != of.allocs || err != nil {
			t.Errorf("%s: %v allocations, want %v, error %v", name, n, of.allocs, err)
		}
	}
}

// A launch uses the memory of one before it. It has nothing of that one but the memory: not its arguments, its size, its fault, or
// its context; and the memory does not keep arguments alive.
func TestLaunchAfterLaunch(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		checked := dev.Checked()
		for n := 1; n <= 40; n++ {
			x, y, a, b := ramp(n), make([]float32, n), make([]int32, n), make([]int32, n)
			noError(t, dev.Launch(eightParameters, qd.Dim(n), x, qd.From(dev, y), a, b, n, float32(2), 0.5, true))
			var fault *qd.Fault
			if err := checked.Launch(eightParameters, qd.Dim(n), x, make([]float32, n), a[:n-1], b, n, float32(2), 0.5, true); !errors.As(err, &fault) {
				t.Fatalf("%d threads: %v", n, err)
			}
			bytes, sums := make([]uint8, n), make([]int64, n)
			bytes[n-1] = uint8(n)
			noError(t, dev.Launch(otherTypes, qd.Dim(n), bytes, byte(1), [2]int16{0, 2}, struct{ A, B int32 }{0, 3}, qd.ToFloat16(4), complex64(complex(0, 5)), sums))
			if sums[n-1] != int64(n)+15 {
				t.Errorf("%d threads: %v", n, sums)
			}
			noError(t, dev.Launch(eightParameters, qd.Dim(n), x, y, a, b, n, float32(2), 0.5, false))
			if y[n-1] != 0 {
				t.Errorf("%d threads: %v", n, y)
			}
			noError(t, dev.Launch(eightParameters, qd.Dim(n), x, y, a, b, n, float32(2), 0.5, true))
			if y[n-1] != 2*float32(n-1)+0.5 || b[n-1] != int32(n) {
				t.Errorf("%d threads: %v, %v", n, y, b)
			}
		}
		freed := make(chan bool, 1)
		func() {
			big := make([]float32, 1<<16)
			runtime.AddCleanup(&big[0], func(c chan bool) { c <- true }, freed)
			noError(t, dev.Launch(eightParameters, qd.Dim(1), big, big, []int32{0}, []int32{0}, 1, float32(2), 0.5, false))
		}()
		// A pool keeps its memory for one collection more, and nobody but this test asks for one soon.
		for collections := 1; ; collections++ {
			runtime.GC()
			select {
			case <-freed:
				return
			case <-time.After(10 * time.Millisecond):
			}
			if collections == 1000 {
				t.Fatalf("an argument is kept after its launch and %d collections", collections)
			}
		}
	})
}

// Launches at the same time have memory of their own each.
func TestLaunchesAtOnce(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		noError(t, dev.Launch(eightParameters, qd.Dim(1), []float32{0}, []float32{0}, []int32{0}, []int32{0}, 1, float32(2), 0.5, true))
		var all sync.WaitGroup
		errs := make([]error, 8)
		for g := range errs {
			all.Go(func() {
				for n := 1; n < 50; n++ {
					x, y, a, b := ramp(n), make([]float32, n), make([]int32, n), make([]int32, n)
					err := dev.Launch(eightParameters, qd.Dim(n), x, y, a, b, g, float32(g), 0.5, true)
					if last := n - 1; err == nil && (y[last] != float32(g*last)+0.5 || b[last] != int32(g)) {
						err = fmt.Errorf("goroutine %d, %d threads: %v, %v", g, n, y, b)
					}
					errs[g] = errors.Join(errs[g], err)
				}
			})
		}
		all.Wait()
		noError(t, errors.Join(errs...))
	})
}
