package cuda

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/runtime/fault"
)

// failing prepares a launch of 10 threads of which one fails; none for 10 and more.
func failing(t *testing.T, k *Kernel, s *Stream, name string, thread int) *Launch {
	l := launch(t, k, s, args(10, 1, 1, 1, thread), 10)
	l.OnFault(func(r *fault.Record) error {
		if r.Site != 5 || r.Values[1] != 10 {
			t.Errorf("record %+v", r)
		}
		return fmt.Errorf("%s failed in thread %d", name, r.Thread)
	})
	return l
}

func wantError(t *testing.T, what string, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

// A fault is the error of the next Sync of its stream, once, and of the first launch
// that failed; those before and after it ran.
func TestFault(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "failing.cpp", nil), "fail")
	s := dev.Stream()
	good, a, b := failing(t, k, s, "good", 10), failing(t, k, s, "a", 3), failing(t, k, s, "b", 4)
	for _, l := range []*Launch{good, a, good, b, good} {
		ok(t, l.Run())
	}
	wantError(t, "Sync", s.Sync(context.Background()), "a failed in thread 3")
	wantError(t, "second Sync", s.Sync(context.Background()), "")
	ok(t, b.Run())
	wantError(t, "Sync of the device", dev.Sync(), "b failed in thread 4")
	wantError(t, "second Sync of the device", dev.Sync(), "")
	ok(t, good.Run())
	wantError(t, "Sync of what is right", s.Sync(context.Background()), "")
}

// Each stream tells of its own launches, whichever is waited for first.
func TestFaultsOnStreams(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "failing.cpp", nil), "fail")
	s1, err := dev.NewStream()
	ok(t, err)
	s2, err := dev.NewStream()
	ok(t, err)
	good, bad := failing(t, k, s1, "good", 10), failing(t, k, s2, "bad", 0)
	for range 3 {
		ok(t, good.Run())
		ok(t, bad.Run())
	}
	wantError(t, "first stream", s1.Sync(context.Background()), "")
	wantError(t, "device", dev.Sync(), "bad failed in thread 0")
	wantError(t, "device again", dev.Sync(), "")
	wantError(t, "second stream", s2.Sync(context.Background()), "bad failed in thread 0")
	wantError(t, "device after it", dev.Sync(), "")
	ok(t, bad.Run())
	wantError(t, "Close", s2.Close(), "bad failed in thread 0")
	ok(t, good.Run())
	wantError(t, "first stream", s1.Close(), "")
}

// found finds a kernel of a module of two, each with its own record.
func found(t *testing.T, m *Module, symbol string, record int) *Kernel {
	t.Helper()
	k, err := m.Find(symbol, fault.Leaves{Fails: true, Record: record})
	ok(t, err)
	return k
}

// marking prepares a launch of which one thread fails, at a check that has the number site.
func marking(t *testing.T, k *Kernel, s *Stream, thread, site int) *Launch {
	l := launch(t, k, s, args(10, 1, 1, 1, thread), 10)
	l.OnFault(func(r *fault.Record) error {
		if int(r.Site) != site {
			t.Errorf("record %+v, want site %d", r, site)
		}
		return fmt.Errorf("check %d failed in thread %d", r.Site, r.Thread)
	})
	return l
}

// Kernels of a module that fail at once each have their own record, launched one by one or in a graph.
func TestFaultsOfKernels(t *testing.T) {
	_, dev := fake(t)
	m := load(t, dev, "failing.cpp", nil)
	var wg sync.WaitGroup
	for record, symbol := range []string{"fail", "fails_too"} {
		k, site := found(t, m, symbol, record), 5+record
		if again := found(t, m, symbol, record); again.faults != k.faults {
			t.Error("the record of one kernel has two turns")
		}
		for thread := range 2 {
			s, err := dev.NewStream()
			ok(t, err)
			good, bad := marking(t, k, s, 10, site), marking(t, k, s, thread, site)
			g, err := dev.NewGraph([]*Launch{good, bad})
			ok(t, err)
			want := fmt.Sprintf("check %d failed in thread %d", site, thread)
			wg.Go(func() {
				for range 100 {
					ok(t, good.Run())
					wantError(t, symbol, s.Sync(context.Background()), "")
					ok(t, bad.Run())
					wantError(t, symbol, s.Sync(context.Background()), want)
					ok(t, g.Launch(s))
					wantError(t, symbol+" in a graph", s.Sync(context.Background()), want)
				}
			})
		}
	}
	wg.Wait()
}

// Launches of kernels with records of their own do not wait for each other, whatever their streams do. A graph of both
// takes both turns.
func TestTurnsOfKernels(t *testing.T) {
	_, dev := fake(t)
	m := load(t, dev, "failing.cpp", nil)
	first, second := found(t, m, "fail", 0), found(t, m, "fails_too", 1)
	good, bad := marking(t, first, dev.Stream(), 10, 5), marking(t, second, dev.Stream(), 3, 6)
	g, err := dev.NewGraph([]*Launch{bad, good, bad})
	ok(t, err)
	if len(g.faults) != 2 || g.faults[0] != first.faults || g.faults[1] != second.faults {
		t.Errorf("the graph takes %d turns", len(g.faults))
	}
	first.faults.mu.Lock() // as if it were being launched
	ok(t, bad.Run())
	first.faults.mu.Unlock()
	wantError(t, "Sync", dev.Stream().Sync(context.Background()), "check 6 failed in thread 3")
	ok(t, g.Launch(dev.Stream()))
	wantError(t, "Sync of the graph", dev.Stream().Sync(context.Background()), "check 6 failed in thread 3")
}

// lateContext ends when somebody waits for its end.
type lateContext struct{ context.Context }

func (lateContext) Done() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func (lateContext) Err() error { return nil }

// A Sync that is given up leaves the fault to the next one.
func TestFaultAfterSyncGivenUp(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "failing.cpp", nil), "fail")
	s := dev.Stream()
	bad := failing(t, k, s, "bad", 3)
	for range 100 {
		ok(t, bad.Run())
		if err := s.Sync(lateContext{}); err == nil {
			err = s.Sync(context.Background())
			wantError(t, "Sync", err, "bad failed in thread 3")
		}
		wantError(t, "second Sync", s.Sync(context.Background()), "")
	}
}

// More launches than a module has slots.
func TestManyFaults(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "failing.cpp", nil), "fail")
	s := dev.Stream()
	good := failing(t, k, s, "good", 10)
	for at := range 3 * slotCount {
		for i := range 3 * slotCount {
			l := good
			if i == at {
				l = failing(t, k, s, fmt.Sprint("launch ", i), 1)
			}
			ok(t, l.Run())
		}
		wantError(t, "Sync", s.Sync(context.Background()), fmt.Sprintf("launch %d failed in thread 1", at))
	}
}

// Errors of the driver are told, and a launch without a handler has its fault too.
func TestFaultErrors(t *testing.T) {
	f, dev := fake(t)
	m := load(t, dev, "failing.cpp", nil)
	l := launch(t, kernel(t, m, "fail"), dev.Stream(), args(10, 1, 1, 1, 2), 10)
	ok(t, l.Run())
	wantError(t, "Sync", dev.Stream().Sync(context.Background()), "a check of thread 2 failed")
	for _, call := range []string{"cuLaunchKernel", "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async"} {
		f.Configure(t, call+"=1@1")
		if err := l.Run(); err == nil {
			t.Errorf("no error of %s", call)
		}
	}
	if err := dev.Stream().Sync(context.Background()); err == nil {
		t.Error("the launches that ran had no fault")
	}
	live := f.Live()
	f.Configure(t, "cuModuleGetGlobal_v2=1@1")
	if _, err := dev.Load(hostImage(t, "failing.cpp"), nil); err == nil {
		t.Error("no error of cuModuleGetGlobal_v2")
	}
	m = load(t, dev, "failing.cpp", nil)
	f.Configure(t, "cuMemAlloc_v2=1@1")
	if _, err := m.Kernel("fail"); err == nil {
		t.Error("no error of cuMemAlloc_v2")
	}
	if f.Live() != live {
		t.Error("memory is lost")
	}
}
