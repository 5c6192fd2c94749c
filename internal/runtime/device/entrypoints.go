package device

import (
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/ssa/target"
)

// entries are the entry points of a compiled kernel.
type entries[E any] struct {
	kernel  E
	hoisted E // with checks that hold for the whole launch left out; set if the ABI says that there is one
}

// loadEntries finds the entry points of a kernel by their symbols.
func loadEntries[E any](abi *build.ABI, find func(symbol string, leaves fault.Leaves) (E, error)) (e entries[E], err error) {
	leaves := fault.Leaves{Prints: abi.Prints, Fails: len(abi.Sites) > 0, Record: abi.Record}
	if e.kernel, err = find(abi.Symbol, leaves); err == nil && abi.Hoisted != nil {
		e.hoisted, err = find(abi.Hoisted.Symbol, leaves)
	}
	return e, err
}

// pick gives the entry point for a launch with packed arguments.
func (e *entries[E]) pick(abi *build.ABI, l *Launch, buf []byte) E {
	if abi.Hoisted != nil && abi.Holds(l.size(), buf) {
		return e.hoisted
	}
	return e.kernel
}

// packed makes a launch whose packed arguments change between runs: it picks its
// entry point anew each time.
func (e *entries[E]) packed(abi *build.ABI, l *Launch, buf []byte, prepare func(entry E) (Runner, error)) (Runner, error) {
	kernel, err := prepare(e.kernel)
	if err != nil || abi.Hoisted == nil {
		return kernel, err
	}
	hoisted, err := prepare(e.hoisted)
	return &pickingRun{abi: abi, size: l.size(), buf: buf, kernel: kernel, hoisted: hoisted}, err
}

// pickingRun is a launch that takes the kernel with fewer checks where it can.
type pickingRun struct {
	abi             *build.ABI
	size            target.LaunchSize
	buf             []byte
	kernel, hoisted Runner
}

func (r *pickingRun) Run() error { return r.pick().Run() }

// pick is the kernel for the arguments as they are.
func (r *pickingRun) pick() Runner {
	if r.abi.Holds(r.size, r.buf) {
		return r.hoisted
	}
	return r.kernel
}

// size is how many threads run.
func (l *Launch) size() target.LaunchSize {
	return target.LaunchSize{Dims: l.Dim.Sizes(), Block: int64(l.Kernel.BlockSize())}
}
