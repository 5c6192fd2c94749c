package emit

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Structs and arrays are given to functions by reference where nobody can tell the
// difference. A copy of a matrix in memory costs the compiler time, and it forgets what it
// was told of the loop that the copy is made in. On a GPU, an index that is found at run time
// makes the copy's registers a chain of selections, or memory: a table that a launch passes is
// else read where the driver has put it.

// byReference reports whether a parameter may be a reference to what the caller has: an
// aggregate that the function does not assign, in a function that changes no memory but its own.
func (p *printer) byReference(v *ssa.Value) bool {
	x := p.plan.vars[v.ID]
	return ssa.IsAggregate(v.Type) && v.Type.Size() > 0 && x != nil && x.assigned == 1 && !p.plan.inMemory(v) && p.onlyReads(p.plan.fn)
}

// onlyReads reports whether a function leaves memory as it is, except for its own variables.
func (p *printer) onlyReads(f *ssa.Func) bool {
	does := p.calls.Of(f).Effects
	if p.d.Serial { // nobody goes on behind a parallel loop before it has ended
		does &^= analysis.Waits
	}
	return !does.Has(analysis.WritesAny | analysis.Prints | analysis.Waits | analysis.Launches)
}
