package target

import (
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
// of its type. A loop's variable that grows by a constant skips numbers, and its interval ends
// with the last one that it takes. (In T. Reps, G. Balakrishnan, J. Lim, "Intermediate-representation
// recovery from low-level code", 2006, each interval has such a stride.)
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

// A LaunchSize says how many threads run.
type LaunchSize struct {
	Dims  []int64 // threads along each axis; blocks in a launch of a Block kernel
	Block int64   // threads in a block
}

// A Formula is one operation of a LaunchTest.
type Formula struct {
	// Op is OpConst, OpThreadID (also for the index of a Block), OpThreadDim, OpLane, OpBlockID, OpBlockDim, OpLen for a
	// number in an argument, arithmetic, OpIf for one of the operands, or OpInvalid for any number of the type.
	Op ssa.Op
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
	// Not is what the formula is not. That is of use if it is one number in all threads, and at an end of the interval.
	Not []Limit `json:",omitempty"`
	// By, if it is not 0, says that the number is a multiple of it more than the formula From. That is of use if From is one
	// number in all threads.
	By   int64 `json:",omitempty"`
	From int   `json:",omitempty"`
}

// A Limit is a formula plus a constant; formula -1 is zero.
type Limit struct {
	Formula int
	Plus    int64
}

// Holds reports whether the checks hold in all threads of a launch, by its size and
// by the arguments after the Thread, each as its bytes in memory.
func (t *LaunchTest) Holds(size LaunchSize, args [][]byte) bool {
	x := make([]analysis.Interval, len(t.Formulas))
	exact := make([]bool, len(t.Formulas))
	for i := range t.Formulas {
		x[i], exact[i] = t.Formulas[i].eval(x, &size, args)
	}
	for _, c := range t.Checks {
		if !c.holds(x, exact) {
			return false
		}
	}
	return true
}

func (c *LaunchCheck) holds(x []analysis.Interval, exact []bool) bool {
	var v [3]analysis.Interval
	for i, k := range c.Operands {
		if v[i] = x[k]; v[i].Empty() {
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
		return v[0].Lo >= 0 && v[0].Hi < v[1].Lo
	case ssa.CheckSlice:
		return v[0].Lo >= 0 && (c.Ordered || v[0].Hi <= v[1].Lo) && v[1].Hi <= v[2].Lo
	case ssa.CheckDivide:
		return v[0].Lo > 0 || v[0].Hi < 0
	case ssa.CheckShift:
		return v[0].Lo >= 0
	}
	return false
}

// eval is the formula's interval, and whether its operation is sure not to wrap. What
// guards say of a number that has wrapped hides that it has.
func (f *Formula) eval(x []analysis.Interval, size *LaunchSize, args [][]byte) (r analysis.Interval, exact bool) {
	r, exact = f.base(x, size, args)
	for _, l := range f.AtMost {
		hi, ok := l.Plus, true
		if l.Formula >= 0 {
			if x[l.Formula].Empty() {
				return analysis.Interval{Lo: 0, Hi: -1}, true
			}
			hi, ok = analysis.Plus(x[l.Formula].Hi, l.Plus)
		}
		if ok {
			r.Hi = min(r.Hi, hi)
		}
	}
	for _, l := range f.AtLeast {
		lo := l.Plus
		if l.Formula >= 0 {
			if x[l.Formula].Empty() {
				return analysis.Interval{Lo: 0, Hi: -1}, true
			}
			s := x[l.Formula].Lo + l.Plus
			if (l.Plus >= 0) != (s >= x[l.Formula].Lo) {
				continue
			}
			lo = s
		}
		r.Lo = max(r.Lo, lo)
	}
	for _, l := range f.Not {
		not := analysis.Interval{}
		if l.Formula >= 0 {
			not = x[l.Formula]
		}
		if n, ok := analysis.Plus(not.Lo, l.Plus); ok && not.Lo == not.Hi {
			if n == r.Lo {
				r.Lo++
			}
			if n == r.Hi {
				r.Hi--
			}
		}
	}
	if from := x[f.From]; f.By != 0 && from.Lo == from.Hi {
		if far, ok := analysis.Arithmetic(ssa.OpSub, ssa.Int64, r, from); ok && far.Hi >= 0 {
			r.Hi -= far.Hi % f.By
		}
	}
	return r, exact
}

// base is eval without the limits.
func (f *Formula) base(x []analysis.Interval, size *LaunchSize, args [][]byte) (analysis.Interval, bool) {
	all := analysis.OfType(f.Type)
	if f.Op == ssa.OpIf {
		r := analysis.Interval{Lo: 0, Hi: -1}
		for _, k := range f.Operands {
			switch {
			case x[k].Empty():
			case r.Empty():
				r = x[k]
			default:
				r = analysis.Interval{Lo: min(r.Lo, x[k].Lo), Hi: max(r.Hi, x[k].Hi)}
			}
		}
		return r, true
	}
	var a, b analysis.Interval
	if len(f.Operands) > 0 {
		a = x[f.Operands[0]]
		b = x[f.Operands[len(f.Operands)-1]]
		if a.Empty() || b.Empty() {
			return analysis.Interval{Lo: 0, Hi: -1}, true
		}
	}
	r, ok := all, true
	switch f.Op {
	case ssa.OpConst:
		r = analysis.Interval{Lo: f.Const, Hi: f.Const}
	case ssa.OpThreadID:
		r = analysis.Interval{Lo: 0, Hi: size.along(f.Axis) - 1}
		if f.Flat {
			r.Hi = size.threads() - 1
		}
	case ssa.OpThreadDim:
		r = analysis.Interval{Lo: size.along(f.Axis), Hi: size.along(f.Axis)}
	case ssa.OpLane:
		r = analysis.Interval{Lo: 0, Hi: min(size.threads(), size.Block) - 1}
	case ssa.OpBlockID:
		r = analysis.Interval{Lo: 0, Hi: (size.threads() - 1) / size.Block}
	case ssa.OpBlockDim:
		r = analysis.Interval{Lo: size.Block, Hi: size.Block}
	case ssa.OpLen:
		n, in := numberIn(f.Type, args, f.Arg, f.Offset)
		r, ok = analysis.Interval{Lo: n, Hi: n}, in
	default:
		if f.Op != ssa.OpInvalid {
			return analysis.Arithmetic(f.Op, f.Type, a, b)
		}
	}
	if !ok || r.Lo < all.Lo || r.Hi > all.Hi {
		return all, false
	}
	return r, true
}

func (s *LaunchSize) along(axis int) int64 {
	if axis < len(s.Dims) {
		return s.Dims[axis]
	}
	return 1
}

// threads is how many threads run, or blocks in a launch of a Block kernel.
func (s *LaunchSize) threads() int64 {
	n := int64(1)
	for _, d := range s.Dims {
		n *= d // the launch has seen to it that this is an int64
	}
	return n
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
