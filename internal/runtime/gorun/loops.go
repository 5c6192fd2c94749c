package gorun

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// Loops runs the parallel loops of a kernel. A nil one is that of the zero Grid: of a kernel that is
// called as a function of Go. Package qd's gridLoops has the same fields.
type Loops struct{ Kernel string }

// Loop calls body for every index of a loop of 1 to 3 dimensions, of which n is
// the sizes, the last ones. They are spread over goroutines; after a fault no more
// are begun. It panics with the *Fault; that of a
// kernel that is called as a function is the body's own panic.
func (g *Loops) Loop(rank int, n [3]int, body func(i, j, k int)) {
	d, total, err := dims.OfLoop(n[3-rank:])
	switch {
	case err != nil:
		panic(fault.Reason(err.Error()))
	case total == 0:
		return
	}
	indices := newShare(total)
	var first atomic.Pointer[loopFault]
	work := func(worker int) {
		at := Place{Rank: rank, Dim: d.N}
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			f := newFault(v)
			f.Thread = append([]int(nil), at.ID[:rank]...)
			first.CompareAndSwap(nil, &loopFault{f, v})
		}()
		indices.of(worker, func(begin, end int) bool {
			for flat := begin; flat < end; flat++ {
				at.move(flat)
				id := append(make([]int, 3-rank, 3), at.ID[:rank]...)
				body(id[0], id[1], id[2])
			}
			return first.Load() == nil
		})
	}
	var wg sync.WaitGroup
	for worker := range indices.workers {
		wg.Go(func() { work(worker) })
	}
	wg.Wait()
	switch f := first.Load(); {
	case f == nil:
	case g == nil:
		panic(f.value)
	default:
		f.Kernel = g.Kernel
		panic(f.Fault)
	}
}

// loopFault is a panic in the body of a loop.
type loopFault struct {
	*fault.Fault
	value any // what the body panicked with
}

// A GridRun is a run of a Grid kernel, which can be repeated.
type GridRun struct {
	Call
	within context.Context // a run is not started after its end; nil for none
}

// NewGridRun prepares a run.
func NewGridRun(c Call, within context.Context) *GridRun {
	c.In[c.At] = c.first(&Loops{c.Name()})
	return &GridRun{c, within}
}

// Run calls the kernel, once.
func (r *GridRun) Run() (err error) {
	if w := r.within; w != nil && w.Err() != nil {
		return failure.Abandoned(r.Name(), w)
	}
	defer func() {
		if v := recover(); v != nil {
			f := newFault(v)
			f.Kernel = r.Name()
			err = f
		}
	}()
	r.Fn.Call(r.In)
	return nil
}
