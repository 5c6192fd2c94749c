package gradient

import (
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file is about strips of the host's loops in a Grid kernel. A checkpoint notes the arrays that the kernel writes
// too: a note becomes a copy once somebody writes there. Before the other run of a strip, they are made what they were.

// A noted is a slice of a Grid kernel's arguments, and a note of what it holds.
type noted struct{ slice, note *ssa.Value }

// writtenArrays are the parameters of a Grid kernel that lead to memory which it writes.
func (d *differ) writtenArrays() (list []*ssa.Value) {
	if !d.isGrid() {
		return nil
	}
	memory := new(analysis.Summaries).Memory(d.fn)
	for _, p := range d.fn.Params()[:d.given] {
		if memory.Use(p)&analysis.Written != 0 {
			list = append(list, p)
		}
	}
	return list
}

// noteArrays appends the notes of what is in some arrays to a block, in front of a strip.
func (d *differ) noteArrays(arrays []*ssa.Value, strip *ssa.Instr, b *ssa.Block) (list []noted) {
	r := builder{b: b, stmt: strip.Stmt, pos: strip.Pos}
	var note func(v *ssa.Value)
	note = func(v *ssa.Value) {
		if _, ok := v.Type.(ssa.Slice); ok {
			list = append(list, noted{v, r.op(ssa.OpSnapshot, ssa.Int64, v)})
			return
		}
		for i := range parts(v.Type) {
			if ssa.HoldsAddress(partType(v.Type, i)) {
				note(r.part(v, i))
			}
		}
	}
	for _, p := range arrays {
		note(p)
	}
	return list
}

// stripTwins gives the variables of the loop around a strip the twins that those of the strip have.
func (d *differ) stripTwins(strip, outer *ssa.Instr) {
	if !d.isGrid() {
		return
	}
	give := func(from, to []*ssa.Value) {
		for k, v := range from[:len(from)-1] {
			if twin := d.twins[v]; twin != nil {
				d.twins[to[k]] = to[twin.Index()]
			}
		}
	}
	give(strip.Results, outer.Results)
	give(strip.Cond().Params, outer.Cond().Params)
	give(strip.Post().Params, outer.Post().Params)
}

// restoreArrays makes the arrays what they were before a strip. A note that has been restored lasts for one launch.
func (r *sweep) restoreArrays(s *strip) {
	for _, a := range s.arrays {
		to := r.primal(a.slice)
		from := r.op(ssa.OpRestore, to.Type, r.primal(a.note))
		n := r.op(ssa.OpLen, ssa.Int64, to)
		r.append(&ssa.Instr{Op: ssa.OpLaunch, Callee: r.restoring(to.Type.(ssa.Slice)), Rank: 1, Args: []*ssa.Value{n, to, from}})
	}
}

// restoring is the kernel that copies slices of a type.
func (d *differ) restoring(t ssa.Slice) *ssa.Func {
	for _, k := range d.restores {
		if k.Params()[1].Type == t {
			return k
		}
	}
	k := copyKernel(t, d.name+".restore"+strconv.Itoa(len(d.restores)+1), &ssa.Instr{Pos: d.fn.Decl.Pos, Stmt: &d.fn.Decl})
	d.restores = append(d.restores, k)
	return k
}
