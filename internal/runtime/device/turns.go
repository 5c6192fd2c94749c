package device

import (
	"errors"
	"iter"
	"math"
	"runtime"
	"slices"
	"unsafe"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// errLeft ends a thread when another one of its block has failed.
var errLeft = errors.New("another thread of the block has failed")

// turns are the threads of a block, which wait for each other. They are coroutines that take turns: each runs to the
// next barrier, to the next check that the threads agree, or to its end.
type turns struct {
	next  []func() (struct{}, bool) // by lane; nil for a thread that has ended
	at    []question                // by lane: the check that it waits at, none for a barrier
	asked question                  // the check that all of them wait at, as the first of them decides; none if they do not
}

// A question is a check that the threads of a block agree on a condition, as one of them comes to it.
type question struct {
	check *ssa.Instr
	cond  bool
}

// block runs the threads of a block, from begin to less than end.
func (r *interpretedRun) block(begin, end int) error {
	if err := r.ended(); err != nil {
		return err
	}
	memory := sharedMemory()
	defer runtime.KeepAlive(memory)
	t := &turns{next: make([]func() (struct{}, bool), end-begin), at: make([]question, end-begin)}
	errs := make([]error, end-begin)
	for lane := range t.next {
		env := &interp.Env{Memory: hostMemory{}, Shared: memory, Printf: r.printf}
		r.place(&env.Place, begin+lane)
		var leave func()
		t.next[lane], leave = iter.Pull(func(yield func(struct{}) bool) {
			wait := func(q question) error {
				t.at[lane] = q
				if !yield(struct{}{}) {
					return errLeft
				}
				return nil
			}
			env.Sync = func(*ssa.Instr) error { return wait(question{}) }
			env.Agrees = func(in *ssa.Instr, cond bool) (bool, error) {
				err := wait(question{in, cond})
				return t.asked.check != in || t.asked.cond == cond, err
			}
			_, errs[lane] = r.program.Run(env, r.args)
		})
		defer leave()
	}
	for t.running() {
		asks := t.ask()
		for lane, next := range t.next {
			if next == nil || asks && t.at[lane].check == nil {
				continue
			}
			if _, waits := next(); waits {
				continue
			}
			if errs[lane] != nil {
				return r.failed(begin+lane, errs[lane])
			}
			t.next[lane] = nil
		}
	}
	return nil
}

// running reports whether there are threads that have not ended.
func (t *turns) running() bool {
	return slices.ContainsFunc(t.next, func(next func() (struct{}, bool)) bool { return next != nil })
}

// ask reports whether threads wait at checks. Those go on then, and the others wait for them: a check is no barrier, and
// stands perhaps where only some of the threads come. There it says nothing of the others.
func (t *turns) ask() (asks bool) {
	t.asked = question{}
	first, together := question{}, true
	for lane, q := range t.at {
		switch {
		case t.next[lane] == nil:
			continue
		case q.check == nil:
			together = false
			continue
		case !asks:
			first, asks = q, true
		}
		together = together && q.check == first.check
	}
	if together {
		t.asked = first
	}
	return asks
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
