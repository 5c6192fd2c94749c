package gradient_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// library are the sources of package qd and of those of vectors and matrices, as they are on disk.
func library(t testing.TB) load.Map {
	t.Helper()
	own := load.Map{}
	for _, dir := range []string{"", "bools", "f32", "f64", "i32", "u32", "tile", "mathx"} {
		lib := &load.Package{Path: path.Join(load.QDPath, dir)}
		names, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lib.Files = append(lib.Files, load.File{Name: filepath.Base(name), Src: text})
		}
		own[lib.Path] = lib
	}
	return own
}

// lower is a kernel of a Go file, optimized.
func lower(t testing.TB, lib load.Map, source, kernel string) *ssa.Module {
	t.Helper()
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(source)}}}}, lib, load.Standard{})
	u := &compile.Unit{Pipeline: compile.Go, Kernel: load.Ref{Pkg: "k", Name: kernel}, Source: src}
	if err := u.Run(context.Background()); err != nil {
		t.Fatalf("%s: %v", kernel, err)
	}
	return u.Module
}

// blockSize is how many threads the blocks have that wait for each other in these tests.
const blockSize = 4

// launchBlocks runs threads that wait for each other: each is a goroutine, and one of them runs at a time.
func launchBlocks(p *interp.Program, memory *interp.Buffers, args [][]byte, threads int64) error {
	for first := int64(0); first < threads; first += blockSize {
		size := min(blockSize, threads-first)
		shared := make(map[*ssa.Instr]uint64)
		turn, ended := make([]chan bool, size), make(chan error) // nil for a thread that waits
		waiting := errors.New("waiting")
		for lane := range size {
			turn[lane] = make(chan bool)
			env := &interp.Env{Memory: memory, Steps: 1 << 22, Place: interp.Place{
				Flat: first + lane, ID: [4]int64{first + lane}, Dim: [4]int64{threads, 1, 1, 1},
				Lane: lane, Block: first / blockSize, BlockDim: blockSize,
			}}
			env.Shared = func(in *ssa.Instr) (uint64, error) {
				if _, ok := shared[in]; !ok {
					shared[in], _ = memory.AddShared(in)
				}
				return shared[in], nil
			}
			env.Sync = func(*ssa.Instr) error {
				ended <- waiting
				<-turn[lane]
				return nil
			}
			go func() {
				<-turn[lane]
				_, err := p.Run(env, args)
				ended <- err
			}()
		}
		for left := size; left > 0; {
			came := int64(0)
			for lane := range size {
				if turn[lane] == nil {
					continue
				}
				turn[lane] <- true
				switch err := <-ended; err {
				case waiting:
					came++
				case nil:
					turn[lane] = nil
					left--
				default:
					return err
				}
			}
			if came > 0 && left != came {
				return fmt.Errorf("%d threads wait at a barrier, others have ended", came)
			}
		}
	}
	return nil
}

// runBlocks runs the blocks of a Block kernel one after the other.
func runBlocks(p *interp.Program, memory *interp.Buffers, args [][]byte, blocks int64) error {
	for block := range blocks {
		env := &interp.Env{Memory: memory, Steps: 1 << 22, Shared: memory.AddShared, Place: interp.Place{Block: block, BlockDim: blockSize, BlockIndex: [4]int64{block}}}
		if _, err := p.Run(env, args); err != nil {
			return fmt.Errorf("block %d: %w", block, err)
		}
	}
	return nil
}

// A runner runs kernels, and lets a watcher, if there is one, see what they compute. It compiles each of them once.
type runner struct {
	watch interp.Watcher
	made  map[*ssa.Func]*interp.Program
}

func newRunner(watch interp.Watcher) *runner {
	return &runner{watch, make(map[*ssa.Func]*interp.Program)}
}

// program is a kernel ready to be run.
func (r *runner) program(k *ssa.Func) *interp.Program {
	if r.made[k] == nil {
		r.made[k] = interp.CompileWatched(k, r.watch)
	}
	return r.made[k]
}

// launch runs threads of a kernel one after the other, or a Grid kernel.
func launch(k *ssa.Func, memory *interp.Buffers, args [][]byte, threads int64) error {
	return newRunner(nil).launch(k, memory, args, threads)
}

func (r *runner) launch(k *ssa.Func, memory *interp.Buffers, args [][]byte, threads int64) error {
	if k.Kind == ssa.GridKernel {
		return newHost(memory, r).run(k, args)
	}
	p := r.program(k)
	if k.Kind == ssa.BlockKernel {
		return runBlocks(p, memory, args, threads)
	}
	waits := false
	k.Body.Walk(func(in *ssa.Instr) { waits = waits || in.Op == ssa.OpSync || in.Op == ssa.OpShared })
	if waits {
		return launchBlocks(p, memory, args, threads)
	}
	dim := dimsOf(k, threads)
	return launchOver(p, memory, args, dim, volume(dim))
}

// launchOver runs the first threads of a launch.
func launchOver(p *interp.Program, memory interp.Memory, args [][]byte, dim [4]int64, threads int64) error {
	watched, _ := memory.(*watchedMemory)
	for thread := range threads {
		if watched != nil {
			watched.thread = thread
		}
		env := &interp.Env{Memory: memory, Steps: 1 << 22, Place: interp.Place{Flat: thread, Dim: dim, Lane: thread % blockSize, Block: thread / blockSize, BlockDim: blockSize}}
		for axis, left := 3, thread; axis >= 0; axis-- {
			env.Place.ID[axis], left = left%dim[axis], left/dim[axis]
		}
		env.Printf = func(*ssa.Instr, []uint64) error { return nil }
		if _, err := p.Run(env, args); err != nil {
			return fmt.Errorf("thread %d: %w", thread, err)
		}
	}
	return nil
}

// A trial compares the gradient of a kernel with differences.
type trial struct {
	kernel  *ssa.Func
	back    *gradient.Backward
	tangent *gradient.Backward
	threads int64
	seed    uint64

	watched *runner  // of the kernel, by passing
	passing *course  // what the launch in progress has gone through
	made    struct { // see again
		*arguments
		floats []float
		of     argumentsOf
		memory interp.Buffers
		before [][]byte // the slices
	}
	middle struct { // of the launch that nothing is moved in
		weights []float64
		loss    float64
		course  course
	}

	reliable, floats int // how many of the floats there are reliable quotients of differences for
	witnessed        int // how many of the others the tangent kernel is compared for
}

func (tr *trial) params() []*ssa.Value { return tr.kernel.Params()[tr.places():] }

// backThreads is how many threads the backward kernel is launched over.
func (tr *trial) backThreads() int64 {
	if tr.back.Blocks {
		return tr.threads * blockSize
	}
	return tr.threads
}

// places is 1 for a kernel that is given a place in a launch as its first parameter.
func (tr *trial) places() int {
	if tr.kernel.Kind == ssa.GridKernel {
		return 0
	}
	return 1
}

// kernelOf is the kernel of a module.
func kernelOf(m *ssa.Module) *ssa.Func {
	if host := m.Host(); host != nil {
		return host
	}
	return m.Kernels()[0]
}

func (tr *trial) arguments() *arguments {
	a := newArguments(tr.params(), tr.seed)
	a.setNumbers(tr.params())
	return a
}

// gradients runs the backward kernel: for each float in memory, the derivative of the loss by it.
func (tr *trial) gradients(weights []float64) ([]float64, error) {
	after, before := tr.arguments(), tr.arguments()
	if err := launch(tr.kernel, &after.memory, after.bytes, tr.threads); err != nil {
		return nil, err
	}
	// What the backward kernel writes is as before the launch, all else as after it.
	memory := &interp.Buffers{}
	bytes := make([][]byte, len(tr.params()))
	var given []memoryOf
	for i, p := range tr.params() {
		from := after
		copied := slices.Contains(tr.back.Copies, i+tr.places())
		if copied {
			from = before
		}
		bytes[i] = slices.Clone(from.bytes[i])
		at := 0
		relocate(p.Type, bytes[i], func(slice []byte) {
			m := from.slices[i][at]
			if !copied {
				given = append(given, memoryOf{p: m.p}, memoryOf{p: slices.Clone(m.p)})
			}
			at++
			copy(slice, interp.SliceArg(memory.Add(m.p), len(m.p)/max(1, m.elem.Size())))
		})
	}
	args := slices.Clone(bytes)
	gradients := newArguments(tr.params(), tr.seed)
	gradients.setNumbers(tr.params())
	for i, f := range gradients.floats() {
		gradients.set(f, weights[i])
	}
	for _, g := range tr.back.Gradients {
		p, at := tr.params()[g-tr.places()], 0
		b := slices.Clone(gradients.bytes[g-tr.places()])
		relocate(p.Type, b, func(slice []byte) {
			m := gradients.slices[g-tr.places()][at]
			at++
			copy(slice, interp.SliceArg(memory.Add(m.p), len(m.p)/max(1, m.elem.Size())))
		})
		args = append(args, b)
	}
	tapes, err := tr.tapes(memory, bytes)
	if err != nil {
		return nil, err
	}
	if err := tr.launchBack(memory, append(args, tapes...)); err != nil {
		return nil, err
	}
	for i := 0; i < len(given); i += 2 {
		if !slices.Equal(given[i].p, given[i+1].p) {
			return nil, fmt.Errorf("the backward kernel has written to memory that it should only read")
		}
	}
	var list []float64
	for _, f := range gradients.floats() {
		list = append(list, gradients.get(f))
	}
	return list, nil
}

// launchBack launches the backward kernel, or what replaces it.
func (tr *trial) launchBack(memory *interp.Buffers, args [][]byte) error {
	g := tr.back.Gather
	if g == nil {
		return launch(tr.back.Kernel, memory, args, tr.backThreads())
	}
	return launchGather(g, tr.back.Kernel, memory, args, dimsOf(tr.kernel, tr.threads))
}

// launchGather launches what replaces a backward kernel.
func launchGather(g *gradient.Gather, main *ssa.Func, memory *interp.Buffers, args [][]byte, dim [4]int64) error {
	threads := volume(dim)
	all := func(k *ssa.Func, dim [4]int64) error {
		watched := &watchedMemory{Buffers: memory, readers: make(map[uint64]int64), writers: make(map[uint64]int64)}
		k.Body.Walk(func(in *ssa.Instr) { watched.atomic = watched.atomic || in.Op == ssa.OpAtomic })
		return launchOver(newRunner(nil).program(k), watched, args, dim, volume(dim))
	}
	holds := g.Holds.Hold(func(n gradient.Number) int64 {
		switch {
		case n.Dim && n.Axis == 0 && g.Flat:
			return threads
		case n.Dim:
			return dim[n.Axis]
		}
		return int64(binary.LittleEndian.Uint64(args[n.Param-1][n.Offset:]))
	})
	if !holds {
		return all(main, dim)
	}
	around := dim
	if g.Flat {
		around = [4]int64{threads, 1, 1, 1}
	}
	for axis := range g.Before {
		around[axis] += int64(g.Before[axis] + g.After[axis])
	}
	if err := all(g.Kernel, around); err != nil {
		return err
	}
	switch {
	case g.Rest != nil:
		return all(g.Rest, dim)
	case len(g.Holds) == 0:
		return all(main, dim)
	}
	return nil
}

// watchedMemory is memory in which no thread may write what another one reads or writes, unless the kernel has atomic operations.
type watchedMemory struct {
	*interp.Buffers
	atomic           bool
	thread           int64
	readers, writers map[uint64]int64 // the thread that has, or -1 for several
}

func (m *watchedMemory) Read(p []byte, addr uint64) error {
	if w, ok := m.writers[addr]; ok && w != m.thread && !m.atomic {
		return fmt.Errorf("thread %d reads what thread %d writes", m.thread, w)
	}
	if r, ok := m.readers[addr]; ok && r != m.thread {
		m.readers[addr] = -1
	} else {
		m.readers[addr] = m.thread
	}
	return m.Buffers.Read(p, addr)
}

func (m *watchedMemory) Write(addr uint64, p []byte) error {
	w, written := m.writers[addr]
	r, read := m.readers[addr]
	if !m.atomic && (written && w != m.thread || read && r != m.thread) {
		return fmt.Errorf("thread %d writes what thread %d writes or thread %d reads", m.thread, w, r)
	}
	m.writers[addr] = m.thread
	return m.Buffers.Write(addr, p)
}

func volume(dim [4]int64) int64 { return dim[0] * dim[1] * dim[2] * dim[3] }

// dimsOf is the size of a launch: of rank 2, as many columns as the views have.
func dimsOf(k *ssa.Func, threads int64) [4]int64 {
	if k.Rank == 2 {
		return [4]int64{(threads + 3) / 4, 4, 1, 1}
	}
	return [4]int64{threads, 1, 1, 1}
}

// tapes counts what the threads keep and makes room for it: no more than is needed.
func (tr *trial) tapes(memory *interp.Buffers, args [][]byte) (tapes [][]byte, err error) {
	if tr.back.Count == nil {
		return nil, nil
	}
	var counts [][]byte
	all := slices.Clone(args)
	for range tr.back.Tapes {
		c := make([]byte, 8*tr.backThreads())
		counts = append(counts, c)
		all = append(all, interp.SliceArg(memory.Add(c), int(tr.backThreads())))
	}
	saved := tr.save(memory, args)
	if err := launch(tr.back.Count, memory, all, tr.backThreads()); err != nil {
		return nil, err
	}
	saved()
	for i, t := range tr.back.Tapes {
		most := uint64(0)
		for at := 0; at < len(counts[i]); at += 8 {
			most = max(most, binary.LittleEndian.Uint64(counts[i][at:]))
		}
		if most > 1<<20 {
			return nil, fmt.Errorf("a thread keeps %d numbers", most)
		}
		n := int(most) * int(tr.backThreads())
		tapes = append(tapes, interp.SliceArg(memory.Add(make([]byte, n*t.Size())), n))
	}
	return tapes, nil
}

// save keeps what the arguments lead to, and gives what puts it back: counting is a run of its own, and it writes to the copies.
func (tr *trial) save(memory *interp.Buffers, args [][]byte) (restore func()) {
	var undo []func()
	for i, p := range tr.params() {
		relocate(p.Type, args[i], func(slice []byte) {
			addr := binary.LittleEndian.Uint64(slice)
			n := int(binary.LittleEndian.Uint64(slice[8:])) * elemSize(p.Type)
			old := make([]byte, n)
			if err := memory.Read(old, addr); err != nil {
				panic(err)
			}
			undo = append(undo, func() {
				if err := memory.Write(addr, old); err != nil {
					panic(err)
				}
			})
		})
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// elemSize is the size of the elements of the slices that a parameter of the tests holds, which are of one type.
func elemSize(t ssa.Type) int {
	switch t := t.(type) {
	case ssa.Slice:
		return t.Elem.Size()
	case *ssa.Struct:
		for _, f := range t.Fields {
			if n := elemSize(f.Type); n > 0 {
				return n
			}
		}
	}
	return 0
}

// relocate calls f for the bytes of each slice in a value.
func relocate(t ssa.Type, p []byte, f func(slice []byte)) {
	switch t := t.(type) {
	case ssa.Slice:
		f(p[:16])
	case ssa.Array:
		for i := range t.Len {
			relocate(t.Elem, p[i*t.Elem.Size():], f)
		}
	case *ssa.Struct:
		for i, field := range t.Fields {
			relocate(field.Type, p[t.Offset(i):], f)
		}
	}
}

// weights are the derivatives of the loss by the floats in memory after the launch.
func (tr *trial) weights() []float64 {
	r := rand.New(rand.NewPCG(tr.seed, 2))
	w := make([]float64, len(tr.arguments().floats()))
	for i := range w {
		w[i] = float64(r.IntN(9)-4) / 2
	}
	return w
}

// runs reports whether the kernel can be launched with the arguments.
func (tr *trial) runs() bool {
	a := tr.arguments()
	return launch(tr.kernel, &a.memory, a.bytes, tr.threads) == nil
}

// isTame reports whether the launch leaves numbers of a size for which quotients of differences say something: what has grown
// to millions changes within less than a step.
func (tr *trial) isTame() bool {
	a := tr.arguments()
	if launch(tr.kernel, &a.memory, a.bytes, tr.threads) != nil {
		return false
	}
	for _, f := range a.floats() {
		if !(math.Abs(a.get(f)) < 1e4) {
			return false
		}
	}
	return true
}
