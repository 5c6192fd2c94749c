// Package triton has a case for each statement of the page on Triton's constexpr that no sample of the
// page shows, in the order of the page. docs/seeds.md lists the statements.
//
// Kernels that are refused on purpose have no directive.
package triton

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What cases use: check ends the program at an error, refused prints what a kernel is refused for.
var check, refused = sample.Check, sample.Refused

// Cases are in the order of the page.
var Cases = []sample.Sample{
	{Name: "triton/constexpr/not-a-variable", Run: NotAVariable},
	{Name: "triton/shapes/runtime", Run: RuntimeShape},
	{Name: "triton/shapes/shared", Run: SharedShape},
	{Name: "triton/shapes/array", Run: ArrayShape},
	{Name: "triton/specialization/kinds", Run: KindsOfConstants},
	{Name: "triton/specialization/types", Run: TypesOfArguments},
	{Name: "triton/mask/tails", Run: Tails},
	{Name: "triton/mask/grid", Run: GridOfTiles},
	{Name: "triton/arguments/regular", Run: RegularArguments},
	{Name: "triton/arguments/sizes", Run: SizesAsConstants},
	{Name: "triton/static-range", Run: StaticRange},
	{Name: "triton/flag", Run: FusedFlag},
	{Name: "triton/stride", Run: Strides},
	{Name: "triton/autotune/block-dim", Run: BlockDims},
	{Name: "triton/autotune/stages", Run: Stages},
}
