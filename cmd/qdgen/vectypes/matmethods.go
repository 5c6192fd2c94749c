package vectypes

// matMethods are methods of all matrices, by those of their rows.
var matMethods = []method{
	{"Add", "n V", each, "m[%].Add(n[%])", "is m + n."},
	{"Sub", "n V", each, "m[%].Sub(n[%])", "is m - n."},
	{"Neg", "", each, "m[%].Neg()", "is -m."},
	{"MulElem", "n V", each, "m[%].Mul(n[%])", "is the product of m and n element by element. MulVec and Mul are the products of linear algebra."},
	{"DivElem", "n V", each, "m[%].Div(n[%])", "is m divided by n element by element."},
	{"Scale", "s T", each, "m[%].Scale(s)", "is m with each element multiplied by s."},
	{"AddScalar", "s T", each, "m[%].AddScalar(s)", "is m with s added to each element."},
	{"SubScalar", "s T", each, "m[%].SubScalar(s)", "is m with s subtracted from each element."},
	{"DivScalar", "s T", each, "m[%].DivScalar(s)", "is m with each element divided by s."},

	{"Min", "n V", each, "m[%].Min(n[%])", "is the smaller of m and n, element by element."},
	{"Max", "n V", each, "m[%].Max(n[%])", "is the larger of m and n, element by element."},
	{"Clamp", "lo, hi V", each, "m[%].Clamp(lo[%], hi[%])", "is m clamped to lo and hi, element by element: min(max(m, lo), hi)."},
	{"MinScalar", "s T", each, "m[%].MinScalar(s)", "is the smaller of m and s, element by element."},
	{"MaxScalar", "s T", each, "m[%].MaxScalar(s)", "is the larger of m and s, element by element."},
	{"ClampScalar", "lo, hi T", each, "m[%].ClampScalar(lo, hi)", "is m clamped to lo and hi, element by element: min(max(m, lo), hi)."},
	{"Abs", "", each, "m[%].Abs()", "is the absolute value of each element."},
	{"Sign", "", each, "m[%].Sign()", "is -1, 0 or 1 for each element that is negative, zero or positive."},

	{"Saturate", "", each, "m[%].Saturate()", "is m clamped to 0 and 1, element by element."},

	{"Map", "f func(T) T", each, "m[%].Map(f)", "is f of each element, for functions that have no method."},
	{"Map2", "n V, f func(x, y T) T", each, "m[%].Map2(n[%], f)", "is f of each element of m and the same element of n, for functions that have no method."},

	{"Sum", "", total, "m[%].Sum()", "is the sum of the elements: first of each row, then of the sums."},
	{"Product", "", product, "m[%].Product()", "is the product of the elements: first of each row, then of the products."},
	{"MinElem", "", smallest, "m[%].MinElem()", "is the smallest element."},
	{"MaxElem", "", largest, "m[%].MaxElem()", "is the largest element."},
	{"Frobenius", "n V", total, "m[%].Dot(n[%])", "is the Frobenius product of m and n: the sum of the products of their elements."},
	{"NormSq", "", scalar, "m.Frobenius(m)", "is the square of the Frobenius norm: the sum of the squares of the elements."},
}

// matFloatMethods are methods of all matrices of floats.
var matFloatMethods = []method{
	{"Lerp", "n V, t T", each, "m[%].Lerp(n[%], t)", "is m at t = 0, n at t = 1, and m*(1-t) + n*t otherwise."},
	{"Floor", "", each, "m[%].Floor()", "is the greatest integer value not above each element."},
	{"Ceil", "", each, "m[%].Ceil()", "is the least integer value not below each element."},
	{"Round", "", each, "m[%].Round()", "is the integer value nearest to each element, halves rounded away from zero."},
	{"Trunc", "", each, "m[%].Trunc()", "is the integer part of each element."},
	{"Sqrt", "", each, "m[%].Sqrt()", "is the square root of each element."},
	{"Pow", "n V", each, "m[%].Pow(n[%])", "is m to the power n, element by element."},
	{"Exp", "", each, "m[%].Exp()", "is e raised to the power of each element."},
	{"Log", "", each, "m[%].Log()", "is the natural logarithm of each element."},
	{"Sin", "", each, "m[%].Sin()", "is the sine of each element, in radians."},
	{"Cos", "", each, "m[%].Cos()", "is the cosine of each element, in radians."},
	{"Tan", "", each, "m[%].Tan()", "is the tangent of each element, in radians."},
	{"Mix", "n, t V", each, "m[%].Mix(n[%], t[%])", "is Lerp with a t for each element: m*(1-t) + n*t."},
	{"Fract", "", each, "m[%].Fract()", "is m - m.Floor(): at least 0 and, except for rounding, less than 1."},
	{"Mod", "n V", each, "m[%].Mod(n[%])", "is the remainder of m / n with the sign of m, element by element, like math.Mod."},
	{"InvSqrt", "", each, "m[%].InvSqrt()", "is 1 over the square root of each element."},
	{"Exp2", "", each, "m[%].Exp2()", "is 2 raised to the power of each element."},
	{"Log2", "", each, "m[%].Log2()", "is the binary logarithm of each element."},
	{"Asin", "", each, "m[%].Asin()", "is the arcsine of each element, in radians."},
	{"Acos", "", each, "m[%].Acos()", "is the arccosine of each element, in radians."},
	{"Atan", "", each, "m[%].Atan()", "is the arctangent of each element, in radians."},
	{"Atan2", "n V", each, "m[%].Atan2(n[%])", "is the angle of the point (n, m), in radians, element by element."},

	{"Norm", "", scalar, "{Sqrt}(m.NormSq())", "is the Frobenius norm: the square root of NormSq. It overflows or is 0 if the square does not fit a T."},
}

// matMaskMethods are comparisons of matrices, by those of their rows.
var matMaskMethods = []method{
	{"Less", "n V", eachMask, "m[%].Less(n[%])", "is m < n, element by element."},
	{"LessEq", "n V", eachMask, "m[%].LessEq(n[%])", "is m <= n, element by element."},
	{"Greater", "n V", eachMask, "m[%].Greater(n[%])", "is m > n, element by element."},
	{"GreaterEq", "n V", eachMask, "m[%].GreaterEq(n[%])", "is m >= n, element by element."},
	{"Equal", "n V", eachMask, "m[%].Equal(n[%])", "is m == n, element by element. Go's m == n reports whether all elements are equal."},
	{"NotEqual", "n V", eachMask, "m[%].NotEqual(n[%])", "is m != n, element by element."},
	{"Where", "mask B, n V", each, "m[%].Where(mask[%], n[%])", "returns the elements of m where mask is true, and those of n elsewhere."},
}

// matFloatMaskMethods are those of matrices of floats.
var matFloatMaskMethods = []method{
	{"IsNaN", "", eachMask, "m[%].IsNaN()", "reports for each element whether it is NaN."},
	{"IsInf", "", eachMask, "m[%].IsInf()", "reports for each element whether it is an infinity, of either sign."},
}

// matBoolMethods are methods of all masks of matrices, by those of their rows.
var matBoolMethods = []method{
	{"Not", "", each, "b[%].Not()", "is true where b is false."},
	{"And", "o V", each, "b[%].And(o[%])", "is true where both b and o are true."},
	{"Or", "o V", each, "b[%].Or(o[%])", "is true where b or o is true."},
	{"Xor", "o V", each, "b[%].Xor(o[%])", "is true where exactly one of b and o is true."},
}
