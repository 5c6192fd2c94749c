package ssa

import "slices"

// Device is the module without its Grid kernels and the functions that only
// these call: what is emitted for a device.
func (m *Module) Device() *Module {
	if !slices.ContainsFunc(m.Funcs, (*Func).onHost) {
		return m
	}
	d := &Module{Name: m.Name, Pkg: m.Pkg, Formats: m.Formats}
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
	// A companion need not stand before its function, and calls others.
	queue := m.Kernels()
	for len(queue) > 0 {
		f := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if used[f] {
			continue
		}
		used[f] = true
		queue = append(queue, f.companions()...)
		if f.Interior != nil {
			queue = append(queue, f.Interior.Inside)
		}
		if f.Wide != nil && f.Wide.By != nil {
			queue = append(queue, f.Wide.By)
		}
		f.Body.Walk(func(in *Instr) {
			if in.Op == OpCall {
				queue = append(queue, in.Callee)
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
