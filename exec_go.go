package qd

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/gort"
)

// goBackend is device "go": the kernel's own function, called for each thread
// by as many goroutines as there are cores. It needs no compiler and is the oracle
// of the others.
type goBackend struct{ hostQueues }

func (*goBackend) describe() string {
	return fmt.Sprintf("the Go functions themselves, over %d goroutines", runtime.GOMAXPROCS(0))
}

// load has the front end look at the kernel, so that what other devices refuse is
// refused here too. A kernel whose source cannot be had, or is not what the program was built from, runs
// all the same.
func (*goBackend) load(_ context.Context, k *kernelFunc, opts build.Options) (*loaded, error) {
	p := &goProgram{kernel: k, blocks: blocksUnknown}
	var spec *frontend.Specialized
	src, err := k.source(opts)
	noSource := err != nil
	if err == nil {
		spec, err = builder().Lower(src, k.ref, opts)
		noSource = isNotFound(err) || isChanged(err)
	}
	switch f := functionNotFound(err, k.ref); {
	case f != nil && gort.IsLiteral(f.Kernel.Name):
		return nil, k.notFound(err)
	case k.literal && isChanged(err): // what it captures cannot be told
		return nil, k.changed(err)
	case noSource && k.literal:
		return nil, &LaunchError{Kernel: k.Name(), Reason: "the source of the function literal is not found, which would tell what it captures; declare it as a function at package level"}
	case noSource:
		return &loaded{program: p}, nil
	case err != nil:
		return nil, err
	}
	if !k.isGrid() {
		p.dims = spec.Module.Kernels()[0].Rank
	}
	if p.blocks = blocksUnused; spec.Module.Waits() {
		p.blocks = blocksUsed
	}
	return &loaded{program: p, name: spec.Module.Name, asked: spec.Asked}, nil
}

func (*goBackend) alloc(int) (memory, error) { return nil, nil }

// goProgram is a kernel on device "go".
type goProgram struct {
	kernel *kernelFunc
	dims   int
	blocks blockUse
}

// blockUse is what is known of whether the threads of a block wait for each other
// or share memory. Only then each of them needs a goroutine of its own.
type blockUse uint8

const (
	blocksUnused blockUse = iota
	blocksUsed
	blocksUnknown // there is no source: the first call of Sync or Shared tells
)

func (p *goProgram) rank() int { return p.dims }

func (p *goProgram) prepare(l launch) (runner, error) {
	fn, in := l.kernel.code()
	at := len(in)
	in = append(in, reflect.Value{})
	args, consts := l.args, l.consts
	for i, t := range p.kernel.params {
		if n := len(l.consts) - len(consts); len(consts) > 0 && p.kernel.consts[n].index == i {
			in = append(in, reflect.ValueOf(consts[0]))
			consts = consts[1:]
			continue
		}
		v := reflect.ValueOf(args[0])
		if a, ok := args[0].(arrayArg); ok {
			_, host := a.hold()
			if host == nil {
				return nil, l.freed()
			}
			if view := viewOf(t); view != nil {
				host = view.over(host, a.base().shape)
			}
			v = reflect.ValueOf(host).Convert(t)
		}
		in = append(in, clipped(v))
		args = args[1:]
	}
	if p.kernel.isGrid() {
		in[at] = reflect.ValueOf(Grid{run: &gridLoops{p.kernel.Name()}})
		return l.queued(&goGridRun{kernel: p.kernel, fn: fn, in: in}), nil
	}
	r := &goRun{kernel: p.kernel, fn: fn, in: in, at: at, launch: l, blocks: p.blocks, blockDim: l.kernel.blockSize()}
	if p.kernel.isBlock() {
		r.blocks = blocksUnused
	}
	return l.queued(r), nil
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
	kernel   *kernelFunc
	fn       reflect.Value   // what to call
	in       []reflect.Value // with this
	at       int             // where in it the Thread or Block is to be, each worker's own
	launch   launch
	blocks   blockUse
	blockDim int
	fault    atomic.Pointer[Fault] // the first
}

// run calls the kernel for every thread, spread over goroutines; after a fault no
// more threads are begun.
func (r *goRun) run() error {
	r.fault.Store(nil)
	n, unit := r.launch.threads, 1
	if r.blocks != blocksUnused {
		unit = r.blockDim
	}
	threads := newShare((n-1)/unit + 1)
	work := func(worker int) {
		at, x := r.newPlace()
		if r.blocks == blocksUnknown {
			x.lazy = r
		}
		in := r.arguments(at)
		threads.of(worker, func(begin, end int) bool {
			r.chunk(at, x, in, begin*unit, min(end*unit, n))
			return r.fault.Load() == nil
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
	if f := r.fault.Load(); f != nil {
		return f
	}
	return nil
}

// newPlace is a place in the launch for a goroutine.
func (r *goRun) newPlace() (*place, *execution) {
	d, x := &r.launch.dim, new(execution)
	return &place{dim: [4]int{d.size(0), d.size(1), d.size(2), d.size(3)}, rank: d.rank, blockDim: r.blockDim, exec: x}, x
}

// arguments are the kernel's arguments for what runs at a place.
func (r *goRun) arguments(at *place) []reflect.Value {
	in := append([]reflect.Value(nil), r.in...)
	if r.kernel.isBlock() {
		in[r.at] = reflect.ValueOf(Block{at})
	} else {
		in[r.at] = reflect.ValueOf(Thread{at})
	}
	return in
}

// chunk runs the threads from begin to less than end.
func (r *goRun) chunk(at *place, x *execution, in []reflect.Value, begin, end int) {
	if r.blocks == blocksUsed {
		for ; begin < end && r.fault.Load() == nil; begin = r.blockEnd(begin) {
			last := r.blockEnd(begin)
			g := newGang(last - begin)
			g.start(r, begin, last)
			g.done.Wait()
		}
		return
	}
	defer r.recover(at, x)
	for flat := begin; flat < end; flat++ {
		at.move(flat)
		x.calls = 0
		if r.kernel.isBlock() {
			x.memory = new(blockMemory)
		}
		r.fn.Call(in)
		if x.gang != nil { // a kernel without source, which has turned out to wait
			x.gang.leave(false)
			x.gang.done.Wait()
			x.gang = nil
			flat = r.blockEnd(flat) - 1
		}
	}
}

// thread runs one thread of a gang.
func (r *goRun) thread(flat int, g *gang) {
	at, x := r.newPlace()
	x.gang = g
	at.move(flat)
	defer r.recover(at, x)
	r.fn.Call(r.arguments(at))
	x.gang = nil
	g.leave(false)
}

// recover takes note of a panic, and tells those who would wait for the thread.
func (r *goRun) recover(at *place, x *execution) {
	v := recover()
	if v == nil {
		return
	}
	if _, ok := v.(abandoned); !ok {
		f := newFault(v)
		f.Kernel, f.Thread = r.kernel.Name(), append([]int(nil), at.id[:at.rank]...)
		r.fault.CompareAndSwap(nil, f)
	}
	if g := x.gang; g != nil {
		g.leave(true)
		if x.lazy != nil { // it is the goroutine that started the others
			g.done.Wait()
		}
		x.gang = nil
	}
}

// blockEnd is the first thread after the block of another one.
func (r *goRun) blockEnd(flat int) int {
	return min(flat-flat%r.blockDim+r.blockDim, r.launch.threads)
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
