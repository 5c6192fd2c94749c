package analysis

import "github.com/qdgen/qd/ssa"

// Ordered reports whether the results of kernels may depend on the order of their threads. That is so if they use
// results of atomic operations, for example if each thread takes a number. Additions of floats do not count, although
// their order changes the last digits.
func Ordered(kernels ...*ssa.Func) bool {
	for _, k := range kernels {
		for _, f := range append(Reached(k), k) {
			used, ordered := make(map[*ssa.Value]bool), false
			f.Body.Walk(func(in *ssa.Instr) {
				for _, a := range in.Args {
					used[a] = true
				}
			})
			f.Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpAtomic || in.Op == ssa.OpAtomicLanes {
					ordered = ordered || used[in.Results[0]]
				}
			})
			if ordered {
				return true
			}
		}
	}
	return false
}
