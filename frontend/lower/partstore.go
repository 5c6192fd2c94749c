package lower

import (
	"go/ast"
	"go/token"

	"github.com/qdgen/qd/ssa"
)

// A partStore assigns to a part of a number: it reads the number, changes it and writes it back. If another thread did
// the same to another part of the number, one of the two changes would be lost, although it is no race in Go. So the
// number must belong to the thread.
type partStore struct {
	pos  token.Pos
	fn   *ssa.Func
	addr *ssa.Value
}

// checkPartStores refuses those in memory that may not be the thread's own.
func (m *Module) checkPartStores() {
	if len(m.partStores) == 0 || m.Diags.Err() != nil {
		return
	}
	type call struct {
		by   *ssa.Func
		args []*ssa.Value
	}
	calls := map[*ssa.Func][]call{} // by their callees
	for _, list := range m.funcs {
		for _, f := range list {
			f.Fn.Body.Walk(func(in *ssa.Instr) {
				if in.Callee != nil {
					calls[in.Callee] = append(calls[in.Callee], call{f.Fn, in.Args})
				}
			})
		}
	}
	seen := map[*ssa.Value]bool{}
	var own func(fn *ssa.Func, addr *ssa.Value) bool
	own = func(fn *ssa.Func, addr *ssa.Value) bool {
		root := addr.Root()
		if root.IsLocal() || seen[root] {
			return true
		}
		seen[root] = true
		if fn.Kernel {
			return false
		}
		for i, p := range fn.Params() {
			if p != root {
				continue
			}
			for _, c := range calls[fn] {
				if i >= len(c.args) || !own(c.by, c.args[i]) {
					return false
				}
			}
			return true
		}
		return false
	}
	for _, s := range m.partStores {
		clear(seen)
		if !own(s.fn, s.addr) {
			m.Refuse(&ast.BadExpr{From: s.pos, To: s.pos + 1}, "assign whole numbers, or do it in a variable of the kernel's own",
				"a part of a number is assigned through unsafe.Pointer, and other threads may have the other parts")
			return
		}
	}
}
