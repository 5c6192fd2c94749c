package split

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// clamps reports whether a function, or one of its callees (of), clamps or tests what may be an index: a parameter plus
// something, compared with a value that does not depend on it.
func clamps(f *ssa.Func, of func(*ssa.Func) bool) bool {
	return clampsIn(f.Body, of, func(*ssa.Instr) bool { return true })
}

// clampsInLoop reports it of a loop, whose variables are no indices of threads.
func clampsInLoop(loop *ssa.Instr, of func(*ssa.Func) bool) bool {
	isVariable := func(v *ssa.Value) bool {
		root := indexRoot(v)
		return root != nil && root.Def == nil && root.Block.Owner != nil
	}
	counts := func(in *ssa.Instr) bool {
		return !slices.ContainsFunc(in.Args, isVariable)
	}
	return slices.ContainsFunc(loop.Blocks, func(b *ssa.Block) bool { return clampsIn(b, of, counts) })
}

// clampsIn reports whether there are clamps and tests in a block, of those that count.
func clampsIn(b *ssa.Block, of func(*ssa.Func) bool, counts func(*ssa.Instr) bool) bool {
	found := false
	b.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpMin, ssa.OpMax, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
			x, y := in.Args[0], in.Args[1]
			found = found || counts(in) && (isEdge(x, y) || isEdge(y, x))
		case ssa.OpRem:
			found = found || counts(in) && isEdge(withoutDivisor(in.Args[0], in.Args[1]), in.Args[1])
		case ssa.OpCall:
			found = found || of(in.Callee)
		}
	})
	return found
}

// isEdge reports whether a value may be an index, and another one the bound of a row.
func isEdge(index, bound *ssa.Value) bool { return isEdgeOf(indexRoot(index), bound) }

func isEdgeOf(root, bound *ssa.Value) bool { return root != nil && !dependsOn(bound, root, maxBound) }

// withoutDivisor is a value, or what a divisor has been added to to get it: if i-1 is not negative, (i-1+n)%n is i-1.
func withoutDivisor(v, divisor *ssa.Value) *ssa.Value {
	at, _ := analysis.PlusConst(v)
	if d := at.Def; d != nil && d.Op == ssa.OpSub && ssa.IsConst(d.Args[1]) {
		at = d.Args[0]
	}
	if d := at.Def; d != nil && d.Op == ssa.OpAdd {
		switch divisor {
		case d.Args[0]:
			return d.Args[1]
		case d.Args[1]:
			return d.Args[0]
		}
	}
	return v
}

// indexRoot is what is an index if a value is one to which something is added, or a multiple of one. It is nil for what
// cannot be one, or comes of too many sums.
func indexRoot(v *ssa.Value) *ssa.Value { return (&rootSearch{left: maxSums}).root(v) }

// maxSums is how many sums, multiples, minima and maxima are looked at for an index. Where values are used several times
// there are more and more ways through them.
const maxSums = 64

// A rootSearch looks for an index in what a value is computed from.
type rootSearch struct{ left int }

func (s *rootSearch) root(v *ssa.Value) *ssa.Value {
	if v.Type != ssa.Int64 {
		return nil
	}
	if v.Def == nil {
		return v
	}
	if s.left == 0 {
		return nil
	}
	s.left--
	switch args := v.Def.Args; v.Def.Op {
	case ssa.OpThreadID:
		return v
	case ssa.OpAdd, ssa.OpSub:
		switch {
		case ssa.IsConst(args[1]):
			return s.root(args[0])
		case ssa.IsConst(args[0]) && v.Def.Op == ssa.OpAdd:
			return s.root(args[1])
		}
		if root := s.root(args[0]); root != nil || v.Def.Op == ssa.OpSub {
			return root
		}
		return s.root(args[1])
	case ssa.OpMul: // an index of the first of several elements
		switch {
		case ssa.IsConst(args[1]):
			return s.root(args[0])
		case ssa.IsConst(args[0]):
			return s.root(args[1])
		}
	case ssa.OpMin, ssa.OpMax: // an index that is clamped once is clamped again at the other end of the row
		for i := range 2 {
			if root := s.root(args[i]); isEdgeOf(root, args[1-i]) {
				return root
			}
		}
	}
	return nil
}

// dependsOn reports whether a value is computed from another one, or by more instructions than most.
func dependsOn(v, root *ssa.Value, most int) bool {
	if v == root || most == 0 {
		return true
	}
	if v.Def == nil {
		return false
	}
	return slices.ContainsFunc(v.Def.Args, func(a *ssa.Value) bool { return dependsOn(a, root, most-1) })
}
