package qd_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

//qd:kernel
func reverseBlocks(t qd.Thread, x []int32) {
	s := qd.Shared[int32](t, 1024)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	last := t.BlockDim() - 1
	if rest := len(x) - t.BlockID()*t.BlockDim(); rest <= last {
		last = rest - 1
	}
	x[t.ID()] = s[last-t.Lane()]
}

// The number of threads in a block is what the launch asks for, 256 otherwise, on
// every device; the last block has what is left.
func TestBlockDim(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, c := range []struct{ n, block int }{{1, 0}, {256, 0}, {257, 0}, {1000, 0}, {1000, 1}, {1000, 7}, {1000, 64}, {1000, 1024}, {5000, 1024}} {
			k, block := qd.NewKernel(reverseBlocks), 256
			if c.block != 0 {
				k, block = k.WithBlockDim(c.block), c.block
			}
			x := make([]int32, c.n)
			for i := range x {
				x[i] = int32(i)
			}
			if err := dev.Launch(k, qd.Dim(c.n), x); err != nil {
				t.Fatal(err)
			}
			for i, got := range x {
				first := i / block * block
				if want := int32(first + min(first+block, c.n) - 1 - i); got != want {
					t.Errorf("%d threads in blocks of %d: element %d is %d, not %d", c.n, block, i, got, want)
					break
				}
			}
		}
	})
}

//qd:kernel
func twoSyncs(t qd.Thread, x []int32) {
	if x[t.ID()] > 0 {
		t.Sync()
	} else {
		t.Sync()
	}
	x[t.ID()]++
}

//qd:kernel
func panicBeforeSync(t qd.Thread, x []int32) {
	if t.ID() == 3 {
		x[100] = 1
	}
	t.Sync()
	x[t.ID()]++
	t.Sync()
}

//qd:kernel
func someSync(t qd.Thread, x []int32) {
	if x[t.ID()] > 0 {
		t.Sync()
	}
	x[t.ID()]++
}

// inTime fails a test that hangs.
func inTime(t *testing.T, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(5 * time.Minute):
		t.Fatal("the launch hangs")
		return nil
	}
}

// A wrong program gets a fault and does not hang: threads that wait at different
// barriers, and one that panics while others wait for it. Threads that return are
// not waited for.
func TestBarrierFaults(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]int32, 64)
	for i := range x {
		x[i] = int32(i % 2)
	}
	var fault *qd.Fault
	err = inTime(t, func() error { return dev.Launch(twoSyncs, qd.Dim(64), x) })
	if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "barrier divergence") || !strings.Contains(fault.Reason, " for this thread at the Sync at block_test.go:") || !strings.HasSuffix(fault.File, "block_test.go") {
		t.Errorf("different barriers: %v", err)
	}
	err = inTime(t, func() error { return dev.Launch(panicBeforeSync, qd.Dim(64), x) })
	if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "index out of range [100]") || len(fault.Thread) != 1 || fault.Thread[0] != 3 {
		t.Errorf("a panic before a barrier: %v", err)
	}
	x = []int32{0, 1, 2, 0}
	if err := inTime(t, func() error { return dev.Launch(someSync, qd.Dim(4), x) }); err != nil || x[0] != 1 || x[2] != 3 {
		t.Errorf("threads that return: %v %v", x, err)
	}
}

//qd:kernel
func faultyPhase(t qd.Thread, x []int32) {
	s := qd.Shared[int32](t, 64)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	if t.ID() == 70 {
		x[t.ID()+1000] = s[0]
	}
	t.Sync()
	x[t.ID()] = s[63-t.Lane()]
}

//qd:kernel
func faultyLane(b qd.Block, x []int32) {
	s := qd.Shared[int32](b, 64)
	b.For(64, func(lane int) {
		if b.ID() == 3 && lane == 9 {
			s[lane*10] = 1
		}
		s[lane] = x[b.ID()*64+lane]
	})
}

//qd:kernel
func blockReverse(b qd.Block, x []int32) {
	s := qd.Shared[int32](b, 64)
	b.For(64, func(lane int) { s[63-lane] = x[b.ID()*64+lane] })
	b.For(64, func(lane int) { x[b.ID()*64+lane] = s[lane] })
}

// In a checked build a fault between barriers, or in a lane, is that of its thread or
// block, at its line; and what is right is right.
func TestCheckedBlocks(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		var fault *qd.Fault
		x := make([]int32, 256)
		err := inTime(t, func() error { return runAndWait(dev, qd.NewKernel(faultyPhase).WithBlockDim(64), 256, x) })
		if !errors.As(err, &fault) || fault.Thread[0] != 70 || fault.Index != 1070 || fault.Len != 256 {
			t.Errorf("between barriers: %v", err)
		}
		err = inTime(t, func() error { return runAndWait(dev, faultyLane, 4, x) })
		if !errors.As(err, &fault) || fault.Thread[0] != 3 || fault.Index != 90 || fault.Len != 64 {
			t.Errorf("in a lane: %v", err)
		}
		// Which threads come to a barrier depends on what memory holds.
		y := []int32{0, 1, 0, 1}
		err = inTime(t, func() error { return runAndWait(dev, twoSyncs, 4, y) })
		if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "barrier") || fault.Line == 0 {
			t.Errorf("barriers: %v", err)
		}
		for i := range y {
			y[i] = 1
		}
		if err := inTime(t, func() error { return runAndWait(dev, twoSyncs, 4, y) }); err != nil || y[3] != 2 {
			t.Errorf("threads that agree: %v %v", y, err)
		}
		for _, kernel := range []any{blockReverse, qd.NewKernel(reverseBlocks).WithBlockDim(64)} {
			n := 256
			if _, ok := kernel.(*qd.Kernel); !ok {
				n = 4
			}
			for i := range x {
				x[i] = int32(i)
			}
			if err := runAndWait(dev, kernel, n, x); err != nil {
				t.Error(err)
			}
			for i, got := range x {
				if want := int32(i/64*64 + 63 - i%64); got != want {
					t.Errorf("%d threads or blocks: element %d is %d, not %d", n, i, got, want)
					break
				}
			}
		}
	})
}

// runAndWait launches a kernel and waits for it.
func runAndWait(dev *qd.Device, kernel any, n int, x []int32) error {
	if err := dev.Launch(kernel, qd.Dim(n), x); err != nil {
		return err
	}
	return dev.Wait()
}
