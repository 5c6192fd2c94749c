package ssa

// unreached removes the device functions that no kernel calls, itself or
// through others.
func unreached(m *Module) bool {
	used := make(map[*Func]bool, len(m.Funcs))
	// Callees stand before callers: backwards, all callers have been seen.
	for i := len(m.Funcs) - 1; i >= 0; i-- {
		f := m.Funcs[i]
		if !f.Kernel && !used[f] {
			continue
		}
		used[f] = true
		f.Body.Walk(func(in *Instr) {
			if in.Op == OpCall {
				used[in.Callee] = true
			}
		})
	}
	kept := m.Funcs[:0]
	for _, f := range m.Funcs {
		if used[f] {
			kept = append(kept, f)
		}
	}
	changed := len(kept) < len(m.Funcs)
	clear(m.Funcs[len(kept):])
	m.Funcs = kept
	return changed
}
