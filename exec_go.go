package qd

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/internal/build"
)

// goBackend is device "go": the kernel's own function, called for each thread
// by as many goroutines as there are cores. It needs no compiler and is the oracle
// of the others.
type goBackend struct{ hostQueues }

func (*goBackend) describe() string {
	return fmt.Sprintf("the Go functions themselves, over %d goroutines", runtime.GOMAXPROCS(0))
}

// load has the front end look at the kernel, so that what other devices refuse is
// refused here too. A kernel whose source cannot be had runs all the same.
func (*goBackend) load(_ context.Context, k *kernelFunc, opts build.Options) (program, *build.Module, error) {
	p := &goProgram{kernel: k}
	src, err := k.source()
	switch {
	case err != nil && k.isLiteral():
		return nil, nil, &LaunchError{Kernel: k.name, Reason: "a function literal cannot be a kernel; declare it as a function at package level"}
	case err != nil:
		return p, nil, nil
	}
	_, m, err := build.Lower(src, k.ref, opts)
	if isNotFound(err) {
		return p, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !k.isGrid() {
		p.dims = m.Kernels()[0].Rank
	}
	return p, nil, nil
}

func (*goBackend) alloc(int) (memory, error) { return nil, nil }

// goProgram is a kernel on device "go".
type goProgram struct {
	kernel *kernelFunc
	dims   int
}

func (p *goProgram) rank() int { return p.dims }

func (p *goProgram) prepare(l launch) (runner, error) {
	in := make([]reflect.Value, 1+len(l.args))
	for i, arg := range l.args {
		v := reflect.ValueOf(arg)
		if a, ok := arg.(arrayArg); ok {
			_, host := a.hold()
			if host == nil {
				return nil, l.freed()
			}
			if view := viewOf(p.kernel.params[i]); view != nil {
				host = view.over(host, a.base().shape)
			}
			v = reflect.ValueOf(host).Convert(p.kernel.params[i])
		}
		in[1+i] = clipped(v)
	}
	if p.kernel.isGrid() {
		in[0] = reflect.ValueOf(Grid{run: &gridLoops{p.kernel.name}})
		return l.queued(&goGridRun{kernel: p.kernel, in: in}), nil
	}
	return l.queued(&goRun{kernel: p.kernel, in: in, launch: l}), nil
}

// clipped is an argument whose slices end where their elements do: a device knows
// of a slice's length only.
func clipped(v reflect.Value) reflect.Value {
	if !hasSlices(v.Type()) {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	eachSlice(c, func(s reflect.Value) {
		// Also in a field that is not exported, which reflect does not set.
		s = reflect.NewAt(s.Type(), s.Addr().UnsafePointer()).Elem()
		s.SetCap(s.Len())
	})
	return c
}

// goRun is a prepared launch on device "go".
type goRun struct {
	kernel *kernelFunc
	in     []reflect.Value // in[0] is the Thread, each worker's own
	launch launch
}

// run calls the kernel for every thread, spread over goroutines; after a fault no
// more threads are begun.
func (r *goRun) run() error {
	threads := newShare(r.launch.threads)
	var fault atomic.Pointer[Fault]
	work := func(worker int) {
		at := &place{dim: [4]int{r.launch.dim.size(0), r.launch.dim.size(1), r.launch.dim.size(2), r.launch.dim.size(3)}, rank: r.launch.dim.rank}
		defer func() {
			if v := recover(); v != nil {
				f := newFault(v)
				f.Kernel, f.Thread = r.kernel.name, append([]int(nil), at.id[:at.rank]...)
				fault.CompareAndSwap(nil, f)
			}
		}()
		in := append([]reflect.Value(nil), r.in...)
		in[0] = reflect.ValueOf(Thread{at})
		threads.of(worker, func(begin, end int) bool {
			for flat := begin; flat < end; flat++ {
				at.move(flat)
				r.kernel.fn.Call(in)
			}
			return fault.Load() == nil
		})
	}
	if threads.workers == 1 {
		work(0)
	} else {
		var wg sync.WaitGroup
		for worker := range threads.workers {
			wg.Go(func() { work(worker) })
		}
		wg.Wait()
	}
	if f := fault.Load(); f != nil {
		return f
	}
	return nil
}

// move goes to a thread by its flat index.
func (p *place) move(flat int) {
	p.flat = flat
	for axis := p.rank - 1; axis > 0; axis-- {
		p.id[axis] = flat % p.dim[axis]
		flat /= p.dim[axis]
	}
	p.id[0] = flat
}
