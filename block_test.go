package qd_test

import (
	"errors"
	"os"
	"os/exec"
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
	case <-time.After(30 * time.Second):
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
	if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "barrier divergence") || !strings.HasSuffix(fault.File, "block_test.go") {
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
func racyNeighbours(t qd.Thread, x []int32) {
	s := qd.Shared[int32](t, 256)
	s[t.Lane()] = x[t.ID()]
	// There is no Sync here.
	x[t.ID()] = s[(t.Lane()+1)%t.BlockDim()]
}

//qd:kernel
func safeNeighbours(t qd.Thread, x []int32) {
	s := qd.Shared[int32](t, 256)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	x[t.ID()] = s[(t.Lane()+1)%t.BlockDim()]
}

// TestRacyBarriers is run by TestBarrierRaces in a process of its own.
func TestRacyBarriers(t *testing.T) {
	name := os.Getenv("QD_TEST_RACY")
	if name == "" {
		t.Skip("only for TestBarrierRaces")
	}
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	kernels := map[string]any{"racyNeighbours": racyNeighbours, "safeNeighbours": safeNeighbours}
	if err := dev.Launch(kernels[name], qd.Dim(512), make([]int32, 512)); err != nil {
		t.Fatal(err)
	}
}

// Under the race detector device "go" finds what a missing barrier does, and takes
// a barrier for one.
func TestBarrierRaces(t *testing.T) {
	if !raceDetector {
		t.Skip("needs -race")
	}
	for name, racy := range map[string]bool{"racyNeighbours": true, "safeNeighbours": false} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRacyBarriers$")
		cmd.Env = append(os.Environ(), "QD_TEST_RACY="+name)
		out, err := cmd.CombinedOutput()
		found := strings.Contains(string(out), "DATA RACE") && strings.Contains(string(out), name)
		if found != racy || racy != (err != nil) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
