package compile

import (
	"context"
	"fmt"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
)

// Interchange makes kernels for launches whose axes have been interchanged. Other builds skip it.
var Interchange = &Stage{
	Name: "interchange", Why: "exchange an axis of the launch with the last one, along which the lanes of vectors lie, in builds for launches with short rows",
	Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
	Passes: opt.FuncPasses(),
	keeps:  true,
	run: func(_ context.Context, u *Unit) error {
		if u.Options.Interchange == 0 {
			return nil
		}
		changed, err := target.Interchange(u.Module, u.Options.Interchange-1, u.summaries)
		if err != nil {
			return fmt.Errorf("kernel %s: %w", u.Module.Name, err)
		}
		for _, f := range changed {
			u.summaries.Changed(f)
		}
		opt.Settle(changed, u.summaries, u.step)
		return nil
	},
}
