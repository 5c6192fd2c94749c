package analysis

import "github.com/qdgen/qd/ssa"

// BottomUp is a fact about functions that follows from their own instructions and from the same fact
// about the functions that they call. It is found once for each function, callees first.
type BottomUp[T any] struct {
	find  func(f *ssa.Func, of func(callee *ssa.Func) T) T
	facts map[*ssa.Func]T
}

// NewBottomUp is a fact that find finds for one function; of is the fact about a callee.
func NewBottomUp[T any](find func(f *ssa.Func, of func(callee *ssa.Func) T) T) *BottomUp[T] {
	return &BottomUp[T]{find: find, facts: make(map[*ssa.Func]T)}
}

// Of is the fact about a function.
func (b *BottomUp[T]) Of(f *ssa.Func) T {
	fact, ok := b.facts[f]
	if !ok {
		fact = b.find(f, b.Of)
		b.facts[f] = fact
	}
	return fact
}

// Reached are the functions that a function calls, itself or through others: each once, and before
// those that call it.
func Reached(f *ssa.Func) []*ssa.Func {
	var list []*ssa.Func
	seen := make(map[*ssa.Func]bool)
	var visit func(f *ssa.Func)
	visit = func(f *ssa.Func) {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCall && !seen[in.Callee] {
				seen[in.Callee] = true
				visit(in.Callee)
				list = append(list, in.Callee)
			}
		})
	}
	visit(f)
	return list
}
