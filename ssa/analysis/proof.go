package analysis

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// Limits for one query: the values that it may visit, and the depth. Provable checks have short proofs.
const (
	proofBudget = 400
	proofDepth  = 14
)

// Proves reports whether a <= b + c is proven.
func (f *Facts) Proves(a, b *ssa.Value, c int64) bool {
	if a != nil && !IsCounted(a.Type) || b != nil && !IsCounted(b.Type) {
		return false
	}
	d, ok := f.Within(a, b)
	return ok && d <= c
}

// Within returns the smallest number c that it finds such that a <= b + c.
func (f *Facts) Within(a, b *ssa.Value) (c int64, ok bool) {
	f.budget = proofBudget
	f.depth = 0
	f.answers.clear()
	return f.distance(a, b)
}

// distance is Within, inside a query.
func (f *Facts) distance(a, b *ssa.Value) (c int64, ok bool) {
	a, ca := f.Term(a)
	b, cb := f.Term(b)
	if cb == math.MinInt64 {
		return 0, false
	}
	d, ok := f.search(a, b)
	if !ok {
		return 0, false
	}
	return Plus(d, ca, -cb)
}

// shortest keeps the smallest of the offered distances.
type shortest struct {
	c  int64
	ok bool
}

// via offers a path with two parts; the first part may be missing.
func (s *shortest) via(c int64, ok bool, more ...int64) {
	if !ok {
		return
	}
	for _, m := range more {
		if c, ok = Plus(c, m); !ok {
			return
		}
	}
	if !s.ok || c < s.c {
		s.c, s.ok = c, true
	}
}

// search looks for the shortest path from a to b, using the facts about a and b and their operands.
func (f *Facts) search(a, b *ssa.Value) (int64, bool) {
	if a == b {
		return 0, true
	}
	memo := f.answers.find(question{a, b}, f.id(a), f.id(b))
	if memo.turn == f.answers.turn {
		return memo.s.c, memo.s.ok
	}
	if f.budget--; f.budget < 0 || f.depth >= proofDepth {
		return 0, false
	}
	f.depth++
	*memo = answer{turn: f.answers.turn, q: question{a, b}}
	var best shortest
	if c, ok := f.direct(a, b); ok {
		best.via(c, true)
	}
	// Paths through zero are tried separately, below.
	if a != nil {
		for _, list := range near(f.above[f.id(a)]) {
			for _, k := range list {
				c, ok := f.search(k.V, b)
				best.via(c, ok, k.C)
			}
		}
	}
	if b != nil {
		for _, list := range near(f.below[f.id(b)]) {
			for _, k := range list {
				c, ok := f.search(a, k.V)
				best.via(c, ok, k.C)
			}
		}
	}
	if a != nil {
		f.fromAbove(a, b, &best)
		if b == nil {
			_, hi := f.usual(a)
			best.via(hi, true)
		} else if c, ok := f.search(nil, b); ok {
			h, ok := f.search(a, nil)
			best.via(c, ok, h)
		}
	}
	if b != nil {
		f.fromBelow(a, b, &best)
		if lo, _ := f.usual(b); a == nil && lo > math.MinInt64 {
			best.via(-lo, true)
		}
	}
	memo.s = best
	f.depth--
	return best.c, best.ok
}

// usual is the range of a value that follows from its operation alone.
func (f *Facts) usual(v *ssa.Value) (lo, hi int64) {
	r := OfType(v.Type)
	if v.Def != nil && len(v.Def.Results) == 1 {
		r = OfOp(v.Def, math.MaxInt64)
	}
	return r.Lo, r.Hi
}

// upper and lower are the range of a value, inside a query.
func (f *Facts) upper(v *ssa.Value) int64 {
	if c, ok := f.distance(v, nil); ok {
		return c
	}
	_, hi := Limits(v.Type)
	return hi
}

func (f *Facts) lower(v *ssa.Value) int64 {
	if c, ok := f.distance(nil, v); ok && c > math.MinInt64 {
		return -c
	}
	lo, _ := Limits(v.Type)
	return lo
}

func (f *Facts) notNegative(v *ssa.Value) bool {
	c, ok := f.distance(nil, v)
	return ok && c <= 0
}

func (f *Facts) positive(v *ssa.Value) bool {
	c, ok := f.distance(nil, v)
	return ok && c <= -1
}

// exact reports whether an addition or a subtraction does not wrap.
func (f *Facts) exact(in *ssa.Instr) bool {
	lx, ux := f.lower(in.Args[0]), f.upper(in.Args[0])
	ly, uy := f.lower(in.Args[1]), f.upper(in.Args[1])
	if in.Op == ssa.OpSub {
		if ly == math.MinInt64 {
			return false
		}
		ly, uy = -uy, -ly
	}
	lo, hi := Limits(in.Result().Type)
	return within64(lx, ly, lo, hi) && within64(ux, uy, lo, hi)
}

// within64 reports whether a sum is within limits.
func within64(x, y, lo, hi int64) bool {
	s := x + y
	return (y >= 0) == (s >= x) && lo <= s && s <= hi
}

// fromAbove offers the upper bounds that follow from a's operation.
func (f *Facts) fromAbove(a, b *ssa.Value, best *shortest) {
	d := a.Def
	if d == nil {
		return
	}
	through := func(v *ssa.Value, more int64) {
		c, ok := f.distance(v, b)
		best.via(c, ok, more)
	}
	switch d.Op {
	case ssa.OpAdd:
		if f.exact(d) {
			through(d.Args[0], f.upper(d.Args[1]))
			if !ssa.IsConst(d.Args[1]) {
				through(d.Args[1], f.upper(d.Args[0]))
			}
		}
	case ssa.OpSub:
		if f.exact(d) {
			through(d.Args[0], -f.lower(d.Args[1]))
		}
	case ssa.OpMul:
		if b == nil {
			p, ok := f.product(d)
			best.via(p, ok)
		}
	case ssa.OpMin:
		through(d.Args[0], 0)
		through(d.Args[1], 0)
	case ssa.OpMax:
		x, ok1 := f.distance(d.Args[0], b)
		y, ok2 := f.distance(d.Args[1], b)
		best.via(max(x, y), ok1 && ok2)
	case ssa.OpRem:
		if f.positive(d.Args[1]) {
			through(d.Args[1], -1)
		}
		if f.notNegative(d.Args[0]) {
			through(d.Args[0], 0)
		}
	case ssa.OpAnd:
		for _, x := range d.Args {
			if f.notNegative(x) {
				through(x, 0)
			}
		}
	case ssa.OpShr:
		if f.notNegative(d.Args[0]) {
			through(d.Args[0], 0)
		}
	case ssa.OpDiv:
		if f.notNegative(d.Args[0]) && f.notNegative(d.Args[1]) {
			through(d.Args[0], 0)
			if c, ok := d.Args[1].Const(); ok && c.Int() > 0 && b == nil {
				best.via(f.upper(d.Args[0])/c.Int(), true)
			}
		}
	}
}

// product is the largest value of a product of numbers that are not negative, if it
// does not wrap.
func (f *Facts) product(in *ssa.Instr) (int64, bool) {
	if !f.notNegative(in.Args[0]) || !f.notNegative(in.Args[1]) {
		return 0, false
	}
	x, y := f.upper(in.Args[0]), f.upper(in.Args[1])
	_, hi := Limits(in.Result().Type)
	if x < 0 || y < 0 || x != 0 && y > hi/x {
		return 0, false
	}
	return x * y, true
}

// fromBelow offers the lower bounds that follow from b's operation.
func (f *Facts) fromBelow(a, b *ssa.Value, best *shortest) {
	d := b.Def
	if d == nil {
		return
	}
	through := func(v *ssa.Value, more int64) {
		c, ok := f.distance(a, v)
		best.via(c, ok, more)
	}
	switch d.Op {
	case ssa.OpAdd: // x <= b - y
		if f.exact(d) {
			if y := f.lower(d.Args[1]); y > math.MinInt64 {
				through(d.Args[0], -y)
			}
			if x := f.lower(d.Args[0]); x > math.MinInt64 && !ssa.IsConst(d.Args[1]) {
				through(d.Args[1], -x)
			}
		}
	case ssa.OpSub: // x <= b + y
		if !f.exact(d) {
			return
		}
		through(d.Args[0], f.upper(d.Args[1]))
		if a == nil { // y <= x + c says 0 <= x-y + c
			c, ok := f.distance(d.Args[1], d.Args[0])
			best.via(c, ok)
		}
	case ssa.OpMul:
		if a == nil {
			_, ok := f.product(d)
			best.via(0, ok)
		}
	case ssa.OpMin:
		x, ok1 := f.distance(a, d.Args[0])
		y, ok2 := f.distance(a, d.Args[1])
		best.via(max(x, y), ok1 && ok2)
	case ssa.OpMax:
		through(d.Args[0], 0)
		through(d.Args[1], 0)
	case ssa.OpRem:
		if a != nil {
			return
		}
		best.via(0, f.notNegative(d.Args[0]))
		if c, ok := d.Args[1].Const(); ok && c.Int() > 0 {
			best.via(c.Int()-1, true)
		}
	case ssa.OpAnd:
		best.via(0, a == nil && (f.notNegative(d.Args[0]) || f.notNegative(d.Args[1])))
	case ssa.OpShr:
		best.via(0, a == nil && f.notNegative(d.Args[0]))
	case ssa.OpDiv:
		best.via(0, a == nil && f.notNegative(d.Args[0]) && f.notNegative(d.Args[1]))
	}
}
