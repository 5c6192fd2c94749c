package split

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
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
	sizes     *analysis.BottomUp[int]
}

// NewKernels is one that has found nothing yet.
func (c *Costs) NewKernels(summaries *analysis.Summaries) *Kernels {
	k := &Kernels{summaries: summaries, table: c, clamps: analysis.NewBottomUp(clamps), sizes: analysis.NewBottomUp(analysis.Size)}
	k.plain = analysis.NewBottomUp(k.isPlain)
	return k
}

// Worth reports whether the rows of a kernel may be worth splitting: it clamps or tests what may be an index, and these are
// not lost in what else it does.
func (k *Kernels) Worth(f *ssa.Func) bool {
	return f.Kind == ssa.ThreadKernel && !abi.Blocked(f, k.summaries) && k.clamps.Of(f) && k.plain.Of(f)
}

// Inlined tells which calls in a kernel, and in what they call, are to be replaced by what they call, nil for none.
func (k *Kernels) Inlined(f *ssa.Func) func(call *ssa.Instr) bool {
	remarks := k.summaries.Remarks
	if !analysis.Inlinable(f, k.sizes) {
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
// no faults either: nobody splits rows of what may stop.
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
