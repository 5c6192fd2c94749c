package qd

import "math"

// The functions of this file are those of shading languages that Go has no names for. Vectors
// have them as methods.

// Clamp is x brought between lo and hi: min(max(x, lo), hi). It is hi where lo > hi, and NaN where
// an argument is.
func Clamp[T Number](x, lo, hi T) T { return min(max(x, lo), hi) }

// Saturate is x brought between 0 and 1. NaN stays NaN, and -0 becomes 0.
func Saturate[T Number](x T) T { return min(max(x, 0), 1) }

// Sign is -1, 0 or 1, as x is negative, zero or positive; x itself if that is a zero or NaN.
func Sign[T Number](x T) T {
	one := T(1)
	switch {
	case x > 0:
		return one
	case x < 0:
		return -one
	}
	return x
}

// Lerp is a at t = 0, b at t = 1, and on the line through them elsewhere, outside of 0 to 1 too:
// a*(1-t) + b*t. It is NaN at t = 0 and t = 1 where the other end is not finite.
func Lerp[T Float](a, b, t T) T { return a*(1-t) + b*t }

// Step is 0 where x < edge, and 1 elsewhere, where one of them is NaN too.
func Step[T Number](edge, x T) T {
	if x < edge {
		return 0
	}
	return 1
}

// Smoothstep rises from 0, where x is at most lo, to 1, where x is at least hi, and is level at
// both: t*t*(3-2*t) with t = (x-lo)/(hi-lo) brought between 0 and 1. Where lo > hi it falls, from 1 at
// hi to 0 at lo. Where lo == hi it is Step, but NaN at x == lo. NaN gives NaN.
func Smoothstep[T Float](lo, hi, x T) T {
	t := Saturate((x - lo) / (hi - lo))
	return t * t * (3 - 2*t)
}

// Fract is x - Floor(x): at least 0 and less than 1, but for a negative x so small that rounding
// gives 1. It is NaN for NaN and the infinities.
func Fract[T Float](x T) T { return x - Floor(x) }

// Epsilon is the distance from 1 to the next larger number of type T: 2^-23 for float32,
// 2^-52 for float64.
func Epsilon[T Float]() T {
	one := T(1)
	if tiny := one / 64 / 64 / 64 / 64; one+tiny == one { // 24 bits are too few
		return 0x1p-23
	}
	return 0x1p-52
}

// Radians converts degrees to radians.
func Radians[T Float](degrees T) T { return degrees * (math.Pi / 180) }

// Degrees converts radians to degrees.
func Degrees[T Float](radians T) T { return radians * (180 / math.Pi) }

// CeilDiv is a / b rounded up: how many blocks of b are needed for a elements. It does not overflow, as a + b - 1
// may. Negative quotients are rounded up too, towards zero: CeilDiv(-7, 2) is -3. Like a / b it panics
// where b is 0, and is a where b is -1 and a has no counterpart in T.
func CeilDiv[T Int](a, b T) T {
	q := a / b
	if r := a % b; r != 0 && (r > 0) == (b > 0) {
		q++
	}
	return q
}
