package widen

import (
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Fors gives the loops over the lanes of a block, in a kernel that is the code of a block, a second block: it runs as many
// lanes at once as a vector has, by a function for vectors. It returns these functions.
//
// The lanes of the block are then in the innermost loop: those of a vector run each instruction together, as the threads
// of a warp do on a GPU.
func (d *Widener) Fors(k *ssa.Func) (made []*ssa.Func) {
	if k.Kind != ssa.BlockKernel && !k.Phased || d.Known.Of(k).Effects.Has(analysis.MayStop) {
		return nil
	}
	var fors []*ssa.Instr
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpFor && len(in.Args) == 1 && len(in.Blocks) == 1 {
			fors = append(fors, in)
		}
	})
	for _, in := range fors {
		name := k.Name + Suffix
		if len(made) > 0 {
			name += strconv.Itoa(len(made) + 1)
		}
		if by := d.forLanes(in, name); by != nil {
			made = append(made, by)
		}
	}
	return made
}

// forLanes makes the second block of a loop over lanes. It returns the function that this calls, nil if vectors are
// impossible or do not pay.
func (d *Widener) forLanes(in *ssa.Instr, name string) *ssa.Func {
	thread, uses := in.Blocks[0].Outline(name)
	if in.Stmt != nil {
		thread.Decl = *in.Stmt
	}
	if d.refusedSize(thread) != "" {
		return nil
	}
	w := d.widener(thread)
	w.facts = analysis.NewLanesOf(thread, 1)
	w.lanes = d.Lanes
	if w.lanes == 0 {
		w.lanes = w.bestLanes()
	}
	if w.farStrides() {
		w.lanes = min(4*w.lanes, ssa.MaxVecLanes)
	}
	w.fit(in.Args[0])
	if w.lanes < 2 {
		return nil
	}
	w.facts = analysis.NewLanesOf(thread, w.lanes)
	if w.accept() != "" || d.Lanes == 0 && w.pays() != "" {
		return nil
	}
	by := d.make(w)
	wide := in.NewBlock()
	first := wide.AddParam(ssa.Int64, in.Blocks[0].Params[0].Name)
	call := &ssa.Instr{Op: ssa.OpCall, Callee: by, Pos: in.Pos, Stmt: in.Stmt}
	var params []*ssa.Value
	for i, a := range append(uses, first) {
		if p := by.Params()[i]; len(d.Known.Users(by)[p.ID]) > 0 {
			params, call.Args = append(params, p), append(call.Args, a)
		}
	}
	by.Body.Params = params
	wide.Append(call)
	wide.Append(&ssa.Instr{Op: ssa.OpYield, Pos: in.Pos, Stmt: in.Stmt})
	in.Len = int32(w.lanes)
	return by
}

// fit takes fewer lanes than a vector has where there are not so many, or where a block of threads is divided in
// parts that are shorter.
func (w *widener) fit(n *ssa.Value) {
	fits := func(c int64) {
		for c > 0 && w.lanes > 1 && c%int64(w.lanes) != 0 {
			w.lanes /= 2
		}
	}
	if c, ok := n.Const(); ok {
		for w.lanes > 1 && int64(w.lanes) > c.Int() {
			w.lanes /= 2
		}
	}
	w.thread.Body.Walk(func(in *ssa.Instr) {
		if c, ok := w.facts.InPart(in); ok && c >= 4 && c&(c-1) == 0 {
			fits(c)
		}
	})
}

// farStrides reports whether the threads read, in a loop with few variables, numbers that lie next to each other, those of
// all lanes of the block far from those of the next iteration. The more lanes read at once, the more of a page they read,
// and a few vectors do not wait for each other.
func (w *widener) farStrides() (far bool) {
	w.thread.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLoop {
			return
		}
		if _, ok := w.spanOf(in); !ok {
			return
		}
		vectors := 0
		for _, p := range in.Cond().Params {
			if !w.facts.IsUniform(p) && !w.isLinear(p) {
				vectors++
			}
		}
		far = far || vectors <= 2
	})
	return far
}
