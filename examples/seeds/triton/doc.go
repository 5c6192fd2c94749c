// Package triton has the counterparts of the code samples of the page on Triton's
// constexpr.
package triton

import "github.com/qdgen/qd/examples/seeds/internal/sample"

// check ends the program at an error.
var check = sample.Check

// Samples are in the order of the page.
var Samples = []sample.Sample{
	{Name: "triton/signature", Run: Signature},
	{Name: "triton/specialization", Run: Specialization},
	{Name: "triton/mask", Run: FixedTileVariableMask},
	{Name: "triton/autotune", Run: Autotuned},
}
