package launch

import (
	"reflect"
	"sync/atomic"
)

// A function is the code of a function, and its type: instances of a generic function may share their code. The
// zero function is none.
type function struct {
	pc  uintptr
	typ reflect.Type
}

// functionOf returns the function that f is, if it is one.
func functionOf(f any) function {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return function{}
	}
	return function{v.Pointer(), v.Type()}
}

// handles has handles on functions that have been launched lately, so that the next launch finds one without a lock
// and makes none. It forgets a handle when another function needs its place.
var handles handleTable

type handleTable [256]atomic.Pointer[handleEntry]

// A handleEntry does not change.
type handleEntry struct {
	function
	kernel *Kernel
}

// place is where the handle of a function may be. The code of functions begins at multiples of 16 or 32.
func (t *handleTable) place(f function) *atomic.Pointer[handleEntry] {
	return &t[(f.pc>>5^f.pc>>13)%uintptr(len(t))]
}

// find returns the handle on a function, nil if it is not there.
func (t *handleTable) find(f function) *Kernel {
	if e := t.place(f).Load(); e != nil && e.function == f {
		return e.kernel
	}
	return nil
}

// add keeps the handle on a function.
func (t *handleTable) add(f function, k *Kernel) {
	if f.typ != nil {
		t.place(f).Store(&handleEntry{f, k})
	}
}
