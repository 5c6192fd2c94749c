package qd

import (
	"reflect"
	"strings"
	"testing"
)

func unseen(t Thread, x []int) {
	if t.ID() == 1 {
		x[1] = -1
		return
	}
	s := Shared[int](t, 64)
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
	k, err := kernelOf(unseen)
	if err != nil {
		t.Fatal(err)
	}
	const n = 64 * 3
	for _, fails := range []bool{false, true} {
		x := make([]int, n)
		for i := range x {
			x[i] = i
		}
		if fails {
			x[70] = 1000
		}
		l := launch{kernel: k, dim: Dim(n), threads: n}
		r := &goRun{kernel: k.kernelFunc, fn: k.fn, in: []reflect.Value{{}, reflect.ValueOf(x)}, launch: l, blocks: blocksUnknown, blockDim: 64}
		err := r.run()
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
