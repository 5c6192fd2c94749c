// Package warp has the counterparts of the code samples of Warp's page on code
// generation, in the order of the page: modules, captured values, static expressions,
// kernels made at run time, and when values are bound.
//
// Kernels that are refused on purpose have no directive: qdgen vet would report them.
package warp

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What samples use: check ends the program at an error, wait waits for what was
// launched, refused prints what a kernel is refused for.
var check, wait, refused = sample.Check, sample.Wait, sample.Refused

// Samples are in the order of the page.
var Samples = []sample.Sample{
	{Name: "warp/modules/interspersed", Run: Interspersed},
	{Name: "warp/modules/defined-first", Run: DefinedFirst},
	{Name: "warp/modules/loop", Run: HelloLoop},
	{Name: "warp/modules/function", Run: SineFunction},
	{Name: "warp/constants/captured", Run: CapturedConstant},
	{Name: "warp/constants/array", Run: CapturedArray},
	{Name: "warp/constants/checked", Run: CheckedConstants},
	{Name: "warp/constants/updated", Run: UpdatedConstant},
	{Name: "warp/static/math", Run: StaticMath},
	{Name: "warp/static/conditional", Run: StaticConditional},
	{Name: "warp/static/unrolled", Run: StaticLoop},
	{Name: "warp/static/functions", Run: FunctionPointers},
	{Name: "warp/static/branches-naive", Run: NaiveBranches},
	{Name: "warp/static/branches", Run: EliminatedBranches},
	{Name: "warp/closures/constants", Run: ConstantClosures},
	{Name: "warp/closures/types", Run: TypeClosures},
	{Name: "warp/closures/functions", Run: FunctionArguments},
	{Name: "warp/closures/function-closures", Run: FunctionClosures},
	{Name: "warp/closures/pairs", Run: PairedClosures},
	{Name: "warp/structs/precision", Run: StructPrecision},
	{Name: "warp/structs/dimensions", Run: StructDimensions},
	{Name: "warp/reload/interspersed", Run: MadeBetweenLaunches},
	{Name: "warp/reload/made-first", Run: MadeFirst},
	{Name: "warp/reload/identical", Run: IdenticalKernels},
	{Name: "warp/binding/go", Run: LateBindingInGo},
	{Name: "warp/binding/late", Run: LateBinding},
	{Name: "warp/binding/loop", Run: CapturedLoopVariable},
	{Name: "warp/binding/loop-static", Run: ReceiverLoopVariable},
	{Name: "warp/binding/early", Run: EarlyBinding},
	{Name: "warp/binding/functions", Run: EarlyBoundFunction},
}
