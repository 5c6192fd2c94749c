package tile

import "math"

// roundTF32 is the number of TF32 that is nearest: 10 bits behind the point, as PTX's cvt.rna.tf32.f32 rounds. Numbers that are
// too large become infinite.
func roundTF32(x float32) float32 {
	bits := math.Float32bits(x)
	if bits&0x7fffffff > 0x7f800000 {
		return x // a NaN stays one, whichever of its bits are set
	}
	return math.Float32frombits((bits + 0x1000) &^ 0x1fff)
}

// The derivative is that of what is rounded.
//
//qd:gradient roundTF32
func roundTF32Gradient(_, adj float32) float32 { return adj }

// Only the directive names it.
var _ = roundTF32Gradient
