package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A launch over several axes is often about numbers that lie in memory as its threads are counted, as those of an image by
// height, width and 3 channels. Such axes can be one: thread (i, j, k) does what thread (i, 0, 3*j + k) would do. Then
// vectors have longer rows to run. That is loop collapsing, or coalescing (C. D. Polychronopoulos, "Loop coalescing:
// a compiler transformation for parallel machines", 1987), but nothing is divided: the kernel knows its indices only as
// parts of sums, which stay the same.

// Collapse finds the launches of a kernel in which axes can be one with those behind them. The first test is for the last
// axis but one and the last axis, the next one for these and the axis before, and so on. Each test is for launches in which
// those before it hold.
func Collapse(k *ssa.Func) (tests []*LaunchTest) {
	if !k.Kernel || k.Kind != ssa.ThreadKernel || k.Rank < 2 || k.Blocked || k.Interchanged != 0 {
		return nil
	}
	c := &collapser{rank: k.Rank, h: newHoister(k, nil), memo: make(map[*ssa.Value]coefficients)}
	c.h.uniform = true
	c.h.begin()
	if !c.placed(k) {
		return nil
	}
	sums := c.sums(k)
	for axis := k.Rank - 2; axis >= c.least; axis-- {
		test := c.test(axis, sums)
		if test == nil {
			break
		}
		tests = append(tests, test)
	}
	return tests
}

// maxCollapse is how many formulas a test has at most.
const maxCollapse = 64

// coefficients are the formulas that the indices along the axes are multiplied by in a sum, -1 for zero. They are nil for what
// is no sum with an index in it.
type coefficients []int

// collapser finds what a kernel does with the indices of its threads.
type collapser struct {
	rank  int
	least int // the first axis that may be one with others
	h     *hoister
	memo  map[*ssa.Value]coefficients
}

// placed reports whether all that is asked of the thread is its indices. The sizes of axes that are asked for stay as they
// are.
func (c *collapser) placed(k *ssa.Func) bool {
	fine := true
	k.Body.Walk(func(in *ssa.Instr) {
		if !slices.Contains(in.Args, k.Params()[0]) {
			return
		}
		switch {
		case in.Op == ssa.OpThreadID && (int(in.Rank) == c.rank || in.Rank == 1) && !in.Rows:
		case in.Op == ssa.OpThreadDim:
			c.least = max(c.least, int(in.Axis)+1)
		default:
			fine = false
		}
	})
	return fine
}

// of are the coefficients of a value.
func (c *collapser) of(v *ssa.Value) coefficients {
	if v.Type != ssa.Int64 || v.Def == nil {
		return nil
	}
	if got, ok := c.memo[v]; ok {
		return got
	}
	c.memo[v] = c.compute(v.Def)
	return c.memo[v]
}

func (c *collapser) compute(d *ssa.Instr) coefficients {
	if len(c.h.test.Formulas) > maxCollapse {
		return nil
	}
	switch d.Op {
	case ssa.OpThreadID:
		if int(d.Rank) == c.rank {
			x := coefficients(slices.Repeat([]int{-1}, c.rank))
			x[d.Axis] = c.h.emit(Formula{Op: ssa.OpConst, Type: ssa.Int64, Const: 1})
			return x
		}
	case ssa.OpNeg:
		return c.scaled(c.of(d.Args[0]), c.h.emit(Formula{Op: ssa.OpConst, Type: ssa.Int64, Const: -1}))
	case ssa.OpAdd, ssa.OpSub:
		x, y := c.of(d.Args[0]), c.of(d.Args[1])
		switch {
		case y == nil:
			return x
		case x == nil && d.Op == ssa.OpAdd:
			return y
		case x == nil:
			x = slices.Repeat([]int{-1}, c.rank)
		}
		return c.sum(d.Op, x, y)
	case ssa.OpMul:
		for i, a := range d.Args {
			if x := c.of(a); x != nil {
				if by := c.h.formula(d.Args[1-i]); by >= 0 {
					return c.scaled(x, by)
				}
			}
		}
	}
	return nil
}

// scaled are coefficients times a formula.
func (c *collapser) scaled(x coefficients, by int) coefficients {
	scaled := slices.Clone(x)
	for axis, k := range x {
		if k >= 0 {
			scaled[axis] = c.h.emit(Formula{Op: ssa.OpMul, Type: ssa.Int64, Operands: []int{k, by}})
		}
	}
	return scaled
}

func (c *collapser) sum(op ssa.Op, x, y coefficients) coefficients {
	sum := slices.Clone(x)
	for axis, k := range y {
		switch {
		case k < 0:
		case x[axis] < 0 && op == ssa.OpAdd:
			sum[axis] = k
		case x[axis] < 0:
			sum[axis] = c.h.emit(Formula{Op: ssa.OpNeg, Type: ssa.Int64, Operands: []int{k}})
		default:
			sum[axis] = c.h.emit(Formula{Op: op, Type: ssa.Int64, Operands: []int{x[axis], k}})
		}
	}
	return sum
}

// sums are the coefficients of the values that are used for something else than a larger sum.
func (c *collapser) sums(k *ssa.Func) (list []coefficients) {
	k.Body.Walk(func(in *ssa.Instr) {
		if len(in.Results) == 1 && c.of(in.Result()) != nil {
			return
		}
		for _, a := range in.Args {
			if x := c.of(a); x != nil && !slices.ContainsFunc(list, func(y coefficients) bool { return slices.Equal(x, y) }) {
				list = append(list, x)
			}
		}
	})
	return list
}

// test is that of the launches in which an axis is one with those behind it: in each sum, the next index along the axis is as
// much as all those behind it together. It is nil if there are none.
func (c *collapser) test(axis int, sums []coefficients) *LaunchTest {
	length := -1
	for a := axis + 1; a < c.rank; a++ {
		n := c.h.emit(Formula{Op: ssa.OpThreadDim, Type: ssa.Int64, Axis: a})
		if length >= 0 {
			n = c.h.emit(Formula{Op: ssa.OpMul, Type: ssa.Int64, Operands: []int{length, n}})
		}
		length = n
	}
	test := &LaunchTest{}
	for _, x := range sums {
		a, b := x[axis], x[c.rank-1]
		if a < 0 && b < 0 {
			continue
		}
		if a < 0 || b < 0 {
			return nil
		}
		all := c.h.emit(Formula{Op: ssa.OpMul, Type: ssa.Int64, Operands: []int{b, length}})
		for _, of := range [][]int{{a, all}, {all, a}} { // neither is less than the other one
			difference := c.h.emit(Formula{Op: ssa.OpSub, Type: ssa.Int64, Operands: of})
			test.Checks = append(test.Checks, LaunchCheck{Check: ssa.CheckShift, Operands: []int{difference}})
		}
	}
	if test.Formulas = c.h.test.Formulas; len(test.Formulas) > 2*maxCollapse {
		return nil
	}
	return test
}
