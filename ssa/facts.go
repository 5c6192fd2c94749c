package ssa

import "math"

// facts is what is known about the integers of a function at one place of it: sums
// of the form a <= b + c over the integers, without wrapping. Facts are taken back
// in the order in which they came. A nil value stands for zero.
//
// Whether one such sum follows from others is asked in package ssa's checks pass.
// The search is the one of Bodik, Gupta and Sarkar, "ABCD: eliminating array bounds
// checks on demand" (2000), where in place of phi functions there are the blocks.
type facts struct {
	edges
	known map[*Value]bool
	not0  map[*Value]bool // numbers that are not zero, pointers that are not nil

	first map[expression]*Value // the first value that was computed so
	same  map[*Value]*Value     // and what stands for another one that was

	// Of one question.
	budget  int
	depth   int
	answers answers // none yet for what is being asked
}

func newFacts(f *Func) *facts {
	n := f.nextID + 1 // zero is behind all values
	return &facts{edges: edges{above: make([][]fact, n), below: make([][]fact, n), at: make(map[question]edge)},
		known: make(map[*Value]bool), not0: make(map[*Value]bool),
		first: make(map[expression]*Value), same: make(map[*Value]*Value)}
}

// isCounted reports whether facts are about values of the type: uint64 has values
// that int64 has not.
func isCounted(t Type) bool { return IsInteger(t) && t != Uint64 }

// expression is a pure operation of one or two operands on certain values.
type expression struct {
	op         Op
	typ        Type
	x, y       *Value
	axis, rank int
	index      int
	constant   [2]Const // of an operand that is one
	constants  [2]bool
}

// number finds the value that is computed as this one is, for the two need not be
// visible where the other one is: the length of a slice in a loop's test and in its
// body.
func (f *facts) number(in *Instr) {
	if ops[in.Op].effect != Pure || len(in.Args) > 2 || len(in.Results) != 1 || in.Op == OpConst || in.Op == OpMake || in.Op == OpMath || in.Op == OpBits {
		return
	}
	e := expression{op: in.Op, typ: in.Result().Type, axis: in.Axis, rank: in.Rank, index: in.Index}
	for i, a := range in.Args {
		if c, ok := a.Const(); ok {
			e.constant[i], e.constants[i] = c, true
		} else if i == 0 {
			e.x = f.canonical(a)
		} else {
			e.y = f.canonical(a)
		}
	}
	if old := f.first[e]; old != nil {
		f.same[in.Result()] = old
	} else {
		f.first[e] = in.Result()
	}
}

// canonical is what stands for all values that are computed like this one.
func (f *facts) canonical(v *Value) *Value {
	if s := f.same[v]; s != nil {
		return s
	}
	return v
}

// term is an integer as another value, or nothing, plus a constant: constants are
// nothing plus a constant, and a conversion to a type that holds all values of the
// first is what it converts.
func (f *facts) term(v *Value) (*Value, int64) {
	for v != nil && v.Def != nil {
		v = f.canonical(v)
		switch d := v.Def; d.Op {
		case OpConst:
			return nil, d.Const.Int()
		case OpConvert:
			from := d.Args[0].Type
			if isCounted(from) && holdsAll(v.Type, from) {
				v = d.Args[0]
				continue
			}
		}
		return v, 0
	}
	return v, 0
}

// holdsAll reports whether an integer type has all values of another.
func holdsAll(to, from Type) bool {
	if !isCounted(to) || !isCounted(from) {
		return false
	}
	lo, hi := limits(from)
	tlo, thi := limits(to)
	return tlo <= lo && hi <= thi
}

// limits are the smallest and the largest value of an integer type but uint64.
func limits(t Type) (lo, hi int64) {
	bits := Bits(t)
	if IsSigned(t) {
		return math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)
	}
	return 0, 1<<bits - 1
}

// add notes that a <= b + c.
func (f *facts) add(a, b *Value, c int64) {
	a, ca := f.term(a)
	b, cb := f.term(b)
	if a == b {
		return
	}
	c, ok := plus(c, cb, -ca)
	if !ok || ca == math.MinInt64 {
		return
	}
	f.connect(a, b, c)
}

// learn notes what a bool is.
func (f *facts) learn(v *Value, truth bool) {
	if _, ok := f.known[v]; !ok {
		f.known[v] = truth
		f.log = append(f.log, change{kind: newBool, a: v})
	}
}

// learnNot0 notes that a number is not zero, or a pointer not nil.
func (f *facts) learnNot0(v *Value) {
	if !f.not0[v] {
		f.not0[v] = true
		f.log = append(f.log, change{kind: newNot0, a: v})
	}
}

// mark is where takeBack goes back to.
func (f *facts) mark() int { return len(f.log) }

// takeBack forgets all that came after a mark.
func (f *facts) takeBack(mark int) {
	for n := len(f.log); n > mark; n-- {
		switch ch := f.log[n-1]; ch.kind {
		case newBool:
			delete(f.known, ch.a)
		case newNot0:
			delete(f.not0, ch.a)
		default:
			f.disconnect(ch)
		}
	}
	f.log = f.log[:mark]
}

// plus is a sum. What lies below all integers is the smallest one, which makes of a
// bound a weaker one; above there is no sum.
func plus(xs ...int64) (sum int64, ok bool) {
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

// assume notes what follows from a bool's being true or false.
func (f *facts) assume(v *Value, truth bool) {
	if isConst(v) {
		return
	}
	f.learn(v, truth)
	d := v.Def
	if d == nil {
		return
	}
	switch d.Op {
	case OpNot:
		f.assume(d.Args[0], !truth)
	case OpAnd, OpOr:
		if truth == (d.Op == OpAnd) {
			f.assume(d.Args[0], truth)
			f.assume(d.Args[1], truth)
		}
	case OpIf:
		f.assumeIf(d, v.index(), truth)
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		f.compared(d, truth)
	}
}

// assumeIf is about a bool that an If gives, as of && and ||: if only one of its
// blocks can have given it, that block was taken.
func (f *facts) assumeIf(in *Instr, k int, truth bool) {
	var gives [2]*Value
	possible := [2]bool{}
	for i, b := range in.Blocks {
		if t := b.Terminator(); t.Op == OpYield {
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
	f.assume(in.Args[0], taken == 0)
	f.assume(gives[taken], truth)
}

var opposite = map[Op]Op{OpEq: OpNe, OpNe: OpEq, OpLt: OpGe, OpGe: OpLt, OpLe: OpGt, OpGt: OpLe}

// compared notes what follows from a comparison.
func (f *facts) compared(in *Instr, truth bool) {
	op, a, b := in.Op, in.Args[0], in.Args[1]
	if !truth {
		if IsFloat(a.Type) {
			return
		}
		op = opposite[op]
	}
	if !isCounted(a.Type) {
		f.comparedOther(op, a, b)
		return
	}
	switch op {
	case OpLt:
		f.add(a, b, -1)
	case OpLe:
		f.add(a, b, 0)
	case OpGt:
		f.add(b, a, -1)
	case OpGe:
		f.add(b, a, 0)
	case OpEq:
		f.add(a, b, 0)
		f.add(b, a, 0)
	case OpNe:
		if c, ok := b.Const(); ok && c.Int() == 0 {
			f.learnNot0(a)
		}
		if f.proves(a, b, 0) {
			f.add(a, b, -1)
		} else if f.proves(b, a, 0) {
			f.add(b, a, -1)
		}
	}
}

// comparedOther is about pointers and uint64: what is not zero, and the test
// uint(i) < uint(n), which says that i is an index.
func (f *facts) comparedOther(op Op, a, b *Value) {
	if op == OpGt || op == OpGe {
		op, a, b = mirrored(op), b, a
	}
	switch {
	case op == OpNe && isZero(b):
		f.learnNot0(a)
	case op == OpNe && isZero(a):
		f.learnNot0(b)
	case a.Type != Uint64:
	case op == OpLt && isZero(a):
		f.learnNot0(b)
	case op == OpLt || op == OpLe:
		i, n := fromInt64(a), fromInt64(b)
		if i != nil && n != nil && f.proves(nil, n, 0) {
			f.add(nil, i, 0)
			c := int64(0)
			if op == OpLt {
				c = -1
			}
			f.add(i, n, c)
		}
	}
}

// fromInt64 is the int64 that a uint64 is converted from, else nil.
func fromInt64(v *Value) *Value {
	if d := v.Def; d != nil && d.Op == OpConvert && d.Args[0].Type == Int64 {
		return d.Args[0]
	}
	return nil
}

// isZero reports whether a value is a zero.
func isZero(v *Value) bool {
	c, ok := v.Const()
	return ok && c.Uint() == 0 || v.Def != nil && v.Def.Op == OpZero
}
