package vectypes

// vecMethods are methods of all vectors.
var vecMethods = []method{
	{"Add", "o V", each, "v[%] + o[%]", "is v + o, element by element."},
	{"Sub", "o V", each, "v[%] - o[%]", "is v - o, element by element."},
	{"Mul", "o V", each, "v[%] * o[%]", "is v * o, element by element. Dot is the sum of the products."},
	{"Div", "o V", each, "v[%] / o[%]", "is v / o, element by element."},
	{"Neg", "", each, "-v[%]", "is -v."},
	{"Scale", "s T", each, "v[%] * s", "is v with each element multiplied by s."},
	{"AddScalar", "s T", each, "v[%] + s", "is v with s added to each element."},
	{"SubScalar", "s T", each, "v[%] - s", "is v with s subtracted from each element."},
	{"DivScalar", "s T", each, "v[%] / s", "is v with each element divided by s."},

	{"Min", "o V", each, "min(v[%], o[%])", "is the smaller of v and o, element by element."},
	{"Max", "o V", each, "max(v[%], o[%])", "is the larger of v and o, element by element."},
	{"Clamp", "lo, hi V", each, "min(max(v[%], lo[%]), hi[%])", "is v clamped to lo and hi, element by element: min(max(v, lo), hi)."},
	{"MinScalar", "s T", each, "min(v[%], s)", "is the smaller of v and s, element by element."},
	{"MaxScalar", "s T", each, "max(v[%], s)", "is the larger of v and s, element by element."},
	{"ClampScalar", "lo, hi T", each, "min(max(v[%], lo), hi)", "is v clamped to lo and hi, element by element: min(max(v, lo), hi)."},
	{"Saturate", "", each, "min(max(v[%], 0), 1)", "is v clamped to 0 and 1, element by element."},
	{"Abs", "", each, "abs(v[%])", "is the absolute value of each element."},
	{"Sign", "", each, "qd.Sign(v[%])", "is -1, 0 or 1 for each element that is negative, zero or positive."},

	{"Less", "o V", eachMask, "v[%] < o[%]", "is v < o, element by element."},
	{"LessEq", "o V", eachMask, "v[%] <= o[%]", "is v <= o, element by element."},
	{"Greater", "o V", eachMask, "v[%] > o[%]", "is v > o, element by element."},
	{"GreaterEq", "o V", eachMask, "v[%] >= o[%]", "is v >= o, element by element."},
	{"Equal", "o V", eachMask, "v[%] == o[%]", "is v == o, element by element. Go's v == o reports whether all elements are equal."},
	{"NotEqual", "o V", eachMask, "v[%] != o[%]", "is v != o, element by element."},

	{"Sum", "", total, "v[%]", "is the sum of the elements, from the first to the last."},
	{"Product", "", product, "v[%]", "is the product of the elements, from the first to the last."},
	{"MinElem", "", smallest, "v[%]", "is the smallest element."},
	{"MaxElem", "", largest, "v[%]", "is the largest element."},
	{"Dot", "o V", total, "v[%]*o[%]", "is the inner product of v and o: the sum of the products of their elements, from the first to the last."},
	{"NormSq", "", scalar, "v.Dot(v)", "is the square of the Euclidean norm: v.Dot(v)."},

	{"Step", "edge V", value, "V{}.Where(v.Less(edge), V{}.AddScalar(1))", "is 0 where v < edge, and 1 elsewhere."},

	{"Map", "f func(T) T", each, "f(v[%])", "is f of each element, for functions that have no method."},
	{"Map2", "o V, f func(x, y T) T", each, "f(v[%], o[%])", "is f of each element of v and the same element of o, for functions that have no method."},
}

// boolMethods are methods of all masks.
var boolMethods = []method{
	{"Not", "", each, "!b[%]", "is true where b is false."},
	{"And", "o V", each, "b[%] && o[%]", "is true where both b and o are true."},
	{"Or", "o V", each, "b[%] || o[%]", "is true where b or o is true."},
	{"Xor", "o V", each, "b[%] != o[%]", "is true where exactly one of b and o is true."},
}

// vecIntMethods are methods of vectors of integers.
var vecIntMethods = []method{
	{"Rem", "o V", each, "v[%] % o[%]", "is v % o: the remainders of v / o, with the sign of v."},
	{"And", "o V", each, "v[%] & o[%]", "is v & o."},
	{"Or", "o V", each, "v[%] | o[%]", "is v | o."},
	{"Xor", "o V", each, "v[%] ^ o[%]", "is v ^ o."},
	{"Shl", "o V", each, "v[%] << o[%]", "is v << o. No element of o may be negative."},
	{"Shr", "o V", each, "v[%] >> o[%]", "is v >> o, an arithmetic shift for signed elements. No element of o may be negative."},
}
