package qd

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/frontend/load"
)

// loop calls body for every index of a loop of 1 to 3 dimensions, of which n is
// the sizes, the last ones. They are spread over goroutines; after a fault no more
// are begun. It panics with the *Fault; that of a
// kernel that is called as a function is the body's own panic.
func (g *gridLoops) loop(rank int, n [3]int, body func(i, j, k int)) {
	dims, total, err := loopDims(n[3-rank:])
	switch {
	case err != nil:
		panic(reason(err.Error()))
	case total == 0:
		return
	}
	indices := newShare(total)
	var fault atomic.Pointer[gridFault]
	work := func(worker int) {
		at := place{rank: rank, dim: dims.n}
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			f := newFault(v)
			f.Thread = append([]int(nil), at.id[:rank]...)
			fault.CompareAndSwap(nil, &gridFault{f, v})
		}()
		indices.of(worker, func(begin, end int) bool {
			for flat := begin; flat < end; flat++ {
				at.move(flat)
				id := append(make([]int, 3-rank, 3), at.id[:rank]...)
				body(id[0], id[1], id[2])
			}
			return fault.Load() == nil
		})
	}
	var wg sync.WaitGroup
	for worker := range indices.workers {
		wg.Go(func() { work(worker) })
	}
	wg.Wait()
	switch f := fault.Load(); {
	case f == nil:
	case g == nil:
		panic(f.value)
	default:
		f.Kernel = g.kernel
		panic(f.Fault)
	}
}

// isLoop reports whether a function is between a Grid kernel and the body of a
// loop of it.
func isLoop(name string) bool {
	name, ok := strings.CutPrefix(name, load.QDPath+".")
	return ok && (strings.HasPrefix(name, "Grid.") || strings.HasPrefix(name, "(*gridLoops)."))
}

// gridFault is a panic in the body of a loop.
type gridFault struct {
	*Fault
	value any // what the body panicked with
}

// loopDims are the dimensions of a launch for the sizes of a parallel loop, and
// the number of its indices. Unlike a launch, a loop may be over nothing.
func loopDims(sizes []int) (d Dims, total int, err error) {
	for _, n := range sizes {
		if n <= 0 {
			return d, 0, nil
		}
	}
	d = Dim(sizes...)
	total, problem := d.check()
	if problem != "" {
		return d, 0, fmt.Errorf("parallel loop over %v", problem)
	}
	return d, total, nil
}

// goGridRun is a prepared run of a Grid kernel on device "go".
type goGridRun struct {
	kernel *kernelFunc
	fn     reflect.Value
	in     []reflect.Value
}

// run calls the kernel, once.
func (r *goGridRun) run() (err error) {
	defer func() {
		if v := recover(); v != nil {
			f := newFault(v)
			f.Kernel = r.kernel.Name()
			err = f
		}
	}()
	r.fn.Call(r.in)
	return nil
}
