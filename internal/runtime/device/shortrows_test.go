package device

import (
	"context"
	"errors"
	"testing"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// TestShortRowsAxis is about which axis changes places with the last one.
func TestShortRowsAxis(t *testing.T) {
	s := &shortRows{lanes: 8}
	for _, test := range []struct {
		sizes []int
		want  int
	}{
		{[]int{100, 3}, 0},
		{[]int{100, 8}, -1},
		{[]int{100, 7}, 0},
		{[]int{7, 3}, -1},
		{[]int{480, 640, 3}, 1},
		{[]int{640, 4, 3}, 0},
		{[]int{4, 4, 3}, -1},
		{[]int{100, 2, 9, 1}, 2},
		{[]int{100, 2, 2, 1}, 0},
	} {
		d := dims.Of(test.sizes...)
		if got := s.axis(&d); got != test.want {
			t.Errorf("%v: axis %d, want %d", d, got, test.want)
		}
	}
}

// TestShortRowsBuild is about when the program for short rows is built, and what happens when that fails.
func TestShortRowsBuild(t *testing.T) {
	asked := 0
	var program Program
	var failure error
	s := &shortRows{of: &kernel.Func{}, lanes: 8, load: func(_ context.Context, axis int) (*Loaded, error) {
		asked++
		if axis != 1 {
			t.Errorf("built for axis %d", axis)
		}
		return &Loaded{Program: program}, failure
	}}
	l := &Launch{Dim: dims.Of(10, 20, 3), Threads: 600}
	launch := func(cost float64, wantAsked int) *cpuProgram {
		t.Helper()
		p := s.programFor(l, 1, cost)
		if asked != wantAsked {
			t.Fatalf("built %d times, want %d", asked, wantAsked)
		}
		return p
	}

	if interchanged := l.interchanged(1); interchanged.Dim != dims.Of(10, 3, 20) || l.Dim != dims.Of(10, 20, 3) {
		t.Fatalf("%v instead of %v", interchanged.Dim, l.Dim)
	}
	s.worth.Store(int64(worthInterchange))
	half := float64(worthInterchange) / 600 / 2 * 1.01 // what a thread takes so that two launches are worth a build
	launch(0, 0)                                       // nothing is known of a first launch
	launch(half, 0)

	// A launch that must end soon does not build.
	soon, stop := context.WithTimeout(context.Background(), mayBuild/2)
	defer stop()
	l.Within = soon
	launch(half, 0)

	// After a launch whose context has ended in the build, others have to take much longer before one tries again.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	failure = ctx.Err()
	l.Within = ctx
	if launch(half, 1) != nil {
		t.Error("a program of a build that failed")
	}
	l.Within, failure = nil, nil
	launch(half, 1)
	wide := &cpuProgram{abi: &build.ABI{Lanes: 8}}
	program = wide
	launch(20*half, 2)
	for range 3 {
		if launch(0, 2) != wide {
			t.Fatal("not launched with axis 1 interchanged")
		}
	}

	// What cannot be built, or has no vectors, is not tried again.
	for _, none := range []struct {
		program Program
		err     error
	}{{nil, errors.New("no space left")}, {nil, &build.NoModuleError{}}, {&cpuProgram{abi: &build.ABI{}}, nil}} {
		s.axes[1] = interchangedProgram{}
		program, failure, asked = none.program, none.err, 0
		for range 3 {
			if launch(half, 1) != nil {
				t.Error("a program that there is not")
			}
		}
	}
}

// TestShortRowsFor is about kernels in which the order of threads, or a block, shows: they stay as they are.
func TestShortRowsFor(t *testing.T) {
	b := new(cpuBackend)
	good := build.ABI{Rank: 2, Lanes: 8}
	if b.newShortRows(&kernel.Func{}, &good, build.Options{}, nil) == nil {
		t.Error("none for a kernel of two dimensions with vectors")
	}
	for name, abi := range map[string]build.ABI{
		"one dimension": {Rank: 1, Lanes: 8},
		"any dimension": {Lanes: 8},
		"no vectors":    {Rank: 2},
		"block":         {Rank: 2, Lanes: 8, Block: true},
		"in blocks":     {Rank: 2, Lanes: 8, Blocked: true},
		"prints":        {Rank: 2, Lanes: 8, Prints: true},
		"ordered":       {Rank: 2, Lanes: 8, Ordered: true},
		"interchanged":  {Rank: 2, Lanes: 8, Interchanged: 1},
	} {
		if b.newShortRows(&kernel.Func{}, &abi, build.Options{}, nil) != nil {
			t.Errorf("%s: has other axes", name)
		}
	}
}
