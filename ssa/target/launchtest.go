package target

import (
	"math"
	"math/bits"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A LaunchTest tells from a launch's sizes and arguments whether certain checks hold
// in all of its threads. It is data, and can be kept with the compiled kernel.
//
// Each value that a check is about is a formula over the indices of the threads, the
// arguments, and the lengths of the slices among them. With the sizes and arguments
// of a launch, the formulas are computed over intervals, from those of the indices on
// (R. E. Moore, "Interval Analysis", 1966). Where one might wrap, its interval is all
// of its type.
type LaunchTest struct {
	Formulas []Formula // each after those that it is made of
	Checks   []LaunchCheck
}

// A LaunchCheck is a check on formulas, by their places.
type LaunchCheck struct {
	Check    ssa.Check
	Operands []int
	// Ordered: of CheckSlice, low is not above high if none of the formulas in Exact wraps.
	Ordered bool  `json:",omitempty"`
	Exact   []int `json:",omitempty"`
}

// A Formula is one operation of a LaunchTest.
type Formula struct {
	Op ssa.Op // OpConst, OpThreadID, OpThreadDim, OpLen for a number in an argument, arithmetic, or opInvalid for any number of the type
	// Type is the integer type of the formula.
	Type     ssa.Basic
	Operands []int `json:",omitempty"`
	Const    int64 `json:",omitempty"`
	Axis     int   `json:",omitempty"` // OpThreadID, OpThreadDim
	Flat     bool  `json:",omitempty"` // OpThreadID: the flat index
	Arg      int   `json:",omitempty"` // OpLen: the argument, 0 for the first after the Thread
	Offset   int   `json:",omitempty"` // OpLen: of the number in the argument's bytes
	// AtMost and AtLeast bound the formula: by what guards and loops say.
	AtMost  []Limit `json:",omitempty"`
	AtLeast []Limit `json:",omitempty"`
}

// A Limit is a formula plus a constant; formula -1 is zero.
type Limit struct {
	Formula int
	Plus    int64
}

// interval is the numbers from lo to hi, none if hi < lo.
type interval struct{ lo, hi int64 }

func (x interval) empty() bool { return x.hi < x.lo }

// Holds reports whether the checks hold in all threads of a launch, by its sizes and
// by the arguments after the Thread, each as its bytes in memory.
func (t *LaunchTest) Holds(dims []int64, args [][]byte) bool {
	x := make([]interval, len(t.Formulas))
	exact := make([]bool, len(t.Formulas))
	for i := range t.Formulas {
		x[i], exact[i] = t.Formulas[i].eval(x, dims, args)
	}
	for _, c := range t.Checks {
		if !c.holds(x, exact) {
			return false
		}
	}
	return true
}

func (c *LaunchCheck) holds(x []interval, exact []bool) bool {
	var v [3]interval
	for i, k := range c.Operands {
		if v[i] = x[k]; v[i].empty() {
			return true // no thread comes to it
		}
	}
	for _, k := range c.Exact {
		if !exact[k] {
			return false
		}
	}
	switch c.Check {
	case ssa.CheckIndex:
		return v[0].lo >= 0 && v[0].hi < v[1].lo
	case ssa.CheckSlice:
		return v[0].lo >= 0 && (c.Ordered || v[0].hi <= v[1].lo) && v[1].hi <= v[2].lo
	case ssa.CheckDivide:
		return v[0].lo > 0 || v[0].hi < 0
	case ssa.CheckShift:
		return v[0].lo >= 0
	}
	return false
}

// eval is the formula's interval, and whether its operation is sure not to wrap. What
// guards say of a number that has wrapped hides that it has.
func (f *Formula) eval(x []interval, dims []int64, args [][]byte) (r interval, exact bool) {
	r, exact = f.base(x, dims, args)
	for _, l := range f.AtMost {
		hi, ok := l.Plus, true
		if l.Formula >= 0 {
			if x[l.Formula].empty() {
				return interval{0, -1}, true
			}
			hi, ok = analysis.Plus(x[l.Formula].hi, l.Plus)
		}
		if ok {
			r.hi = min(r.hi, hi)
		}
	}
	for _, l := range f.AtLeast {
		lo := l.Plus
		if l.Formula >= 0 {
			if x[l.Formula].empty() {
				return interval{0, -1}, true
			}
			s := x[l.Formula].lo + l.Plus
			if (l.Plus >= 0) != (s >= x[l.Formula].lo) {
				continue
			}
			lo = s
		}
		r.lo = max(r.lo, lo)
	}
	return r, exact
}

// base is eval without the limits.
func (f *Formula) base(x []interval, dims []int64, args [][]byte) (interval, bool) {
	lo, hi := analysis.Limits(f.Type)
	all := interval{lo, hi}
	var a, b interval
	if len(f.Operands) > 0 {
		a = x[f.Operands[0]]
		b = x[f.Operands[len(f.Operands)-1]]
		if a.empty() || b.empty() {
			return interval{0, -1}, true
		}
	}
	r, ok := all, true
	switch f.Op {
	case ssa.OpConst:
		r = interval{f.Const, f.Const}
	case ssa.OpThreadID:
		r = interval{0, size(dims, f.Axis) - 1}
		if f.Flat {
			n := int64(1)
			for _, d := range dims {
				n *= d // the launch has seen to it that this is an int64
			}
			r.hi = n - 1
		}
	case ssa.OpThreadDim:
		r = interval{size(dims, f.Axis), size(dims, f.Axis)}
	case ssa.OpLen:
		n, in := numberIn(f.Type, args, f.Arg, f.Offset)
		r, ok = interval{n, n}, in
	case ssa.OpAdd:
		r, ok = sum(a, b)
	case ssa.OpSub:
		if b.lo == math.MinInt64 {
			return all, false
		}
		r, ok = sum(a, interval{-b.hi, -b.lo})
	case ssa.OpMul:
		r, ok = product(a, b)
	case ssa.OpMin:
		r = interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	case ssa.OpMax:
		r = interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	case ssa.OpDiv:
		if b.lo < 1 {
			return all, false
		}
		r = interval{min(a.lo/b.lo, a.lo/b.hi), max(a.hi/b.lo, a.hi/b.hi)}
	case ssa.OpRem:
		if b.lo < 1 {
			return all, false
		}
		r = interval{max(min(a.lo, 0), 1-b.hi), min(max(a.hi, 0), b.hi-1)}
	case ssa.OpAnd:
		switch {
		case a.lo >= 0 && b.lo >= 0:
			r = interval{0, min(a.hi, b.hi)}
		case a.lo >= 0:
			r = interval{0, a.hi}
		case b.lo >= 0:
			r = interval{0, b.hi}
		}
	case ssa.OpShr:
		if b.lo < 0 {
			return all, false
		}
		r = interval{min(a.lo>>b.lo, a.lo>>b.hi), max(a.hi>>b.lo, a.hi>>b.hi)}
	case ssa.OpConvert:
		r = a
	}
	if !ok || r.lo < lo || r.hi > hi {
		return all, false
	}
	return r, true
}

func size(dims []int64, axis int) int64 {
	if axis < len(dims) {
		return dims[axis]
	}
	return 1
}

// numberIn is an integer in an argument's bytes.
func numberIn(t ssa.Basic, args [][]byte, arg, offset int) (int64, bool) {
	if arg >= len(args) || offset+t.Size() > len(args[arg]) {
		return 0, false
	}
	var word uint64 // little-endian
	for i, b := range args[arg][offset : offset+t.Size()] {
		word |= uint64(b) << (8 * i)
	}
	return int64(ssa.Wrap(t, word)), true
}

func sum(a, b interval) (interval, bool) {
	r := interval{a.lo + b.lo, a.hi + b.hi}
	ok := (b.lo >= 0) == (r.lo >= a.lo) && (b.hi >= 0) == (r.hi >= a.hi)
	return r, ok
}

func product(a, b interval) (interval, bool) {
	r := interval{math.MaxInt64, math.MinInt64}
	for _, x := range [2]int64{a.lo, a.hi} {
		for _, y := range [2]int64{b.lo, b.hi} {
			p, ok := exactProduct(x, y)
			if !ok {
				return r, false
			}
			r.lo, r.hi = min(r.lo, p), max(r.hi, p)
		}
	}
	return r, true
}

func exactProduct(x, y int64) (int64, bool) {
	if x == math.MinInt64 || y == math.MinInt64 {
		return 0, false
	}
	negative := (x < 0) != (y < 0)
	high, low := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(low), true
	}
	return int64(low), true
}
