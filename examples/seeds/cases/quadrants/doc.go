// Package quadrants has a case for each statement of two of Quadrants' pages, on qd.static and on
// vectors and matrices, that no sample of the pages shows, in their order. docs/seeds.md lists the statements.
//
// Kernels that are refused on purpose have no directive.
package quadrants

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What cases use: check ends the program at an error, refused prints what a kernel is refused for, device is
// where arrays are made.
var check, refused, device = sample.Check, sample.Refused, sample.Device

// Cases are in the order of the pages.
var Cases = []sample.Sample{
	{Name: "quadrants/static/unmarked", Run: UnmarkedBranch},
	{Name: "quadrants/static/runtime", Run: RuntimeBranch},
	{Name: "quadrants/static/specializations", Run: BranchSpecializations},
	{Name: "quadrants/static/serial", Run: StaticLoopOfGrid},
	{Name: "quadrants/static/loops-in-loop", Run: ParallelInStaticLoop},
	{Name: "quadrants/static/derived", Run: DerivedFromRuntime},
	{Name: "quadrants/static/position", Run: ErrorPosition},
	{Name: "quadrants/matrix/literals", Run: Literals},
	{Name: "quadrants/matrix/column", Run: ColumnMatrix},
	{Name: "quadrants/matrix/parameters", Run: Parameters},
	{Name: "quadrants/matrix/elementwise", Run: Elementwise},
	{Name: "quadrants/matrix/products", Run: Products},
	{Name: "quadrants/matrix/scalars", Run: Scalars},
	{Name: "quadrants/matrix/solve", Run: Solve},
	{Name: "quadrants/matrix/decompositions", Run: Decompositions},
	{Name: "quadrants/unpacked/constants", Run: ConstantIndices},
	{Name: "quadrants/unpacked/packed", Run: PackedDoesAll},
	{Name: "quadrants/unpacked/refused", Run: UnpackedRefused},
	{Name: "quadrants/unpacked/whole", Run: WholeStructs},
	{Name: "quadrants/unpacked/sizes", Run: TileSizes},
	{Name: "quadrants/unpacked/fields-only", Run: FieldsOnly},
	{Name: "quadrants/unpacked/mixed", Run: MixedFields},
	{Name: "quadrants/unpacked/tiles", Run: TilesInMemory},
	{Name: "quadrants/unpacked/by-hand", Run: ByHand},
	{Name: "quadrants/spills/many", Run: Spilling},
}
