package gorun

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// BlockUse is what is known of whether the threads of a block wait for each other
// or share memory. Only then each of them needs a goroutine of its own.
type BlockUse uint8

// The uses.
const (
	BlocksUnused BlockUse = iota
	BlocksUsed
	BlocksUnknown // there is no source: the first call of Sync or Shared tells
)

// A Call is a kernel's function and what it is called with.
type Call struct {
	Name func() string   // of the kernel
	Fn   reflect.Value   // what to call
	In   []reflect.Value // with this
	At   int             // where in it the Thread, the Block or the Grid is to be
}

// first is the argument for a kernel's first parameter, a qd.Thread, qd.Block or qd.Grid. The last
// field of it is a pointer to a struct of the same fields as a [Place] or [Loops].
func (c *Call) first(p any) reflect.Value {
	v := reflect.New(c.Fn.Type().In(c.At)).Elem()
	field := v.Field(v.NumField() - 1)
	// It is not exported.
	reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(p).Convert(field.Type()))
	return v
}

// A Launch is what a kernel is to run over.
type Launch struct {
	Dims     dims.Dims
	Threads  int  // or blocks
	IsBlock  bool // the kernel is the code of a block
	Blocks   BlockUse
	BlockDim int
	Within   context.Context // when it ends no more threads are begun; nil for none
}

// A Run is a launch of a kernel, which can be repeated.
type Run struct {
	Call
	launch Launch
	fault  atomic.Pointer[fault.Fault] // the first
	left   atomic.Bool                 // threads have not been begun as Within has ended
}

// NewRun prepares a launch.
func NewRun(c Call, l Launch) *Run {
	if l.IsBlock {
		l.Blocks = BlocksUnused
	}
	return &Run{Call: c, launch: l}
}

// Run calls the kernel for every thread, spread over goroutines; after a fault no
// more threads are begun.
func (r *Run) Run() error {
	r.fault.Store(nil)
	r.left.Store(false)
	n, unit := r.launch.Threads, 1
	if r.launch.Blocks != BlocksUnused {
		unit = r.launch.BlockDim
	}
	threads := newShare((n-1)/unit + 1)
	work := func(worker int) {
		at, x := r.newPlace()
		if r.launch.Blocks == BlocksUnknown {
			x.lazy = r
		}
		in := r.arguments(at)
		threads.of(worker, func(begin, end int) bool {
			r.chunk(at, x, in, begin*unit, min(end*unit, n))
			return r.goesOn()
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
	if r.left.Load() {
		return failure.Abandoned(r.Name(), r.launch.Within)
	}
	return nil
}

// goesOn reports whether further threads are to be begun.
func (r *Run) goesOn() bool {
	if w := r.launch.Within; w != nil && w.Err() != nil {
		r.left.Store(true)
	}
	return r.fault.Load() == nil && !r.left.Load()
}

// newPlace is a place in the launch for a goroutine.
func (r *Run) newPlace() (*Place, *execution) {
	d, x := &r.launch.Dims, new(execution)
	return &Place{Dim: [4]int{d.Size(0), d.Size(1), d.Size(2), d.Size(3)}, Rank: d.Rank, BlockDim: r.launch.BlockDim, Exec: x}, x
}

// arguments are the kernel's arguments for what runs at a place.
func (r *Run) arguments(at *Place) []reflect.Value {
	in := append([]reflect.Value(nil), r.In...)
	in[r.At] = r.first(at)
	return in
}

// chunk runs the threads from begin to less than end.
func (r *Run) chunk(at *Place, x *execution, in []reflect.Value, begin, end int) {
	if r.launch.Blocks == BlocksUsed {
		for ; begin < end && r.goesOn(); begin = r.blockEnd(begin) {
			last := r.blockEnd(begin)
			g := newGang(last - begin)
			g.start(r, begin, last)
			g.done.Wait()
		}
		return
	}
	defer r.recover(at, x)
	for flat := begin; flat < end; flat++ {
		if r.launch.Within != nil && !r.goesOn() {
			return
		}
		at.move(flat)
		x.calls = 0
		if r.launch.IsBlock {
			x.memory = new(blockMemory)
		}
		r.Fn.Call(in)
		if x.gang != nil { // a kernel without source, which has turned out to wait
			x.gang.leave(false)
			x.gang.done.Wait()
			x.gang = nil
			flat = r.blockEnd(flat) - 1
		}
	}
}

// thread runs one thread of a gang.
func (r *Run) thread(flat int, g *gang) {
	at, x := r.newPlace()
	x.gang = g
	at.move(flat)
	defer r.recover(at, x)
	r.Fn.Call(r.arguments(at))
	x.gang = nil
	g.leave(false)
}

// recover takes note of a panic, and tells those who would wait for the thread.
func (r *Run) recover(at *Place, x *execution) {
	v := recover()
	if v == nil {
		return
	}
	if _, ok := v.(abandoned); !ok {
		f := newFault(v)
		f.Kernel, f.Thread = r.Name(), append([]int(nil), at.ID[:at.Rank]...)
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
func (r *Run) blockEnd(flat int) int {
	return min(flat-flat%r.launch.BlockDim+r.launch.BlockDim, r.launch.Threads)
}
