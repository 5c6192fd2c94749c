package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// dropWeightless lets what has no size in Go be moved by nothing: it has one value only, and C++, in which everything
// has a size, is not to read or write any of it. A copy of such elements becomes their number. It decides comparisons that
// have one result, too: of such values, and of nil with the address of something, which compilers warn of. It reports
// whether there was any of this.
func dropWeightless(b *ssa.Block) (changed bool) {
	n := len(b.Instrs)
	b.Instrs = slices.DeleteFunc(b.Instrs, func(in *ssa.Instr) bool {
		return in.Op == ssa.OpStore && in.Args[1].Type.Size() == 0
	})
	changed = len(b.Instrs) < n
	if slices.ContainsFunc(b.Instrs, copiesNothing) {
		b.InFront(countCopied)
		changed = true
	}
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpLoad, ssa.OpField, ssa.OpElem:
			if in.Result().Type.Size() == 0 {
				in.Op, in.Args, in.Index, in.Rows = ssa.OpZero, nil, 0, false
				changed = true
			}
		case ssa.OpEq, ssa.OpNe:
			if hasOneResult(in) {
				in.Op, in.Args, in.Const = ssa.OpConst, nil, ssa.BoolConst(in.Op == ssa.OpEq != isNilWithAddress(in))
				changed = true
			}
		}
		for _, nested := range in.Blocks {
			changed = dropWeightless(nested) || changed
		}
	}
	return changed
}

// copiesNothing reports whether an instruction copies elements without a size.
func copiesNothing(in *ssa.Instr) bool {
	return in.Op == ssa.OpCopy && in.Args[0].Type.(ssa.Slice).Elem.Size() == 0
}

// countCopied makes a copy of elements without a size the number of them.
func countCopied(b *ssa.Block, in *ssa.Instr) {
	if !copiesNothing(in) {
		return
	}
	to, from := b.AppendOp(ssa.OpLen, ssa.Int64, in.Args[0]), b.AppendOp(ssa.OpLen, ssa.Int64, in.Args[1])
	in.Op, in.Args = ssa.OpMin, []*ssa.Value{to.Result(), from.Result()}
}

// hasOneResult reports whether a comparison has one result.
func hasOneResult(in *ssa.Instr) bool { return in.Args[0].Type.Size() == 0 || isNilWithAddress(in) }

// isNilWithAddress reports whether nil is compared with the address of something.
func isNilWithAddress(in *ssa.Instr) bool {
	isNil := func(v *ssa.Value) bool { return v.Def != nil && v.Def.Op == ssa.OpZero }
	a, b := in.Args[0], in.Args[1]
	return isNil(a) && b.IsNotNil() || isNil(b) && a.IsNotNil()
}
