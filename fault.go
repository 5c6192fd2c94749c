package qd

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Fault is a kernel that did what Go panics for: an index out of range, an integer
// division by zero, a nil, a failed [Assert], a panic. Device "go" and checked builds
// ([Device.Checked]) find all of them, other builds a panic only. Of several threads
// that fail one is reported.
//
// The thread has stopped where it failed, others may have gone on; nothing has been
// written out of range.
type Fault struct {
	Kernel string
	Reason string // what happened, with the values: Go's own words
	File   string // where, "" if that is not known
	Line   int
	Col    int   // 0 on device "go", which is not told
	Thread []int // index of the thread along each dimension of the launch; empty between the loops of a Grid kernel
	Index  int   // an index, or a bound of a slice expression, that is out of range,
	Len    int   // and what it must be below, or must not exceed; both 0 for other faults
}

// Error implements error.
func (e *Fault) Error() string {
	var b strings.Builder
	b.WriteString("qd: ")
	switch {
	case e.File != "" && e.Col > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	case e.File != "":
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	}
	fmt.Fprintf(&b, "%s (kernel %s", e.Reason, e.Kernel)
	for axis, i := range e.Thread {
		if axis == 0 {
			b.WriteString(", thread")
		} else {
			b.WriteString(",")
		}
		fmt.Fprint(&b, " ", i)
	}
	return b.String() + ")"
}

// faults makes Faults of the records that a compiled kernel leaves in a launch.
type faults struct {
	kernel string
	dim    Dims
	sites  []emit.Site
	lanes  int // threads that have recorded one place: those of a block, of a Block kernel on a GPU
}

// faults is for a launch of a compiled kernel with these sites.
func (l *launch) faults(sites []emit.Site) faults {
	return faults{kernel: l.kernel.Name(), dim: l.dim, sites: sites, lanes: 1}
}

func (f *faults) fault(r *fault.Record) error {
	e := newSiteFault(f.kernel, &f.sites[r.Site], r)
	e.Thread = f.dim.index(int(r.Thread) / f.lanes)
	return e
}

// newSiteFault describes what a check or a panic has recorded.
func newSiteFault(kernel string, s *emit.Site, r *fault.Record) *Fault {
	e := &Fault{
		Kernel: kernel,
		Reason: r.Reason(s.Kind, s.Message, s.Types),
		File:   s.Pos.File, Line: s.Pos.Line, Col: s.Pos.Col,
	}
	e.Index, e.Len = r.Bounds(s.Kind)
	return e
}
