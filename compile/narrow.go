package compile

import (
	"cmp"
	"context"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target/narrow"
)

// Narrow makes kernels for small launches. Other builds skip it.
var Narrow = &Stage{
	Name: "narrow", Why: "compute indices in 32 bits, in builds for launches whose sizes and slices these can count",
	Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
	Passes: opt.FuncPasses(),
	keeps:  true,
	run: func(_ context.Context, u *Unit) error {
		if !u.Options.Narrow {
			return nil
		}
		changed := narrow.Narrow(u.Module)
		for _, h := range u.Hoisted { // a launch is asked once for both
			both := append(slices.Clone(h.Kernel.Small), h.Fast.Small...)
			slices.SortFunc(both, func(a, b ssa.Small) int { return cmp.Or(a.Param-b.Param, a.Offset-b.Offset) })
			h.Kernel.Small = slices.Compact(both)
			h.Fast.Small = h.Kernel.Small
		}
		u.settle(changed)
		return nil
	},
}

// Narrows reports whether the target has builds for small launches.
func (p Pipeline) Narrows() bool { return slices.Contains(p.Stages, Narrow) }
