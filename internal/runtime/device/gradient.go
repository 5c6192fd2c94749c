package device

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// A backward kernel may keep values in memory that whoever launches it provides. How much it needs, another kernel
// counts. Both are one program here: a launch of it counts, makes the memory, and runs the backward kernel. If there is
// too little memory for all threads, another backward kernel goes through them in batches.

// MaxKept is how many bytes a launch of a backward kernel keeps values in at most, if the launch does not say. More is
// hardly faster.
const MaxKept = 256 << 20

// programOf is the program of a module's kernel.
func programOf(b Backend, k *kernel.Func, m *build.Module, opts build.Options, load func(*build.ABI) (Program, error)) (Program, error) {
	p, err := load(m.ABI)
	if err != nil || m.Backward == nil {
		return p, err
	}
	var count Program
	if m.Backward.Count != nil {
		if count, err = load(m.Backward.Count); err != nil {
			return nil, err
		}
	}
	if g := m.Backward.Gather; g != nil {
		return newGatheredProgram(b, k, g, opts, m.Asked, p, load)
	}
	return backwardProgram(b, k, m.Backward, opts, m.Asked, count, p), nil
}

// backwardProgram is a backward kernel, of which count counts what it keeps if it does.
func backwardProgram(b Backend, k *kernel.Func, back *build.Backward, opts build.Options, asked []frontend.Asked, count, main Program) Program {
	if count != nil {
		main = newCountedProgram(b, k, back, opts, asked, count, main)
	}
	if back.Blocks {
		return blocksProgram{main}
	}
	return main
}

// A blocksProgram is a backward kernel of a Block kernel, which is for the threads of the blocks: launched over these
// as one more dimension.
type blocksProgram struct{ Program }

// Rank implements [Program].
func (p blocksProgram) Rank() int { return max(0, p.Program.Rank()-1) }

// Prepare implements [Program].
func (p blocksProgram) Prepare(l Launch) (Runner, error) {
	d, block := l.Dim, l.Kernel.BlockSize()
	if d.Rank == len(d.N) {
		return nil, &failure.LaunchError{Kernel: l.Kernel.Name(), Reason: fmt.Sprintf("a backward kernel of blocks is launched over %d dimensions at most", d.Rank-1)}
	}
	d.N[d.Rank] = block
	d.Rank++
	threads, problem := d.Check()
	if problem != "" {
		return nil, &failure.LaunchError{Kernel: l.Kernel.Name(), Reason: fmt.Sprintf("the threads of its blocks are one more dimension: %s", problem)}
	}
	l.Dim, l.Threads = d, threads
	return p.Program.Prepare(l)
}

// usesOf tells which parameters of a kernel lead to memory that it may read and write; of a backward kernel, without
// those for what it keeps.
func usesOf(abi *build.ABI, back *build.Backward) (read, written []bool) {
	params := abi.Params
	if back != nil {
		params = back.Given(abi)
	}
	for i, p := range params {
		r, w := p.Read, p.Written
		if back != nil && back.Count != nil && i < back.Params {
			r, w = r || back.Count.Params[i].Read, w || back.Count.Params[i].Written
		}
		if back != nil && back.Gather != nil { // all that they read, the backward kernel reads too, or gathers before
			r, w = r || back.Gather.Kernel.Params[i].Read, w || back.Gather.Kernel.Params[i].Written
		}
		read, written = append(read, r), append(written, w)
	}
	return read, written
}

// countedProgram is a backward kernel with the kernel that counts what it keeps.
type countedProgram struct {
	backend       Backend
	back          *build.Backward
	count, kernel Program
	counts, tapes []reflect.Type // the elements of the memory that they are given
	countFunc     *kernel.Func
	kernelFunc    *kernel.Func

	of    *kernel.Func
	opts  build.Options
	asked []frontend.Asked

	batched beside[*countedProgram] // for batches of threads
}

func newCountedProgram(b Backend, k *kernel.Func, back *build.Backward, opts build.Options, asked []frontend.Asked, count, main Program) *countedProgram {
	p := &countedProgram{backend: b, back: back, count: count, kernel: main, of: k, opts: opts, asked: asked}
	p.batched.of, p.batched.build = k, p.forBatches
	var counts, tapes []reflect.Type
	for _, name := range back.Tapes {
		elem := basicTypes[name]
		p.counts, p.tapes = append(p.counts, reflect.TypeFor[int64]()), append(p.tapes, elem)
		counts, tapes = append(counts, reflect.TypeFor[[]int64]()), append(tapes, reflect.SliceOf(elem))
	}
	if back.Batched {
		for range 1 + len(dims.Dims{}.N) {
			tapes = append(tapes, reflect.TypeFor[int64]())
		}
	}
	p.countFunc, p.kernelFunc = k.Backward.Kernel.WithArgs(counts...), k.WithArgs(tapes...)
	return p
}

// forBatches builds the program for batches of threads; it is nil if there is none.
func (p *countedProgram) forBatches(ctx context.Context) (*countedProgram, error) {
	o := p.of.Backward.Options
	o.Batches = true
	l, err := p.backend.Load(ctx, p.of.Backward.Kernel.Gradient(o), p.opts)
	if err != nil {
		return nil, err
	}
	b, ok := l.Program.(*countedProgram)
	if !ok || !b.back.Batched {
		return nil, nil
	}
	return b, asksOther(p.of, l, p.asked, "cannot be built anew for batches of threads: allow more memory with qd.TapeMemory")
}

// basicTypes are the types of the SSA whose values are kept.
var basicTypes = map[string]reflect.Type{
	"bool": reflect.TypeFor[bool](),
	"int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

// Rank implements [Program].
func (p *countedProgram) Rank() int { return p.kernel.Rank() }

// Prepare implements [Program].
func (p *countedProgram) Prepare(l Launch) (Runner, error) {
	r := &countedRun{countedProgram: p, launch: l}
	if _, ok := l.Queue.(*hostQueue); ok {
		r.launch.Queue = nil // the run as a whole is queued
		return l.Queued(r), nil
	}
	return r, nil
}

// countedRun is a launch of a backward kernel that keeps values.
type countedRun struct {
	*countedProgram
	launch Launch
}

// Run implements [Runner].
func (r *countedRun) Run() error {
	counts, err := r.keeps()
	if err != nil {
		return err
	}
	l := r.launch
	allowed := l.Kept
	if allowed == 0 {
		allowed = MaxKept
	}
	sizes := make([]int, len(r.tapes))
	for i, t := range r.tapes {
		sizes[i] = int(t.Size())
	}
	none := batch{heights: make([]int, len(counts))}
	all := none.with(counts, l.Threads)
	if all.bytes(sizes) <= allowed {
		return r.batches(r.countedProgram, []batch{all}, sizes, allowed)
	}
	missing := func(b batch) error {
		bytes := b.bytes(sizes)
		return &failure.LaunchError{Kernel: l.Kernel.Name(), Reason: fmt.Sprintf("it keeps %d bytes for each of %d threads, %d more than the limit: allow more with qd.TapeMemory%s", bytes/b.n, l.Threads, bytes-allowed, orStrips(r.of))}
	}
	batches := batchesOf(counts, sizes, l.Threads, allowed)
	if b := batches[0]; b.bytes(sizes) > allowed {
		return missing(b)
	}
	batched, err := r.batched.get(l.Within)
	if err != nil {
		return err
	}
	if batched == nil {
		return missing(all)
	}
	return r.batches(batched, batches, sizes, allowed)
}

// orStrips is the advice for a backward kernel that keeps too much and has no strips.
func orStrips(k *kernel.Func) string {
	if k.Backward == nil || k.Backward.Options.Strip > 0 {
		return ""
	}
	return ", or keep less of long loops with qd.TapeStrips"
}

// wide is what the numbers of threads in batches are multiples of, so that they fill vectors and blocks.
const wide = 256

// batches runs the backward kernel for each of some batches. They use the same memory, if one that is large enough for
// each is allowed.
func (r *countedRun) batches(p *countedProgram, list []batch, sizes []int, allowed int) error {
	most, bytes := mostOf(list, sizes)
	if bytes > allowed {
		for _, b := range list {
			if err := r.batches(p, []batch{b}, sizes, allowed); err != nil {
				return err
			}
		}
		return nil
	}
	memory, free, err := r.buffers(p.tapes, func(i int) int { return most[i] })
	defer free()
	if err != nil {
		return err
	}
	for _, b := range list {
		var tapes []any
		for i, m := range memory {
			n := b.heights[i] * b.n
			tapes = append(tapes, m.(*Buffer).Part(0, []int{n}, n))
		}
		if err := r.threads(p, b, tapes); err != nil {
			return err
		}
	}
	return nil
}

// threads runs the backward kernel for the threads of a batch, with memory for what they keep.
func (r *countedRun) threads(p *countedProgram, b batch, tapes []any) error {
	l := r.launch
	args := slices.Concat(l.Args, tapes)
	if p.back.Batched {
		args = append(args, int64(b.first))
		for axis := range l.Dim.N {
			args = append(args, int64(l.Dim.Size(axis)))
		}
		l.Dim, l.Threads = dims.Of(b.n), b.n
	}
	return run(l, p.kernel, p.kernelFunc, args)
}

// run runs one of the kernels.
func run(l Launch, p Program, k *kernel.Func, args []any) error {
	kernel := *l.Kernel
	kernel.Func = k
	l.Kernel, l.Args = &kernel, args
	once, err := p.Prepare(l)
	if err != nil {
		return err
	}
	return RunOnce(once)
}

// keeps are how many values each thread keeps, by type.
func (r *countedRun) keeps() ([][]int64, error) {
	l := r.launch
	wait := l.apart(r.backend)
	if err := wait(); err != nil { // the copies are made in the device's own order
		return nil, err
	}
	copies := &argCopies{backend: r.backend}
	defer copies.free()
	args, err := copies.of(r.launch.Args[:r.back.Params], r.back.Copies)
	if err != nil {
		return nil, err
	}
	counts, free, err := r.buffers(r.counts, func(int) int { return r.launch.Threads })
	defer free()
	if err != nil {
		return nil, err
	}
	if err := run(l, r.count, r.countFunc, append(args, counts...)); err != nil {
		return nil, err
	}
	if err := wait(); err != nil {
		return nil, err
	}
	list := make([][]int64, len(counts))
	for i, c := range counts {
		list[i] = make([]int64, r.launch.Threads)
		if err := c.(*Buffer).Read(unsafe.Pointer(unsafe.SliceData(list[i]))); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// buffers makes memory for elements of several types.
func (r *countedRun) buffers(elems []reflect.Type, n func(i int) int) (list []any, free func(), err error) {
	free = func() {
		for _, b := range list {
			b.(*Buffer).Free()
		}
	}
	for i, elem := range elems {
		b, err := NewBuffer(r.backend, nameOf(r.backend), elem, []int{n(i)}, n(i))
		list = append(list, b)
		if err != nil {
			return list, free, err
		}
	}
	return list, free, nil
}

// CopyOfSlices is an argument that is no buffer, with copies of the slices in it, and the number of bytes that they
// take.
func CopyOfSlices(arg any) (c any, bytes int) {
	for _, s := range Slices(arg) {
		bytes += s.Len() * int(s.Type().Elem().Size())
	}
	return copyOfSlices(reflect.ValueOf(arg)).Interface(), bytes
}

// copyOfSlices is a value with copies of the slices in it.
func copyOfSlices(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	eachSlice(c, func(s reflect.Value) {
		s = reflect.NewAt(s.Type(), s.Addr().UnsafePointer()).Elem() // perhaps in a field that is not exported
		elems := reflect.MakeSlice(s.Type(), s.Len(), s.Len())
		reflect.Copy(elems, s)
		if !s.IsNil() {
			s.Set(elems)
		}
	})
	return c
}

// nameOf is the name of a backend's device.
func nameOf(b Backend) string {
	switch b := b.(type) {
	case *goBackend:
		return "go"
	case *cudaBackend:
		return b.name
	}
	return "cpu"
}

// Slices are the slices in an argument that is no buffer.
func Slices(arg any) (list []reflect.Value) {
	if !kernel.HasSlices(reflect.TypeOf(arg)) {
		return nil
	}
	eachSlice(reflect.ValueOf(arg), func(s reflect.Value) { list = append(list, s) })
	return list
}
