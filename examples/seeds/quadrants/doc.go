// Package quadrants has the counterparts of the code samples of two of Quadrants'
// pages: compile-time evaluation with qd.static, and vectors and matrices.
//
// Kernels that are refused on purpose have no directive: qdgen vet would report them.
package quadrants

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What samples use: check ends the program at an error, refused prints what a kernel
// is refused for, device is where arrays are made.
var check, refused, device = sample.Check, sample.Refused, sample.Device

// Samples are in the order of the pages.
var Samples = []sample.Sample{
	{Name: "quadrants/static/branch", Run: CompileTimeBranch},
	{Name: "quadrants/static/unrolled", Run: Unrolled},
	{Name: "quadrants/static/parallel", Run: StaticIfAroundParallelLoop},
	{Name: "quadrants/static/error", Run: RuntimeValue},
	{Name: "quadrants/matrix/create", Run: Create},
	{Name: "quadrants/matrix/fields", Run: Fields},
	{Name: "quadrants/matrix/arrays", Run: Arrays},
	{Name: "quadrants/matrix/transform", Run: Transform},
	{Name: "quadrants/matrix/large", Run: LargeMatrix},
	{Name: "quadrants/matrix/tile", Run: Tile},
	{Name: "quadrants/matrix/get", Run: GetByIndex},
	{Name: "quadrants/matrix/no-value", Run: NoValue},
	{Name: "quadrants/matrix/two-tiles", Run: PairOfTiles},
	{Name: "quadrants/matrix/spills", Run: Spills},
}
