package gradient

import "github.com/qdgen/qd/ssa"

// This file has the derivatives: for each operand of an operation what is added to its adjoint. They are Go
// expressions in these names:
//
//	x, y, z   the operands
//	r, s      the results
//	a, b      their adjoints
//	f(...)    a function of package math
//	pick      pick(c, p, q) is p if c is true, else q
//	Digamma   the derivative of the logarithm of the gamma function
//
// A function that is constant wherever it has a derivative has the rule 0, such as Floor. Integer operands
// have the rule "". Where a function has a kink or a jump the rule gives:
//
//   - Abs at 0: 0. Dim at x == y, Hypot at 0, 0: 0.
//   - min and max of equal operands: the first one has the derivative.
//   - Sqrt, Cbrt, Log and others with a vertical tangent: what the formula gives, an infinity.
//   - Pow at x == 0: by y it is 0; by x what the formula gives.
//   - Mod, Remainder, Modf, Frexp at their jumps: the derivative from the side that the function is continuous from.

// operators are the rules of operators on floats.
var operators = map[ssa.Op][]string{
	ssa.OpAdd:    {"a", "a"},
	ssa.OpSub:    {"a", "-a"},
	ssa.OpMul:    {"a * y", "a * x"},
	ssa.OpDiv:    {"a / y", "-a * r / y"},
	ssa.OpNeg:    {"-a"},
	ssa.OpMin:    {"pick(y < x, 0, a)", "pick(y < x, a, 0)"},
	ssa.OpMax:    {"pick(y > x, 0, a)", "pick(y > x, a, 0)"},
	ssa.OpOpaque: {"a"},
}

// functions are the rules of functions of package math. Those that take floats, give floats and have no row are
// refused.
var functions = [ssa.NumMath][]string{
	ssa.Abs:       {"pick(x > 0, a, pick(x < 0, -a, 0))"},
	ssa.Acos:      {"-a / Sqrt((1 - x) * (1 + x))"},
	ssa.Acosh:     {"a / (Sqrt(x - 1) * Sqrt(x + 1))"},
	ssa.Asin:      {"a / Sqrt((1 - x) * (1 + x))"},
	ssa.Asinh:     {"a / Hypot(x, 1)"},
	ssa.Atan:      {"a / (1 + x*x)"},
	ssa.Atan2:     {"a * (y / Hypot(x, y)) / Hypot(x, y)", "-a * (x / Hypot(x, y)) / Hypot(x, y)"},
	ssa.Atanh:     {"a / ((1 - x) * (1 + x))"},
	ssa.Cbrt:      {"a / (3 * r * r)"},
	ssa.Ceil:      {"0"},
	ssa.Copysign:  {"pick(Signbit(x) == Signbit(y), a, -a)", "0"},
	ssa.Cos:       {"-a * Sin(x)"},
	ssa.Cosh:      {"a * Sinh(x)"},
	ssa.Dim:       {"pick(x > y, a, 0)", "pick(x > y, -a, 0)"},
	ssa.Erf:       {"a * 1.1283791670955126 * Exp(-x*x)"}, // 2/sqrt(pi)
	ssa.Erfc:      {"-a * 1.1283791670955126 * Exp(-x*x)"},
	ssa.Erfcinv:   {"-a * 0.886226925452758 * Exp(r*r)"}, // sqrt(pi)/2
	ssa.Erfinv:    {"a * 0.886226925452758 * Exp(r*r)"},
	ssa.Exp:       {"a * r"},
	ssa.Exp2:      {"a * r * 0.6931471805599453"},
	ssa.Expm1:     {"a * (r + 1)"},
	ssa.FMA:       {"a * y", "a * x", "a"},
	ssa.Floor:     {"0"},
	ssa.Frexp:     {"Ldexp(a, -s)"},
	ssa.Gamma:     {"a * r * Digamma(x)"},
	ssa.Hypot:     {"pick(r == 0, 0, a * x / r)", "pick(r == 0, 0, a * y / r)"},
	ssa.J0:        {"-a * J1(x)"},
	ssa.J1:        {"a * 0.5 * (J0(x) - Jn(2, x))"},
	ssa.Jn:        {"", "a * 0.5 * (Jn(x-1, y) - Jn(x+1, y))"},
	ssa.Ldexp:     {"Ldexp(a, y)", ""},
	ssa.Lgamma:    {"a * Digamma(x)"},
	ssa.Log:       {"a / x"},
	ssa.Log10:     {"a * 0.4342944819032518 / x"},
	ssa.Log1p:     {"a / (1 + x)"},
	ssa.Log2:      {"a * 1.4426950408889634 / x"},
	ssa.Logb:      {"0"},
	ssa.MathMax:   {"pick(y > x, 0, a)", "pick(y > x, a, 0)"},
	ssa.MathMin:   {"pick(y < x, 0, a)", "pick(y < x, a, 0)"},
	ssa.Mod:       {"a", "-a * RoundToEven((x - r) / y)"},
	ssa.Modf:      {"b"},
	ssa.Nextafter: {"a", "0"},
	ssa.Pow:       {"pick(y == 0 && Pow(x, y - 1) - Pow(x, y - 1) != 0, 0, a * y * Pow(x, y - 1))", "pick(x == 0, 0, a * r * Log(x))"},
	ssa.Remainder: {"a", "-a * RoundToEven((x - r) / y)"},
	ssa.Round:     {"0"}, ssa.RoundToEven: {"0"}, ssa.Trunc: {"0"},
	ssa.Sin:    {"a * Cos(x)"},
	ssa.Sincos: {"a*s - b*r"},
	ssa.Sinh:   {"a * Cosh(x)"},
	ssa.Sqrt:   {"a / (2 * r)"},
	ssa.Tan:    {"a * (1 + r*r)"},
	ssa.Tanh:   {"a * (1 - r*r)"},
	ssa.Y0:     {"-a * Y1(x)"},
	ssa.Y1:     {"a * 0.5 * (Y0(x) - Yn(2, x))"},
	ssa.Yn:     {"", "a * 0.5 * (Yn(x-1, y) - Yn(x+1, y))"},
}

// isSteep are the functions whose derivative may be infinite where they have a value.
var isSteep = [ssa.NumMath]bool{
	ssa.Acos: true, ssa.Acosh: true, ssa.Asin: true, ssa.Atanh: true, ssa.Cbrt: true, ssa.Erfcinv: true, ssa.Erfinv: true, ssa.Gamma: true, ssa.Lgamma: true, ssa.Log: true,
	ssa.Log10: true, ssa.Log1p: true, ssa.Log2: true, ssa.Pow: true, ssa.Sqrt: true, ssa.Y0: true, ssa.Y1: true, ssa.Yn: true,
}

// hasRule reports whether the derivative of a function is known.
func hasRule(f ssa.Math) bool { return functions[f] != nil }

// isFlat reports whether a function has no derivative by an operand, or a derivative that is always zero.
func isFlat(f ssa.Math, operand int) bool {
	return hasRule(f) && (functions[f][operand] == "0" || functions[f][operand] == "")
}
