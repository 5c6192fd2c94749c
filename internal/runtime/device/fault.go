package device

import (
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/target/abi"
)

// faults makes Faults of the records that a compiled kernel leaves in a launch.
type faults struct {
	kernel string
	dim    dims.Dims
	sites  []abi.FaultSite
	lanes  int // threads that have recorded one place: those of a block, of a Block kernel on a GPU

	interchanged int // 1 more than the axis that has changed places with the last one, 0 for none
}

// faultsOf is for a launch of a compiled kernel with these sites.
func faultsOf(k *kernel.Kernel, dim dims.Dims, sites []abi.FaultSite) faults {
	return faults{kernel: k.Name(), dim: dim, sites: sites, lanes: 1}
}

func (f *faults) fault(r *fault.Record) error {
	e := &fault.Fault{Kernel: f.kernel, Reason: noLaneMemory}
	if r.Site != abi.NoMemory {
		e = newSiteFault(f.kernel, &f.sites[r.Site], r)
	}
	e.Thread = f.dim.Index(int(r.Thread) / f.lanes)
	interchange(e.Thread, f.interchanged)
	return e
}

// noLaneMemory is why a kernel stops whose block has arrays for its lanes that do not fit the stack.
const noLaneMemory = "out of memory: the threads of a block have local arrays for which the system has no memory"

// newSiteFault describes what a check or a panic has recorded.
func newSiteFault(kernel string, s *abi.FaultSite, r *fault.Record) *fault.Fault {
	e := &fault.Fault{
		Kernel: kernel,
		Reason: r.Reason(s.Kind, s.Message, s.Types),
		File:   s.Pos.File, Line: s.Pos.Line, Col: s.Pos.Col,
	}
	e.Index, e.Len = r.Bounds(s.Kind)
	return e
}
