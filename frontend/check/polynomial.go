package check

import (
	"maps"
	"slices"
	"strings"
)

// A polynomial is a sum of products of names with integer coefficients. Its keys are the products: names that
// are sorted and joined by times, "" for the constant. It has no coefficient that is zero.
type polynomial map[string]int64

// times joins the names of a product.
const times = "\x00"

// maxCoefficient bounds coefficients, so that sums and products of two are no overflow.
const maxCoefficient = 1 << 31

// constantPoly is the polynomial of a number, nil if the number is too large.
func constantPoly(n int64) polynomial { return polynomial{}.plus(polynomial{"": n}, 1) }

// plus is p + f*q, nil where one is nil or a coefficient is too large.
func (p polynomial) plus(q polynomial, f int64) polynomial {
	if p == nil || q == nil {
		return nil
	}
	sum := polynomial{}
	maps.Copy(sum, p)
	for product, c := range q {
		if c > maxCoefficient || c < -maxCoefficient {
			return nil
		}
		c = sum[product] + f*c
		if c > maxCoefficient || c < -maxCoefficient {
			return nil
		}
		if sum[product] = c; c == 0 {
			delete(sum, product)
		}
	}
	return sum
}

// mul is p * q, nil where one is nil or a coefficient is too large.
func (p polynomial) mul(q polynomial) polynomial {
	if p == nil || q == nil {
		return nil
	}
	product := polynomial{}
	for a, c := range p {
		term := polynomial{}
		for b, d := range q {
			if term = term.plus(polynomial{joined(a, b): d}, c); term == nil {
				return nil
			}
		}
		if product = product.plus(term, 1); product == nil {
			return nil
		}
	}
	return product
}

// joined is the product of two.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	names := append(strings.Split(a, times), strings.Split(b, times)...)
	slices.Sort(names)
	return strings.Join(names, times)
}

// split parts p into a*name + rest, where rest does not have the name. It is not ok where p has the name in a higher
// power.
func (p polynomial) split(name string) (a, rest polynomial, ok bool) {
	a, rest = polynomial{}, polynomial{}
	for product, c := range p {
		names := strings.Split(product, times)
		at := slices.Index(names, name)
		if at < 0 {
			rest[product] = c
			continue
		}
		names = slices.Delete(names, at, at+1)
		if slices.Contains(names, name) {
			return nil, nil, false
		}
		a[strings.Join(names, times)] = c
	}
	return a, rest, true
}

// with is p with a polynomial in place of a name; nil where p is nil or a coefficient is too large.
func (p polynomial) with(name string, value polynomial) polynomial {
	if p == nil {
		return nil
	}
	sum := polynomial{}
	for product, c := range p {
		term := polynomial{"": c}
		for factor := range strings.SplitSeq(product, times) {
			by := polynomial{factor: 1}
			if factor == name {
				by = value
			}
			term = term.mul(by)
		}
		sum = sum.plus(term, 1)
	}
	return sum
}

// isSum reports whether p cannot be negative if its names are not.
func (p polynomial) isSum() bool {
	for _, c := range p {
		if c < 0 {
			return false
		}
	}
	return p != nil
}

// atLeast tells that p is a name and a number, p = name - least, and which.
func (p polynomial) atLeast() (name string, least int64, ok bool) {
	for product, c := range p {
		switch {
		case product == "":
			least = -c
		case c != 1 || name != "" || strings.Contains(product, times):
			return "", 0, false
		default:
			name = product
		}
	}
	return name, least, name != ""
}
