package gradient

import "github.com/qdgen/qd/ssa"

// This file computes the derivative of the logarithm of the gamma function, which package math does not have.

// digammaSteps are what digamma computes, one after the other, in the names of a formula and those of the steps before.
// It goes eight numbers up by psi(v) = psi(v+1) - 1/v, and there takes the asymptotic series: see Bernardo, "Algorithm
// AS 103" (1976). Below one half it turns round by psi(u) = psi(1-u) - pi/tan(pi*u), where whole turns are left out
// before they cost precision.
var digammaSteps = []struct{ name, rule string }{
	{"v", "pick(u < 0.5, 1 - u, u)"},
	{"s", "v + 8"},
	{"w", "1 / s"},
	{"q", "w * w"},
	{"p", `Log(s) - 0.5*w - q*(0.08333333333333333 - q*(0.008333333333333333 - q*(0.003968253968253968 - q*(0.004166666666666667 -
		q*(0.007575757575757576 - q*(0.021092796092796094 - q*0.08333333333333333)))))) -
		(1/(v + 7) + 1/(v + 6) + 1/(v + 5) + 1/(v + 4) + 1/(v + 3) + 1/(v + 2) + 1/(v + 1) + 1/v)`},
	{"t", "pick(u < 0.5, p - 3.141592653589793/Tan(3.141592653589793*(u-RoundToEven(u))), p)"},
}

// digamma appends what computes it for u.
func (f *formula) digamma(u *ssa.Value) *ssa.Value {
	outer := f.steps
	f.steps = map[string]*ssa.Value{"u": u}
	var last *ssa.Value
	for _, s := range digammaSteps {
		last = f.value(parse(s.rule), u.Type)
		f.steps[s.name] = last
	}
	f.steps = outer
	return last
}
