package widen

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// The part of a slice that a thread takes, as in row := x[i*n : i*n+n], lies elsewhere for each lane. Its elements are those
// of the whole slice, of which there is one for all lanes. So they are accessed there, at an index that begins where the
// part does. The elements of the slice of an array are those of the array.

// An analyser finds what the lanes of code agree on.
type analyser func(*ssa.Func) *analysis.Lanes

// ofBlock analyses the code of a thread whose last parameter is its index in a block.
func ofBlock(f *ssa.Func) *analysis.Lanes { return analysis.NewLanesOf(f, 1) }

// flatten accesses the elements of the parts of slices in the whole slices, and those of the slices of arrays in the arrays,
// if lanes differ in the parts or slices. Without an analyser they differ in all.
func flatten(f *ssa.Func, analyse analyser) (changed bool) {
	found := false
	f.Body.Walk(func(in *ssa.Instr) { found = found || wholeOf(in) != nil })
	if !found {
		return false
	}
	var facts *analysis.Lanes
	if analyse != nil {
		facts = analyse(f)
	}
	var block func(*ssa.Block)
	block = func(b *ssa.Block) {
		old := b.Instrs
		b.Instrs = make([]*ssa.Instr, 0, len(old))
		for _, in := range old {
			for _, inner := range in.Blocks {
				block(inner)
			}
			for whole := wholeOf(in); whole != nil && (facts == nil || !facts.IsUniform(in.Args[0])); whole = wholeOf(in) {
				changed = true
				if whole.Op == ssa.OpSliceOf {
					in.Op, in.Args = ssa.OpElemAddr, []*ssa.Value{whole.Args[0], in.Args[1]}
					break
				}
				args := []*ssa.Value{whole.Args[0]}
				for _, i := range in.Args[1:] {
					args = append(args, b.Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{whole.Args[1], i}, Pos: in.Pos, Stmt: in.Stmt}, ssa.Int64).Result())
				}
				in.Args = args
			}
			b.Instrs = append(b.Instrs, in)
		}
	}
	block(f.Body)
	return changed
}

// wholeOf is what makes the slice of which an instruction takes an element or a part, if that slice is a part of another
// one, or an element of it, if that is the slice of an array. Otherwise it is nil.
func wholeOf(in *ssa.Instr) *ssa.Instr {
	if in.Op != ssa.OpIndexAddr && in.Op != ssa.OpSubslice || in.Args[0].Def == nil {
		return nil
	}
	switch def := in.Args[0].Def; {
	case def.Op == ssa.OpSubslice, def.Op == ssa.OpSliceOf && in.Op == ssa.OpIndexAddr:
		return def
	}
	return nil
}
