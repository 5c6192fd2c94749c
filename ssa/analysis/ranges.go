package analysis

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// maxThreads is how many threads a launch has at most on a GPU: 2^31 blocks of 2^10.
const maxThreads = 1<<41 + 1

// Ranges bounds the integers of a function wherever they are computed, to tell which operations cannot
// overflow, and which divisors are positive. Facts that hold only at some places of the function are in
// [Facts]. The zero Ranges knows nothing yet.
type Ranges struct {
	// Given are the intervals of values that follow from elsewhere. If it is not nil, the results of branches and loops
	// are bounded too.
	Given map[*ssa.Value]Interval

	memo  map[*ssa.Value]Interval
	grown map[growth]gain
}

// Of bounds a value. One that depends on itself is first taken to be anything.
func (r *Ranges) Of(v *ssa.Value) Interval {
	if i, ok := r.Given[v]; ok {
		return i
	}
	if i, ok := r.memo[v]; ok {
		return i
	}
	if r.memo == nil {
		r.memo = make(map[*ssa.Value]Interval)
	}
	r.memo[v] = OfType(v.Type)
	i := r.compute(v)
	if i.Empty() { // it is never computed, as in a loop that has no second turn
		i = OfType(v.Type)
	}
	r.memo[v] = i
	return i
}

func (r *Ranges) compute(v *ssa.Value) Interval {
	whole := OfType(v.Type)
	switch in := v.Def; {
	case v.Type == ssa.Uint64:
		return whole
	case in == nil:
		return r.counter(v, whole)
	case r.Given != nil && ssa.IsInteger(v.Type) && (in.Op == ssa.OpIf || in.Op == ssa.OpLoop):
		return r.joined(v, whole)
	case len(in.Results) != 1 || !ssa.IsInteger(v.Type):
		return whole
	case in.Op == ssa.OpConvert:
		if from := in.Args[0]; ssa.IsInteger(from.Type) && from.Type != ssa.Uint64 {
			return r.result(in)
		}
		return whole
	case in.Op.IsOperator():
		return r.result(in)
	case in.Op == ssa.OpElem && r.Given != nil:
		return r.numbers(in.Args[0], whole)
	default:
		return OfOp(in, maxThreads)
	}
}

// joined bounds a result of a branch or a loop by what it may come from.
func (r *Ranges) joined(v *ssa.Value, whole Interval) Interval {
	all, k := Interval{math.MaxInt64, math.MinInt64}, v.Index()
	from := func(x *ssa.Value) {
		i := r.Of(x)
		all = Interval{min(all.Lo, i.Lo), max(all.Hi, i.Hi)}
	}
	if v.Def.Op == ssa.OpLoop {
		from(v.Def.Cond().Params[k])
		for _, exit := range v.Def.Exits(ssa.OpBreak, nil) {
			from(exit.Args[k])
		}
		return all
	}
	for _, b := range v.Def.Blocks {
		if t := b.Terminator(); t.Op == ssa.OpYield {
			from(t.Args[k])
		}
	}
	if all.Empty() { // nothing comes here
		return whole
	}
	return all
}

// numbers bounds the numbers in an array. What stands out of its range is none of them: nothing uses it.
func (r *Ranges) numbers(v *ssa.Value, whole Interval) Interval {
	if i, ok := r.memo[v]; ok {
		return i
	}
	i := whole
	switch in := v.Def; {
	case in == nil:
	case in.Op == ssa.OpZero:
		i = Interval{}
	case in.Op == ssa.OpElem:
		i = r.numbers(in.Args[0], whole)
	case in.Op == ssa.OpMake:
		i = Interval{math.MaxInt64, math.MinInt64}
		for _, a := range in.Args {
			of := whole
			if _, nested := a.Type.(ssa.Array); nested {
				of = r.numbers(a, whole)
			} else if ssa.IsInteger(a.Type) {
				of = r.Of(a)
			}
			i = Interval{min(i.Lo, of.Lo), max(i.Hi, of.Hi)}
		}
		if i.Empty() {
			i = whole
		}
	}
	r.memo[v] = i
	return i
}

// result is the interval of an operation on integers.
func (r *Ranges) result(in *ssa.Instr) Interval {
	if r.Given != nil && (in.Op == ssa.OpDiv || in.Op == ssa.OpRem) && r.Of(in.Args[1]).Lo < 1 {
		return r.divided(in)
	}
	i, _ := r.operation(in)
	return i
}

// divided bounds a division by what may be zero, which gives 0, or negative.
func (r *Ranges) divided(in *ssa.Instr) Interval {
	a := r.Of(in.Args[0])
	switch {
	case !ssa.IsSigned(in.Results[0].Type) || a.Lo == OfType(in.Results[0].Type).Lo: // which overflows over -1
		return OfType(in.Results[0].Type)
	case in.Op == ssa.OpRem:
		return Interval{min(a.Lo, 0), max(a.Hi, 0)}
	}
	most := max(-a.Lo, a.Hi, 0)
	return Interval{-most, most}
}

func (r *Ranges) operation(in *ssa.Instr) (Interval, bool) {
	a := r.Of(in.Args[0])
	b := a
	if len(in.Args) > 1 {
		b = r.Of(in.Args[1])
	}
	return Arithmetic(in.Op, in.Results[0].Type, a, b)
}

// MayOverflow reports whether the exact result of an addition, subtraction,
// multiplication or negation may not fit its signed type.
func (r *Ranges) MayOverflow(in *ssa.Instr) bool {
	_, exact := r.operation(in)
	return !exact
}

// counter bounds a loop's variable that the post part moves by a constant,
// up to a bound or down to one that the test compares it with.
func (r *Ranges) counter(v *ssa.Value, whole Interval) Interval {
	loop := v.Block.Owner
	if loop != nil && loop.Op == ssa.OpFor {
		return Interval{0, max(0, r.Of(loop.Args[v.Index()]).Hi-1)}
	}
	if loop == nil || !ssa.IsSigned(v.Type) {
		return whole
	}
	k := v.Index()
	passed, ok := r.passed(loop, k, whole)
	if !ok {
		return r.accumulated(v, whole)
	}
	if v.Block == loop.Post() {
		i := r.Of(loop.Cond().Params[k])
		return Interval{max(i.Lo, passed.Lo), min(i.Hi, passed.Hi)}
	}
	start := r.Of(loop.Args[k])
	step, ok := Step(loop, k)
	switch {
	case ok && step > 0:
		if next, ok := sum(Interval{passed.Hi, passed.Hi}, Interval{step, step}); ok && next.Hi <= whole.Hi {
			return Interval{start.Lo, max(start.Hi, next.Hi)}
		}
	case ok && step < 0:
		if next, ok := sum(Interval{passed.Lo, passed.Lo}, Interval{step, step}); ok && next.Lo >= whole.Lo {
			return Interval{min(start.Lo, next.Lo), start.Hi}
		}
	}
	return whole
}

// passed bounds variable k of a loop where its test has been passed, if nothing
// in the body changes it.
func (r *Ranges) passed(loop *ssa.Instr, k int, whole Interval) (Interval, bool) {
	if !OnlyPostChanges(loop, k) {
		return whole, false
	}
	bound, param := whole, loop.Cond().Params[k]
	for _, cmp := range conjuncts(loop.Cond().Terminator().Args[0]) {
		bound = r.narrow(bound, cmp, param)
	}
	return bound, true
}

// conjuncts are the comparisons that all hold where a condition does.
func conjuncts(cond *ssa.Value) []*ssa.Instr {
	in := cond.Def
	if in == nil {
		return nil
	}
	if in.Op != ssa.OpIf {
		return []*ssa.Instr{in}
	}
	a, b, ok := And(cond)
	if !ok || b == nil {
		return nil
	}
	return append(conjuncts(a), conjuncts(b)...)
}

// narrow uses that cmp, a comparison, holds of v.
func (r *Ranges) narrow(i Interval, cmp *ssa.Instr, v *ssa.Value) Interval {
	if len(cmp.Args) != 2 {
		return i
	}
	op, other := ComparedTo(cmp, v)
	if other == nil {
		return i
	}
	o := r.Of(other)
	switch op {
	case ssa.OpLt:
		if o.Hi > math.MinInt64 {
			i.Hi = min(i.Hi, o.Hi-1)
		}
	case ssa.OpLe:
		i.Hi = min(i.Hi, o.Hi)
	case ssa.OpGt:
		if o.Lo < math.MaxInt64 {
			i.Lo = max(i.Lo, o.Lo+1)
		}
	case ssa.OpGe:
		i.Lo = max(i.Lo, o.Lo)
	}
	return i
}
