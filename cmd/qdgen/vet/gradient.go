package vet

import (
	"context"
	"errors"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// differentiates reports whether a package asks for gradients: whether it makes a tape, or names the gradient or the
// tangent of a kernel. Which of its kernels have theirs taken, only the running program knows.
func differentiates(pass *analysis.Pass) bool {
	for _, obj := range pass.TypesInfo.Uses {
		f, ok := obj.(*types.Func)
		if !ok || f.Pkg() == nil {
			continue
		}
		switch f.Pkg().Path() + "." + f.Name() {
		case load.QDPath + ".NewTape", load.QDPath + ".Gradient", load.QDPath + ".Tangent", load.QDPath + "/qdtest.CheckGradient":
			return true
		}
	}
	return false
}

// constantGradients warns of floats whose gradients are zero because what follows from them goes through an integer.
// What a kernel lacks is said elsewhere: one that does not compile, or has no gradient, has no warning here. The error
// is a bug of qdgen's.
func constantGradients(src load.Sources, opts frontend.Options, kernel load.Ref, warnings *diag.List) error {
	err := bug.Guard(kernel.Name, func() error {
		u := &compile.Unit{Pipeline: compile.Go.Gradient(), Kernel: kernel, Source: src, Options: opts}
		u.Options.Warn = func(diag.Diagnostic) {}
		u.Remarks = func(r ssa.Remark) {
			if r.Pass == gradient.Pass && r.Kind == ssa.Missed {
				warnings.Add(diag.Diagnostic{
					Pos:  token.Position{Filename: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Col},
					Msg:  r.Text,
					Hint: "compute with the float itself, or write qd.StopGradient if this is meant",
				})
			}
		}
		return u.RunTo(context.Background(), compile.Differentiate)
	})
	if errors.As(err, new(*bug.Error)) {
		return err
	}
	return nil
}
