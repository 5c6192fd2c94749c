package compile

import (
	"slices"

	"github.com/qdgen/qd/ssa/gradient"
)

// The pipelines.
var (
	// Go is for the device go, which runs the Go function itself: it is what tells of a kernel what there is to know, and
	// makes the host's part of a Grid kernel.
	Go = Pipeline{Load, Lower, Tiles, Outline, Optimize, Blame}

	// CPU is for C++ that clang compiles.
	CPU = Pipeline{Load, Lower, TilesCPU, Outline, Optimize, Blame, Forget, FitCPU, Fuse, HoistChecks, Settle, Inline, Number, Fission, PlaceLanes, Split, Vectorize, Widen, LegalizeCPU, NameCPP, Print, Build}

	// PlainCPU is for C++ that other compilers compile.
	PlainCPU = Pipeline{Load, Lower, Tiles, Outline, Optimize, Blame, Forget, FitCPU, Fuse, HoistChecks, Settle, Inline, Number, Fission, PlaceLanes, Split, Vectorize, LegalizeCPU, NamePlain, Print, Build}

	// CUDA is for CUDA C++.
	CUDA = Pipeline{Load, Lower, TilesGPU, Outline, Optimize, Blame, Forget, FitGPU, Fuse, HoistChecks, Settle, Narrow, Number, Cooperate, LegalizeGPU, NameCUDA, Print, Build}
)

// Gradient is the pipeline to the same target for the backward kernel: it comes from the optimized kernel, and goes on as
// any other.
func (p Pipeline) Gradient() Pipeline { return p.differentiated(Differentiate) }

// Tangent is the pipeline to the same target for the tangent kernel.
func (p Pipeline) Tangent() Pipeline { return p.GradientOf(gradient.Options{Steps: gradient.Tangent}) }

// GradientOf is Gradient with options.
func (p Pipeline) GradientOf(o gradient.Options) Pipeline {
	return p.differentiated(differentiating(o))
}

func (p Pipeline) differentiated(s *Stage) Pipeline {
	p = slices.Clone(p)
	for _, s := range []*Stage{TilesCPU, TilesGPU} {
		if at := slices.Index(p, s); at >= 0 {
			p[at] = Tiles // vectors and products in registers have no derivative
		}
	}
	return slices.Insert(p, slices.Index(p, Blame), s)
}
