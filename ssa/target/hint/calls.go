package hint

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Sites are how many calls of each function a module has.
type Sites map[*ssa.Func]int

// SitesOf counts the calls in a module.
func SitesOf(m *ssa.Module) Sites {
	sites := make(Sites)
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCall {
				sites[in.Callee]++
			}
		})
	}
	return sites
}

// Stay reports whether a compiler would leave calls in the code of a thread, and then find no vectors: something that the
// thread calls is called elsewhere too. What is too long to be put in the place of its calls is left to the compiler.
func (s Sites) Stay(f *ssa.Func) bool {
	for _, callee := range analysis.Reached(f) {
		if s[callee] > 1 {
			return analysis.Inlinable(f, analysis.NewBottomUp(analysis.Size))
		}
	}
	return false
}
