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
	known, ok := p.reading[f]
	if ok {
		return known
	}
	known = true
	f.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpFor && !p.d.Serial: // other threads go on behind it
			known = false
		case in.Blocks != nil, in.Op == ssa.OpLocal, in.Op == ssa.OpCheck:
		case in.Op == ssa.OpStore:
			known = known && isLocal(rootOf(in.Args[0]))
		case in.Op == ssa.OpCall:
			known = known && p.onlyReads(in.Callee)
		default:
			known = known && (in.Op.IsTerminator() || !p.calls.Effects(in).Has(analysis.Seen))
		}
	})
	p.reading[f] = known
	return known
}
