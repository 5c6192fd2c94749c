package qd_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/build"
)

// Kernels that are compiled together, and fail in one function or in their own.

func atMost(x, most int32) int32 {
	qd.Assert(x <= most, "too large")
	return x
}

//qd:kernel
func failsAlso(t qd.Thread, x, y []int32) { y[t.ID()] = atMost(x[t.ID()], 100) + 1 }

//qd:kernel
func failsToo(t qd.Thread, x, y []int32) {
	qd.Assert(x[t.ID()] >= 0, "negative")
	y[t.ID()] = atMost(x[t.ID()], 50) + 2
}

//qd:kernel
func failsAsWell(t qd.Thread, x, y []int32) { y[t.ID()] = 60 / x[t.ID()] }

// failsAt reads an element behind its own. Its checks are decided once for a launch that stays in range.
//
//qd:kernel
func failsAt(t qd.Thread, by qd.Const[int32], x, y []int32) { y[t.ID()] = x[t.ID()+int(by.V)] + by.V }

// A failing is a launch that fails, and what its fault says.
type failing struct {
	kernel any
	consts []any
	x      []int32
	dim    int
	reason string
	thread int
	col    int
}

// Kernels of one module that fail at the same time on several goroutines each report their own fault, and those that
// do not fail report none and compute what they should. Each goroutine has a stream, as a fault on a GPU is found by
// whoever waits for its stream.
func TestFaultsTogether(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		cases := []failing{
			{failsAlso, nil, []int32{1, 2, 101, 3}, 4, "assertion failed: too large", 2, 2},
			{failsToo, nil, []int32{1, 51, 2, 3}, 4, "assertion failed: too large", 1, 2},
			{failsToo, nil, []int32{1, 2, 3, -1}, 4, "assertion failed: negative", 3, 2},
			{failsAsWell, nil, []int32{0, 1, 2, 3}, 4, "integer divide by zero", 0, 0},
		}
		specializations := []any{failsAlso, failsToo, failsAsWell}
		for by := int32(1); by <= 6; by++ {
			cases = append(cases, failing{failsAt, []any{qd.C(by)}, make([]int32, 10), 11 - int(by), "index out of range [10] with length 10", 10 - int(by), 0})
			specializations = append(specializations, qd.Spec(failsAt, qd.C(by)))
		}
		before := build.Count.Loaded.Load()
		if err := dev.Build(specializations...); err != nil {
			t.Fatal(err)
		}
		// What is built together is in a text for each core at most, and so is what stands beside it in the source.
		if n := build.Count.Loaded.Load() - before; n > int64(min(2*runtime.GOMAXPROCS(0), len(specializations)-1)) {
			t.Errorf("%d modules for %d kernels", n, len(specializations))
		}
		var wg sync.WaitGroup
		for _, c := range cases {
			wg.Go(func() {
				s, err := dev.NewStream()
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				for range 20 {
					c.fails(t, s)
					c.works(t, s)
				}
			})
		}
		wg.Wait()
	})
}

// fails launches what fails.
func (c *failing) fails(t *testing.T, s *qd.Stream) {
	err := errors.Join(s.Launch(c.kernel, qd.Dim(c.dim), append(slices.Clone(c.consts), c.x, make([]int32, len(c.x)))...), s.Sync(context.Background()))
	var f *qd.Fault
	if !errors.As(err, &f) {
		t.Errorf("error %v (%T), want a *Fault", err, err)
		return
	}
	if f.Reason != c.reason || !slices.Equal(f.Thread, []int{c.thread}) || filepath.Base(f.File) != "faultstogether_test.go" || c.col != 0 && f.Col != 0 && f.Col != c.col {
		t.Errorf("%v, want %q in thread %d", err, c.reason, c.thread)
	}
}

// works launches the kernel with what does not fail.
func (c *failing) works(t *testing.T, s *qd.Stream) {
	x, y := []int32{1, 1, 1, 1, 1, 1, 1, 1}, make([]int32, 2)
	if err := errors.Join(s.Launch(c.kernel, qd.Dim(2), append(slices.Clone(c.consts), x, y)...), s.Sync(context.Background())); err != nil {
		t.Errorf("what is in range: %v", err)
	}
	if y[0] < 2 || y[1] != y[0] {
		t.Errorf("the result is %v", y)
	}
}
