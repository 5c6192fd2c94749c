package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// maxStack is how many bytes the arrays of a phased kernel take on the stack: what remains of the smallest stack of a
// thread of the operating system has to do for calls. Pages that no lane's place is in cost nothing.
const maxStack = 1 << 20

// PlaceLanes decides which arrays with a place for each lane, which Fission has made, are not on the stack: those for
// which there is no room behind the ones that are there already.
func PlaceLanes(m *ssa.Module, summaries *analysis.Summaries) {
	for _, f := range m.Kernels() {
		if f.Phased {
			placeLanes(f, summaries.Users(f))
		}
	}
}

func placeLanes(f *ssa.Func, users [][]*ssa.Instr) {
	stack := 0
	for _, in := range f.Body.Instrs {
		if in.Op == ssa.OpShared && (in.Storage == ssa.LaneStorage || in.Storage == ssa.LaneHeap) && len(users[in.Result().ID]) > 0 {
			in.Storage = ssa.LaneStorage
			if bytes := int(in.Len) * in.Result().Type.(ssa.Slice).Elem.Size(); stack+bytes > maxStack {
				in.Storage = ssa.LaneHeap
			} else {
				stack += bytes
			}
		}
	}
}
