package gradient

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file has indices as polynomials in what a launch knows, such as the width of an image, and in what each thread
// has, such as its index along an axis.

// A Number is an integer that a launch knows before it runs.
type Number struct {
	Dim    bool // it is the size of the launch along Axis, or else in the arguments
	Axis   int
	Param  int // the place of the parameter
	Offset int // in the argument: of an int64, which may be the length of a slice
}

// A Term is a product of numbers and of a constant.
type Term struct {
	Times int64
	Of    []Number
}

// A Sum is a sum of terms.
type Sum []Term

// Conditions hold if in each of them one of the sums is not negative.
type Conditions [][]Sum

// Hold reports whether they hold in a launch with some numbers. They do not hold if the arithmetic overflows. Then
// indices could.
func (cs Conditions) Hold(number func(n Number) int64) bool {
	for _, either := range cs {
		holds := false
		for _, s := range either {
			sum, ok := s.of(number)
			holds = holds || ok && sum >= 0
		}
		if !holds {
			return false
		}
	}
	return true
}

// of is a sum of some numbers; ok is false if it is too large.
func (s Sum) of(number func(n Number) int64) (sum int64, ok bool) {
	for _, t := range s {
		x := t.Times
		for _, n := range t.Of {
			y := number(n)
			if high, low := bits.Mul64(magnitude(x), magnitude(y)); high != 0 || low > mostNumber {
				return 0, false
			}
			x *= y
		}
		if sum += x; magnitude(sum) > mostNumber { // both are less than a half of what there is
			return 0, false
		}
	}
	return sum, true
}

const mostNumber = 1<<62 - 1

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// An atom is what polynomials are made of: a number, or the value of a thread.
type atom struct {
	Number
	value *ssa.Value // nil for a number
}

func (a atom) String() string {
	if a.value != nil {
		return fmt.Sprintf("v%06d", a.value.ID)
	}
	return fmt.Sprint(a.Number)
}

// A monomial is a product of atoms, in order, and of a constant.
type monomial struct {
	times int64
	of    []atom
}

// key tells products of different atoms apart.
func key(of []atom) string {
	var b strings.Builder
	for _, a := range of {
		b.WriteString(a.String())
	}
	return b.String()
}

// A polynomial has its monomials by their keys. None is zero.
type polynomial map[string]monomial

// The limits of polynomials: no index that programs have comes near them.
const (
	mostTerms  = 32
	mostFactor = 1 << 20
	mostAtoms  = 6
)

func constantPoly(c int64) polynomial { return polynomial{}.plus(polynomial{"": {c, nil}}, 1) }

func atomPoly(a atom) polynomial { return polynomial{a.String(): {1, []atom{a}}} }

// plus is p + times*q.
func (p polynomial) plus(q polynomial, times int64) polynomial {
	sum := make(polynomial, len(p)+len(q))
	for k, m := range p {
		sum[k] = m
	}
	for k, m := range q {
		m.times = m.times*times + sum[k].times
		if sum[k] = m; m.times == 0 {
			delete(sum, k)
		}
	}
	return sum
}

// by is p * q.
func (p polynomial) by(q polynomial) polynomial {
	product := polynomial{}
	for _, x := range p {
		for _, y := range q {
			of := slices.Concat(x.of, y.of)
			for i := range of { // few
				for k := i; k > 0 && of[k].String() < of[k-1].String(); k-- {
					of[k], of[k-1] = of[k-1], of[k]
				}
			}
			product = product.plus(polynomial{key(of): {x.times * y.times, of}}, 1)
		}
	}
	return product
}

// isSmall reports whether a polynomial is within the limits, so that its constants do not wrap.
func (p polynomial) isSmall() bool {
	for _, m := range p {
		if m.times >= mostFactor || -m.times >= mostFactor || len(m.of) > mostAtoms {
			return false
		}
	}
	return len(p) <= mostTerms
}

// constant is p if that is a constant.
func (p polynomial) constant() (c int64, ok bool) {
	return p[""].times, len(p) == 0 || len(p) == 1 && p[""].times != 0
}

func (p polynomial) equals(q polynomial) bool { return len(p.plus(q, -1)) == 0 }

// sorted are the monomials, in an order that depends on nothing else.
func (p polynomial) sorted() (list []monomial) {
	keys := make([]string, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		list = append(list, p[k])
	}
	return list
}

// sum is a polynomial in numbers of the launch; ok is false for others.
func (p polynomial) sum() (s Sum, ok bool) {
	for _, m := range p.sorted() {
		t := Term{Times: m.times}
		for _, a := range m.of {
			if a.value != nil {
				return nil, false
			}
			t.Of = append(t.Of, a.Number)
		}
		s = append(s, t)
	}
	return s, true
}

// polynomials are those of the values of a kernel.
type polynomials map[*ssa.Value]polynomial

// of is a value as a polynomial. What is no sum or product is an atom.
func (ps polynomials) of(v *ssa.Value) polynomial {
	if p, ok := ps[v]; ok {
		return p
	}
	p := ps.compute(v)
	if p == nil || !p.isSmall() {
		p = atomPoly(atom{value: v})
	}
	ps[v] = p
	return p
}

func (ps polynomials) compute(v *ssa.Value) polynomial {
	if v.Type != ssa.Int64 {
		return nil
	}
	if n, ok := numberOf(v); ok {
		return atomPoly(atom{Number: n})
	}
	if c, ok := v.Const(); ok {
		if c.Int() >= mostFactor || c.Int() <= -mostFactor {
			return nil
		}
		return constantPoly(c.Int())
	}
	in := v.Def
	if in == nil {
		return nil
	}
	switch in.Op {
	case ssa.OpAdd:
		return ps.of(in.Args[0]).plus(ps.of(in.Args[1]), 1)
	case ssa.OpSub:
		return ps.of(in.Args[0]).plus(ps.of(in.Args[1]), -1)
	case ssa.OpMul:
		return ps.of(in.Args[0]).by(ps.of(in.Args[1]))
	case ssa.OpNeg:
		return polynomial{}.plus(ps.of(in.Args[0]), -1)
	case ssa.OpShl:
		if c, ok := in.Args[1].Const(); ok && c.Uint() < 20 {
			return polynomial{}.plus(ps.of(in.Args[0]), 1<<c.Uint())
		}
	}
	return nil
}

// numberOf is a value that the launch knows.
func numberOf(v *ssa.Value) (n Number, ok bool) {
	if v.Type != ssa.Int64 {
		return n, false
	}
	if in := v.Def; in != nil {
		switch in.Op {
		case ssa.OpThreadDim:
			return Number{Dim: true, Axis: int(in.Axis)}, true
		case ssa.OpLen:
			if _, isSlice := in.Args[0].Type.(ssa.Slice); !isSlice {
				return n, false
			}
			n.Offset, v = 8, in.Args[0]
		}
	}
	for v.Def != nil && v.Def.Op == ssa.OpField {
		n.Offset += v.Def.Args[0].Type.(*ssa.Struct).Offset(int(v.Def.Index))
		v = v.Def.Args[0]
	}
	n.Param = v.Index()
	return n, isParam(v)
}

// polynomial computes a polynomial. value gives the atoms.
func (r *builder) polynomial(p polynomial, value func(a atom) *ssa.Value) *ssa.Value {
	var sum *ssa.Value
	for _, m := range p.sorted() {
		var product *ssa.Value
		for _, a := range m.of {
			if v := value(a); product == nil {
				product = v
			} else {
				product = r.op(ssa.OpMul, ssa.Int64, product, v)
			}
		}
		switch {
		case product == nil:
			product = r.int(m.times)
		case m.times != 1:
			product = r.op(ssa.OpMul, ssa.Int64, product, r.int(m.times))
		}
		if sum == nil {
			sum = product
		} else {
			sum = r.op(ssa.OpAdd, ssa.Int64, sum, product)
		}
	}
	if sum == nil {
		return r.int(0)
	}
	return sum
}
