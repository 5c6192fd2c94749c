package device

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/cpu"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/dump"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
)

// builder builds the modules of all devices, through the cache that the
// environment names.
var builder = sync.OnceValue(func() *build.Builder {
	c, err := cache.Open("")
	if err != nil {
		slog.Warn(fmt.Sprintf("qd: %v", err))
	}
	o := origin.Running(c)
	return &build.Builder{Cache: c, Version: build.Version(o, c), Origin: o}
})

// buildKernel finds a kernel's source and builds it.
func buildKernel(ctx context.Context, k *kernel.Func, tc build.Toolchain, opts build.Options) (*build.Module, error) {
	src, err := k.Source(opts)
	if err != nil {
		return nil, err
	}
	if k.Backward != nil {
		tc = build.Gradient{Toolchain: tc, Options: k.Backward.Options}
	}
	m, err := builder().Kernel(ctx, src, k.Ref, tc, opts)
	if err == nil {
		err = k.Fits(m)
	}
	switch {
	case kernel.IsNotFound(err):
		err = k.NotFound(err)
	case kernel.IsChanged(err):
		err = k.Changed(err)
	}
	return m, err
}

// buildLoaded is buildKernel of a module that load loads. Of those that others have compiled, the next one is taken
// where one does not load.
func buildLoaded(ctx context.Context, k *kernel.Func, tc build.Toolchain, opts build.Options, load func(*build.Module) error) (loadErr, err error) {
	var tried []cache.Key
	for {
		m, err := buildKernel(ctx, k, tc, opts)
		if err != nil {
			if loadErr != nil && errors.As(err, new(*build.NoModuleError)) {
				err = nil
			}
			return loadErr, err
		}
		if loadErr = load(m); loadErr == nil || slices.Contains(tried, m.Key) || !build.Reject(tc, m.Key) {
			return loadErr, nil
		}
		tried = append(tried, m.Key)
	}
}

// loadedOf is what is to be known of a module's kernel.
func loadedOf(m *build.Module) *Loaded {
	abi := m.ABI
	if m.Grid != nil {
		abi = m.Grid.ABI
	}
	l := &Loaded{Name: m.Kernel, Asked: m.Asked, Code: func() cache.Key { return m.Key }, Backward: m.Backward}
	l.Read, l.Written = usesOf(abi, m.Backward)
	l.Ordered = abi.Ordered
	l.Faults = m.Grid != nil || len(abi.Sites) > 0
	return l
}

// printer prints what a module's kernels have recorded.
func printer(k *kernel.Func, dev string, formats []printf.Format) printf.Handler {
	return func(r printf.Records) {
		err := printing(func(w io.Writer) error { return printf.Decode(w, r, formats) })
		if err != nil {
			slog.Warn(fmt.Sprintf("kernel %s on %s: %v", k.Name(), dev, err))
		}
	}
}

// cpuBackend is device "cpu": emitted C++ on all cores. It works on Go's own
// memory.
type cpuBackend struct {
	HostQueues
	toolchain toolchain
	modules   memo.Once[cache.Key, *cpu.Module] // loaded ones, by their artifacts
}

// A toolchain makes modules, or finds them made.
type toolchain interface {
	build.Toolchain
	dump.Toolchain
}

func newCPUBackend() (Backend, error) {
	compiler, err := clang.Find()
	if unsupported := dl.Supported(); unsupported != nil { // whatever compilers there are
		err = unsupported
	}
	if err == nil {
		return &cpuBackend{toolchain: build.CPP{Compiler: compiler}}, nil
	}
	// Where QD_CXX names a compiler, that one is meant.
	if none := (*clang.MissingError)(nil); errors.As(err, &none) && none.Named == "" && mayBeCached(build.CPP{}.Target()) {
		return &cpuBackend{toolchain: build.CPUOnly(err)}, nil
	}
	return nil, &failure.MissingError{Device: "cpu", Err: err}
}

// mayBeCached reports whether there may be modules for a target in the cache that others have compiled.
func mayBeCached(target string) bool {
	c := builder().Cache
	return c.Remote() != nil || c.HasModules(target)
}

// noModule is the error of a device that lacks its compiler, if an error says that a module was not to be had without
// it.
func noModule(device string, err error) error {
	if errors.As(err, new(*build.NoModuleError)) {
		return &failure.MissingError{Device: device, Err: err}
	}
	return err
}

// notCompiled describes a device without a compiler.
const notCompiled = "not compiled here: there is no compiler, only the cache"

// Compiles reports whether a device has what it takes to run any kernel. One without a compiler runs what is in the
// cache.
func Compiles(b Backend) bool {
	var t toolchain
	switch b := b.(type) {
	case *cpuBackend:
		t = b.toolchain
	case *cudaBackend:
		t = b.toolchain
	}
	_, none := t.(build.CacheOnly)
	return !none
}

// KnowsBlockDim implements [Backend].
func (*cpuBackend) KnowsBlockDim() bool { return false }

func (b *cpuBackend) Describe() string {
	by := notCompiled
	if t, ok := b.toolchain.(build.CPP); ok {
		by = "compiled by " + filepath.Base(t.Compiler.Path)
	}
	return fmt.Sprintf("%s, %d cores, %s", b.toolchain.Arch(), runtime.GOMAXPROCS(0), by)
}

func (b *cpuBackend) Alloc(int) (Memory, error) { return nil, nil }

// Together implements [Backend].
func (b *cpuBackend) Together(ctx context.Context, requests []build.Request) {
	builder().Together(ctx, b.toolchain, requests)
}

func (b *cpuBackend) Load(ctx context.Context, k *kernel.Func, opts build.Options) (*Loaded, error) {
	var m *build.Module
	var l *Loaded
	var lib *cpu.Module
	var print printf.Handler
	err, failed := buildLoaded(ctx, k, b.toolchain, opts, func(found *build.Module) (err error) {
		m, print, l = found, printer(k, "cpu", found.Formats()), loadedOf(found)
		lib, err = b.modules.Do(m.Key, func() (*cpu.Module, error) {
			l.Module = m
			dump.Module(builder().Cache, b.toolchain, m, k.Ref.Pkg, opts)
			return cpu.Load(m.Path, print)
		})
		return err
	})
	if failed != nil {
		return nil, noModule("cpu", failed)
	}
	if err != nil {
		// The system's loader does not say why.
		if strings.Contains(err.Error(), "failed to map segment") {
			err = fmt.Errorf("%w; if that file system does not allow code to run (it is mounted noexec), set QD_CACHE to a directory on another one", err)
		}
		return nil, &failure.DeviceError{Device: "cpu", Op: "load " + k.Name(), Err: err}
	}
	load := func(_ *ssa.Func, abi *build.ABI) (packedProgram, error) {
		entries, err := loadEntries(abi, lib.Find)
		if err != nil {
			return nil, &failure.DeviceError{Device: "cpu", Op: "load " + k.Name(), Err: err}
		}
		entries.kernel.Widened(abi.Lanes)
		if entries.hoisted != nil {
			entries.hoisted.Widened(abi.Lanes)
		}
		if !opts.Checked {
			running := lib.Names(k.Name(), m.Name != m.Kernel)
			entries.kernel.Counted(running)
			if entries.hoisted != nil {
				entries.hoisted.Counted(running)
			}
		}
		p := &cpuProgram{abi: abi, entries: entries}
		if m.Grid == nil {
			p.rows = b.newShortRows(k, abi, opts, m.Asked)
		}
		return p, nil
	}
	if m.Grid != nil {
		g, err := newGridProgram(b, k, m.Grid, print, load)
		l.Program = cpuGrid{g}
		return l, err
	}
	l.Program, err = programOf(b, k, m, opts, func(abi *build.ABI) (Program, error) {
		p, err := load(nil, abi)
		if err != nil {
			return nil, err
		}
		return p.(*cpuProgram), nil
	})
	return l, err
}

// cpuProgram is a kernel on device "cpu".
type cpuProgram struct {
	abi      *build.ABI
	entries  entries[*cpu.Kernel]
	packings packings

	rows *shortRows // its programs for launches with short rows, nil for none
}

func (p *cpuProgram) Rank() int { return p.abi.Rank }

func (p *cpuProgram) Prepare(l Launch) (Runner, error) { return p.prepareAgain(&l, nil) }

// prepareAgain is Prepare. The launch takes the memory of what [Again] has returned, nil for nothing.
func (p *cpuProgram) prepareAgain(l *Launch, again Runner) (Runner, error) {
	if p.rows != nil {
		if axis := p.rows.axis(&l.Dim); axis >= 0 {
			return p.prepareShort(l, axis, again)
		}
	}
	run, _, err := p.prepareAsIs(l, again)
	if err != nil {
		return nil, err
	}
	return l.Queued(run), nil
}

// prepareAsIs prepares a launch with the axes in their places, for no queue, and says whether several of them run as one.
func (p *cpuProgram) prepareAsIs(l *Launch, again Runner) (run *cpuRun, collapsed bool, err error) {
	if run, _ = again.(*cpuRun); run == nil {
		run = new(cpuRun)
	}
	buf := run.buffer(p.abi.Size)
	keep, err := l.pack(buf, run.list, p.abi, p.packings.find(l.Kernel.Func, p.abi), nil)
	if err != nil {
		return nil, false, err
	}
	if len(keep) > 0 && &keep[0] != &l.Args[0] {
		run.list = keep
	}
	entry := p.entries.pick(p.abi, l, buf)
	size, collapsed := p.collapsed(l, buf, entry == p.entries.hoisted)
	if collapsed {
		putDims(buf, p.abi, &size)
	}
	p.launch(run, l, &size, entry, buf, keep)
	return run, collapsed, nil
}

// packed implements [packedProgram].
func (p *cpuProgram) packed(l *Launch, buf []byte) (Runner, error) {
	return p.entries.packed(p.abi, l, buf, func(entry *cpu.Kernel) (Runner, error) {
		run := new(cpuRun)
		p.launch(run, l, &l.Dim, entry, buf, nil)
		return run, nil
	})
}

// cost is how many nanoseconds a thread has been measured to take, 0 if none has.
func (p *cpuProgram) cost() float64 {
	c := p.entries.kernel.Cost()
	if p.entries.hoisted != nil {
		c = max(c, p.entries.hoisted.Cost())
	}
	return c
}

// launch makes a run the launch of packed arguments, with the size that these have.
func (p *cpuProgram) launch(run *cpuRun, l *Launch, size *dims.Dims, entry *cpu.Kernel, buf []byte, keep []any) {
	row, count := int64(0), int64(l.Threads)
	switch {
	case p.abi.Blocked: // the entry point runs whole blocks
		count = (count-1)/int64(l.Kernel.BlockSize()) + 1
	case size.Rank > 1:
		row = int64(size.N[size.Rank-1])
	}
	run.program, run.kernel, run.dim = p, l.Kernel, l.Dim
	run.keep, run.within = keep, l.Within
	run.launch.Prepare(entry, buf, count, row)
	run.launch.Bound(l.done())
}

// cpuRun is a prepared launch on device "cpu".
type cpuRun struct {
	launch  cpu.Launch
	program *cpuProgram
	kernel  *kernel.Kernel
	dim     dims.Dims
	keep    []any           // the slices that the arguments point into, those of arrays among them
	within  context.Context // ends the launch; nil for none

	// Memory that the run may have from launches before.
	words []uint64 // for packed arguments
	list  []any    // for keep
}

// buffer is memory of the run's own for packed arguments, all zero.
func (r *cpuRun) buffer(size int) []byte {
	n := (size + 7) / 8
	if cap(r.words) < n {
		r.words = make([]uint64, n)
	}
	r.words = r.words[:n]
	clear(r.words)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(r.words))), size)
}

// runOnce runs a launch that nobody else runs. Afterwards the run refers to the program and the kernel only, which stay
// anyway.
func (r *cpuRun) runOnce() error {
	err := r.ended(r.launch.RunOnly())
	r.launch.Forget()
	clear(r.list)
	r.keep, r.within = nil, nil
	return err
}

func (r *cpuRun) Run() error { return r.ended(r.launch.Run()) }

// ended keeps the memory that a run has used until it has ended, and makes an error of the record of one that has
// failed.
func (r *cpuRun) ended(record *fault.Record) error {
	runtime.KeepAlive(r.keep)
	switch {
	case record != nil:
		f := faultsOf(r.kernel, r.dim, r.program.abi.Sites)
		f.interchanged = r.program.abi.Interchanged
		return f.fault(record)
	case r.launch.Abandoned():
		return failure.Abandoned(r.kernel.Name(), r.within)
	}
	return nil
}
