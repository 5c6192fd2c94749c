package frontend

import (
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
	"github.com/qdgen/qd/ssa"
)

// Lower turns one kernel of a checked program into a module: the kernel and the
// device functions that it reaches. The error is a *diag.Diagnostics with
// everything in them that a kernel may not say. Those of a program with problems
// are in it too: such a program is lowered for its errors only.
func Lower(p *load.Program, k *load.Function, opts Options) (*ssa.Module, error) {
	m := lower.Lower(p, k, opts)
	if err := m.Diags.Err(); err != nil {
		return nil, err
	}
	return m.Out, nil
}

// Kernels finds the kernels of a package, the functions that carry the directive
// //qd:kernel, in source order.
func Kernels(src load.Sources, pkg string) ([]load.Ref, error) {
	return load.Kernels(src, pkg)
}
