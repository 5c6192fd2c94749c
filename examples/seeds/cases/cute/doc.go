// Package cute has a case for each statement of the CuTe DSL's page on control flow that no sample of
// the page shows, in the order of the page. docs/seeds.md lists the statements.
//
// Kernels that are refused on purpose have no directive.
package cute

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What cases use: check ends the program at an error, refused prints what a kernel is refused for, device is
// where arrays are made.
var check, refused, device = sample.Check, sample.Refused, sample.Device

// Cases are in the order of the page.
var Cases = []sample.Sample{
	{Name: "cute/mixed", Run: Mixed},
	{Name: "cute/for/known", Run: KnownBounds},
	{Name: "cute/for/dynamic", Run: DynamicFor},
	{Name: "cute/for/static", Run: StaticFor},
	{Name: "cute/for/index", Run: StaticIndex},
	{Name: "cute/for/exits", Run: Exits},
	{Name: "cute/for/panic", Run: PanicInLoop},
	{Name: "cute/for/print", Run: CompileTimePrint},
	{Name: "cute/if/forced", Run: ForcedBranches},
	{Name: "cute/if/unstructured", Run: Unstructured},
	{Name: "cute/if/not-compiled", Run: NotCompiled},
	{Name: "cute/while/dynamic", Run: DynamicWhile},
	{Name: "cute/while/static", Run: StaticWhile},
	{Name: "cute/while/unknown", Run: UnknownWhile},
	{Name: "cute/metaprogramming", Run: Metaprogramming},
}
