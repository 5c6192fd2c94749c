package device

import (
	"context"
	"errors"
	"runtime"
	"unsafe"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/target/abi"
)

// gridProgram is a Grid kernel on a device that runs compiled code. What stands
// between its loops is interpreted, on the host; the loops are kernels.
type gridProgram struct {
	backend Backend
	kernel  *kernel.Func
	grid    *build.Grid
	host    *interp.Program
	kernels map[*ssa.Func]packedProgram
	print   printf.Handler
}

// packedProgram is a kernel whose arguments are packed by the caller.
type packedProgram interface {
	// packed makes a launch of a packed argument struct, which may be changed
	// between runs.
	packed(l *Launch, buf []byte) (Runner, error)
}

// newGridProgram loads the kernels of a Grid kernel's loops.
func newGridProgram(b Backend, k *kernel.Func, g *build.Grid, print printf.Handler, load func(*ssa.Func, *build.ABI) (packedProgram, error)) (*gridProgram, error) {
	p := &gridProgram{backend: b, kernel: k, grid: g, host: interp.Compile(g.Host), kernels: map[*ssa.Func]packedProgram{}, print: print}
	for f, abi := range g.Kernels {
		var err error
		if p.kernels[f], err = load(f, abi); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (*gridProgram) Rank() int { return 0 }

// gridMemory is a device's memory, as the host's part of a Grid kernel uses it.
type gridMemory interface {
	read(p []byte, addr uintptr) error
	write(addr uintptr, p []byte) error
	// copy copies bytes between addresses.
	copy(to, from uintptr, n int) error
	// settle waits for the loops so far, and prints what they have printed.
	settle() error
}

// gridRun is a prepared run of a Grid kernel.
type gridRun struct {
	*gridProgram
	launch  *Launch
	memory  gridMemory
	args    [][]byte // of the host's function
	regions []gridRegion
	kept    *gridKept // nil but for a backward kernel
	loops   map[*ssa.Instr]*gridLaunch
	env     interp.Env
	keep    []any // what the arguments point into
}

// gridRegion is memory that an argument gives to the kernel.
type gridRegion struct{ begin, end uintptr }

// gridLaunch is the launch of a loop, kept for the next time that the loop is
// reached.
type gridLaunch struct {
	Runner
	sizes [3]int
	buf   []byte // the argument struct
	abi   *build.ABI
}

// newRun prepares a run with the packed arguments in buf.
func (p *gridProgram) newRun(l *Launch, buf []byte, memory gridMemory, keep []any) *gridRun {
	r := &gridRun{gridProgram: p, launch: l, memory: memory, loops: map[*ssa.Instr]*gridLaunch{}, keep: keep}
	for i, param := range p.grid.Host.Params() {
		at := p.grid.ABI.Params[i].Offset
		arg := buf[at : at+param.Type.Size()]
		r.args = append(r.args, arg)
		r.addRegions(param.Type, arg)
	}
	r.env = interp.Env{Memory: checkedMemory{r}, Launch: r.start, Printf: r.printf}
	if p.kernel.Backward != nil {
		r.kept = newGridKept(r)
		r.env.Snapshot, r.env.Restore, r.env.Shared, r.env.Launch = r.kept.snapshot, r.kept.restore, r.kept.shared, r.kept.launch
	}
	return r
}

// addRegions notes the memory that a packed argument leads to.
func (r *gridRun) addRegions(t ssa.Type, arg []byte) {
	eachPacked(t, arg, func(s *packedSlice, elem int) {
		if s.n > 0 {
			r.regions = append(r.regions, s.region(elem))
		}
	})
}

// A packedSlice is a slice as kernels have it.
type packedSlice struct{ addr, n uintptr }

// region is the memory of the slice, whose elements have a size.
func (s *packedSlice) region(elem int) gridRegion {
	return gridRegion{s.addr, s.addr + s.n*uintptr(elem)}
}

// eachPacked calls f for the slices in a packed value, and the sizes of their elements.
func eachPacked(t ssa.Type, value []byte, f func(s *packedSlice, elem int)) {
	switch t := t.(type) {
	case ssa.Slice:
		f((*packedSlice)(unsafe.Pointer(unsafe.SliceData(value))), t.Elem.Size())
	case *ssa.Struct:
		for i, field := range t.Fields {
			eachPacked(field.Type, value[t.Offset(i):t.Offset(i)+field.Type.Size()], f)
		}
	case ssa.Array:
		for i := range t.Len {
			eachPacked(t.Elem, value[i*t.Elem.Size():(i+1)*t.Elem.Size()], f)
		}
	}
}

// Run runs the host's part, and so the loops in it.
func (r *gridRun) Run() error {
	if r.kept != nil {
		defer r.kept.end()
	}
	_, err := r.host.Run(&r.env, r.args)
	runtime.KeepAlive(r.keep)
	return r.failed(err)
}

// failed makes errors of the host's part those of a launch.
func (r *gridRun) failed(err error) error {
	var check *interp.Fault
	var loop *fault.Fault
	var launch *failure.LaunchError
	var device *failure.DeviceError
	switch {
	case errors.As(err, &check):
		return r.fault(check)
	case errors.As(err, &loop):
		return loop
	case errors.As(err, &launch):
		return launch
	case errors.As(err, &device):
		return device
	case errors.Is(err, errOutside):
		return &fault.Fault{Kernel: r.kernel.Name(), Reason: err.Error()} // which begins with the place
	}
	return err
}

// fault describes a check or a panic of the host's part.
func (r *gridRun) fault(f *interp.Fault) *fault.Fault { return interpretedFault(r.kernel.Name(), f) }

// interpretedFault is the fault of interpreted code of a kernel.
func interpretedFault(kernel string, f *interp.Fault) *fault.Fault {
	in := f.Instr
	site := abi.FaultSite{Kind: "panic", Message: in.Message, Pos: in.Pos}
	if in.Op == ssa.OpCheck {
		site.Kind = in.Check.String()
	}
	var rec fault.Record
	for i, v := range f.Values[:min(len(f.Values), len(rec.Values))] {
		rec.Values[i] = int64(v)
		site.Types = append(site.Types, in.Args[i].Type.String())
	}
	return newSiteFault(kernel, &site, &rec)
}

// start launches a loop.
func (r *gridRun) start(in *ssa.Instr, dims []int64, args [][]byte) error {
	sizes := loopSizes(dims)
	l := r.loops[in]
	if l == nil || l.sizes != sizes {
		var err error
		if l, err = r.newLoop(in, sizes); l == nil {
			return err
		}
		r.loops[in] = l
	}
	l.set(args)
	return l.Run()
}

// loopSizes are the sizes of a loop.
func loopSizes(dims []int64) (sizes [3]int) {
	for i, n := range dims {
		sizes[i] = int(n)
	}
	return sizes
}

// set sets the arguments of the loop's kernel.
func (l *gridLaunch) set(args [][]byte) {
	for i, arg := range args {
		copy(l.buf[l.abi.Params[i].Offset:], arg)
	}
}

// dimsOf are the dimensions of a launch, and the number of its threads.
func (r *gridRun) dimsOf(in *ssa.Instr, sizes [3]int) (dims.Dims, int, error) {
	dim, total, err := dims.OfLoop(sizes[:in.Rank])
	if err != nil {
		interchange(sizes[:in.Rank], in.Callee.Interchanged) // as the user has written them
		_, _, err = dims.OfLoop(sizes[:in.Rank])
		err = &fault.Fault{Kernel: r.kernel.Name(), Reason: err.Error(), File: in.Pos.File, Line: in.Pos.Line, Col: in.Pos.Col}
	}
	return dim, total, err
}

// newLoop prepares the launch of a loop, nil for one over nothing.
func (r *gridRun) newLoop(in *ssa.Instr, sizes [3]int) (*gridLaunch, error) {
	dim, total, err := r.dimsOf(in, sizes)
	if err != nil || total == 0 {
		return nil, err
	}
	l, err := r.newLaunch(in.Callee, dim, total)
	if l != nil {
		l.sizes = sizes
	}
	return l, err
}

// newLaunch prepares the launch of a kernel.
func (r *gridRun) newLaunch(k *ssa.Func, dim dims.Dims, total int) (l *gridLaunch, err error) {
	l = &gridLaunch{abi: r.grid.Kernels[k]}
	words := make([]uint64, (l.abi.Size+7)/8) // aligned for any field
	l.buf = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), l.abi.Size)
	putDims(l.buf, l.abi, &dim)
	inner := *r.launch
	inner.Dim, inner.Threads = dim, total
	if l.Runner, err = r.kernels[k].packed(&inner, l.buf); err != nil {
		return nil, err
	}
	return l, nil
}

// printf prints from the host's part, after the loops before.
func (r *gridRun) printf(in *ssa.Instr, args []uint64) error {
	if err := r.memory.settle(); err != nil {
		return err
	}
	words := append([]uint64{uint64(in.Format) | uint64(len(args))<<32}, args...)
	r.print(printf.Records{Words: words, Used: uint64(len(words))})
	return nil
}

// checkedMemory is the memory of the kernel's arguments and no other.
type checkedMemory struct{ *gridRun }

func (m checkedMemory) check(addr uint64, n int) error {
	if n == 0 {
		return nil
	}
	for _, r := range m.regions {
		if uintptr(addr) >= r.begin && uintptr(addr) <= r.end && uintptr(n) <= r.end-uintptr(addr) {
			return nil
		}
	}
	return errOutside
}

var errOutside = errors.New("the code between parallel loops uses an element outside the kernel's slices")

// Read implements [interp.Memory].
func (m checkedMemory) Read(p []byte, addr uint64) error {
	if err := m.check(addr, len(p)); err != nil {
		return err
	}
	return m.memory.read(p, uintptr(addr))
}

// Write implements [interp.Memory].
func (m checkedMemory) Write(addr uint64, p []byte) error {
	if err := m.check(addr, len(p)); err != nil {
		return err
	}
	if m.kept != nil {
		if err := m.kept.changes(uintptr(addr), len(p)); err != nil {
			return err
		}
	}
	return m.memory.write(uintptr(addr), p)
}

// hostMemory is Go's own.
type hostMemory struct{}

// at is the memory at an address, which is that of an element of a slice that the
// run keeps reachable.
func (hostMemory) at(addr uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}

func (m hostMemory) read(p []byte, addr uintptr) error {
	copy(p, m.at(addr, len(p)))
	return nil
}

func (m hostMemory) write(addr uintptr, p []byte) error {
	copy(m.at(addr, len(p)), p)
	return nil
}

func (m hostMemory) copy(to, from uintptr, n int) error {
	copy(m.at(to, n), m.at(from, n))
	return nil
}

func (hostMemory) settle() error { return nil }

// cpuGrid is a Grid kernel on device "cpu".
type cpuGrid struct{ *gridProgram }

func (g cpuGrid) Prepare(l Launch) (Runner, error) {
	buf, keep, err := l.packNew(g.grid.ABI, newPacking(l.Kernel.Func, g.grid.ABI), nil)
	if err != nil {
		return nil, err
	}
	inner := l
	inner.Queue = nil // the run as a whole is queued
	return l.Queued(g.newRun(&inner, buf, hostMemory{}, keep)), nil
}

// cudaGrid is a Grid kernel on a GPU.
type cudaGrid struct {
	*gridProgram
	backend *cudaBackend
}

func (g cudaGrid) Prepare(l Launch) (Runner, error) {
	host := &cudaProgram{backend: g.backend, abi: g.grid.ABI}
	copies, err := host.copyPlan(l.Args)
	if err != nil {
		return nil, g.backend.fail("run "+g.kernel.Name(), err)
	}
	buf, keep, err := l.packNew(g.grid.ABI, newPacking(l.Kernel.Func, g.grid.ABI), copies.address)
	if err != nil {
		copies.free()
		return nil, err
	}
	stream := g.backend.stream(&l)
	run := g.newRun(&l, buf, &cudaGridMemory{g.backend, stream}, keep)
	return newCUDARun(g.backend, g.kernel.Name(), stream, run, copies, keep), nil
}

// cudaGridMemory is that of a GPU, copied element by element.
type cudaGridMemory struct {
	backend *cudaBackend
	stream  interface {
		Sync(context.Context) error
		ReadAt(p []byte, addr uintptr) error
		WriteAt(addr uintptr, p []byte) error
		CopyAt(to, from uintptr, n int) error
	}
}

// read also ends the run if a loop before has failed: what it should have written may be what
// the host waits for.
func (m *cudaGridMemory) read(p []byte, addr uintptr) error {
	if err := m.stream.ReadAt(p, addr); err != nil {
		return m.backend.fail("copy an element from an array", err)
	}
	return m.settle()
}

func (m *cudaGridMemory) write(addr uintptr, p []byte) error {
	return m.backend.fail("copy an element to an array", m.stream.WriteAt(addr, p))
}

func (m *cudaGridMemory) copy(to, from uintptr, n int) error {
	return m.backend.fail("copy an array", m.stream.CopyAt(to, from, n))
}

func (m *cudaGridMemory) settle() error {
	return m.backend.fail("wait", m.stream.Sync(context.Background()))
}
