package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// The part of a slice that a thread takes, as in row := x[i*n : i*n+n], lies elsewhere for each lane. Its elements are those
// of the whole slice, of which there is one for all lanes. So they are accessed there, at an index that begins where the
// part does. The elements of the slice of an array are those of the array.

// flatten has the elements of a part of a slice accessed in the whole slice, and those of a slice of an array in the array. It
// does so where lanes differ in the part or the slice. If they agree on an array, and not on the index, the array is a table:
// its elements are accessed in its slice, where they are gathered. Without an analyser lanes differ in all, and nothing is a
// table.
func flatten(f *ssa.Func, analyse analyser) (changed bool) {
	found := false
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpLocal || wholeOf(in) != nil })
	if !found {
		return false
	}
	fl := new(flattener)
	if analyse != nil {
		fl.facts = analyse(f)
		fl.tables = tablesOf(f, fl.facts)
	}
	f.Body.InFront(func(b *ssa.Block, in *ssa.Instr) {
		if fl.tables[in] {
			fl.table(b, in)
		} else {
			fl.part(b, in)
		}
	})
	return fl.changed
}

// A flattener changes the addresses of a function.
type flattener struct {
	facts   *analysis.Lanes // nil without an analyser
	tables  map[*ssa.Instr]bool
	changed bool
}

// table has an element of an array accessed in the array's slice.
func (fl *flattener) table(b *ssa.Block, in *ssa.Instr) {
	all := ssa.Slice{Elem: in.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array).Elem}
	in.Op, in.Args = ssa.OpIndexAddr, []*ssa.Value{fl.op(b, in, ssa.OpSliceOf, all, in.Args[0]), in.Args[1]}
	fl.changed = true
}

// part has an element, or a part, of a part of a slice taken from the whole slice or array.
func (fl *flattener) part(b *ssa.Block, in *ssa.Instr) {
	for whole := wholeOf(in); whole != nil && (fl.facts == nil || !fl.facts.IsUniform(in.Args[0])); whole = wholeOf(in) {
		args := slices.Clone(in.Args)
		args[0] = whole.Args[0]
		if whole.Op == ssa.OpSliceOf {
			in.Op = ssa.OpElemAddr
		} else {
			for k, i := range args[1:] {
				args[1+k] = fl.op(b, in, ssa.OpAdd, ssa.Int64, whole.Args[1], i)
			}
		}
		in.Args, fl.changed = args, true
	}
}

// op appends an operation that an instruction needs.
func (fl *flattener) op(b *ssa.Block, by *ssa.Instr, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.Append(&ssa.Instr{Op: op, Args: args, Pos: by.Pos, Stmt: by.Stmt}, t).Result()
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

// wholeOf is the instruction that makes the slice in which an instruction takes an element or a part. The slice is a part of
// another one, or that of an array, of which an element is taken; for all else it is nil.
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
