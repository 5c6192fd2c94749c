package qd

// needsFloat is what is said of an integer type where there is a function of floats only.
const needsFloat = "this function is one of floating-point numbers, and the elements are integers: convert them, for instance with qd.Vec3As[float32](v), or a matrix with qd.Mat3x3As[float32](m)"

// NeedFloat is an error when a kernel is compiled, and a panic in plain Go, if T is an integer type.
// Methods of types over [Number] begin with it that are those of floats only.
func NeedFloat[T Number]() {
	one := T(1)
	StaticAssert(one/2 != 0, needsFloat)
}

// ApplyFloat is f32(x) or f64(x), as the underlying type of T is float32 or float64. With it
// generic code over [Number] calls functions that are those of floats, such as [Sqrt]:
//
//	length := qd.ApplyFloat(v.Dot(v), qd.Sqrt[float32], qd.Sqrt[float64])
//
// An integer T is an error when a kernel is compiled, and a panic in plain Go.
func ApplyFloat[T Number](x T, f32 func(float32) float32, f64 func(float64) float64) T {
	NeedFloat[T]()
	one := T(1)
	if tiny := one / 64 / 64 / 64 / 64; one+tiny == one { // 24 bits are too few
		return T(f32(float32(x)))
	}
	return T(f64(float64(x)))
}

// ApplyFloat2 is [ApplyFloat] for functions of two numbers.
func ApplyFloat2[T Number](x, y T, f32 func(x, y float32) float32, f64 func(x, y float64) float64) T {
	NeedFloat[T]()
	one := T(1)
	if tiny := one / 64 / 64 / 64 / 64; one+tiny == one {
		return T(f32(float32(x), float32(y)))
	}
	return T(f64(float64(x), float64(y)))
}

// AbsNumber is the absolute value of any number. That of the least signed integer is itself.
func AbsNumber[T Number](x T) T {
	if one := T(1); one/2 != 0 {
		return ApplyFloat(x, Abs[float32], Abs[float64])
	}
	if x < 0 {
		return -x
	}
	return x
}

// ApplyFloat3 is [ApplyFloat] for functions of three numbers.
func ApplyFloat3[T Number](x, y, z T, f32 func(x, y, z float32) float32, f64 func(x, y, z float64) float64) T {
	NeedFloat[T]()
	one := T(1)
	if tiny := one / 64 / 64 / 64 / 64; one+tiny == one {
		return T(f32(float32(x), float32(y), float32(z)))
	}
	return T(f64(float64(x), float64(y), float64(z)))
}
