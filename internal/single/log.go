package single

import "math"

// Log is the natural logarithm of x, which is 2^k (1+f), with 1+f from the square root of 1/2 to that of 2: k log(2) +
// log(1+f), where f - f*f/2 and a minimax polynomial times f^3 is log(1+f), as in Moshier's Cephes. The sum of k log(2)
// and f is kept in two numbers, as Dekker, "A floating-point technique for extending the available precision" (1971),
// has it.
func Log(x float32) float32 {
	const least = 0x1p-126 // that is not subnormal
	y, bias := x, float32(0x1p23+127)
	if x < least {
		y, bias = float32(x*0x1p23), 0x1p23+150
	}
	bits := math.Float32bits(y) + (0x3f800000 - 0x3f3504f3)
	k := math.Float32frombits(bits>>23|0x4b000000) - bias
	f := math.Float32frombits(bits&0x7fffff+0x3f3504f3) - 1

	f2 := float32(f * f)
	a := float32(-0x1.000226p-2*f) + 0x1.555554p-2
	b := float32(-0x1.547244p-3*f) + 0x1.99a008p-3
	c := float32(-0x1.0d8546p-3*f) + 0x1.22da1ap-3
	d := float32(-0x1.38b5a6p-4*f) + 0x1.055b84p-3
	p := float32((float32(d*f2)+c)*float32(f2*f2)) + (float32(b*f2) + a)
	rest := float32(f2 * (float32(f*p) - 0.5))

	high := float32(k*log2High) + f // products of k are exact
	low := f - (high - float32(k*log2High))
	sum := high + (low + (float32(k*log2Low) + rest))
	if !(x > 0) {
		if x == 0 {
			return float32(math.Inf(-1))
		}
		return float32(math.NaN())
	}
	if x > math.MaxFloat32 {
		return x
	}
	return sum
}
