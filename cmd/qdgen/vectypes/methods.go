package vectypes

// vecMethods are methods of all vectors.
var vecMethods = []method{
	{"Add", "o V", each, "v[%] + o[%]", "is v + o, element by element."},
	{"Sub", "o V", each, "v[%] - o[%]", "is v - o, element by element."},
	{"Mul", "o V", each, "v[%] * o[%]", "is v * o, element by element. Dot adds the products up."},
	{"Div", "o V", each, "v[%] / o[%]", "is v / o, element by element."},
	{"Neg", "", each, "-v[%]", "is -v."},
	{"Scale", "s T", each, "v[%] * s", "is v with each element multiplied by s."},
	{"AddScalar", "s T", each, "v[%] + s", "is v with s added to each element."},
	{"SubScalar", "s T", each, "v[%] - s", "is v with s subtracted from each element."},
	{"DivScalar", "s T", each, "v[%] / s", "is v with each element divided by s."},
	{"Min", "o V", each, "min(v[%], o[%])", "gives the smaller of the elements of v and o at each place, as the built-in min does."},
	{"Max", "o V", each, "max(v[%], o[%])", "gives the larger of the elements of v and o at each place, as the built-in max does."},
	{"Clamp", "lo, hi V", each, "min(max(v[%], lo[%]), hi[%])", "is v with each element brought between those of lo and hi: min(max(v, lo), hi)."},
	{"MinScalar", "s T", each, "min(v[%], s)", "is v with each element that is above s replaced by s."},
	{"MaxScalar", "s T", each, "max(v[%], s)", "is v with each element that is below s replaced by s."},
	{"ClampScalar", "lo, hi T", each, "min(max(v[%], lo), hi)", "is v with each element brought between lo and hi: min(max(v, lo), hi)."},
	{"Abs", "", each, "AbsNumber(v[%])", "gives the absolute value of each element. That of the least signed integer is itself."},
	{"Sign", "", each, "SignNumber(v[%])", "gives -1, 0 or 1 for each element, as it is negative, zero or positive. Zeros keep their sign, and NaN is NaN."},

	{"Sum", "", total, "v[%]", "adds the elements up, from the first to the last."},
	{"MinElem", "", smallest, "v[%]", "is the smallest element; NaN if one is."},
	{"MaxElem", "", largest, "v[%]", "is the largest element; NaN if one is."},
	{"Dot", "o V", total, "v[%]*o[%]", "is the inner product of v and o."},
	{"NormSq", "", scalar, "v.Dot(v)", "is the square of the Euclidean norm."},

	{"Less", "o V", eachMask, "v[%] < o[%]", "reports for each place whether the element of v is less than that of o."},
	{"LessEq", "o V", eachMask, "v[%] <= o[%]", "reports for each place whether the element of v is at most that of o."},
	{"Greater", "o V", eachMask, "v[%] > o[%]", "reports for each place whether the element of v is greater than that of o."},
	{"GreaterEq", "o V", eachMask, "v[%] >= o[%]", "reports for each place whether the element of v is at least that of o."},
	{"Equal", "o V", eachMask, "v[%] == o[%]", "reports for each place whether the elements are equal. The operator == compares whole vectors."},
	{"NotEqual", "o V", eachMask, "v[%] != o[%]", "reports for each place whether the elements differ."},

	{"Norm", "", scalar, floatCall("Sqrt", "v.NormSq()"), "is the Euclidean norm, the length of v. T must be a float."},
	{"Floor", "", each, floatCall("Floor", "v[%]"), "gives the greatest integer value not above each element. T must be a float."},
	{"Sqrt", "", each, floatCall("Sqrt", "v[%]"), "gives the square root of each element. T must be a float."},
}

// matMethods are methods of all matrices, by those of rows.
var matMethods = []method{
	{"Add", "n V", each, "m[%].Add(n[%])", "is m + n."},
	{"Sub", "n V", each, "m[%].Sub(n[%])", "is m - n."},
	{"Neg", "", each, "m[%].Neg()", "is -m."},
	{"MulElem", "n V", each, "m[%].Mul(n[%])", "multiplies m and n element by element. Mul is the product of matrices."},
	{"DivElem", "n V", each, "m[%].Div(n[%])", "divides m by n element by element."},
	{"Scale", "s T", each, "m[%].Scale(s)", "is m with each element multiplied by s."},
	{"AddScalar", "s T", each, "m[%].AddScalar(s)", "is m with s added to each element."},
	{"SubScalar", "s T", each, "m[%].SubScalar(s)", "is m with s subtracted from each element."},
	{"DivScalar", "s T", each, "m[%].DivScalar(s)", "is m with each element divided by s."},
	{"Min", "n V", each, "m[%].Min(n[%])", "gives the smaller of the elements of m and n at each place, as the built-in min does."},
	{"Max", "n V", each, "m[%].Max(n[%])", "gives the larger of the elements of m and n at each place, as the built-in max does."},
	{"Clamp", "lo, hi V", each, "m[%].Clamp(lo[%], hi[%])", "is m with each element brought between those of lo and hi: min(max(m, lo), hi)."},
	{"Abs", "", each, "m[%].Abs()", "gives the absolute value of each element."},
	{"Sum", "", total, "m[%].Sum()", "adds the elements up: those of each row, then the sums."},
	{"MinElem", "", smallest, "m[%].MinElem()", "is the smallest element; NaN if one is."},
	{"MaxElem", "", largest, "m[%].MaxElem()", "is the largest element; NaN if one is."},
	{"Frobenius", "n V", total, "m[%].Dot(n[%])", "is the Frobenius product of m and n: the sum of the products of their elements."},
	{"NormSq", "", scalar, "m.Frobenius(m)", "is the square of the Frobenius norm."},
	{"Norm", "", scalar, floatCall("Sqrt", "m.NormSq()"), "is the Frobenius norm: the square root of the sum of the squares of the elements. T must be a float."},
}
