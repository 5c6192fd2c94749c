package e2e

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
)

//qd:kernel
func addTo(t qd.Thread, a int32, y []int32) { y[t.ID()] += a }

//qd:kernel
func triangle(t qd.Thread, y []int32) {
	i := t.ID()
	for k := range i {
		y[i] += int32(k)
	}
}

//qd:kernel
func transpose(t qd.Thread, x, y []int32) {
	i, j := t.ID2()
	y[j*t.Dim(0)+i] = x[i*t.Dim(1)+j]
}

//qd:kernel
func total(t qd.Thread, x []int32, sum []int64) { qd.AtomicAdd(&sum[0], int64(x[t.ID()])) }

// Goroutines launch the same kernels and different ones, on one device, all from
// the first launch on: the modules are built while others ask for them.
func TestConcurrentLaunches(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev := open(t, name)
			const goroutines, rounds = 8, 10
			var start, wg sync.WaitGroup
			start.Add(1)
			for g := range goroutines {
				wg.Go(func() {
					start.Wait()
					for r := range rounds {
						if err := launchOne(dev, (g+r)%4); err != nil {
							t.Errorf("goroutine %d, round %d: %v", g, r, err)
							return
						}
					}
				})
			}
			start.Done()
			wg.Wait()
		})
	}
}

// launchOne launches one of four kernels on memory of its own and looks at the result.
func launchOne(dev *qd.Device, which int) error {
	const n, m = 61, 67
	x, y := make([]int32, n*m), make([]int32, n*m)
	for i := range x {
		x[i] = int32(i)
	}
	want := make([]int32, n*m)
	var err error
	switch which {
	case 0:
		err = dev.Launch(addTo, qd.Dim(len(y)), 7, y)
		for i := range want {
			want[i] = 7
		}
	case 1:
		a := qd.From(dev, y)
		defer a.Free()
		err = dev.Launch(triangle, qd.Dim(len(y)), a)
		y = a.Slice()
		for i := range want {
			want[i] = int32(i * (i - 1) / 2)
		}
	case 2:
		err = dev.Launch(transpose, qd.Dim(n, m), x, y)
		for i := range n {
			for j := range m {
				want[j*n+i] = int32(i*m + j)
			}
		}
	case 3:
		sum := make([]int64, 1)
		err = dev.Launch(total, qd.Dim(len(x)), x, sum)
		if got, want := sum[0], int64(n*m*(n*m-1)/2); err == nil && got != want {
			return fmt.Errorf("the sum is %d, want %d", got, want)
		}
	}
	if err == nil && !slices.Equal(y, want) {
		i := 0
		for y[i] == want[i] {
			i++
		}
		return fmt.Errorf("kernel %d: y[%d] = %d, want %d", which, i, y[i], want[i])
	}
	return err
}

// Goroutines run prepared launches of their own, and streams.
func TestConcurrentPreparedAndStreams(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev := open(t, name)
			const n, launches = 3000, 20
			var wg sync.WaitGroup
			for g := range 6 {
				wg.Go(func() {
					y := qd.Zeros[int32](dev, n)
					if g%2 == 0 {
						p, err := dev.Bind(addTo, qd.Dim(n), g, y)
						for range launches {
							if err == nil {
								err = p.Launch()
							}
						}
						if err != nil {
							t.Error(err)
						}
					} else {
						s, err := dev.NewStream()
						if err != nil {
							t.Error(err)
							return
						}
						for range launches {
							if err := s.Launch(addTo, qd.Dim(n), g, y); err != nil {
								t.Error(err)
							}
						}
						if err := errors.Join(s.Sync(t.Context()), s.Close()); err != nil {
							t.Error(err)
						}
					}
					for i, v := range y.Slice() {
						if v != int32(launches*g) {
							t.Errorf("goroutine %d: y[%d] = %d", g, i, v)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// open opens a device for this process.
func open(t *testing.T, name string) *qd.Device {
	t.Helper()
	dev, err := qd.Open(name)
	var missing *qd.MissingError
	if errors.As(err, &missing) {
		testenv.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dev
}
