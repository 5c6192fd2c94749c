package qd

// StopGradient gives x, and is constant to the derivative: nothing of a gradient goes through it. The type may be any that
// holds floats: a float, a vector, a struct.
//
//	y[i] = x[i] * qd.StopGradient(x[i]) // its derivative by x[i] is x[i], not 2*x[i]
func StopGradient[T any](x T) T { return x }

//qd:gradient StopGradient
func stopGradientGradient[T any](_, _ T) (zero T) { return zero }

// The derivatives of conversions are conversions.

//qd:gradient Float16.Float32
func float16Gradient(_ Float16, adj float32) Float16 { return ToFloat16(adj) }

//qd:gradient ToFloat16
func toFloat16Gradient(_ float32, adj Float16) float32 { return adj.Float32() }

//qd:gradient BFloat16.Float32
func bfloat16Gradient(_ BFloat16, adj float32) BFloat16 { return ToBFloat16(adj) }

//qd:gradient ToBFloat16
func toBFloat16Gradient(_ float32, adj BFloat16) float32 { return adj.Float32() }

// Only the directives name these.
var (
	_ = stopGradientGradient[float32]
	_ = float16Gradient
	_ = toFloat16Gradient
	_ = bfloat16Gradient
	_ = toBFloat16Gradient
)
