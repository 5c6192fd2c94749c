package target

import (
	"errors"
	"fmt"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
)

// Interchange makes a kernel for launches in which an axis has changed places with the last one: it is loop interchange
// (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2001, chapter 5), which is legal as threads run
// in any order. The lanes of vectors are neighbours along the last axis. So a launch over many rows of three threads has
// no use for vectors, and the same launch with its axes interchanged has.
//
// The kernel still sees the launch as the user gave it. It returns the functions that have changed, or why the kernel of
// a module cannot be launched so.
func Interchange(m *ssa.Module, axis int, summaries *analysis.Summaries) (changed []*ssa.Func, err error) {
	kernels := m.Device().Kernels()
	if m.Host() != nil || len(kernels) != 1 || kernels[0].Kind != ssa.ThreadKernel || abi.Blocked(kernels[0], summaries) {
		return nil, errors.New("it knows of blocks, which are made of neighbours along the last axis: its axes cannot be interchanged")
	}
	x := interchange{axis: int8(axis), last: int8(kernels[0].Rank - 1)}
	if x.last < 1 {
		return nil, errors.New("it asks for no index along an axis, so its launches have no axes that can be interchanged")
	}
	if axis < 0 || x.axis >= x.last {
		return nil, fmt.Errorf("its launches over %d dimensions have no axis %d in front of the last one", kernels[0].Rank, axis)
	}
	m.Interchanged = axis + 1
	for _, f := range m.Funcs {
		if x.in(f) {
			changed = append(changed, f)
		}
	}
	return changed, nil
}

// interchange exchanges two axes in the functions of a module.
type interchange struct {
	axis, last int8
}

func (x *interchange) in(f *ssa.Func) (changed bool) {
	f.Body.InFront(func(b *ssa.Block, in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpThreadID && in.Rank == 1:
			x.flat(b, in)
		case in.Op == ssa.OpThreadID, in.Op == ssa.OpThreadDim:
			in.Axis = x.other(in.Axis)
		default:
			return
		}
		changed = true
	})
	return changed
}

// other is where the launch has an axis.
func (x *interchange) other(axis int8) int8 {
	switch axis {
	case x.axis:
		return x.last
	case x.last:
		return x.axis
	}
	return axis
}

// flat computes the flat index of a thread from those along the axes, in the place of an instruction at the end of a block.
func (x *interchange) flat(b *ssa.Block, in *ssa.Instr) {
	place := func(op ssa.Op, axis, rank int8) *ssa.Value {
		return b.Append(&ssa.Instr{Op: op, Axis: x.other(axis), Rank: rank, Args: in.Args, Pos: in.Pos, Stmt: in.Stmt}, ssa.Int64).Result()
	}
	op := func(op ssa.Op, args ...*ssa.Value) *ssa.Value {
		return b.Append(&ssa.Instr{Op: op, Args: args, Pos: in.Pos, Stmt: in.Stmt}, ssa.Int64).Result()
	}
	rank := x.last + 1
	index := place(ssa.OpThreadID, 0, rank)
	for axis := int8(1); axis < x.last; axis++ {
		index = op(ssa.OpAdd, op(ssa.OpMul, index, place(ssa.OpThreadDim, axis, 0)), place(ssa.OpThreadID, axis, rank))
	}
	row := op(ssa.OpMul, index, place(ssa.OpThreadDim, x.last, 0))
	*in = ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{row, place(ssa.OpThreadID, x.last, rank)}, Results: in.Results, Block: in.Block, Pos: in.Pos, Stmt: in.Stmt}
}
