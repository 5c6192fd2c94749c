package split

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
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
	plain     *analysis.BottomUp[bool] // whether compilers may vectorize a loop with it, or package widen may
	lanes     bool                     // it may
	unrolled  *analysis.BottomUp[bool] // whether compilers unroll all its loops
	sizes     *analysis.BottomUp[int]
}

// NewKernels is one that has found nothing yet. If threads may run in lanes, loops with clamps in them are worth it, too.
func (c *Costs) NewKernels(summaries *analysis.Summaries, lanes bool) *Kernels {
	k := &Kernels{summaries: summaries, table: c, lanes: lanes, clamps: analysis.NewBottomUp(clamps), sizes: analysis.NewBottomUp(analysis.Size)}
	k.plain, k.unrolled = analysis.NewBottomUp(k.isPlain), analysis.NewBottomUp(k.allUnrolled)
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
	if !k.tried(f) {
		return nil
	}
	return func(call *ssa.Instr) bool {
		if !k.isInlined(call) {
			return false
		}
		remarks.On("split", ssa.Done, call, "%s is put in the place of the call, so that rows can be split", call.Callee.Name)
		return true
	}
}

// isInlined reports whether a call is replaced; compilers inline small functions anyway.
func (k *Kernels) isInlined(call *ssa.Instr) bool {
	return k.clamps.Of(call.Callee) || k.sizes.Of(call.Callee) >= k.table.minInlined
}

// tried reports whether the rows of a kernel would be split if calls in it were replaced. A kernel without long loops is
// not tried: what stands in the place of its calls helps compilers to find vectors, too.
func (k *Kernels) tried(f *ssa.Func) bool {
	if k.unrolled.Of(f) {
		return true
	}
	try := f.Clone(f.Name)
	if opt.Inline(try, k.summaries, k.isInlined) {
		k.summaries.Changed(try)
		opt.Settle([]*ssa.Func{try}, k.summaries, nil)
	}
	return len(k.table.decided(try).clampings) > 0
}

// allUnrolled reports whether compilers unroll all loops of a function, and of those that it calls.
func (k *Kernels) allUnrolled(f *ssa.Func, of func(*ssa.Func) bool) bool {
	all := true
	f.Body.Walk(func(in *ssa.Instr) {
		all = all && (in.Op != ssa.OpLoop || k.table.IsUnrolled(in)) && (in.Op != ssa.OpCall || of(in.Callee))
	})
	return all
}

// IsUnrolled reports whether compilers unroll all loops of a kernel, so that they may find vectors of its threads.
func (k *Kernels) IsUnrolled(f *ssa.Func) bool { return k.unrolled.Of(f) }

// isPlain reports whether clamps are a good part of the work of a function. Each loop that is not short has clamps of its
// own then.
func (k *Kernels) isPlain(f *ssa.Func, of func(*ssa.Func) bool) bool {
	ok := true
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			ok = ok && (k.table.IsUnrolled(in) || k.lanes && clampsInLoop(in, k.clamps.Of))
		case ssa.OpRecur, ssa.OpAtomic, ssa.OpPrintf:
			ok = false
		case ssa.OpCall:
			ok = ok && of(in.Callee)
		}
	})
	return ok
}
