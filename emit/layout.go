package emit

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Layout says where a kernel's arguments lie in its argument struct, which
// begins with the launch's four dimensions of 64 bits each; the number of threads in a
// block follows where results may depend on it. What a dialect has of the launch beside that
// stands at the end.
type Layout struct {
	Size    int
	Offsets []int // of the kernel's parameters after the Thread
	Sizes   Sizes
}

// ArgsLayout is the layout of f's argument struct: that of the C++ struct that is
// printed for it, with natural alignment. The text asserts its size.
func (d *Dialect) ArgsLayout(f *ssa.Func) Layout { return d.argsLayout(f, Blocked(f)) }

func (d *Dialect) argsLayout(f *ssa.Func, blocked bool) Layout {
	l := structLayout(launchParams(f), blocked)
	if !d.Divides {
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
func Blocked(f *ssa.Func) bool { return blocked(f, new(analysis.Summaries)) }

func blocked(f *ssa.Func, known *analysis.Summaries) bool {
	return f.Kind == ssa.ThreadKernel && known.Of(f).Block
}
