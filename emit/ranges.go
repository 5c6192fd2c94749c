package emit

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// ranges bounds the values of signed integers, to tell which operations cannot
// overflow, and which divisors are positive.
type ranges struct {
	known map[*ssa.Value]interval
}

// interval is the integers from lo to hi.
type interval struct{ lo, hi int64 }

// Bounds that hold in every launch. A launch has at most 2^31 threads along an
// axis, and CUDA at most 2^31 blocks of 2^10; no memory has 2^48 elements.
const (
	maxAxis = 1 << 31
	maxFlat = 1 << 41
	maxLen  = 1 << 48
)

func wholeRange(t ssa.Type) interval {
	if !ssa.IsInteger(t) {
		return interval{math.MinInt64, math.MaxInt64}
	}
	bits := uint(ssa.Bits(t))
	switch {
	case ssa.IsSigned(t):
		return interval{math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)}
	case bits == 64:
		return interval{0, math.MaxInt64} // as far as int64 tells; never asked for
	}
	return interval{0, 1<<bits - 1}
}

// of bounds v. A value that depends on itself is first taken to be anything.
func (r *ranges) of(v *ssa.Value) interval {
	if i, ok := r.known[v]; ok {
		return i
	}
	r.known[v] = wholeRange(v.Type)
	i := r.compute(v)
	if i.lo > i.hi { // it is never computed, as in a loop that has no second turn
		i = wholeRange(v.Type)
	}
	r.known[v] = i
	return i
}

func (r *ranges) compute(v *ssa.Value) interval {
	whole := wholeRange(v.Type)
	if v.Type == ssa.Uint64 {
		return whole
	}
	if v.Def == nil {
		return r.counter(v, whole)
	}
	switch in := v.Def; in.Op {
	case ssa.OpConst:
		return interval{in.Const.Int(), in.Const.Int()}
	case ssa.OpThreadID:
		if in.Rank > 1 {
			return interval{0, maxAxis}
		}
		return interval{0, maxFlat}
	case ssa.OpThreadDim:
		return interval{1, maxAxis}
	case ssa.OpLane:
		return interval{0, ssa.MaxLanes - 1}
	case ssa.OpBlockDim:
		return interval{1, ssa.MaxLanes}
	case ssa.OpBlockID:
		return interval{0, maxFlat}
	case ssa.OpBlockIndex:
		return interval{0, maxAxis}
	case ssa.OpLen:
		return interval{0, maxLen}
	case ssa.OpBits:
		if in.Bits.CountsBits() {
			return interval{0, int64(ssa.Bits(in.Args[0].Type))}
		}
	case ssa.OpCopy:
		return interval{0, maxLen}
	case ssa.OpConvert:
		from := in.Args[0]
		if ssa.IsInteger(from.Type) && from.Type != ssa.Uint64 {
			if i := r.of(from); i.lo >= whole.lo && i.hi <= whole.hi {
				return i
			}
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpNeg:
		if i, ok := r.result(in); ok {
			return i
		}
	case ssa.OpRem:
		if x, y := r.of(in.Args[0]), r.of(in.Args[1]); y.lo > 0 {
			return interval{max(min(x.lo, 0), 1-y.hi), min(max(x.hi, 0), y.hi-1)}
		}
	case ssa.OpDiv:
		if x, y := r.of(in.Args[0]), r.of(in.Args[1]); y.lo > 0 {
			return interval{min(x.lo/y.lo, x.lo/y.hi), max(x.hi/y.lo, x.hi/y.hi)}
		}
	case ssa.OpAnd:
		for _, a := range in.Args {
			if i := r.of(a); i.lo >= 0 {
				return interval{0, i.hi}
			}
		}
	case ssa.OpMin, ssa.OpMax:
		a, b := r.of(in.Args[0]), r.of(in.Args[1])
		if in.Op == ssa.OpMin {
			return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
		}
		return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	}
	return whole
}

// mayOverflow reports whether the exact result of an addition, subtraction,
// multiplication or negation may not fit its signed type.
func (r *ranges) mayOverflow(in *ssa.Instr) bool {
	_, ok := r.result(in)
	return !ok
}

// result bounds the exact result of in, and tells whether its type holds it.
func (r *ranges) result(in *ssa.Instr) (interval, bool) {
	a := r.of(in.Args[0])
	b := interval{}
	if len(in.Args) > 1 {
		b = r.of(in.Args[1])
	}
	var lo, hi int64
	ok := true
	note := func(x int64, fits bool) int64 { ok = ok && fits; return x }
	switch in.Op {
	case ssa.OpAdd:
		lo, hi = note(addExact(a.lo, b.lo)), note(addExact(a.hi, b.hi))
	case ssa.OpSub:
		lo, hi = note(subExact(a.lo, b.hi)), note(subExact(a.hi, b.lo))
	case ssa.OpNeg:
		lo, hi = note(subExact(0, a.hi)), note(subExact(0, a.lo))
	case ssa.OpMul:
		lo, hi = math.MaxInt64, math.MinInt64
		for _, x := range []int64{a.lo, a.hi} {
			for _, y := range []int64{b.lo, b.hi} {
				product := note(mulExact(x, y))
				lo, hi = min(lo, product), max(hi, product)
			}
		}
	}
	whole := wholeRange(in.Results[0].Type)
	return interval{lo, hi}, ok && lo >= whole.lo && hi <= whole.hi
}

func addExact(a, b int64) (int64, bool) { c := a + b; return c, (c > a) == (b > 0) }
func subExact(a, b int64) (int64, bool) { c := a - b; return c, (c < a) == (b > 0) }

func mulExact(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}

// counter bounds a loop's variable that the post part moves by a constant,
// up to a bound or down to one that the test compares it with.
func (r *ranges) counter(v *ssa.Value, whole interval) interval {
	loop := v.Block.Owner
	if loop != nil && loop.Op == ssa.OpFor {
		return interval{0, max(0, r.of(loop.Args[indexOf(v.Block.Params, v)]).hi-1)}
	}
	if loop == nil || !ssa.IsSigned(v.Type) {
		return whole
	}
	k := indexOf(v.Block.Params, v)
	passed, ok := r.passed(loop, k, whole)
	if !ok {
		return whole
	}
	if v.Block == loop.Post() {
		i := r.of(loop.Cond().Params[k])
		return interval{max(i.lo, passed.lo), min(i.hi, passed.hi)}
	}
	start := r.of(loop.Args[k])
	switch step := r.step(loop, k); {
	case step > 0:
		if next, ok := addExact(passed.hi, step); ok && next <= whole.hi {
			return interval{start.lo, max(start.hi, next)}
		}
	case step < 0:
		if next, ok := addExact(passed.lo, step); ok && next >= whole.lo {
			return interval{min(start.lo, next), start.hi}
		}
	}
	return whole
}

// step is the constant that a loop's post part adds to variable k, 0 for anything else.
func (r *ranges) step(loop *ssa.Instr, k int) int64 {
	t := loop.Post().Terminator()
	if t.Op != ssa.OpYield || t.Args[k].Def == nil {
		return 0
	}
	next := t.Args[k].Def
	if next.Op != ssa.OpAdd && next.Op != ssa.OpSub || next.Args[0] != loop.Post().Params[k] {
		return 0
	}
	c, ok := next.Args[1].Const()
	switch {
	case !ok:
		return 0
	case next.Op == ssa.OpSub:
		return -c.Int()
	}
	return c.Int()
}

// passed bounds variable k of a loop where its test has been passed, if nothing
// in the body changes it.
func (r *ranges) passed(loop *ssa.Instr, k int, whole interval) (interval, bool) {
	param := loop.Cond().Params[k]
	unchanged := true
	loop.Do().Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpContinue && in.Target == loop && in.Args[k] != param {
			unchanged = false
		}
	})
	if !unchanged {
		return whole, false
	}
	bound := whole
	for _, cmp := range conjuncts(loop.Cond().Terminator().Args[0]) {
		bound = r.narrow(bound, cmp, param)
	}
	return bound, true
}

// conjuncts are the comparisons that all hold where cond does.
func conjuncts(cond *ssa.Value) []*ssa.Instr {
	if cond.Def == nil {
		return nil
	}
	if cond.Def.Op == ssa.OpIf {
		if b, ok := logicalBlock(cond.Def); ok && b == cond.Def.Then() {
			return append(conjuncts(cond.Def.Args[0]), conjuncts(b.Terminator().Args[0])...)
		}
		return nil
	}
	return []*ssa.Instr{cond.Def}
}

// narrow uses that cmp, a comparison, holds of v.
func (r *ranges) narrow(i interval, cmp *ssa.Instr, v *ssa.Value) interval {
	op := cmp.Op
	var other *ssa.Value
	switch {
	case len(cmp.Args) != 2:
		return i
	case cmp.Args[0] == v:
		other = cmp.Args[1]
	case cmp.Args[1] == v:
		other = cmp.Args[0]
		op = mirrored[op]
	default:
		return i
	}
	o := r.of(other)
	switch op {
	case ssa.OpLt:
		if o.hi > math.MinInt64 {
			i.hi = min(i.hi, o.hi-1)
		}
	case ssa.OpLe:
		i.hi = min(i.hi, o.hi)
	case ssa.OpGt:
		if o.lo < math.MaxInt64 {
			i.lo = max(i.lo, o.lo+1)
		}
	case ssa.OpGe:
		i.lo = max(i.lo, o.lo)
	}
	return i
}

var mirrored = map[ssa.Op]ssa.Op{ssa.OpLt: ssa.OpGt, ssa.OpLe: ssa.OpGe, ssa.OpGt: ssa.OpLt, ssa.OpGe: ssa.OpLe, ssa.OpEq: ssa.OpEq}
