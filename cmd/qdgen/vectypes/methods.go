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

	{"Min", "o V", each, "min(v[%], o[%])", "is the smaller of v and o, element by element. As in the built-in min, NaN wins, and -0 is less than 0."},
	{"Max", "o V", each, "max(v[%], o[%])", "is the larger of v and o, element by element. As in the built-in max, NaN wins, and 0 is greater than -0."},
	{"Clamp", "lo, hi V", each, "min(max(v[%], lo[%]), hi[%])", "is v brought between lo and hi, element by element: min(max(v, lo), hi)."},
	{"MinScalar", "s T", each, "min(v[%], s)", "is the smaller of v and s, element by element."},
	{"MaxScalar", "s T", each, "max(v[%], s)", "is the larger of v and s, element by element."},
	{"ClampScalar", "lo, hi T", each, "min(max(v[%], lo), hi)", "is v brought between lo and hi, element by element: min(max(v, lo), hi)."},
	{"Saturate", "", each, "min(max(v[%], 0), 1)", "is v brought between 0 and 1, element by element."},
	{"Abs", "", each, "AbsNumber(v[%])", "is the absolute value of each element. That of the least value of a signed integer type is itself."},
	{"Sign", "", each, "SignNumber(v[%])", "is -1, 0 or 1 for each element, as it is negative, zero or positive. -0 stays -0, and NaN stays NaN."},

	{"Less", "o V", eachMask, "v[%] < o[%]", "is v < o, element by element."},
	{"LessEq", "o V", eachMask, "v[%] <= o[%]", "is v <= o, element by element."},
	{"Greater", "o V", eachMask, "v[%] > o[%]", "is v > o, element by element."},
	{"GreaterEq", "o V", eachMask, "v[%] >= o[%]", "is v >= o, element by element."},
	{"Equal", "o V", eachMask, "v[%] == o[%]", "is v == o, element by element. Go's v == o is whether all are equal."},
	{"NotEqual", "o V", eachMask, "v[%] != o[%]", "is v != o, element by element."},
	{"IsNaN", "", eachMask, "v[%] != v[%]", "is for each element whether it is NaN; for an integer never."},
	{"IsInf", "", eachMask, "v[%] == v[%] && v[%]-v[%] != 0", "is for each element whether it is an infinity, of either sign; for an integer never."},

	{"Sum", "", total, "v[%]", "adds the elements up, from the first to the last."},
	{"Product", "", product, "v[%]", "multiplies the elements, from the first to the last."},
	{"MinElem", "", smallest, "v[%]", "is the smallest element; NaN if one is."},
	{"MaxElem", "", largest, "v[%]", "is the largest element; NaN if one is."},
	{"Dot", "o V", total, "v[%]*o[%]", "is the inner product of v and o: the sum of the products of their elements, from the first to the last."},
	{"NormSq", "", scalar, "v.Dot(v)", "is the square of the Euclidean norm: v.Dot(v)."},
	{"Norm", "", scalar, floatCall("Sqrt", "v.NormSq()"), "is the Euclidean norm, the length of v: the square root of NormSq, which overflows, or is 0, where the square does not fit T. T must be a float."},
	{"Normalize", "", body, "n := v.Norm()\nif n == 0 {\nreturn v\n}\nreturn v.Scale(1 / n)", "is v divided by its norm: the unit vector of the same direction. A v whose norm is 0 is returned as it is. T must be a float."},
	{"Distance", "o V", scalar, "v.Sub(o).Norm()", "is the norm of v - o. T must be a float."},
	{"Angle", "o V", bodyScalar, "a, b := v.Normalize(), o.Normalize()\nreturn 2 * " + floatCall2("Atan2", "a.Sub(b).Norm()", "a.Add(b).Norm()"),
		"is the angle between v and o, in radians from 0 to π, accurate for small angles too (Kahan, \"How futile are mindless assessments of roundoff\", 2006). With a zero vector it has no meaning. T must be a float."},

	{"Lerp", "o V, t T", body, "NeedFloat[T]()\nreturn v.Scale(1 - t).Add(o.Scale(t))", "is v at t = 0, o at t = 1, and on the line through them elsewhere: v*(1-t) + o*t. T must be a float."},
	{"Mix", "o, t V", body, "NeedFloat[T]()\nreturn v.Mul(V{}.AddScalar(1).Sub(t)).Add(o.Mul(t))", "is Lerp with a t for each element: v*(1-t) + o*t. T must be a float."},
	{"Step", "edge V", value, "V{}.Where(v.Less(edge), V{}.AddScalar(1))", "is 0 where v < edge, and 1 elsewhere."},
	{"Smoothstep", "lo, hi V", body, "NeedFloat[T]()\nt := v.Sub(lo).Div(hi.Sub(lo)).Saturate()\nreturn t.Mul(t).Mul(t.Scale(2).Neg().AddScalar(3))",
		"rises from 0, where v is at most lo, to 1, where v is at least hi, element by element: t*t*(3-2*t) with t = (v-lo)/(hi-lo) brought between 0 and 1. Where lo and hi are equal it has no meaning. T must be a float."},

	{"Floor", "", applied, "Floor", "is the greatest integer value not above each element. T must be a float."},
	{"Ceil", "", applied, "Ceil", "is the least integer value not below each element. T must be a float."},
	{"Round", "", applied, "Round", "is the integer value nearest to each element, halves rounded away from zero. T must be a float."},
	{"Trunc", "", applied, "Trunc", "is the integer part of each element. T must be a float."},
	{"Fract", "", value, "v.Sub(v.Floor())", "is v - v.Floor(): at least 0 and, but for rounding, less than 1. T must be a float."},
	{"Mod", "o V", applied2, "Mod", "is the remainder of v / o with the sign of v, element by element, as that of math.Mod. T must be a float."},
	{"ModScalar", "s T", value, "v.Mod(V{}.AddScalar(s))", "is the remainder of v / s with the sign of v, element by element, as that of math.Mod. T must be a float."},
	{"Pow", "o V", applied2, "Pow", "is v to the power o, element by element. T must be a float."},
	{"PowScalar", "s T", value, "v.Pow(V{}.AddScalar(s))", "is v to the power s, element by element. T must be a float."},
	{"Sqrt", "", applied, "Sqrt", "is the square root of each element. T must be a float."},
	{"InvSqrt", "", value, "V{}.AddScalar(1).Div(v.Sqrt())", "is 1 over the square root of each element. T must be a float."},
	{"Exp", "", applied, "Exp", "is e to the power of each element. T must be a float."},
	{"Exp2", "", applied, "Exp2", "is 2 to the power of each element. T must be a float."},
	{"Log", "", applied, "Log", "is the natural logarithm of each element. T must be a float."},
	{"Log2", "", applied, "Log2", "is the binary logarithm of each element. T must be a float."},
	{"Sin", "", applied, "Sin", "is the sine of each element, in radians. T must be a float."},
	{"Cos", "", applied, "Cos", "is the cosine of each element, in radians. T must be a float."},
	{"Tan", "", applied, "Tan", "is the tangent of each element, in radians. T must be a float."},
	{"Asin", "", applied, "Asin", "is the arcsine of each element, in radians. T must be a float."},
	{"Acos", "", applied, "Acos", "is the arccosine of each element, in radians. T must be a float."},
	{"Atan", "", applied, "Atan", "is the arctangent of each element, in radians. T must be a float."},
	{"Atan2", "o V", applied2, "Atan2", "is the angle of the point (o, v), in radians, element by element. T must be a float."},

	{"Reflect", "n V", body, "NeedFloat[T]()\nreturn v.Sub(n.Scale(2 * v.Dot(n)))", "is the direction v reflected at a surface with the unit normal n: v - 2*v.Dot(n)*n. T must be a float."},
	{"Refract", "n V, eta T", body, "d := v.Dot(n)\nk := 1 - eta*eta*(1-d*d)\nif k < 0 {\nreturn V{}\n}\nreturn v.Scale(eta).Sub(n.Scale(eta*d + " + floatCall("Sqrt", "k") + "))",
		"is the direction of the unit vector v refracted at a surface with the unit normal n, against v, where eta is the ratio of the indices of refraction, of the side that v comes from to the other. Of total reflection it is the zero vector. T must be a float."},
	{"FaceForward", "i, ref V", body, "if ref.Dot(i) < 0 {\nreturn v\n}\nreturn v.Neg()", "is v, a normal, if the direction i comes from the side of the normal ref, which is where ref.Dot(i) < 0, and -v if it does not."},
	{"Project", "o V", body, "NeedFloat[T]()\nreturn o.Scale(v.Dot(o) / o.NormSq())", "is the projection of v onto the line of o: o*(v·o)/(o·o). With an o of norm 0 it has no meaning. T must be a float."},
}

// boolMethods are methods of all masks.
var boolMethods = []method{
	{"Not", "", each, "!b[%]", "is true where b is false."},
	{"And", "o V", each, "b[%] && o[%]", "is true where both b and o are."},
	{"Or", "o V", each, "b[%] || o[%]", "is true where b or o is."},
	{"Xor", "o V", each, "b[%] != o[%]", "is true where one of b and o is."},
}

// intFuncs are functions of vectors of integers, v and o.
var intFuncs = []method{
	{"Rem", "", each, "v[%] % o[%]", "is v % o: the remainders of v / o, with the sign of v."},
	{"And", "", each, "v[%] & o[%]", "is v & o."},
	{"Or", "", each, "v[%] | o[%]", "is v | o."},
	{"Xor", "", each, "v[%] ^ o[%]", "is v ^ o."},
	{"Shl", "", each, "v[%] << o[%]", "is v << o. No element of o may be negative."},
	{"Shr", "", each, "v[%] >> o[%]", "is v >> o: of signed elements arithmetically. No element of o may be negative."},
}
