package analysis

import "github.com/qdgen/qd/ssa"

// Bounds of what compiling takes.
const (
	// maxInlined is the size up to which the calls of a function are inlined.
	maxInlined = 3000
	// maxGrowth is how many times longer a function may become by that than it and what it calls are. Calls that double
	// from function to function grow beyond all bounds.
	maxGrowth = 8
	// maxSize is what larger sizes are taken for.
	maxSize = 1 << 20
)

// Size is how many instructions of a function, with those of what it calls, are neither constants nor addresses: a fact
// for [NewBottomUp].
func Size(f *ssa.Func, of func(*ssa.Func) int) int {
	n := ownSize(f)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpCall {
			n = min(n+of(in.Callee), maxSize)
		}
	})
	return n
}

// ownSize is Size without what the function calls.
func ownSize(f *ssa.Func) (n int) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpConst && !in.Op.IsPart() {
			n++
		}
	})
	return n
}

// Inlinable reports whether the bodies of functions may be put in the place of all calls, by the sizes of functions: the
// function does not become very long by that, nor many times longer.
func Inlinable(f *ssa.Func, sizes *BottomUp[int]) bool {
	once := ownSize(f)
	for _, callee := range Reached(f) {
		once += ownSize(callee)
	}
	all := sizes.Of(f)
	return all <= maxInlined && all <= maxGrowth*once
}
