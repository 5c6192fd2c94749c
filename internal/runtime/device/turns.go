package device

import (
	"errors"
	"iter"
	"math"
	"runtime"
	"unsafe"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// errLeft ends a thread when another one of its block has failed.
var errLeft = errors.New("another thread of the block has failed")

// block runs the threads of a block, from begin to less than end, which wait for each other. They are coroutines that
// take turns: each runs to the next barrier, or to its end.
func (r *interpretedRun) block(begin, end int) error {
	memory := sharedMemory()
	defer runtime.KeepAlive(memory)
	next := make([]func() (struct{}, bool), end-begin) // nil for a thread that has ended
	errs := make([]error, end-begin)
	for lane := range next {
		env := &interp.Env{Memory: hostMemory{}, Shared: memory, Printf: r.printf}
		r.place(&env.Place, begin+lane)
		var leave func()
		next[lane], leave = iter.Pull(func(yield func(struct{}) bool) {
			env.Sync = func(*ssa.Instr) error {
				if !yield(struct{}{}) {
					return errLeft
				}
				return nil
			}
			_, errs[lane] = r.program.Run(env, r.args)
		})
		defer leave()
	}
	for running := true; running; {
		running = false
		for lane := range next {
			if next[lane] == nil {
				continue
			}
			if _, waits := next[lane](); waits {
				running = true
				continue
			}
			if errs[lane] != nil {
				return r.failed(begin+lane, errs[lane])
			}
			next[lane] = nil
		}
	}
	return nil
}

// sharedMemory is the memory that the threads of a block share.
func sharedMemory() func(in *ssa.Instr) (uint64, error) {
	shared := make(map[*ssa.Instr][]uint64)
	return func(in *ssa.Instr) (uint64, error) {
		m, ok := shared[in]
		if !ok {
			bytes := int(in.Len) * in.Result().Type.(ssa.Slice).Elem.Size()
			m = make([]uint64, max(1, (bytes+7)/8))
			for i := range m {
				if in.Storage == ssa.ScratchStorage {
					m[i] = math.MaxUint64 // not a number: whoever reads what was not written finds it
				}
			}
			shared[in] = m
		}
		return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m)))), nil
	}
}
