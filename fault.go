package qd

import "github.com/qdgen/qd/internal/runtime/fault"

// A Fault is a kernel that did what Go panics for: an index out of range, an integer
// division by zero, a nil, a failed [Assert], a panic. Device "go" and checked builds
// ([Device.Checked]) find all of them, other builds a panic only. Of several threads
// that fail one is reported.
//
// The thread has stopped where it failed. Others may have gone on, or have stopped anywhere.
// Nothing has been written out of range.
type Fault struct {
	Kernel string
	Reason string // what happened, with the values: Go's own words
	File   string // where, "" if that is not known
	Line   int
	Col    int   // 0 where it is not known: on device "go", if the line has several places that may fail so
	Thread []int // index of the thread along each dimension of the launch; empty between the loops of a Grid kernel
	Index  int   // an index, or a bound of a slice expression, that is out of range,
	Len    int   // and what it must be below, or must not exceed; both 0 for other faults
}

// Error implements error.
func (e *Fault) Error() string { return (*fault.Fault)(e).Error() }
