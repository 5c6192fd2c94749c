package target

import (
	"errors"
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
)

// The lanes of vectors are neighbours along the last axis of a launch. So a launch over many rows of three threads has no
// use for vectors, and the same launch with another axis in the place of the last one has. Threads run in any order: it is
// loop interchange (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2001, chapter 5), which is legal
// for parallel loops. The kernel still sees its launch as the user gave it.

// Interchange makes a kernel for launches in which an axis has changed places with the last one. It returns the
// functions that have changed, or why the kernel of a module cannot be launched so.
func Interchange(m *ssa.Module, axis int, summaries *analysis.Summaries) (changed []*ssa.Func, err error) {
	if m.Host() != nil {
		return nil, errors.New("the axes of a Grid kernel's loops are interchanged where their last size is a small constant, and nowhere else")
	}
	kernels := m.Device().Kernels()
	if len(kernels) != 1 || kernels[0].Kind != ssa.ThreadKernel || abi.Blocked(kernels[0], summaries) {
		return nil, errors.New("it knows of blocks, which are made of neighbours along the last axis: its axes cannot be interchanged")
	}
	x := interchange{axis: int8(axis), last: int8(kernels[0].Rank - 1)}
	if x.last < 1 {
		return nil, errors.New("it asks for no index along an axis, so its launches have no axes that can be interchanged")
	}
	if axis < 0 || x.axis >= x.last {
		return nil, fmt.Errorf("its launches over %d dimensions have no axis %d in front of the last one", kernels[0].Rank, axis)
	}
	kernels[0].Interchanged = axis + 1
	for _, f := range m.Funcs {
		if x.in(f) {
			changed = append(changed, f)
		}
	}
	return changed, nil
}

// InterchangeLoops does the same to those parallel loops of a Grid kernel whose last size is known to be less than the
// number of lanes of a vector, which lanes gives for numbers of so many bytes. Loops that print stay as they are, as do
// those that use results of atomic operations: both show in which order threads run.
func InterchangeLoops(m *ssa.Module, lanes func(bytes int) int, summaries *analysis.Summaries) (changed []*ssa.Func) {
	launches := make(map[*ssa.Func][]*ssa.Instr)
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpLaunch {
				launches[in.Callee] = append(launches[in.Callee], in)
			}
		})
	}
	for _, k := range m.Kernels() {
		of := launches[k]
		if len(of) == 0 || k.Rank < 2 || summaries.Of(k).Effects.Has(analysis.Prints) || analysis.Ordered(k) || givesThread(k) {
			continue
		}
		n := lanes(numberSize(k))
		axis := longAxis(of[0], n)
		if axis < 0 || slices.ContainsFunc(of, func(in *ssa.Instr) bool { return longAxis(in, n) != axis }) {
			continue
		}
		x := interchange{axis: int8(axis), last: int8(k.Rank - 1)}
		k.Interchanged = axis + 1
		x.in(k)
		for _, in := range of {
			in.Args[x.axis], in.Args[x.last] = in.Args[x.last], in.Args[x.axis]
		}
		changed = append(changed, k)
	}
	return changed
}

// longAxis is the axis of a launch that changes places with the last one, which is known to be shorter than n: the
// nearest one that is not. It is -1 if there is none.
func longAxis(in *ssa.Instr, n int) int {
	isShort := func(axis int) bool {
		c, ok := in.Args[axis].Const()
		return ok && c.Int() < int64(n)
	}
	axis := int(in.Rank) - 1
	if !isShort(axis) {
		return -1
	}
	for axis--; axis >= 0 && isShort(axis); axis-- {
	}
	return axis
}

// givesThread reports whether a kernel passes its Thread to a function.
func givesThread(k *ssa.Func) (gives bool) {
	k.Body.Walk(func(in *ssa.Instr) {
		gives = gives || in.Op == ssa.OpCall && slices.Contains(in.Args, k.Params()[0])
	})
	return gives
}

// numberSize is the size of the largest floats in a kernel, 4 if it has none.
func numberSize(k *ssa.Func) int {
	size := 4
	k.Body.Walk(func(in *ssa.Instr) {
		for _, r := range in.Results {
			if ssa.IsFloat(r.Type) {
				size = max(size, r.Type.Size())
			}
		}
	})
	return size
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
