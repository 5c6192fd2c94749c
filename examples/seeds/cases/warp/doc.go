// Package warp has a case for each statement of Warp's page on code generation that no sample of the
// page shows, in the order of the page. docs/seeds.md lists the statements.
//
// Kernels that are refused on purpose have no directive.
package warp

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What cases use: check ends the program at an error, refused prints what a kernel is refused for, device
// is where arrays are made.
var check, refused, device = sample.Check, sample.Refused, sample.Device

// Cases are in the order of the page.
var Cases = []sample.Sample{
	{Name: "warp/modules/together", Run: Together},
	{Name: "warp/modules/up-to-date", Run: UpToDate},
	{Name: "warp/modules/later", Run: MadeLater},
	{Name: "warp/modules/recorded", Run: LaterThanRecorded},
	{Name: "warp/gradients/function", Run: FunctionGradient},
	{Name: "warp/constants/types", Run: ConstantTypes},
	{Name: "warp/constants/refused", Run: RefusedCaptures},
	{Name: "warp/constants/back", Run: ChangedBack},
	{Name: "warp/static/scope", Run: StaticScope},
	{Name: "warp/static/local", Run: StaticLocal},
	{Name: "warp/static/library", Run: StaticLibrary},
	{Name: "warp/static/results", Run: StaticResults},
	{Name: "warp/static/nil", Run: StaticNil},
	{Name: "warp/static/slices", Run: StaticSlices},
	{Name: "warp/static/else-if", Run: StaticElseIf},
	{Name: "warp/static/overloads", Run: StaticOverloads},
	{Name: "warp/closures/all", Run: ClosuresOfEverything},
	{Name: "warp/closures/nested", Run: ClosureOfClosure},
	{Name: "warp/closures/unnamed", Run: UnnamedCapture},
	{Name: "warp/structs/any", Run: AnyStruct},
	{Name: "warp/reload/duplicates", Run: Duplicates},
	{Name: "warp/binding/order", Run: InitializedLater},
	{Name: "warp/binding/prepared", Run: LateInPrepared},
}
