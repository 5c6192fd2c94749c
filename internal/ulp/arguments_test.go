package ulp

import "math"

// hard are arguments where functions change their ways, or where many libraries have been wrong.
var hard = []float64{
	0, 1, 0.5, 2, 3, 10, math.Pi, math.Pi / 2, math.Pi / 4, 3 * math.Pi / 4, math.E, math.Ln2, 0.84375, 0.65, 1.25, 2.4, 5, 6, 26.5, 27.2,
	0x1p-1022, 0x1p-1074, 0x1p-1060, 0x1p-27, 0x1p-28, 0x1p-54, 0x1p52, 0x1p53, 0x1p53 - 1, 0x1p53 + 2, 0x1p20, 0x1p20 + 0x1p-20, 1e22, 1e300, math.MaxFloat64,
	1 + 0x1p-52, 1 - 0x1p-53, 709.78, 710, 745.13, 746, 1023.99, 1024, 1074, 1075, 0.4375, 0.6875, 20, 22, 40, math.Sqrt2, math.Sqrt2 / 2,
	// The multiples of pi/2 that numbers come nearest to: Muller, "Elementary Functions" (2016), and Kahan's.
	6381956970095103 * 0x1p797, 0x1.6ac5b262ca1ffp849, 1.5707963267948966e10, 11, 22, 333, 355, 103993, 5.319372648326541e255,
}

// within draws numbers between two, small ones too, and those next to where functions change their ways.
func within(from, to float64) func(r source) (x, y float64) {
	return func(r source) (float64, float64) {
		for {
			x := from + (to-from)*r.Float64()
			switch r.IntN(5) {
			case 0:
				x = math.Ldexp(2*r.Float64()-1, -r.IntN(100))
			case 1:
				x = near(r, hard[r.IntN(len(hard))])
			case 2:
				x = 4*r.Float64() - 2
			}
			if from <= x && x <= to {
				return x, 0
			}
		}
	}
}

// near is a number, or its negative, or one that differs from it by a few or many bits.
func near(r source, x float64) float64 {
	if r.IntN(2) == 0 {
		x = -x
	}
	if r.IntN(2) == 0 {
		return x
	}
	return x * (1 + math.Ldexp(2*r.Float64()-1, -r.IntN(53)))
}

// anywhere draws any finite number.
func anywhere(r source) (float64, float64) {
	for {
		x := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			x = near(r, hard[r.IntN(len(hard))])
		} else if r.IntN(2) == 0 {
			x = math.Ldexp(2*r.Float64()-1, 20-r.IntN(60))
		}
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, 0
		}
	}
}

func positive(r source) (float64, float64) {
	for {
		if x, _ := anywhere(r); x != 0 {
			return math.Abs(x), 0
		}
	}
}

// angles draws numbers of all sizes, and some that are near multiples of pi/2.
func angles(r source) (float64, float64) {
	if r.IntN(3) == 0 {
		return near(r, float64(r.IntN(1<<r.IntN(30)))*(math.Pi/2)), 0
	}
	return anywhere(r)
}

// points draws two numbers, often of similar size.
func points(r source) (float64, float64) {
	for {
		x, _ := anywhere(r)
		y, _ := anywhere(r)
		if r.IntN(2) == 0 {
			y = math.Ldexp(x, r.IntN(60)-30) * r.Float64()
		}
		if x != 0 && y != 0 && !math.IsInf(y, 0) {
			return x, y
		}
	}
}

// powers draws a base and an exponent whose power is a number, and bases near 1.
func powers(r source) (float64, float64) {
	x, _ := positive(r)
	if r.IntN(2) == 0 {
		x = 1 + math.Ldexp(2*r.Float64()-1, -r.IntN(52)-1)
	}
	if x == 1 {
		return 3, float64(r.IntN(600))
	}
	y := (2*r.Float64() - 1) * 744 / math.Abs(math.Log(x))
	if r.IntN(3) == 0 && math.Abs(y) > 1 {
		y = math.Trunc(y)
	}
	return x, y
}
