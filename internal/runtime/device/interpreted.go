package device

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// loadInterpreted loads a backward kernel on device "go": there is no Go function of it, so its SSA is interpreted.
func loadInterpreted(b *goBackend, k *kernel.Func, opts build.Options) (*Loaded, error) {
	opts.Checked = true // as Go does it
	src, err := k.Source(opts)
	if err != nil {
		return nil, err
	}
	d, err := builder().Differentiate(src, k.Ref, opts, k.Backward.Options)
	switch {
	case kernel.IsNotFound(err):
		return nil, k.NotFound(err)
	case kernel.IsChanged(err):
		return nil, k.Changed(err)
	case err != nil:
		return nil, err
	}
	text := d.Module.String
	l := &Loaded{Name: d.Module.Name + d.Unit.Backward.Suffix, Asked: d.Specialized.Asked, Backward: d.Backward, Faults: mayFault(d.Module),
		Code: func() cache.Key { return cache.NewKey("go", []byte(text())) }}
	if d.Grid != nil {
		l.Read, l.Written = usesOf(d.Grid.ABI, d.Backward)
		l.Program, err = interpretedGrid(b, k, d.Grid, nil)
		return l, err
	}
	l.Read, l.Written = usesOf(d.ABI, d.Backward)
	var count Program
	if f := d.Unit.Backward.Count; f != nil {
		count = newInterpreted(f, d.Backward.Count)
	}
	main := newInterpreted(d.Unit.Backward.Kernel, d.ABI)
	if g := d.Unit.Backward.Gather; g != nil {
		l.Program, err = newGatheredProgram(b, k, d.Backward.Gather, opts, l.Asked, main, func(abi *build.ABI) (Program, error) {
			if abi == d.Backward.Gather.Rest {
				return newInterpreted(g.Rest, abi), nil
			}
			return newInterpreted(g.Kernel, abi), nil
		})
		return l, err
	}
	l.Program = backwardProgram(b, k, d.Backward, opts, l.Asked, count, main)
	return l, nil
}

// interpretedModule is a kernel of device "go" as it has been lowered: with values of package variables that are not
// those which its Go function reads by now.
func interpretedModule(b *goBackend, k *kernel.Func, m *ssa.Module) (Program, error) {
	abi, grid := build.Interpreted(m)
	if grid != nil {
		return interpretedGrid(b, k, grid, printer(k, "go", grid.Formats))
	}
	return newInterpreted(m.Kernels()[0], abi), nil
}

func interpretedGrid(b *goBackend, k *kernel.Func, grid *build.Grid, print printf.Handler) (Program, error) {
	g, err := newGridProgram(b, k, grid, print, func(f *ssa.Func, abi *build.ABI) (packedProgram, error) { return newInterpreted(f, abi), nil })
	return cpuGrid{g}, err
}

// interpreted is a kernel of threads whose SSA is interpreted.
type interpreted struct {
	fn      *ssa.Func
	abi     *build.ABI
	program *interp.Program
	alone   bool // the threads run one after the other: the interpreter's atomic operations are for one run at a time
	waits   bool // for each other: those of a block take turns
}

func newInterpreted(f *ssa.Func, abi *build.ABI) *interpreted {
	p := &interpreted{fn: f, abi: abi, program: interp.Compile(f)}
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpAtomic || in.Op == ssa.OpCall {
			p.alone = true
		}
		p.waits = p.waits || in.Op == ssa.OpSync || in.Op == ssa.OpShared
	})
	p.waits = p.waits && f.Kind == ssa.ThreadKernel
	return p
}

// Rank implements [Program].
func (p *interpreted) Rank() int { return p.abi.Rank }

// Prepare implements [Program].
func (p *interpreted) Prepare(l Launch) (Runner, error) {
	buf, keep, err := l.packNew(p.abi, newPacking(l.Kernel.Func, p.abi), nil)
	if err != nil {
		return nil, err
	}
	return l.Queued(p.run(&l, buf, append(keep, buf))), nil
}

// packed implements [packedProgram].
func (p *interpreted) packed(l *Launch, buf []byte) (Runner, error) {
	return p.run(l, buf, []any{buf}), nil
}

// run is a launch of packed arguments.
func (p *interpreted) run(l *Launch, buf []byte, keep []any) *interpretedRun {
	r := &interpretedRun{interpreted: p, launch: l, keep: keep}
	for _, param := range p.abi.Params {
		r.args = append(r.args, buf[param.Offset:param.Offset+param.Size])
	}
	return r
}

// interpretedRun is a launch of an interpreted kernel.
type interpretedRun struct {
	*interpreted
	launch *Launch
	args   [][]byte
	keep   []any
}

// Run implements [Runner].
func (r *interpretedRun) Run() error {
	workers := min(runtime.GOMAXPROCS(0), r.launch.Threads)
	if r.alone {
		workers = 1
	}
	var next atomic.Int64
	var failed atomic.Pointer[error] // or abandoned
	chunk, run := max(1, r.launch.Threads/(8*workers)), r.threads
	if r.waits {
		chunk, run = r.launch.Kernel.BlockSize(), r.block
	}
	work := func() {
		for failed.Load() == nil {
			begin := int(next.Add(int64(chunk))) - chunk
			if begin >= r.launch.Threads {
				return
			}
			if err := run(begin, min(begin+chunk, r.launch.Threads)); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	}
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	runtime.KeepAlive(r.keep)
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// ended is the error of a launch whose context has ended, so that no further threads are begun. It is nil if that goes
// on.
func (r *interpretedRun) ended() error {
	if w := r.launch.Within; w != nil && w.Err() != nil {
		return failure.Abandoned(r.launch.Kernel.Name(), w)
	}
	return nil
}

// threads runs the threads from begin to less than end.
func (r *interpretedRun) threads(begin, end int) error {
	env := interp.Env{Memory: hostMemory{}, Printf: r.printf}
	for flat := begin; flat < end; flat++ {
		if err := r.ended(); err != nil {
			return err
		}
		r.place(&env.Place, flat)
		if r.fn.Kind == ssa.BlockKernel {
			env.Shared = sharedMemory()
		}
		_, err := r.program.Run(&env, r.args)
		runtime.KeepAlive(env.Shared)
		if err != nil {
			return r.failed(flat, err)
		}
	}
	return nil
}

// place sets where in the launch a thread is.
func (r *interpretedRun) place(p *interp.Place, flat int) {
	d, block := &r.launch.Dim, r.launch.Kernel.BlockSize()
	for axis := range p.Dim {
		p.Dim[axis] = int64(d.Size(axis))
	}
	p.Flat, p.Lane, p.Block, p.BlockDim = int64(flat), int64(flat%block), int64(flat/block), int64(block)
	for axis, i := range d.Index(flat) {
		p.ID[axis] = int64(i)
	}
	if r.fn.Kind == ssa.BlockKernel { // the launch is over blocks
		p.Block, p.BlockIndex = p.Flat, p.ID
	}
}

// printf prints what a tangent kernel prints, which does all that the kernel does.
func (r *interpretedRun) printf(in *ssa.Instr, args []uint64) error {
	words := append([]uint64{uint64(in.Format) | uint64(len(args))<<32}, args...)
	printer(r.launch.Kernel.Func, "go", r.abi.Formats)(printf.Records{Words: words, Used: uint64(len(words))})
	return nil
}

// failed makes the error of a thread that of a launch.
func (r *interpretedRun) failed(flat int, err error) error {
	f := &fault.Fault{Kernel: r.launch.Kernel.Name(), Reason: err.Error()}
	if check := (*interp.Fault)(nil); errors.As(err, &check) {
		f = interpretedFault(f.Kernel, check)
	}
	f.Thread = r.launch.Dim.Index(flat)
	return f
}

// Read implements [interp.Memory].
func (m hostMemory) Read(p []byte, addr uint64) error { return m.read(p, uintptr(addr)) }

// Write implements [interp.Memory].
func (m hostMemory) Write(addr uint64, p []byte) error { return m.write(uintptr(addr), p) }
