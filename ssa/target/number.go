package target

import "github.com/qdgen/qd/ssa"

// NumberChecks gives each check and each panic of a module's part for the device its number in fault records, by
// the order of the text. What stages make of a check later keeps its number.
func NumberChecks(m *ssa.Module) {
	n := 0
	for _, f := range m.Device().Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCheck || in.Op == ssa.OpPanic {
				n++
				in.Number = int32(n)
			}
		})
	}
}
