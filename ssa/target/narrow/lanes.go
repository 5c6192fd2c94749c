package narrow

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Lanes computes in 32 bits what differs between the lanes of a function's vectors, wherever that changes nothing: a
// vector has room for twice as many numbers of 32 bits. Nothing is supposed of the launch, so indices of threads stay as
// they are, and so does what is computed of them by steps. It reports whether something has changed. The function should
// go through the passes of [opt.Settle] again.
func Lanes(f *ssa.Func, lanes *analysis.Lanes) bool {
	ranges := &analysis.Ranges{Given: make(map[*ssa.Value]analysis.Interval)}
	differs := make([]bool, f.NumValues())
	n := &narrower{
		fn:     f,
		facts:  &Facts{ranges: map[*ssa.Func]*analysis.Ranges{f: ranges}, bounded: make(map[*ssa.Value]bool)},
		ranges: ranges,
		among:  func(v *ssa.Value) bool { return differs[v.ID] },
		low:    make(map[*ssa.Value]*ssa.Value),
	}
	n.eachValue(f.Body, func(v *ssa.Value) {
		if isWide(v.Type) && !lanes.IsUniform(v) {
			_, _, isIndex := lanes.Step(v)
			differs[v.ID] = !isIndex
		}
	})
	n.eachValue(f.Body, func(v *ssa.Value) { // a variable of a loop has one type
		if loop, k, ok := loopVariable(v); ok && !(differs[loop.Cond().Params[k].ID] && differs[loop.Post().Params[k].ID] && differs[loop.Results[k].ID]) {
			differs[v.ID] = false
		}
	})
	n.findFit()
	n.ask()
	w := newWebs(n, lanes)
	n.eachValue(f.Body, func(v *ssa.Value) {
		if differs[v.ID] && !w.pays(v) {
			differs[v.ID] = false
		}
	})
	return n.apply()
}
