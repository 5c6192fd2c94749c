package ulp

import (
	"math"
	"math/big"
	"sync"
)

// precision is that of the numbers here, in bits. It is enough for the difference of 1 and erf(28).
const precision = 1400

func num(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func zero() *big.Float         { return new(big.Float).SetPrec(precision) }

func add(x, y *big.Float) *big.Float { return zero().Add(x, y) }
func sub(x, y *big.Float) *big.Float { return zero().Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return zero().Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return zero().Quo(x, y) }
func half(x *big.Float) *big.Float   { return zero().SetMantExp(x, -1) }
func root(x *big.Float) *big.Float   { return zero().Sqrt(x) }

// series adds terms until they change nothing; next makes a term from the one before.
func series(first *big.Float, next func(term *big.Float, n int64) *big.Float) *big.Float {
	sum, term := zero().Set(first), first
	for n := int64(1); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-precision; n++ {
		term = next(term, n)
		sum.Add(sum, term)
	}
	return sum
}

func over(x *big.Float, n int64) *big.Float { return zero().Quo(x, zero().SetInt64(n)) }

// atanSeries is the arctangent of a small number.
func atanSeries(x *big.Float) *big.Float {
	square, power := mul(x, x), x
	return series(x, func(_ *big.Float, n int64) *big.Float {
		power = zero().Neg(mul(power, square))
		return over(power, 2*n+1)
	})
}

var (
	ln2 = sync.OnceValue(func() *big.Float { // 2 atanh(1/3)
		power := over(num(1), 3)
		s := series(power, func(_ *big.Float, n int64) *big.Float {
			power = over(power, 9)
			return over(power, 2*n+1)
		})
		return mul(num(2), s)
	})
	pi = sync.OnceValue(func() *big.Float { // Machin's formula
		a, b := atanSeries(over(num(1), 5)), atanSeries(over(num(1), 239))
		return mul(num(4), sub(mul(num(4), a), b))
	})
)

func exp(x *big.Float) *big.Float {
	k, _ := quo(x, ln2()).Float64()
	n := int(math.Round(k))
	const halvings = 16
	r := zero().SetMantExp(sub(x, mul(num(float64(n)), ln2())), -halvings)
	y := series(num(1), func(term *big.Float, n int64) *big.Float { return over(mul(term, r), n) })
	for range halvings {
		y = mul(y, y)
	}
	return zero().SetMantExp(y, n)
}

// log is found by Newton's method, in Halley's form.
func log(x *big.Float) *big.Float {
	m := zero()
	k := x.MantExp(m)
	f, _ := m.Float64()
	y := num(math.Log(f))
	for range 5 {
		e := exp(y)
		y = add(y, mul(num(2), quo(sub(m, e), add(m, e))))
	}
	return add(y, mul(num(float64(k)), ln2()))
}

// quarters is an angle less a multiple of pi/2, and that multiple by 4.
func quarters(x *big.Float) (*big.Float, int64) {
	right := half(pi())
	q := add(quo(x, right), num(0.5))
	n, _ := q.Int(nil)
	if q.Sign() < 0 {
		n.Sub(n, big.NewInt(1))
	}
	return sub(x, mul(zero().SetInt(n), right)), new(big.Int).Mod(n, big.NewInt(4)).Int64()
}

func sinCos(x *big.Float) (sin, cos *big.Float) {
	r, quarter := quarters(x)
	square := zero().Neg(mul(r, r))
	s := series(r, func(t *big.Float, n int64) *big.Float { return over(mul(t, square), 2*n*(2*n+1)) })
	c := series(num(1), func(t *big.Float, n int64) *big.Float { return over(mul(t, square), 2*n*(2*n-1)) })
	switch quarter {
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	case 3:
		return c.Neg(c), s
	}
	return s, c
}

func atan(x *big.Float) *big.Float {
	const halvings = 8
	y := x
	for range halvings {
		y = quo(y, add(num(1), root(add(num(1), mul(y, y)))))
	}
	return zero().SetMantExp(atanSeries(y), halvings)
}

// atan2 is the angle of a point that is not the origin.
func atan2(y, x *big.Float) *big.Float {
	switch {
	case x.Sign() == 0:
		return mul(num(float64(y.Sign())), half(pi()))
	case x.Sign() > 0:
		return atan(quo(y, x))
	case y.Signbit():
		return sub(atan(quo(y, x)), pi())
	}
	return add(atan(quo(y, x)), pi())
}

func cbrt(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	y := exp(over(log(zero().Abs(x)), 3))
	if x.Sign() < 0 {
		y.Neg(y)
	}
	return y
}

// erf is 2/sqrt(pi) * e^(-x*x) * (x + 2/3 x^3 + 4/15 x^5 + ...).
func erf(x *big.Float) *big.Float {
	square := mul(x, x)
	s := series(x, func(t *big.Float, n int64) *big.Float { return over(mul(mul(t, square), num(2)), 2*n+1) })
	return quo(mul(mul(num(2), s), exp(zero().Neg(square))), root(pi()))
}
