package analysis

import "github.com/qdgen/qd/ssa"

// unchanged finds the variables in memory that keep their first value: they are read, and nothing else is done with their
// addresses.
func unchanged(f *ssa.Func) map[*ssa.Instr]bool {
	var list map[*ssa.Instr]bool // few functions have variables
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLocal {
			if list == nil {
				list = make(map[*ssa.Instr]bool)
			}
			list[in] = true
		}
	})
	if list == nil {
		return nil
	}
	var roots ssa.Roots
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op.IsPath() || in.Op == ssa.OpLoad || in.Op == ssa.OpLen {
			return
		}
		for _, v := range in.Args {
			if ssa.HoldsAddress(v.Type) {
				delete(list, roots.Variable(v))
			}
		}
	})
	return list
}
