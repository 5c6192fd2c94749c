package qd

// StopGradient gives x, and is constant to the derivative: nothing of a gradient goes through it. The type may be any that
// holds floats: a float, a vector, a struct.
//
//	y[i] = x[i] * qd.StopGradient(x[i]) // its derivative by x[i] is x[i], not 2*x[i]
func StopGradient[T any](x T) T { return x }

//qd:gradient StopGradient
func stopGradientGradient[T any](_, _ T) (zero T) { return zero }

// Only the directives name these.
var (
	_ = stopGradientGradient[float32]
	_ = float16Gradient
	_ = toFloat16Gradient
	_ = bfloat16Gradient
	_ = toBFloat16Gradient
)
