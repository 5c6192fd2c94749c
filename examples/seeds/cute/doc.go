// Package cute has the counterparts of the code samples of the CuTe DSL's page on
// control flow.
package cute

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// What samples use: check ends the program at an error, wait waits for what was
// launched.
var check, wait = sample.Check, sample.Wait

// Samples are in the order of the page.
var Samples = []sample.Sample{
	{Name: "cute/loops", Run: Loops},
	{Name: "cute/ranges", Run: Ranges},
	{Name: "cute/if-else", Run: IfElse},
	{Name: "cute/while", Run: While},
	{Name: "cute/relu", Run: OptionalReLU},
}
