package compile

import (
	"context"
	"fmt"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
)

// Interchange interchanges the axes of short parallel loops in Grid kernels. It makes other kernels for launches whose
// axes have been interchanged, in builds that ask for it.
var Interchange = &Stage{
	Name: "interchange", Why: "exchange an axis with the last one, along which the lanes of vectors lie: in parallel loops whose last size is small, and in builds for launches with short rows",
	Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
	Passes: opt.FuncPasses(),
	keeps:  true,
	run: func(_ context.Context, u *Unit) error {
		var changed []*ssa.Func
		switch {
		case u.Options.Interchange > 0:
			var err error
			if changed, err = target.Interchange(u.Module, u.Options.Interchange-1, u.summaries); err != nil {
				return fmt.Errorf("kernel %s: %w", u.Module.Name, err)
			}
		case u.Backward == nil:
			changed = target.InterchangeLoops(u.Module, u.Pipeline.Vectors.LanesOf, u.summaries)
		}
		u.settle(changed)
		return nil
	},
}
