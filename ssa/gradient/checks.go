package gradient

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// A backward kernel has no checks: what it differentiates has passed those of the kernel. A program may launch a
// backward kernel without the kernel before, and then a checked build launches another kernel first. That is the
// kernel itself without what nobody needs to find out whether a check fails. Its launch gets copies of the memory
// that it writes, so that the memory of the arguments and all gradients are as they were if there is a fault.

// Checks makes of a module with a kernel one with the kernel that only does the checks. The module stays as it is.
func Checks(m *ssa.Module) (*ssa.Module, *Backward) {
	m = m.Clone()
	m.DropCompanions()
	for _, f := range m.Funcs {
		drop(f.Body, ssa.OpPrintf)
	}
	m.Formats = nil
	k := m.Host()
	if k == nil { // what a part of a Grid kernel writes, another one may read
		k = m.Kernels()[0]
		opt.Inline(k, new(analysis.Summaries), func(*ssa.Instr) bool { return true })
		opt.DropUnread(k, new(analysis.Summaries), liesIn)
	}
	m.DropUnreached()
	opt.Settle(m.Funcs, new(analysis.Summaries), nil)
	m.DropUnreached()
	b := &Backward{Kernel: k, Suffix: Suffix(Check)}
	memory := new(analysis.Summaries).Memory(k)
	for i, p := range k.Params() {
		if memory.Use(p)&analysis.Written != 0 {
			b.Copies = append(b.Copies, i)
		}
	}
	return m, b
}

// liesIn tells memory of the launch apart by the type of its elements, see [opt.DropUnread]: arguments with the
// same elements may share memory.
func liesIn(addr *ssa.Value) (in any, ok bool) {
	if _, isStruct := addr.Type.(*ssa.Struct); isStruct {
		return nil, false // of several
	}
	r, ok := regionOf(addr)
	if !ok || r.root.Def != nil {
		return nil, ok
	}
	return addr.Root().Type.String(), true
}
