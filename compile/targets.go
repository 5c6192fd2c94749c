package compile

import (
	"slices"

	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/target/widen"
)

// The pipelines.
var (
	// Go is for device go, which runs the Go function itself. The device needs facts about the kernel, and the host's part
	// of a Grid kernel.
	Go = Pipeline{Stages: []*Stage{Load, Lower, Tiles, Outline, Optimize, Blame}}

	// CPU makes C++ for clang, with vectors for processors with large registers: see CPUOf.
	CPU = Pipeline{Vectors: &widen.CPU, Stages: []*Stage{Load, Lower, TilesCPU, Outline, Optimize, Blame, Forget, Interchange, FitCPU, Fuse, HoistChecks, Settle, Number, Fission, PlaceLanes, Rows, Split, Widen, Hint, LegalizeCPU, OutOfSSA, NameCPP, Print, Build}}

	// PlainCPU makes C++ for other compilers.
	PlainCPU = Pipeline{Stages: []*Stage{Load, Lower, Tiles, Outline, Optimize, Blame, Forget, FitCPU, Fuse, HoistChecks, Settle, Number, Fission, PlaceLanes, Rows, Split, Hint, LegalizeCPU, OutOfSSA, NamePlain, Print, Build}}

	// CUDA makes CUDA C++.
	CUDA = Pipeline{Stages: []*Stage{Load, Lower, TilesGPU, Outline, Optimize, Blame, Forget, FitGPU, Fuse, HoistChecks, Settle, Narrow, Number, Cooperate, LegalizeGPU, OutOfSSA, NameCUDA, Print, Build}}
)

// CPUOf is CPU for a processor, by the name that clang has for its instructions: its vectors have the size that is best
// there.
func CPUOf(arch string) Pipeline {
	p := CPU
	p.Vectors = widen.For(arch)
	return p
}

// Gradient returns the pipeline that compiles the backward kernel for the same target. One stage makes it from the
// optimized kernel. The stages after that treat it like any other kernel.
func (p Pipeline) Gradient() Pipeline { return p.differentiated(Differentiate) }

// Tangent returns the pipeline that compiles the tangent kernel for the same target.
func (p Pipeline) Tangent() Pipeline { return p.GradientOf(gradient.Options{Steps: gradient.Tangent}) }

// GradientOf is [Pipeline.Gradient] with options.
func (p Pipeline) GradientOf(o gradient.Options) Pipeline {
	return p.differentiated(differentiating(o))
}

func (p Pipeline) differentiated(s *Stage) Pipeline {
	p.Stages = slices.Clone(p.Stages)
	for _, tiles := range []*Stage{TilesCPU, TilesGPU} {
		if at := slices.Index(p.Stages, tiles); at >= 0 {
			p.Stages[at] = Tiles // vectors and products in registers have no derivative
		}
	}
	p.Stages = slices.Insert(p.Stages, slices.Index(p.Stages, Blame), s)
	return p
}
