package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// CPUFrames is how many bytes of stack the variables of a kernel and of the functions that it calls in one another may take
// on a CPU, without recursion. Kernels run on threads of the Go runtime, which have 8 MiB where nobody has asked for
// another size, on Linux and on macOS. There has to be room as well for recursion, [CPUStack], for the arrays of lanes,
// maxStack, and for as much memory of a block.
const CPUFrames = 2 << 20

// frameBytes is what a call takes of the stack besides its variables in memory and its values.
const frameBytes = 128

// frameOf is about how many bytes of stack a call of a function takes. Each value counts a word, though most are in
// registers. Of structs and arrays, those count with all of their bytes that a compiler cannot take apart, or keeps
// beside others: what memoryOf counts, what Ifs give, and what is loaded from memory that may change. Others are made of
// these, part by part, and a compiler has them in the same place, or only the parts that are used: if a struct that gets
// its fields one after the other counted each time, the estimate would be many times too high.
func frameOf(f *ssa.Func) int {
	n := frameBytes + 8*f.NumValues() + memoryOf(f)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpIf || in.Op == ssa.OpLoad {
			n += largeBytes(in.Results)
		}
	})
	return n
}

// memoryOf is how many bytes of memory a function needs on the stack for its variables, and for structs and arrays that it is
// given, that calls return, and that loops carry along. It does not grow with the length of the code, as frameOf does:
// a kernel that is refused for it has large variables.
func memoryOf(f *ssa.Func) int {
	n := largeBytes(f.Body.Params)
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLocal:
			n += in.Args[0].Type.Size()
		case ssa.OpCall, ssa.OpRecur, ssa.OpLoop:
			n += largeBytes(in.Results)
		}
		for _, b := range in.Blocks {
			n += largeBytes(b.Params)
		}
	})
	return n
}

// largeBytes is by how much the sizes of values are more than a word each.
func largeBytes(values []*ssa.Value) (n int) {
	for _, v := range values {
		n += max(v.Type.Size()-8, 0)
	}
	return n
}

// A stack is what a call of a function takes of the stack, with the deepest of the calls in it. A compiler that puts a callee
// in the place of its calls makes the caller's frame as much larger.
type stack struct {
	f     *ssa.Func
	bytes int
	below *stack // of the call that takes most, nil for none
}

// newStacks finds what calls take of the stack. Callees in except do not count: they are counted by themselves. Calls that
// lead back count once.
func newStacks(own func(*ssa.Func) int, except map[*ssa.Func]string) *analysis.BottomUp[*stack] {
	return analysis.NewBottomUp(func(f *ssa.Func, of func(*ssa.Func) *stack) *stack {
		s := &stack{f: f, bytes: own(f)}
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpCall {
				return
			}
			if _, apart := except[in.Callee]; apart {
				return
			}
			if callee := of(in.Callee); s.below == nil || callee.bytes > s.below.bytes {
				s.below = callee
			}
		})
		if s.below != nil {
			s.bytes += s.below.bytes
		}
		return s
	})
}

// Frames says how many bytes the variables of a kernel and of the functions that it calls in one another take, where these
// are most, and gives these functions, the kernel first. A compiler may have some of them in the same place: it is a bound.
func Frames(k *ssa.Func) (bytes int, chain []*ssa.Func) {
	deepest := newStacks(memoryOf, nil).Of(k)
	for s := deepest; s != nil; s = s.below {
		chain = append(chain, s.f)
	}
	return deepest.bytes, chain
}

// LargestFrame is the function of a list whose variables take most bytes, and how many.
func LargestFrame(list []*ssa.Func) (largest *ssa.Func, bytes int) {
	for _, f := range list {
		if n := memoryOf(f); largest == nil || n > bytes {
			largest, bytes = f, n
		}
	}
	return largest, bytes
}
