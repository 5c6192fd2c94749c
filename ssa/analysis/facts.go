package analysis

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// Facts has the inequalities that hold between the integers of a function at one place: a <= b + c over the integers,
// without wrapping. Facts are removed in reverse order. A nil value means zero.
//
// The checks pass asks whether one inequality follows from others. The search is that of Bodik, Gupta and Sarkar,
// "ABCD: eliminating array bounds checks on demand" (2000), with block arguments instead of phi functions.
type Facts struct {
	edges
	Truth map[*ssa.Value]bool
	Not0  map[*ssa.Value]bool   // numbers that are not zero, pointers that are not nil
	other map[*ssa.Value][]Fact // what a number is not: v != w + c

	first map[expression]*ssa.Value // the first value that was computed so
	same  map[*ssa.Value]*ssa.Value // and what stands for another one that was

	// State of one query.
	budget  int
	depth   int
	answers answers // none yet for what is being asked
}

// NewFacts returns an empty set of facts about a function's integers.
func NewFacts(f *ssa.Func) *Facts {
	n := f.NumValues() + 1 // zero is behind all values
	return &Facts{edges: edges{above: make([][]Fact, n), below: make([][]Fact, n), at: make(map[question]edge)},
		Truth: make(map[*ssa.Value]bool), Not0: make(map[*ssa.Value]bool), other: make(map[*ssa.Value][]Fact),
		first: make(map[expression]*ssa.Value), same: make(map[*ssa.Value]*ssa.Value)}
}

// IsCounted reports whether there are facts about values of the type. uint64 is excluded, because it has values
// that int64 lacks.
func IsCounted(t ssa.Type) bool { return ssa.IsInteger(t) && t != ssa.Uint64 }

// An expression is a pure operation on one or two given operands.
type expression struct {
	variant   ssa.Variant
	typ       ssa.Type
	x, y      *ssa.Value
	constant  [2]ssa.Const // of an operand that is one
	constants [2]bool
}

// Number finds an earlier value with the same computation as this one. There can be several, because one need not
// be in scope at the other, such as the length of a slice in a loop's test and in its body.
func (f *Facts) Number(in *ssa.Instr) {
	if in.Op.Effect() != ssa.Pure || len(in.Args) > 2 || len(in.Results) != 1 || in.Op == ssa.OpConst || in.Op == ssa.OpMake || in.Op == ssa.OpMath || in.Op == ssa.OpBits {
		return
	}
	e := f.expression(in.Variant(), in.Result().Type, in.Args)
	if old := f.first[e]; old != nil {
		f.same[in.Result()] = old
	} else {
		f.first[e] = in.Result()
	}
}

func (f *Facts) expression(variant ssa.Variant, typ ssa.Type, args []*ssa.Value) expression {
	e := expression{variant: variant, typ: typ}
	for i, a := range args {
		if c, ok := a.Const(); ok {
			e.constant[i], e.constants[i] = c, true
		} else if i == 0 {
			e.x = f.Canonical(a)
		} else {
			e.y = f.Canonical(a)
		}
	}
	return e
}

// Computed is the representative of the values that an operation of two numbers of one type has given so far, or nil.
func (f *Facts) Computed(op ssa.Op, x, y *ssa.Value) *ssa.Value {
	return f.first[f.expression(ssa.Variant{Op: op}, x.Type, []*ssa.Value{x, y})]
}

// Canonical is the representative of all values with the same computation as this one.
func (f *Facts) Canonical(v *ssa.Value) *ssa.Value {
	if s := f.same[v]; s != nil {
		return s
	}
	return v
}

// Term splits an integer into a value and a constant that is added to it. A constant has no value part. A
// conversion to a type that holds all values of the operand's type has the term of its operand.
func (f *Facts) Term(v *ssa.Value) (*ssa.Value, int64) {
	for v != nil && v.Def != nil {
		v = f.Canonical(v)
		switch d := v.Def; d.Op {
		case ssa.OpConst:
			return nil, d.Const.Int()
		case ssa.OpConvert:
			from := d.Args[0].Type
			if IsCounted(from) && holdsAll(v.Type, from) {
				v = d.Args[0]
				continue
			}
		}
		return v, 0
	}
	return v, 0
}

// holdsAll reports whether an integer type has all values of another.
func holdsAll(to, from ssa.Type) bool {
	if !IsCounted(to) || !IsCounted(from) {
		return false
	}
	lo, hi := Limits(from)
	tlo, thi := Limits(to)
	return tlo <= lo && hi <= thi
}

// Limits are the smallest and the largest value of an integer type other than uint64.
func Limits(t ssa.Type) (lo, hi int64) {
	r := OfType(t)
	return r.Lo, r.Hi
}

// Add records that a <= b + c.
func (f *Facts) Add(a, b *ssa.Value, c int64) {
	a, ca := f.Term(a)
	b, cb := f.Term(b)
	if a == b {
		return
	}
	c, ok := Plus(c, cb, -ca)
	if !ok || ca == math.MinInt64 {
		return
	}
	f.connect(a, b, c)
}

// learn records the value of a bool.
func (f *Facts) learn(v *ssa.Value, truth bool) {
	if _, ok := f.Truth[v]; !ok {
		f.Truth[v] = truth
		f.log = append(f.log, change{kind: newBool, a: v})
	}
}

// LearnNotZero records that a number is not zero, or that a pointer is not nil.
func (f *Facts) LearnNotZero(v *ssa.Value) {
	if !f.Not0[v] {
		f.Not0[v] = true
		f.log = append(f.log, change{kind: newNot0, a: v})
	}
}

// learnOther records that two numbers are not the same.
func (f *Facts) learnOther(a, b *ssa.Value) {
	a, ca := f.Term(a)
	b, cb := f.Term(b)
	for _, x := range [2]struct {
		v, other *ssa.Value
		c        int64
	}{{a, b, cb}, {b, a, ca}} {
		if x.v != nil && a != b {
			f.other[x.v] = append(f.other[x.v], Fact{x.other, x.c})
			f.log = append(f.log, change{kind: newOther, a: x.v})
		}
	}
}

// FactsOther are the facts v != w + c that do not follow from an inequality.
func (f *Facts) FactsOther(v *ssa.Value) []Fact { return f.other[v] }

// Mark is the position to which TakeBack returns.
func (f *Facts) Mark() int { return len(f.log) }

// TakeBack removes all facts after a mark.
func (f *Facts) TakeBack(mark int) {
	for n := len(f.log); n > mark; n-- {
		switch ch := f.log[n-1]; ch.kind {
		case newBool:
			delete(f.Truth, ch.a)
		case newNot0:
			delete(f.Not0, ch.a)
		case newOther:
			f.other[ch.a] = f.other[ch.a][:len(f.other[ch.a])-1]
		default:
			f.disconnect(ch)
		}
	}
	f.log = f.log[:mark]
}

// Plus is a sum. If it is below the smallest int64, the result is the smallest one, which only weakens a bound. If
// it is above the largest one, there is no sum.
func Plus(xs ...int64) (sum int64, ok bool) {
	for _, x := range xs {
		s := sum + x
		if x > 0 && s < sum {
			return 0, false
		}
		if x < 0 && s > sum {
			s = math.MinInt64
		}
		sum = s
	}
	return sum, true
}

// Assume records what follows if a bool is true or false.
func (f *Facts) Assume(v *ssa.Value, truth bool) {
	if ssa.IsConst(v) {
		return
	}
	f.learn(v, truth)
	d := v.Def
	if d == nil {
		return
	}
	switch d.Op {
	case ssa.OpNot:
		f.Assume(d.Args[0], !truth)
	case ssa.OpAnd, ssa.OpOr:
		if truth == (d.Op == ssa.OpAnd) {
			f.Assume(d.Args[0], truth)
			f.Assume(d.Args[1], truth)
		}
	case ssa.OpIf:
		f.assumeIf(d, v.Index(), truth)
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
		f.compared(d, truth)
	}
}

// assumeIf handles a bool that is the result of an If, as for && and ||: if only one of its blocks can give this
// value, that block was taken.
func (f *Facts) assumeIf(in *ssa.Instr, k int, truth bool) {
	var gives [2]*ssa.Value
	possible := [2]bool{}
	for i, b := range in.Blocks {
		if t := b.Terminator(); t.Op == ssa.OpYield {
			gives[i] = t.Args[k]
			c, ok := gives[i].Const()
			possible[i] = !ok || c.Bool() == truth
		}
	}
	if possible[0] == possible[1] {
		return
	}
	taken := 0
	if possible[1] {
		taken = 1
	}
	f.Assume(in.Args[0], taken == 0)
	f.Assume(gives[taken], truth)
}

var opposite = map[ssa.Op]ssa.Op{ssa.OpEq: ssa.OpNe, ssa.OpNe: ssa.OpEq, ssa.OpLt: ssa.OpGe, ssa.OpGe: ssa.OpLt, ssa.OpLe: ssa.OpGt, ssa.OpGt: ssa.OpLe}

// compared records what follows from a comparison.
func (f *Facts) compared(in *ssa.Instr, truth bool) {
	op, a, b := in.Op, in.Args[0], in.Args[1]
	if !truth {
		if ssa.IsFloat(a.Type) {
			return
		}
		op = opposite[op]
	}
	if !IsCounted(a.Type) {
		f.comparedOther(op, a, b)
		return
	}
	switch op {
	case ssa.OpLt:
		f.Add(a, b, -1)
	case ssa.OpLe:
		f.Add(a, b, 0)
	case ssa.OpGt:
		f.Add(b, a, -1)
	case ssa.OpGe:
		f.Add(b, a, 0)
	case ssa.OpEq:
		f.Add(a, b, 0)
		f.Add(b, a, 0)
	case ssa.OpNe:
		if c, ok := b.Const(); ok && c.Int() == 0 {
			f.LearnNotZero(a)
		}
		if f.Proves(a, b, 0) {
			f.Add(a, b, -1)
		} else if f.Proves(b, a, 0) {
			f.Add(b, a, -1)
		} else {
			f.learnOther(a, b)
		}
	}
}

// comparedOther handles pointers and uint64: comparisons with zero, and the test uint(i) < uint(n), which implies
// that i is a valid index.
func (f *Facts) comparedOther(op ssa.Op, a, b *ssa.Value) {
	if op == ssa.OpGt || op == ssa.OpGe {
		op, a, b = Mirrored(op), b, a
	}
	switch {
	case op == ssa.OpNe && isZero(b):
		f.LearnNotZero(a)
	case op == ssa.OpNe && isZero(a):
		f.LearnNotZero(b)
	case a.Type != ssa.Uint64:
	case op == ssa.OpLt && isZero(a):
		f.LearnNotZero(b)
	case op == ssa.OpLt || op == ssa.OpLe:
		i, n := fromInt64(a), fromInt64(b)
		if i != nil && n != nil && f.Proves(nil, n, 0) {
			f.Add(nil, i, 0)
			c := int64(0)
			if op == ssa.OpLt {
				c = -1
			}
			f.Add(i, n, c)
		}
	}
}

// fromInt64 is the int64 from which a uint64 was converted, or nil.
func fromInt64(v *ssa.Value) *ssa.Value {
	if d := v.Def; d != nil && d.Op == ssa.OpConvert && d.Args[0].Type == ssa.Int64 {
		return d.Args[0]
	}
	return nil
}

// isZero reports whether a value is a zero.
func isZero(v *ssa.Value) bool {
	c, ok := v.Const()
	return ok && c.Uint() == 0 || v.Def != nil && v.Def.Op == ssa.OpZero
}
