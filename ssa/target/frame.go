package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// frameBytes is what a call takes of the stack besides its variables in memory and its values.
const frameBytes = 128

// frameOf is about how many bytes of stack a call of a function takes. Each value counts a word, though most are in
// registers. Of structs and arrays, those count with all of their bytes that a compiler cannot take apart, or keeps
// beside others: what the function is given, what calls return, what loops and Ifs carry along, and what is loaded from
// memory that may change. Others are made of these, part by part, and a compiler has them in the same place, or only the
// parts that are used: if a struct that gets its fields one after the other counted each time, the estimate would be many
// times too high.
func frameOf(f *ssa.Func) int {
	n := frameBytes + 8*f.NumValues() + largeBytes(f.Body.Params)
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLocal:
			n += in.Args[0].Type.Size()
		case ssa.OpCall, ssa.OpRecur, ssa.OpLoop, ssa.OpIf, ssa.OpLoad:
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

// newStacks is the fact how many bytes of stack a call of a function takes, with the deepest of the calls in it. A compiler
// that puts a callee in the place of its calls makes the caller's frame as much larger. Some callees do not count: those
// that are counted by themselves.
func newStacks[T any](except map[*ssa.Func]T) *analysis.BottomUp[int] {
	return analysis.NewBottomUp(func(f *ssa.Func, of func(*ssa.Func) int) int {
		deepest := 0
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCall {
				if _, ok := except[in.Callee]; !ok {
					deepest = max(deepest, of(in.Callee))
				}
			}
		})
		return frameOf(f) + deepest
	})
}
