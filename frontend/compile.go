package frontend

import (
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
	"github.com/qdgen/qd/ssa"
)

// Compile checks kernels together with everything that they reach and lowers each
// of them: the modules are in the order of the kernels. The error is a
// *load.NotFoundError for a kernel that the sources do not have, or a
// *diag.Diagnostics with everything that is wrong with any of the kernels: what the
// type checker refuses, and what lowering does.
//
// Where the sources could be type-checked there is a Program even so.
func Compile(src load.Sources, kernels ...load.Ref) (*load.Program, []*ssa.Module, error) {
	return CompileWith(Options{}, src, kernels...)
}

// CompileWith is Compile of the specializations that opts says.
func CompileWith(opts Options, src load.Sources, kernels ...load.Ref) (*load.Program, []*ssa.Module, error) {
	also := load.Also{Symbolic: opts.Symbolic}
	for {
		p, err := load.CheckWith(src, also, kernels...)
		if p == nil {
			return nil, nil, err
		}
		var problems diag.List
		problems.Add(p.Problems...) // there need not be a kernel left to lower
		modules := make([]*ssa.Module, len(p.Kernels))
		more := false
		for i, k := range p.Kernels {
			m := lower.Lower(p, k, opts)
			modules[i] = m.Out
			problems.Add(m.Diags.All()...)
			more = m.More(&also) || more
		}
		if more {
			continue
		}
		if err := problems.Err(); err != nil {
			return p, nil, err
		}
		return p, modules, nil
	}
}
