package cpu

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/printf"
)

// Every thread runs exactly once, whatever the number of workers and whatever is
// believed about the cost of a thread.
func TestEveryThreadRunsOnce(t *testing.T) {
	k := kernel(t, module(t, "kernels.cpp", nil), "count")
	sizes := []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 1000, 1024, 4097, 100_003}
	rows := []int64{0, 1, 2, 10, 64, 1000, 1 << 40}
	costs := []float64{0, minThreadCost, 1, 100, 5000, 1e6, 1e12}
	for _, workers := range []int{1, 2, 3, 8} {
		p := NewPool(workers)
		for _, n := range sizes {
			seen := make([]int8, n)
			a := slice(newArgs(n), seen)
			for _, row := range rows {
				for _, c := range costs {
					k.cost.set(c)
					k.Launch(a.buf, int64(n), row).RunOn(p)
					if i := slices.IndexFunc(seen, func(v int8) bool { return v != 1 }); i >= 0 {
						t.Fatalf("%d workers, %d threads, rows of %d, cost %g: thread %d ran %d times", workers, n, row, c, i, seen[i])
					}
					clear(seen)
				}
			}
		}
	}
}

// A launch that is repeated learns, on one core, too; its runs stay right while it does.
func TestRepeatedLaunch(t *testing.T) {
	k := kernel(t, module(t, "kernels.cpp", nil), "count")
	for _, workers := range []int{1, 4} {
		p := NewPool(workers)
		k.cost.set(0)
		const n = 50_000
		seen := make([]int8, n)
		l := k.Launch(slice(newArgs(n), seen).buf, n, 0)
		for range 100 {
			l.RunOn(p)
		}
		if i := slices.IndexFunc(seen, func(v int8) bool { return v != 100 }); i >= 0 {
			t.Errorf("%d workers: thread %d ran %d times of 100", workers, i, seen[i])
		}
		if c := k.Cost(); !(c >= minThreadCost && c < 1e6) {
			t.Errorf("%d workers: the measured cost is %g ns", workers, c)
		}
	}
}

// Several goroutines run their own launches and one that they share.
func TestConcurrentRuns(t *testing.T) {
	m := module(t, "kernels.cpp", nil)
	p := NewPool(3)
	const n = 20_000
	used := make([]int64, 1)
	shared := kernel(t, m, "spans").Launch(slice(slice(newArgs(n), []int64(nil)), used).int(10).buf, n, 0)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			seen := make([]int8, n)
			k, err := m.Kernel("count")
			if err != nil {
				t.Error(err)
				return
			}
			k.cost.set(10)
			l := k.Launch(slice(newArgs(n), seen).buf, n, 0)
			for range 50 {
				l.RunOn(p)
				shared.RunOn(p)
			}
			if i := slices.IndexFunc(seen, func(v int8) bool { return v != 50 }); i >= 0 {
				t.Errorf("thread %d ran %d times of 50", i, seen[i])
			}
		})
	}
	wg.Wait()
	runtime.KeepAlive(used)
}

// The calls of one launch cover its threads without overlap, and end at whole
// rows, or else at whole cache lines.
func TestChunkEnds(t *testing.T) {
	k := kernel(t, module(t, "kernels.cpp", nil), "spans")
	p := NewPool(4)
	for _, c := range []struct {
		n, row int64
		align  int64
		turns  int
	}{
		{1 << 20, 0, chunkAlign, 1},
		{1000 * 1000, 1000, 1000, 1},
		{100 * 30_000, 300_000, chunkAlign, 1},
		{200, 0, 1, 20_000},
	} {
		spans, used := make([]int64, 10_000), make([]int64, 1)
		k.cost.set(float64(2 * c.turns))
		l := k.Launch(slice(slice(newArgs(int(c.n)), spans), used).int(c.turns).buf, c.n, c.row)
		l.RunOn(p)
		calls := make([][2]int64, used[0]/2)
		for i := range calls {
			calls[i] = [2]int64{spans[2*i], spans[2*i+1]}
		}
		slices.SortFunc(calls, func(a, b [2]int64) int { return int(a[0] - b[0]) })
		at := int64(0)
		for _, s := range calls {
			if s[0] != at || s[1] <= s[0] {
				t.Fatalf("%+v: the calls are %v", c, calls)
			}
			at = s[1]
			if at != c.n && at%c.align != 0 && (c.row == 0 || at%c.row != 0) {
				t.Errorf("%+v: a chunk ends at %d", c, at)
			}
		}
		if at != c.n || len(calls) < 8 || len(calls) > 1000 {
			t.Errorf("%+v: %d calls up to thread %d", c, len(calls), at)
		}
	}
}

// The splitting: nothing is shared that is not worth it, everything that is.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name           string
		threads        int64
		workers        int
		cost           float64
		helpers        int
		minLen, maxLen int64 // of the first chunk
	}{
		{"a microsecond in all", 1000, 8, 1, 0, 0, 0},
		{"enough for one helper", 7000, 8, 1, 1, 1700, 3000},
		{"enough for all", 1 << 20, 8, 1, 7, 3000, 1 << 20 / 32},
		{"two heavy threads", 2, 8, 1e9, 1, 1, 1},
		{"as many heavy threads as workers", 8, 8, 1e9, 7, 1, 1},
		{"many heavy threads", 1000, 2, 1e6, 1, 60, 64},
		{"cheapest threads", 1 << 30, 2, minThreadCost, 1, 300_000, 1 << 30 / 8},
	} {
		s := split(c.threads, 0, 1, c.workers, c.cost)
		if s.helpers != c.helpers {
			t.Errorf("%s: %d helpers, want %d", c.name, s.helpers, c.helpers)
		}
		if c.helpers == 0 {
			continue
		}
		if n := s.chunk(0, c.threads/int64(s.helpers+1)); n < c.minLen || n > c.maxLen {
			t.Errorf("%s: the first chunk has %d threads, want %d to %d", c.name, n, c.minLen, c.maxLen)
		}
	}
}

// Few threads that each take long are spread over the workers from the second
// on, though nothing was known at the beginning.
func TestHeavyThreadsAreSpread(t *testing.T) {
	k := kernel(t, module(t, "kernels.cpp", nil), "meet")
	spread(t, func(a *args) { k.Launch(a.buf, 9, 0).RunOn(NewPool(9)) }, 9)
}

// spread fails the test unless threads of a launch of the kernel meet run at the same time.
// On a busy machine a worker can be late: each try waits longer for it.
func spread(t *testing.T, launch func(*args), threads int) {
	t.Helper()
	for milliseconds := 20; milliseconds < 10_000; milliseconds *= 2 {
		counts := make([]int64, 2)
		launch(slice(newArgs(threads), counts).int(milliseconds))
		if counts[1] > 0 {
			return
		}
	}
	t.Error("no two threads have run at the same time")
}

// Workers that find nothing to do park and come back.
func TestWorkersPark(t *testing.T) {
	k := kernel(t, module(t, "kernels.cpp", nil), "meet")
	p := NewPool(4)
	for range 3 {
		spread(t, func(a *args) { k.Launch(a.buf, 5, 0).RunOn(p) }, 5)
		for deadline := time.Now().Add(time.Minute); ; {
			p.mu.Lock()
			started, parked, spinning, open := p.started, p.parked+p.asleep, p.spinning, len(p.open)
			p.mu.Unlock()
			if started == 3 && parked == 3 && spinning == 0 && open == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d started, %d parked, %d spinning workers, %d open tasks", started, parked, spinning, open)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func TestLaunchAllocatesNothing(t *testing.T) {
	m := module(t, "kernels.cpp", nil)
	for _, n := range []int{1, 100, 1 << 18} {
		x, y := make([]float32, n), make([]float32, n)
		l := kernel(t, m, "saxpy").Launch(slice(slice(newArgs(n).half(0), x), y).buf, int64(n), 0)
		l.Run()
		if avg := testing.AllocsPerRun(50, func() { l.Run() }); avg >= 1 {
			t.Errorf("%d threads: %v allocations", n, avg)
		}
	}
}

// What kernels print arrives whole and once, with concurrent launches too.
func TestPrint(t *testing.T) {
	formats := []printf.Format{{Text: "thread %d\n", Args: []printf.Arg{{Kind: "int64", GoType: "int"}}}}
	var out strings.Builder
	m := module(t, "printing.cpp", func(r printf.Records) {
		if err := printf.Decode(&out, r, formats); err != nil {
			t.Error(err)
		}
	})
	k := kernel(t, m, "hello")
	p := NewPool(4)
	const n, goroutines = 1000, 4
	k.cost.set(100)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() { k.Launch(newArgs(n).buf, n, 0).RunOn(p) })
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	slices.Sort(lines)
	var want []string
	for i := range n {
		for range goroutines {
			want = append(want, fmt.Sprint("thread ", i))
		}
	}
	slices.Sort(want)
	if !slices.Equal(lines, want) {
		t.Errorf("%d lines, want %d: %.200q", len(lines), len(want), lines)
	}
}

// More than the buffer holds is reported, and the next launch prints again.
func TestPrintTooMuch(t *testing.T) {
	var got []printf.Records
	m := module(t, "printing.cpp", func(r printf.Records) {
		r.Words = slices.Clone(r.Words)
		got = append(got, r)
	})
	k := kernel(t, m, "hello")
	const n = printf.Capacity
	k.Launch(newArgs(n).buf, n, 0).Run()
	k.Launch(newArgs(3).buf, 3, 0).Run()
	if len(got) != 2 || got[0].Used != 2*n || got[1].Used != 6 {
		t.Fatalf("handled %d times", len(got))
	}
	w := got[1].Words
	if threads := []uint64{w[1], w[3], w[5]}; !slices.Equal(slices.Sorted(slices.Values(threads)), []uint64{0, 1, 2}) || w[6] != printf.Unwritten {
		t.Errorf("the second launch's records are %v", w[:8])
	}
}

// A module that prints without anybody who listens runs.
func TestPrintDiscarded(t *testing.T) {
	k := kernel(t, module(t, "printing.cpp", nil), "hello")
	for range 3 {
		k.Launch(newArgs(printf.Capacity/4).buf, printf.Capacity/4, 0).Run()
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := Load("testdata/kernels.cpp", nil); err == nil || !strings.Contains(err.Error(), "kernels.cpp") {
		t.Errorf("loading a text file: %v", err)
	}
	m := module(t, "kernels.cpp", nil)
	if _, err := m.Kernel("absent"); err == nil || !strings.Contains(err.Error(), "absent") || !strings.Contains(err.Error(), m.Path()) {
		t.Errorf("a kernel that is not there: %v", err)
	}
	if addr, err := m.Symbol("count"); err != nil || addr == 0 {
		t.Errorf("Symbol: %#x, %v", addr, err)
	}
}
