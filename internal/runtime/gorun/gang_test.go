package gorun_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/gorun"
)

func unseen(t qd.Thread, x []int) {
	if t.ID() == 1 {
		x[1] = -1
		return
	}
	s := qd.Shared[int](t, 64)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	if x[t.ID()] == 1000 {
		panic("a thousand")
	}
	t.Sync()
	x[t.ID()] = s[63-t.Lane()]
}

// A kernel whose source nobody has seen may turn out to wait for its block when some
// threads of it have run already.
func TestBlockWithoutSource(t *testing.T) {
	const n = 64 * 3
	for _, fails := range []bool{false, true} {
		x := make([]int, n)
		for i := range x {
			x[i] = i
		}
		if fails {
			x[70] = 1000
		}
		call := gorun.Call{Name: func() string { return "unseen" }, Fn: reflect.ValueOf(unseen), In: []reflect.Value{{}, reflect.ValueOf(x)}}
		err := gorun.NewRun(call, gorun.Launch{Dims: dims.Of(n), Threads: n, Blocks: gorun.BlocksUnknown, BlockDim: 64}).Run()
		if fails {
			if err == nil || !strings.Contains(err.Error(), "a thousand") {
				t.Errorf("a panic: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range x {
			want := i/64*64 + 63 - i%64
			switch i {
			case 1:
				want = -1
			case 62:
				want = 0 // of the thread that has returned
			}
			if got != want {
				t.Errorf("element %d is %d, not %d", i, got, want)
			}
		}
	}
}
