package widen

import (
	"slices"

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

// flatten has the elements of a part of a slice accessed in the whole slice, and those of a slice of an array in the array, if
// lanes differ in the part or the slice. Without an analyser, that is for all, and a table is not known to be one. If they agree on an array, and not on the
// index, the array is a table: its elements are accessed in its slice, where they are gathered.
func flatten(f *ssa.Func, analyse analyser) (changed bool) {
	found := false
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpLocal || wholeOf(in) != nil })
	if !found {
		return false
	}
	var facts *analysis.Lanes
	var tables map[*ssa.Instr]bool
	if analyse != nil {
		facts = analyse(f)
		tables = tablesOf(f, facts)
	}
	op := func(b *ssa.Block, by *ssa.Instr, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		return b.Append(&ssa.Instr{Op: op, Args: args, Pos: by.Pos, Stmt: by.Stmt}, t).Result()
	}
	var block func(*ssa.Block)
	block = func(b *ssa.Block) {
		old := b.Instrs
		b.Instrs = make([]*ssa.Instr, 0, len(old))
		for _, in := range old {
			for _, inner := range in.Blocks {
				block(inner)
			}
			if tables[in] {
				t := in.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array)
				in.Op, in.Args, changed = ssa.OpIndexAddr, []*ssa.Value{op(b, in, ssa.OpSliceOf, ssa.Slice{Elem: t.Elem}, in.Args[0]), in.Args[1]}, true
				b.Instrs = append(b.Instrs, in)
				continue
			}
			for whole := wholeOf(in); whole != nil && (facts == nil || !facts.IsUniform(in.Args[0])); whole = wholeOf(in) {
				changed = true
				args := slices.Clone(in.Args)
				args[0] = whole.Args[0]
				if whole.Op == ssa.OpSliceOf {
					in.Op = ssa.OpElemAddr
				} else {
					for k, i := range args[1:] {
						args[1+k] = op(b, in, ssa.OpAdd, ssa.Int64, whole.Args[1], i)
					}
				}
				in.Args = args
			}
			b.Instrs = append(b.Instrs, in)
		}
	}
	block(f.Body)
	return changed
}

// tablesOf finds the instructions by which lanes take different elements of arrays in memory that they agree on.
func tablesOf(f *ssa.Func, facts *analysis.Lanes) map[*ssa.Instr]bool {
	list := make(map[*ssa.Instr]bool)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpElemAddr || facts.IsUniform(in.Args[1]) {
			return
		}
		// Behind the first one that differs, the path is one into an element of a slice.
		if local, _ := localOf(in.Result()); local != nil && facts.IsUniform(in.Args[0]) {
			list[in] = true
		}
	})
	return list
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
