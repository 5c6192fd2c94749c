package ssa

import "slices"

// Device is the module without its Grid kernels and the functions that only
// these call: what is emitted for a device.
func (m *Module) Device() *Module {
	if !slices.ContainsFunc(m.Funcs, (*Func).onHost) {
		return m
	}
	d := &Module{Name: m.Name, Pkg: m.Pkg, Formats: m.Formats, Fused: m.Fused, Narrow: m.Narrow}
	d.Funcs = slices.DeleteFunc(slices.Clone(m.Funcs), (*Func).onHost)
	d.DropUnreached()
	return d
}

// Host is the function that the host runs of a module for a Grid kernel, nil in
// other modules.
func (m *Module) Host() *Func {
	if i := slices.IndexFunc(m.Funcs, (*Func).onHost); i >= 0 {
		return m.Funcs[i]
	}
	return nil
}

func (f *Func) onHost() bool { return f.Kernel && f.Kind == GridKernel }

// DropUnreached removes the device functions that no kernel runs or calls, itself or
// through others, and that are no companions of those, and reports whether there were any.
func (m *Module) DropUnreached() bool {
	used := make(map[*Func]bool, len(m.Funcs))
	walked := make(map[*Func]bool, len(m.Funcs))
	for more := true; more; {
		more = false
		// Callees stand before callers: backwards, all callers have been seen. Companions stand anywhere.
		for i := len(m.Funcs) - 1; i >= 0; i-- {
			f := m.Funcs[i]
			if !f.Kernel && !used[f] || walked[f] {
				continue
			}
			used[f], walked[f] = true, true
			for _, g := range f.companions() {
				used[g], more = true, true
			}
			if f.Interior != nil {
				used[f.Interior.Inside] = true
			}
			if f.Wide != nil && f.Wide.By != nil {
				used[f.Wide.By] = true
			}
			f.Body.Walk(func(in *Instr) {
				switch {
				case in.Op == OpCall:
					used[in.Callee] = true
				case in.Op == OpRecur && !used[in.Callee]: // it stands anywhere
					used[in.Callee], more = true, true
				}
			})
		}
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
