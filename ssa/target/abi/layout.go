package abi

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A Target is what differs between targets in what their kernels are given.
type Target struct {
	// Divides is set if threads find their place in the launch by dividing their flat index, on
	// a machine that is slow at it. Argument structs then end with the number of threads, and with
	// divisors, see [Sizes]; and where 32 bits hold what is divided, the text says so.
	Divides bool
}

// The targets.
var (
	CPU = Target{}
	GPU = Target{Divides: true}
)

// Layout says where a kernel's arguments lie in its argument struct, which
// begins with the launch's four dimensions of 64 bits each; the number of threads in a
// block follows where results may depend on it. What a target has of the launch beside that
// stands at the end.
type Layout struct {
	Size    int
	Offsets []int // of the kernel's parameters after the Thread
	Sizes   Sizes
}

// Args is the layout of a kernel's argument struct: that of the C++ struct that is
// printed for it, with natural alignment.
func (t Target) Args(f *ssa.Func) Layout { return t.ArgsWith(f, new(analysis.Summaries)) }

// ArgsWith is Args with the facts about the kernel.
func (t Target) ArgsWith(f *ssa.Func, summaries *analysis.Summaries) Layout {
	l := structLayout(Params(f), Blocked(f, summaries))
	if !t.Divides {
		return l
	}
	if f.Kind == ssa.ThreadKernel {
		l.Sizes.Threads = l.Size
		l.Size += 8
	}
	if f.Rank > 1 {
		l.Sizes.Divisors, l.Sizes.Rank = l.Size, f.Rank
		l.Size += f.Rank * divisorSize
	}
	return l
}

// Params are the parameters of a kernel that a launch gives it.
func Params(k *ssa.Func) []*ssa.Value {
	params := k.Params()[1:]
	if k.Phased {
		params = params[:len(params)-1]
	}
	return params
}

// HostLayout is the layout of the arguments of a Grid kernel, by the same rule:
// its function has no parameter for the Grid.
func HostLayout(f *ssa.Func) Layout { return structLayout(f.Params(), false) }

func structLayout(params []*ssa.Value, blocked bool) Layout {
	const dims = 4 * 8
	l := Layout{Size: dims}
	if blocked {
		l.Size += 8
	}
	for _, p := range params {
		l.Size = ssa.AlignUp(l.Size, p.Type.Align())
		l.Offsets = append(l.Offsets, l.Size)
		l.Size += p.Type.Size()
	}
	l.Size = ssa.AlignUp(l.Size, 8)
	return l
}

// Blocked reports whether the argument struct of a kernel has the number of threads in a
// block, which then is what the launch must have, on every device.
func Blocked(f *ssa.Func, summaries *analysis.Summaries) bool {
	return f.Kind == ssa.ThreadKernel && (f.Blocked || summaries.Of(f).Block)
}
