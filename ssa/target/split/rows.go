package split

import (
	"math/bits"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
)

// This file lets the threads of a launch over one dimension run in rows. Many kernels take the index of their thread apart,
// as in y, x := i/w, i%w. In a row of w threads i/w is the same for all of them, and i%w counts them. So nothing is divided.
// What lies next to each other in memory is seen to do so. The row can be split where x is clamped or tested.

// Rows finds whether the threads of a kernel run in rows, and lets them. It reports whether they do.
func (c *Costs) Rows(k *ssa.Func, summaries *analysis.Summaries) bool {
	if k.Kind != ssa.ThreadKernel || k.Rank > 1 || k.Interchanged != 0 || abi.Blocked(k, summaries) || !analysis.NewBottomUp(c.isShort).Of(k) {
		return false
	}
	best := c.formsOf(k).bestParting()
	if best == nil {
		return false
	}
	k.Rows = &ssa.Rows{Width: best.width, Least: c.leastRow, Most: maxRoom}
	for axis, list := range [][]*ssa.Instr{best.rows, best.columns} {
		for _, in := range list {
			in.Op, in.Args, in.Fit = ssa.OpThreadID, []*ssa.Value{k.Params()[0]}, ssa.FitUnknown
			in.Axis, in.Rank, in.Rows = int8(axis), 2, true
		}
	}
	summaries.Changed(k)
	summaries.Remarks.OnFunc("rows", ssa.Done, k, "threads run in rows of %v, as their index is divided by that", best.width)
	return true
}

// isShort reports whether divisions are a good part of what a thread does. If not, lanes can afford them, and run rows of any
// length.
func (c *Costs) isShort(f *ssa.Func, of func(*ssa.Func) bool) bool {
	short := true
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			short = short && c.IsUnrolled(in)
		case ssa.OpMath:
			short = short && in.Math.IsOperation()
		case ssa.OpCall:
			short = short && of(in.Callee)
		case ssa.OpRecur, ssa.OpCopy:
			short = false
		}
	})
	return short
}

// A parting is what takes the index apart by one divisor.
type parting struct {
	width         *ssa.RowValue
	rows, columns []*ssa.Instr
}

// bestParting is what takes the index of a kernel's threads apart by the divisor that says most about rows, nil for none.
func (w *forms) bestParting() (best *parting) {
	var order []*parting
	of := make(map[string]*parting)
	w.kernel.Body.Walk(func(in *ssa.Instr) {
		width, isRow := w.parts(in)
		if width == nil {
			return
		}
		p := of[width.String()]
		if p == nil {
			p = &parting{width: width}
			of[width.String()], order = p, append(order, p)
		}
		if isRow {
			p.rows = append(p.rows, in)
		} else {
			p.columns = append(p.columns, in)
		}
	})
	for _, p := range order {
		if best == nil || p.worth() > best.worth() {
			best = p
		}
	}
	return best
}

// worth ranks divisors: both parts say that there are rows, and a column says more than a row, which may be a plane.
func (p *parting) worth() (worth int) {
	if len(p.columns) > 0 {
		worth += 2
	}
	if len(p.rows) > 0 {
		worth++
	}
	return worth
}

// parts is what an instruction divides the index of the thread by, nil if it does not, and whether it gives the row, and not
// the column. What the test of a loop divides is more than the index in the turn that does not come, if the loop's counter is
// in it.
func (w *forms) parts(in *ssa.Instr) (width *ssa.RowValue, isRow bool) {
	switch in.Op {
	case ssa.OpDiv, ssa.OpRem, ssa.OpShr, ssa.OpAnd:
	default:
		return nil, false
	}
	x := w.of(in.Args[0])
	if in.Results[0].Type != ssa.Int64 || x.kind != formIndex || !x.isIndex() || x.counted && inTest(in) {
		return nil, false
	}
	by := w.of(in.Args[1])
	if by.kind != formUniform {
		return nil, false
	}
	isRow = in.Op == ssa.OpDiv || in.Op == ssa.OpShr
	if by.at.constant {
		n := by.at.offset
		switch in.Op {
		case ssa.OpShr:
			if n < 0 || n >= int64(bits.Len64(maxRoom)) {
				return nil, false
			}
			n = 1 << n
		case ssa.OpAnd:
			if n++; n&(n-1) != 0 {
				return nil, false
			}
		}
		if n < w.table.leastConst || n > maxRoom {
			return nil, false
		}
		return &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64, Const: n}, isRow
	}
	if in.Op == ssa.OpShr || in.Op == ssa.OpAnd {
		return nil, false
	}
	return by.at.value(), isRow
}
