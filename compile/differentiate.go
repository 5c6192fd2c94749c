package compile

import (
	"context"
	"errors"
	"go/token"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// Differentiate is the stage that [Pipeline.Gradient] adds. [Pipeline.Tangent] adds another stage of the same name.
var Differentiate = differentiating(gradient.Options{})

// differentiating returns the stage that makes backward kernels.
func differentiating(o gradient.Options) *Stage {
	return &Stage{
		Name: "differentiate", Why: "put the backward kernel in the place of the kernel, and the kernels that count what it keeps or gather what neighbours add; or the tangent kernel, or one that only does the checks",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		run: func(_ context.Context, u *Unit) (err error) {
			if o.Last() == gradient.Check {
				u.Module, u.Backward = gradient.Checks(u.Module)
				return nil
			}
			k := u.Module.Host() // of a Grid kernel
			if k == nil {
				k = u.Module.Kernels()[0]
			}
			if u.Backward, err = gradient.Telling(k, o, u.Remarks); err != nil {
				return refusals(err)
			}
			formats := u.Module.Formats
			u.Module = &ssa.Module{Name: u.Module.Name, Pkg: u.Module.Pkg, Fused: u.Module.Fused, Funcs: u.Backward.Funcs()}
			if u.Module.Prints() { // a tangent kernel does
				u.Module.Formats = formats
			}
			return nil
		},
	}
}

// refusals converts the errors of package gradient to diagnostics.
func refusals(err error) error {
	var list diag.List
	joined, _ := err.(interface{ Unwrap() []error })
	for _, e := range joined.Unwrap() {
		r := (*gradient.Refused)(nil)
		if !errors.As(e, &r) {
			return err
		}
		list.Add(diag.Diagnostic{Pos: token.Position{Filename: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Col}, Msg: r.What, Hint: r.Help})
	}
	return list.Err()
}
