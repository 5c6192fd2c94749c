package analysis

import (
	"math"
	"math/bits"

	"github.com/qdgen/qd/ssa"
)

// An Interval is the integers from Lo to Hi, none if Hi < Lo.
type Interval struct{ Lo, Hi int64 }

// Empty reports whether no integer is in an interval.
func (x Interval) Empty() bool { return x.Hi < x.Lo }

func (x Interval) within(y Interval) bool { return y.Lo <= x.Lo && x.Hi <= y.Hi }

// Bounds that hold in every launch. No memory has 2^48 elements that take room.
const (
	maxAxis = 1 << 31 // the largest size of a launch along an axis
	maxLen  = 1 << 48
)

// OfType is all integers of a type, as far as int64 has them.
func OfType(t ssa.Type) Interval {
	if !ssa.IsInteger(t) {
		return Interval{math.MinInt64, math.MaxInt64}
	}
	bits := uint(ssa.Bits(t))
	switch {
	case ssa.IsSigned(t):
		return Interval{math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)}
	case bits == 64:
		return Interval{0, math.MaxInt64} // as far as int64 tells; nobody asks for more
	}
	return Interval{0, 1<<bits - 1}
}

// OfOp is what the operation of an instruction of one result says about it, whatever its operands
// are: the index of a thread is not negative, nor is a length. Threads is how many a launch can have.
func OfOp(in *ssa.Instr, threads int64) Interval {
	switch in.Op {
	case ssa.OpConst:
		return Interval{in.Const.Int(), in.Const.Int()}
	case ssa.OpThreadID:
		switch {
		case in.Rows && in.Axis == 0: // a quotient, by what may be negative
			return OfType(ssa.Int64)
		case in.Rank > 1 && !in.Rows:
			return Interval{0, maxAxis - 1}
		}
		return Interval{0, threads - 1}
	case ssa.OpThreadDim:
		return Interval{1, maxAxis}
	case ssa.OpLane:
		return Interval{0, ssa.MaxLanes - 1}
	case ssa.OpBlockDim:
		return Interval{1, ssa.MaxLanes}
	case ssa.OpBlockID:
		return Interval{0, threads - 1}
	case ssa.OpBlockIndex:
		return Interval{0, maxAxis - 1}
	case ssa.OpLen, ssa.OpCopy:
		if in.Args[0].Type.(ssa.Slice).Elem.Size() == 0 {
			return Interval{0, math.MaxInt64}
		}
		return Interval{0, maxLen}
	case ssa.OpBits:
		if in.Bits.CountsBits() {
			return Interval{0, int64(ssa.Bits(in.Args[0].Type))}
		}
	}
	return OfType(in.Results[0].Type)
}

// Arithmetic is the interval of an operation's results of type t where its operands are in a and b, and
// whether the operation is sure not to wrap. If it may wrap, or there is no rule for the operation, the
// interval is all of the type.
func Arithmetic(op ssa.Op, t ssa.Type, a, b Interval) (r Interval, exact bool) {
	all := OfType(t)
	r, exact = all, true
	switch op {
	case ssa.OpAdd:
		r, exact = sum(a, b)
	case ssa.OpSub:
		r, exact = difference(a, b)
	case ssa.OpNeg:
		r, exact = difference(Interval{}, a)
	case ssa.OpMul:
		r, exact = product(a, b)
	case ssa.OpMin:
		r = Interval{min(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	case ssa.OpMax:
		r = Interval{max(a.Lo, b.Lo), max(a.Hi, b.Hi)}
	case ssa.OpDiv:
		if b.Lo < 1 {
			return all, false
		}
		r = Interval{min(a.Lo/b.Lo, a.Lo/b.Hi), max(a.Hi/b.Lo, a.Hi/b.Hi)}
	case ssa.OpRem:
		if b.Lo < 1 {
			return all, false
		}
		r = Interval{max(min(a.Lo, 0), 1-b.Hi), min(max(a.Hi, 0), b.Hi-1)}
	case ssa.OpAnd:
		switch {
		case a.Lo >= 0 && b.Lo >= 0:
			r = Interval{0, min(a.Hi, b.Hi)}
		case a.Lo >= 0:
			r = Interval{0, a.Hi}
		case b.Lo >= 0:
			r = Interval{0, b.Hi}
		}
	case ssa.OpShr:
		if b.Lo < 0 {
			return all, false
		}
		r = Interval{min(a.Lo>>b.Lo, a.Lo>>b.Hi), max(a.Hi>>b.Lo, a.Hi>>b.Hi)}
	case ssa.OpConvert:
		r = a
	}
	if !exact || !r.within(all) {
		return all, false
	}
	return r, true
}

func sum(a, b Interval) (Interval, bool) {
	r := Interval{a.Lo + b.Lo, a.Hi + b.Hi}
	return r, (b.Lo >= 0) == (r.Lo >= a.Lo) && (b.Hi >= 0) == (r.Hi >= a.Hi)
}

func difference(a, b Interval) (Interval, bool) {
	r := Interval{a.Lo - b.Hi, a.Hi - b.Lo}
	return r, (b.Hi >= 0) == (r.Lo <= a.Lo) && (b.Lo >= 0) == (r.Hi <= a.Hi)
}

func product(a, b Interval) (Interval, bool) {
	r := Interval{math.MaxInt64, math.MinInt64}
	for _, x := range [2]int64{a.Lo, a.Hi} {
		for _, y := range [2]int64{b.Lo, b.Hi} {
			p, ok := exactProduct(x, y)
			if !ok {
				return r, false
			}
			r.Lo, r.Hi = min(r.Lo, p), max(r.Hi, p)
		}
	}
	return r, true
}

func exactProduct(x, y int64) (int64, bool) {
	size := func(x int64) uint64 { // also of the smallest one
		if x < 0 {
			return -uint64(x)
		}
		return uint64(x)
	}
	high, low := bits.Mul64(size(x), size(y))
	if (x < 0) != (y < 0) {
		return -int64(low), high == 0 && low <= 1<<63
	}
	return int64(low), high == 0 && low <= math.MaxInt64
}
