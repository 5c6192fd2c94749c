package device

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/internal/runtime/dump"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
)

// cudaDriver is the CUDA driver, opened once.
var cudaDriver = sync.OnceValues(cuda.Open)

// cudaBackend is device "cuda:N": emitted CUDA on an NVIDIA GPU.
type cudaBackend struct {
	name      string
	dev       *cuda.Device
	toolchain toolchain
	modules   memo.Once[cache.Key, *cuda.Module] // loaded ones, by their artifacts
}

func newCUDABackend(ordinal int) (Backend, error) {
	b := &cudaBackend{name: fmt.Sprintf("cuda:%d", ordinal)}
	driver, err := cudaDriver()
	if err != nil {
		return nil, b.cannotOpen(err)
	}
	count, err := driver.Count()
	if err != nil {
		return nil, b.cannotOpen(err)
	}
	if ordinal >= count && count > 0 {
		return nil, b.cannotOpen(fmt.Errorf("there is no such device; this machine has %d, from cuda:0", count))
	}
	info, err := driver.Info(ordinal)
	if err != nil {
		return nil, b.cannotOpen(err)
	}
	// A driver takes no code from an NVRTC of a later major version.
	version := driver.Version().Major
	lib, err := nvrtc.FindUpTo(version)
	switch {
	case err == nil:
		arch, err := lib.Target(10*info.Major + info.Minor)
		if err != nil {
			return nil, b.cannotOpen(err)
		}
		b.toolchain = build.CUDA{Library: lib, Options: nvrtc.Options{Arch: arch}}
	case isNoneNamed(err) && mayBeCached(build.CUDA{}.Target()):
		b.toolchain = build.CUDAOnly(version, info.Major, info.Minor, err)
	default:
		return nil, &failure.MissingError{Device: b.name, Err: err}
	}
	if b.dev, err = driver.Device(ordinal); err != nil {
		return nil, b.cannotOpen(err)
	}
	return b, nil
}

// isNoneNamed reports whether an error says that there is no NVRTC, where QD_NVRTC names none: that one would be meant.
func isNoneNamed(err error) bool {
	var none *nvrtc.MissingError
	return errors.As(err, &none) && none.Named == ""
}

// cannotOpen is the error of a device that cannot be used.
func (b *cudaBackend) cannotOpen(err error) error {
	var missing *cuda.MissingError
	if errors.As(err, &missing) {
		return &failure.MissingError{Device: b.name, Err: noDriver{err}}
	}
	return b.fail("open", err)
}

// noDriver is a missing driver. It says what there is of the compiler too, so that
// nobody installs the one to be told of the other. That is looked up when
// somebody reads it: most programs on machines without a GPU just take another device.
type noDriver struct{ error }

// Error adds the compiler.
func (e noDriver) Error() string {
	lib, err := nvrtc.Find()
	if err != nil {
		return fmt.Sprintf("%v; the compiler is missing too: %v", e.error, err)
	}
	return fmt.Sprintf("%v; the compiler is there: %v", e.error, lib)
}

// Unwrap gives the driver's error.
func (e noDriver) Unwrap() error { return e.error }

// fail is the error of an operation of the device, nil for nil. What is no failure
// of the device is left as it is.
func (b *cudaBackend) fail(op string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || isFault(err) {
		return err
	}
	return &failure.DeviceError{Device: b.name, Op: op, Err: err}
}

// KnowsBlockDim implements [Backend].
func (*cudaBackend) KnowsBlockDim() bool { return true }

// Abandons implements [Backend].
func (*cudaBackend) Abandons() bool { return false }

func (b *cudaBackend) Describe() string {
	by := notCompiled
	if t, ok := b.toolchain.(build.CUDA); ok {
		by = fmt.Sprintf("compiled by %v", t.Library)
	}
	return fmt.Sprintf("%v, %s", b.dev.Info(), by)
}

// Settle implements [Backend].
func (b *cudaBackend) Settle() error { return b.fail("wait", b.dev.Settle()) }

// TakeError implements [Backend].
func (b *cudaBackend) TakeError() error { return b.fail("wait", joined(b.dev.TakeFaults())) }

func (b *cudaBackend) Alloc(bytes int) (Memory, error) {
	m, err := b.allocate(bytes)
	if err != nil {
		// Typed nil pointers are no nil interfaces: the array must see that it has no memory.
		return cudaMemory{backend: b}, b.fail(fmt.Sprintf("allocate %d bytes", bytes), err)
	}
	return cudaMemory{b, m}, nil
}

// allocate allocates memory. When there is none, arrays that the program has lost
// may still hold some: Go's garbage collector does not know that a GPU runs out.
func (b *cudaBackend) allocate(bytes int) (*cuda.Memory, error) {
	m, err := b.dev.Alloc(bytes)
	var ce *cuda.Error
	for try := 0; try < 3 && errors.As(err, &ce) && ce.Code == cuda.ErrorOutOfMemory; try++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond) // the cleanups run after the collection
		m, err = b.dev.Alloc(bytes)
	}
	return m, err
}

// cudaMemory is memory of a GPU.
type cudaMemory struct {
	backend *cudaBackend
	mem     *cuda.Memory // nil when there was none to be had
}

func (m cudaMemory) Address() uintptr { return m.mem.Address() }

func (m cudaMemory) Write(host []byte) error {
	return m.backend.fail("copy to an array", m.mem.Write(host))
}

func (m cudaMemory) Read(host []byte) error {
	return m.backend.fail("copy from an array", m.mem.Read(host))
}

func (m cudaMemory) Zero() error {
	s := m.backend.dev.Stream()
	err := s.Fill(m.mem, 0)
	if err == nil {
		err = s.Settle()
	}
	return m.backend.fail("clear an array", err)
}

// Duplicate implements [Memory].
func (m cudaMemory) Duplicate() (Memory, error) {
	d, err := m.backend.Alloc(m.mem.Size())
	if err == nil {
		err = d.CopyFrom(m)
	}
	if err != nil {
		d.Free()
		return nil, err
	}
	return d, nil
}

// CopyFrom implements [Memory]. Between two GPUs the host carries the contents: not all can reach each other's memory.
func (m cudaMemory) CopyFrom(from Memory) error {
	f := from.(cudaMemory)
	if f.backend != m.backend {
		host := make([]byte, m.mem.Size())
		if err := f.Read(host); err != nil {
			return err
		}
		return m.Write(host)
	}
	s := m.backend.dev.Stream()
	err := s.Copy(m.mem, f.mem, m.mem.Size())
	if err == nil {
		err = s.Settle()
	}
	return m.backend.fail("copy an array", err)
}

// Fill implements [Memory]. What is no repeated byte is written once, and then copied: each step doubles what there is.
func (m cudaMemory) Fill(elem []byte) error {
	s, size := m.backend.dev.Stream(), m.mem.Size()
	if size == 0 {
		return nil
	}
	var err error
	if bytes.Count(elem, elem[:1]) == len(elem) {
		err = s.Fill(m.mem, elem[0])
	} else {
		err = m.mem.Write(elem)
		for n := len(elem); n < size && err == nil; n *= 2 {
			err = s.Copy(m.mem.Part(n, size-n), m.mem, min(n, size-n))
		}
	}
	if err == nil {
		err = s.Settle()
	}
	return m.backend.fail("fill an array", err)
}

// Part implements [Memory].
func (m cudaMemory) Part(from, size int) Memory { return cudaMemory{m.backend, m.mem.Part(from, size)} }

func (m cudaMemory) Free() {
	if m.mem != nil {
		_ = m.mem.Free() // an error of what ran before is for whoever launched it
	}
}

// cudaQueue is a stream of the driver.
type cudaQueue struct {
	backend *cudaBackend
	stream  *cuda.Stream
}

func (b *cudaBackend) NewQueue() (Queue, error) {
	s, err := b.dev.NewStream()
	if err != nil {
		return nil, b.fail("make a stream", err)
	}
	return &cudaQueue{b, s}, nil
}

// Submit runs a launch, which queues itself: it is bound to the stream.
func (q *cudaQueue) Submit(r Runner) error {
	if q.stream.Closed() {
		return errClosed
	}
	return r.Run()
}

func (q *cudaQueue) Wait(ctx context.Context) error {
	return q.backend.fail("wait for a stream", q.stream.Sync(ctx))
}

func (q *cudaQueue) Close() error { return q.backend.fail("close a stream", q.stream.Close()) }

// Together implements [Backend].
func (b *cudaBackend) Together(ctx context.Context, requests []build.Request) {
	requests = slices.Clone(requests)
	for i := range requests {
		requests[i].Options.Narrow = true
	}
	builder().Together(ctx, b.toolchain, requests)
}

// Load implements [Backend]: it loads the build for small launches.
func (b *cudaBackend) Load(ctx context.Context, k *kernel.Func, opts build.Options) (*Loaded, error) {
	opts.Narrow = true
	return b.load(ctx, k, opts, func(*cudaProgram) {})
}

// load loads a build, and shows the program of each kernel of it.
func (b *cudaBackend) load(ctx context.Context, k *kernel.Func, opts build.Options, made func(*cudaProgram)) (*Loaded, error) {
	var m *build.Module
	var l *Loaded
	var mod *cuda.Module
	var print printf.Handler
	err, failed := buildLoaded(ctx, k, b.toolchain, opts, func(found *build.Module) (err error) {
		m, print, l = found, printer(k, b.name, found.Formats()), loadedOf(found)
		mod, err = b.modules.Do(m.Key, func() (*cuda.Module, error) {
			l.Module = m
			dump.Module(builder().Cache, b.toolchain, m, k.Ref.Pkg, opts)
			image, err := os.ReadFile(m.Path)
			if err != nil {
				return nil, err
			}
			return b.dev.Load(image, print)
		})
		return err
	})
	if failed != nil {
		return nil, noModule(b.name, failed)
	}
	if err != nil {
		return nil, b.fail("load "+k.Name(), err)
	}
	wide := &beside[*wideBuild]{of: k, build: func(ctx context.Context) (*wideBuild, error) { return b.loadWide(ctx, k, opts, m.Asked) }}
	load := func(_ *ssa.Func, abi *build.ABI) (packedProgram, error) {
		entries, err := loadEntries(abi, mod.Find)
		if err != nil {
			return nil, b.fail("load "+k.Name(), err)
		}
		p := &cudaProgram{backend: b, abi: abi, entries: entries, wide: wide}
		made(p)
		return p, nil
	}
	if m.Grid != nil {
		g, err := newGridProgram(b, k, m.Grid, print, load)
		l.Program = cudaGrid{g, b}
		return l, err
	}
	l.Program, err = programOf(b, k, m, opts, func(abi *build.ABI) (Program, error) {
		p, err := load(nil, abi)
		if err != nil {
			return nil, err
		}
		return p.(*cudaProgram), nil
	})
	return l, err
}

// cudaProgram is a kernel on a GPU.
type cudaProgram struct {
	backend  *cudaBackend
	abi      *build.ABI
	entries  entries[*cuda.Kernel]
	packings packings
	wide     *beside[*wideBuild] // of the same kernel, for launches that are not small
}

func (p *cudaProgram) Rank() int { return p.abi.Rank }

func (p *cudaProgram) Prepare(l Launch) (Runner, error) {
	b := p.backend
	stream := b.stream(&l)
	copies, err := p.copyPlan(l.Args)
	if err != nil {
		return nil, b.fail("launch "+l.Kernel.Name(), err)
	}
	buf, keep, err := l.packNew(p.abi, p.packings.find(l.Kernel.Func, p.abi), copies.address)
	if err != nil {
		copies.free()
		return nil, err
	}
	if fit, err := p.forLaunch(&l, buf); err != nil || fit != p {
		copies.free()
		if err != nil {
			return nil, err
		}
		return fit.Prepare(l)
	}
	threads, block := int64(l.Threads), l.Kernel.BlockDim
	if p.abi.Blocked || p.abi.Block {
		block = l.Kernel.BlockSize()
	}
	if p.abi.Block {
		threads *= int64(block)
	}
	run, err := p.entries.pick(p.abi, &l, buf).Launch(stream.Stream, buf, threads, block)
	if err != nil {
		copies.free()
		return nil, b.fail("launch "+l.Kernel.Name(), err)
	}
	l.onFault(run, p.abi)
	return newCUDARun(b, l.Kernel.Name(), stream, kernelRun{run}, copies, keep), nil
}

// packed implements [packedProgram].
func (p *cudaProgram) packed(l *Launch, buf []byte) (Runner, error) {
	run, err := p.packedAs(l, buf)
	if err != nil || p.abi.Small == nil {
		return run, err
	}
	return &sizedRun{program: p, launch: l, buf: buf, small: run}, nil
}

// packedAs is packed of this program, whatever the size of the launch.
func (p *cudaProgram) packedAs(l *Launch, buf []byte) (Runner, error) {
	return p.entries.packed(p.abi, l, buf, func(entry *cuda.Kernel) (Runner, error) {
		run, err := entry.Launch(p.backend.stream(l).Stream, buf, int64(l.Threads), l.Kernel.BlockDim)
		if err != nil {
			return nil, p.backend.fail("launch "+l.Kernel.Name(), err)
		}
		l.onFault(run, p.abi)
		return &cudaRun{backend: p.backend, name: l.Kernel.Name(), work: kernelRun{run}}, nil
	})
}

// onFault has a launch of a kernel fail with a *Fault.
func (l *Launch) onFault(run *cuda.Launch, abi *build.ABI) {
	if len(abi.Sites) > 0 {
		f := faultsOf(l.Kernel, l.Dim, abi.Sites)
		if abi.Block {
			f.lanes = l.Kernel.BlockSize()
		}
		run.OnFault(f.fault)
		run.FaultsTo(l.Own)
	}
}

// A launchStream is what a launch is queued on.
type launchStream struct {
	*cuda.Stream
	own *cuda.OwnFaults // of the launch, nil if they are for the Sync of the stream
}

// Sync waits for the launch, and for what was queued before.
func (s launchStream) Sync(ctx context.Context) error {
	if s.own != nil {
		return s.own.Wait(s.Stream)
	}
	return s.Stream.Sync(ctx)
}

// stream is what a launch is queued on.
func (b *cudaBackend) stream(l *Launch) launchStream {
	if l.Queue != nil {
		return launchStream{l.Queue.(*cudaQueue).stream, l.Own}
	}
	return launchStream{b.dev.Stream(), l.Own}
}

// apart has a launch tell its own faults, and leave those of launches before to whoever waits for these. wait waits for
// what was queued so far, and returns the first fault of the launch.
func (l *Launch) apart(b Backend) (wait func() error) {
	gpu, ok := b.(*cudaBackend)
	if !ok {
		return func() error { return nil } // one that has begun is waited for
	}
	l.Own = new(cuda.OwnFaults)
	s := gpu.stream(l)
	return func() error { return gpu.fail("wait", s.Sync(context.Background())) }
}

// newCUDARun is a run with copies of plain slices, which go with it.
func newCUDARun(b *cudaBackend, name string, stream launchStream, work Runner, copies *hostCopies, keep []any) *cudaRun {
	r := &cudaRun{backend: b, name: name, stream: stream, work: work, copies: copies, keep: keep}
	if copies != nil {
		runtime.AddCleanup(r, func(c *hostCopies) { c.free() }, copies)
	}
	return r
}

// cudaRun is a prepared launch on a GPU.
type cudaRun struct {
	backend *cudaBackend
	name    string
	stream  launchStream
	work    Runner
	copies  *hostCopies // nil when all arguments are on the device
	keep    []any       // the slices and arrays that the arguments point into
}

func (r *cudaRun) Run() error {
	err := r.steps()
	if err != nil && !isDeviceError(err) {
		err = r.backend.fail("launch "+r.name, err)
	}
	runtime.KeepAlive(r)
	return err
}

// isDeviceError reports whether an error is a *DeviceError already. It is a function of its own
// because errors.As has its target allocated, which a launch without an error does not pay for.
func isDeviceError(err error) bool { return errors.As(err, new(*failure.DeviceError)) }

// isFault reports whether an error is a *Fault already.
func isFault(err error) bool { return errors.As(err, new(*fault.Fault)) }

func (r *cudaRun) steps() error {
	if r.copies == nil {
		return r.work.Run()
	}
	if err := r.copies.in(r.stream.Stream); err != nil {
		return err
	}
	if err := r.work.Run(); err != nil {
		return err
	}
	if err := r.copies.out(r.stream.Stream); err != nil {
		return err
	}
	return r.stream.Sync(context.Background())
}

// Release gives back what the launch had on the device, when it will not be repeated.
func (r *cudaRun) Release() { r.copies.free() }
