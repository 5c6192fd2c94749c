package qd

// The functions of this file are what the numerical methods of matrices have in common. They
// are exported for the types that qdgen writes into other packages.

// Epsilon is the distance from 1 to the next larger number of type T: 2^-23 for float32,
// 2^-52 for float64. An integer T is an error.
func Epsilon[T Number]() T { return ApplyFloat(T(0), epsilon32, epsilon64) }

func epsilon32(float32) float32 { return 0x1p-23 }
func epsilon64(float64) float64 { return 0x1p-52 }

// SqrtNumber is [Sqrt] of a T that Go knows to be a number only. An integer T is an error.
func SqrtNumber[T Number](x T) T { return ApplyFloat(x, Sqrt[float32], Sqrt[float64]) }

// NaNNumber is [NaN] for a T that Go knows to be a number only. An integer T is an error.
func NaNNumber[T Number]() T { return ApplyFloat(T(0), nan32, nan64) }

func nan32(float32) float32 { return NaN[float32]() }
func nan64(float64) float64 { return NaN[float64]() }

// IsPivot reports whether x is finite and not zero: whether one may divide by it. An integer
// T is an error.
func IsPivot[T Number](x T) bool {
	NeedFloat[T]()
	return x != 0 && x-x == 0
}

// PowerScale gives a power of two, and its inverse, by which numbers are multiplied before
// they are squared: the square of the largest, whose magnitude is the argument, then neither
// overflows nor vanishes. The products are exact, but for results that are not normal numbers. It
// is 1 where the largest is of a usual magnitude, or zero. An integer T is an error.
func PowerScale[T Number](largest T) (up, down T) {
	step := ApplyFloat(T(0), scaleStep32, scaleStep64)
	middle := SqrtNumber(step)
	most := ApplyFloat(T(0), scaleMost32, scaleMost64)
	up, down = 1, 1
	for largest > middle && down < most {
		largest, up, down = largest/step, up/step, down*step
	}
	for largest > 0 && largest < 1/middle && up < most {
		largest, up, down = largest*step, up*step, down/step
	}
	return up, down
}

func scaleStep32(float32) float32 { return 0x1p16 }
func scaleStep64(float64) float64 { return 0x1p128 }
func scaleMost32(float32) float32 { return 0x1p112 }
func scaleMost64(float64) float64 { return 0x1p896 }

// NegligibleSquare is the square of a number that is nothing beside the largest of those that
// [PowerScale] has scaled. The squares of numbers that are greater have all their digits. An
// integer T is an error.
func NegligibleSquare[T Number]() T {
	return ApplyFloat(T(0), negligible32, negligible64)
}

func negligible32(float32) float32 { return 0x1p-80 }
func negligible64(float64) float64 { return 0x1p-500 }

// JacobiRotation gives the cosine, the sine and the tangent of the angle, of at most 45 degrees,
// by which the symmetric matrix of rows (a, b) and (b, d) becomes diagonal: it is
// J * diag(a - t*b, d + t*b) * J^T for the rotation J of rows (c, s) and (-s, c). c*c + s*s is
// 1 to rounding whatever the arguments, as long as they and their squares are finite.
//
// The formulas are those of Golub and Van Loan, Matrix Computations, 4th edition, algorithm
// 8.5.1, multiplied through so that there is no quotient that could overflow. An integer T is an error.
func JacobiRotation[T Number](a, b, d T) (c, s, t T) {
	diff, twice := d-a, 2*b
	if diff < 0 {
		diff, twice = -diff, -twice
	}
	den := diff + SqrtNumber(diff*diff+twice*twice)
	if den > 0 {
		t = twice / max(den, twice, -twice) // den is less only where squares vanish
	}
	c = 1 / SqrtNumber(1+t*t)
	return c, t * c, t
}
