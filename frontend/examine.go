package frontend

import (
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
)

// An Examined is a kernel that is looked at for its errors.
type Examined struct {
	Kernel load.Ref
	Consts []map[int]comptime.Value // what launches give for its qd.Const parameters, as far as that is known; see Options.Consts
}

// Examine finds what is wrong with kernels, and with functions that are values for kernels, without a launch: all that
// a launch would give and that is not known counts as known at compile time. The error is that of [Compile].
// What is wrong for some of the values only is doubtful.
func Examine(opts Options, src load.Sources, kernels []Examined, funcs []load.Ref) error {
	opts.Symbolic = true
	refs := make([]load.Ref, len(kernels))
	for i, k := range kernels {
		refs[i] = k.Kernel
	}
	also := load.Also{Symbolic: true, Funcs: funcs}
	for {
		p, err := load.CheckWith(src, also, refs...)
		if p == nil {
			return err
		}
		var problems diag.List
		problems.Add(p.Problems...)
		more := false
		examined := func(m *lower.Module) {
			problems.Add(m.Diags.All()...)
			more = m.More(&also) || more
		}
		if len(p.Kernels) == len(kernels) { // else one has no body
			for i, k := range p.Kernels {
				for _, consts := range kernels[i].Consts {
					own := opts
					own.Consts = consts
					examined(lower.Lower(p, k, own))
				}
			}
		}
		for _, f := range funcs {
			if t, ok := p.Target(f); ok {
				if m := lower.Value(p, t, opts); m != nil {
					examined(m)
				}
			}
		}
		if !more {
			return problems.Err()
		}
	}
}
