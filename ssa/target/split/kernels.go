package split

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Kernels finds the kernels of a module whose rows are worth splitting, and what must be put in the place of calls in
// them: only what clamps or tests an index in the kernel itself is found.
//
// It remembers what it has found of functions, and so holds as long as these do not change.
type Kernels struct {
	summaries *analysis.Summaries
	table     *Costs
	clamps    *analysis.BottomUp[bool] // whether a function clamps or tests what may be an index
	plain     *analysis.BottomUp[bool] // whether compilers may vectorize a loop with it
	sizes     *analysis.BottomUp[int]  // instructions with those of calls
}

// NewKernels is one that has found nothing yet.
func (c *Costs) NewKernels(summaries *analysis.Summaries) *Kernels {
	k := &Kernels{summaries: summaries, table: c, clamps: analysis.NewBottomUp(clamps), sizes: analysis.NewBottomUp(size)}
	k.plain = analysis.NewBottomUp(k.isPlain)
	return k
}

// Worth reports whether the rows of a kernel may be worth splitting: it clamps or tests what may be an index, and these are
// not lost in what else it does.
func (k *Kernels) Worth(f *ssa.Func) bool {
	return f.Kind == ssa.ThreadKernel && !k.summaries.Of(f).Block && k.clamps.Of(f) && k.plain.Of(f)
}

// Bounds of what compiling takes.
const (
	// maxInlined is the size of a kernel, in instructions, up to which its calls are inlined.
	maxInlined = 3000
	// maxGrowth is how many times longer a kernel may become by that than it and what it calls are. Calls that double
	// from function to function grow beyond all bounds.
	maxGrowth = 8
)

// Inlined tells which calls in a kernel, and in what they call, are to be replaced by what they call, nil for none.
func (k *Kernels) Inlined(f *ssa.Func) func(call *ssa.Instr) bool {
	once := ownSize(f)
	for _, callee := range analysis.Reached(f) {
		once += ownSize(callee)
	}
	remarks := k.summaries.Remarks
	if all := k.sizes.Of(f); all > maxInlined || all > maxGrowth*once {
		remarks.OnFunc("split", ssa.Missed, f, "calls stay calls, and what they clamp and test stays: the kernel would be too large with what it calls")
		return nil
	}
	return func(call *ssa.Instr) bool {
		if !k.clamps.Of(call.Callee) && k.sizes.Of(call.Callee) < k.table.minInlined {
			return false // compilers inline it anyway
		}
		remarks.On("split", ssa.Done, call, "%s is put in the place of the call, so that rows can be split", call.Callee.Name)
		return true
	}
}

// isPlain reports whether a function is little work, of which clamps are a good part: it has no loop but short ones. It has
// no faults either. These have their numbers by now, and a copy of a fault would be another fault.
func (k *Kernels) isPlain(f *ssa.Func, of func(*ssa.Func) bool) bool {
	ok := true
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			ok = ok && k.table.IsUnrolled(in)
		case ssa.OpRecur, ssa.OpAtomic, ssa.OpPrintf, ssa.OpCheck, ssa.OpPanic:
			ok = false
		case ssa.OpCall:
			ok = ok && of(in.Callee)
		}
	})
	return ok
}

// size is how many instructions of a function, with those of what it calls, are neither constants nor addresses.
func size(f *ssa.Func, of func(*ssa.Func) int) int {
	n := ownSize(f)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpCall {
			n = min(n+of(in.Callee), maxWork)
		}
	})
	return n
}

// ownSize is size without what the function calls.
func ownSize(f *ssa.Func) (n int) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpConst && !in.Op.IsPart() {
			n++
		}
	})
	return n
}
