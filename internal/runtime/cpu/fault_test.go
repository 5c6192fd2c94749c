package cpu

import (
	"math"
	"sync"
	"testing"
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

// A quiet kernel does not wait for the others of its module, which run one at a time.
func TestQuiet(t *testing.T) {
	m := module(t, "failing.cpp", nil)
	quiet, err := m.Quiet("mark")
	if err != nil {
		t.Fatal(err)
	}
	m.solo.mu.Lock() // as if one of them were running
	defer m.solo.mu.Unlock()
	x := make([]int8, 100)
	if r := quiet.Launch(slice(newArgs(len(x)), x).buf, int64(len(x)), 0).Run(); r != nil || x[99] == 0 {
		t.Errorf("%+v, %d", r, x[99])
	}
	if _, err := m.Quiet("absent"); err == nil {
		t.Error("a kernel that there is not")
	}
}
