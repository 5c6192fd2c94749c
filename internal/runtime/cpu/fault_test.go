package cpu

import (
	"math"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/runtime/fault"
)

// A launch that fails gives the record of the thread that failed first; the next
// one begins anew, and those of other goroutines do not see it.
func TestFault(t *testing.T) {
	k := kernel(t, module(t, "failing.cpp", nil), "mark")
	for _, workers := range []int{1, 4} {
		p := NewPool(workers)
		for _, n := range []int{1, 10, 100_000} {
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					x := make([]int8, n)
					right := k.Launch(slice(newArgs(n), x).buf, int64(n), 0)
					wrong := k.Launch(slice(newArgs(n+1), x).buf, int64(n+1), 0)
					for range 10 {
						if r := right.RunOn(p); r != nil {
							t.Errorf("%+v", r)
						}
						if r := wrong.RunOn(p); r == nil || r.Site != 7 || r.Thread != int64(n) || r.Values[0] != int64(n) || r.Values[1] != int64(n) {
							t.Errorf("%d threads: %+v", n+1, r)
						}
					}
				})
			}
			wg.Wait()
		}
	}
}

// After a fault no more threads are begun.
func TestFaultStops(t *testing.T) {
	k := kernel(t, module(t, "failing.cpp", nil), "mark")
	x := make([]int8, 10)
	const threads = math.MaxInt >> 23 // 2^40 where there are kernels, which is more than there is time for; an int of 32 bits has fewer
	if r := k.Launch(slice(newArgs(threads), x).buf, threads, 0).Run(); r == nil || r.Thread < 10 {
		t.Errorf("%+v", r)
	}
}

// Kernels of a module that fail at once each have their own record, and no launch sees that of another kernel.
func TestFaultsOfKernels(t *testing.T) {
	m := module(t, "failing.cpp", nil)
	p := NewPool(2)
	var wg sync.WaitGroup
	for record, symbol := range []string{"mark", "unmark"} {
		k, err := m.Find(symbol, fault.Leaves{Fails: true, Record: record})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			wg.Go(func() {
				const n = 1000
				x := make([]int8, n)
				right := k.Launch(slice(newArgs(n), x).buf, n, 0)
				wrong := k.Launch(slice(newArgs(n+1), x).buf, n+1, 0)
				for range 100 {
					if r := right.RunOn(p); r != nil {
						t.Errorf("%s: %+v", symbol, r)
					}
					if r := wrong.RunOn(p); r == nil || r.Site != int32(7+record) || r.Thread != n {
						t.Errorf("%s: %+v", symbol, r)
					}
				}
			})
		}
	}
	wg.Wait()
}

// A kernel waits for those launches of its module that leave something in the same place.
func TestWaitsForOwn(t *testing.T) {
	m := module(t, "failing.cpp", nil)
	find := func(symbol string, leaves fault.Leaves) *Kernel {
		k, err := m.Find(symbol, leaves)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	first := fault.Leaves{Fails: true}
	running := find("mark", first)
	running.solo.turn <- struct{}{} // as if it were running
	defer running.solo.turn.end()
	if again := find("mark", first); again.solo != running.solo {
		t.Error("the record of one kernel has two turns")
	}
	for _, leaves := range []fault.Leaves{{}, {Fails: true, Record: 1}} {
		x := make([]int8, 100)
		if r := find("unmark", leaves).Launch(slice(newArgs(len(x)), x).buf, int64(len(x)), 0).Run(); r != nil || x[99] == 0 {
			t.Errorf("%+v, %d", r, x[99])
		}
	}
	if _, err := m.Find("absent", fault.Leaves{}); err == nil {
		t.Error("a kernel that there is not")
	}
}

// A launch that is abandoned waits no longer for others that fail or print in the same place, and the next one has its
// turn.
func TestAbandonedInTurn(t *testing.T) {
	mark, hello := kernel(t, module(t, "failing.cpp", nil), "mark"), kernel(t, module(t, "printing.cpp", nil), "hello")
	for _, c := range []struct {
		kernel *Kernel
		turn   turn
	}{{mark, mark.solo.turn}, {hello, hello.print.turn}} {
		x := make([]int8, 100)
		l := c.kernel.Launch(slice(newArgs(len(x)), x).buf, int64(len(x)), 0)
		done := make(chan struct{})
		l.Bound(done)
		c.turn <- struct{}{} // as if another launch were running
		ended := make(chan *fault.Record)
		go func() { ended <- l.Run() }()
		close(done)
		if r := <-ended; r != nil || !l.Abandoned() || x[0] != 0 {
			t.Errorf("%+v, %d", r, x[0])
		}
		c.turn.end()
		l.Bound(nil)
		if r := l.Run(); r != nil || l.Abandoned() || c.kernel == mark && x[99] == 0 {
			t.Errorf("the next one: %+v, %d", r, x[99])
		}
	}
}
