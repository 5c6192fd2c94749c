package qd

// Rand is the n-th random number of a seed: 64 bits that depend only on the two arguments, and
// are the same on every device. A thread needs no state: it gets its own numbers from its own
// counter:
//
//	u := qd.Rand(seed, step*threads+t.ID())
//
// The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", 2011) with the seed as its key and n as the lower half
// of its counter; the result is its first two words, the first one lower.
func Rand[S, N Int](seed S, n N) uint64 {
	a, b, _, _ := philox(uint64(seed), uint64(n), 0)
	return uint64(b)<<32 | uint64(a)
}

// RandFloat32 is a random float that is at least 0 and less than 1. It has the upper 24 bits of
// [Rand].
func RandFloat32[S, N Int](seed S, n N) float32 {
	return float32(Rand(seed, n)>>40) * 0x1p-24
}

// RandFloat64 is a random float that is at least 0 and less than 1. It has the upper 53 bits of
// [Rand].
func RandFloat64[S, N Int](seed S, n N) float64 {
	return float64(Rand(seed, n)>>11) * 0x1p-53
}

// RandNormal is a normally distributed random number with mean 0 and standard deviation 1. It
// uses the Box-Muller transform, and is as accurate as the device's Log and Cos.
func RandNormal[T Float, S, N Int](seed S, n N) T {
	a, b, _, _ := philox(uint64(seed), uint64(n), 0)
	u := (T(a) + 1) * 0x1p-32 // above 0
	return Sqrt(-2*Log(u)) * Cos(T(b)*(2*pi*0x1p-32))
}

const pi = 3.14159265358979323846264338327950288419716939937510582097494459

// philox is Philox4x32-10 of a key and of the lower and the upper half of a counter.
func philox(key, lower, upper uint64) (c0, c1, c2, c3 uint32) {
	k0, k1 := uint32(key), uint32(key>>32)
	c0, c1, c2, c3 = uint32(lower), uint32(lower>>32), uint32(upper), uint32(upper>>32)
	for range 10 {
		p := uint64(c0) * 0xd2511f53
		q := uint64(c2) * 0xcd9e8d57
		c0, c1, c2, c3 = uint32(q>>32)^c1^k0, uint32(q), uint32(p>>32)^c3^k1, uint32(p)
		k0 += 0x9e3779b9 // the golden ratio
		k1 += 0xbb67ae85 // the root of 3, minus 1
	}
	return c0, c1, c2, c3
}
