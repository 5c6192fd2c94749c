package single

import "math"

// log(2) in two parts of 15 and 16 bits, so that their products with an integer up to 2^8 are exact.
const (
	log2High = 0x1.62e4p-1
	log2Low  = 0x1.7f7ep-20
)

// shift is added to a number to round it to an integer k: the last bits of the sum are those of k + 254.
const shift = 0x1.8p23 + 254

// Exp is e to the power of x, after Cody and Waite, "Software Manual for the Elementary Functions" (1980): e^x is 2^k
// e^r.
func Exp(x float32) float32 {
	v := within(x, -104, 89)
	t := float32(v*0x1.715476p+0) + shift
	k := t - shift
	r := v - float32(k*log2High) // the products are exact
	r -= float32(k * log2Low)
	return scaled(power(r), t)
}

// Exp2 is 2 to the power of x.
func Exp2(x float32) float32 {
	v := within(x, -151, 129)
	t := v + shift
	r := float32((v - (t - shift)) * 0x1.62e43p-1)
	return scaled(power(r), t)
}

// within is x, cut to a range. A NaN stays one.
func within(x, least, most float32) float32 {
	if x < least {
		x = least
	}
	if x > most {
		x = most
	}
	return x
}

// power is e^r for r up to log(2)/2 in size: 1 + r and a minimax polynomial.
func power(r float32) float32 {
	r2 := float32(r * r)
	high := float32(0x1.6a2434p-10*r) + 0x1.1239e2p-7
	low := float32(0x1.5558f2p-5*r) + 0x1.555492p-3
	q := float32((float32(high*r2)+low)*r) + 0x1.fffffcp-2
	return float32(q*r2) + r + 1
}

// scaled is p times 2^k, rounded once: t is k + shift. It multiplies by two powers of two, as 2^k may be too small or
// too large for one.
func scaled(p, t float32) float32 {
	bits := math.Float32bits(t)
	half := bits >> 1
	return float32(p*math.Float32frombits(half<<23)) * math.Float32frombits((bits-half)<<23)
}
