package widen

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Fors gives the loops over the lanes of a block, in a kernel that is the code of a block, a second block: it runs as
// many lanes at once as a vector has, by a function for vectors. It returns these functions.
//
// The lanes of the block are then in the innermost loop: those of a vector run each instruction together, as the
// threads of a warp do on a GPU.
func (d *Widener) Fors(k *ssa.Func) (made []*ssa.Func) {
	if k.Kind != ssa.BlockKernel && !k.Phased {
		return nil
	}
	var fors []*ssa.Instr
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpFor && len(in.Args) == 1 && len(in.Blocks) == 1 {
			fors = append(fors, in)
		}
	})
	numbered := 0
	for _, in := range fors {
		thread, uses := in.Blocks[0].Outline(k.Name + Suffix)
		if in.Stmt != nil {
			thread.Decl = *in.Stmt
		}
		bys, why := d.forLanes(in, thread, uses, d.staying(thread))
		if bys == nil {
			d.missed(in, why)
		}
		for _, by := range bys {
			if numbered++; numbered > 1 {
				by.Name += strconv.Itoa(numbered)
			}
			made = append(made, d.named(by)...)
		}
	}
	return made
}

// forLanes makes the second block of a loop over lanes: it has what a thread does, with values from around the loop. It
// returns the functions that this block calls. There are none if vectors are impossible or do not pay, for which it gives
// the reason. Some functions that the thread calls may stay functions; if that is impossible, none does.
func (d *Widener) forLanes(in *ssa.Instr, thread *ssa.Func, uses []*ssa.Value, stay map[*ssa.Func]bool) (made []*ssa.Func, why string) {
	if why := d.refusedSize(thread, stay); why != "" {
		return nil, why
	}
	w := d.widener(thread.Clone(thread.Name), stay, ofBlock)
	few := d.Lanes
	if stay != nil && w.accept() != "" {
		return d.forLanes(in, thread, uses, nil)
	}
	if few == 0 {
		few = w.bestLanes()
	}
	many := min(w.farStrides(uses)*few, ssa.MaxVecLanes)
	if ssa.IsConst(in.Args[0]) {
		few = many
	}
	narrow, few, why := d.lanesOf(in, thread, uses, few, stay)
	if narrow == nil {
		if stay != nil {
			return d.forLanes(in, thread, uses, nil)
		}
		return nil, why
	}
	d.Summaries.Remarks.On(pass, ssa.Done, in, "the lanes of a block run in vectors, %d at once", few)
	block := in.NewBlock()
	first := block.AddParam(ssa.Int64, in.Blocks[0].Params[0].Name)
	in.Len = int32(few)
	in.Vector = ssa.VectorRest
	call := func(b *ssa.Block, by *ssa.Func) {
		call := &ssa.Instr{Op: ssa.OpCall, Callee: by, Pos: in.Pos, Stmt: in.Stmt}
		var params []*ssa.Value
		for i, a := range append(slices.Clone(uses), first) {
			if p := by.Params()[i]; len(d.Summaries.Users(by)[p.ID]) > 0 {
				params, call.Args = append(params, p), append(call.Args, a)
			}
		}
		by.Body.Params = params
		b.Append(call)
	}
	yield := func(b *ssa.Block) { b.Append(&ssa.Instr{Op: ssa.OpYield, Pos: in.Pos, Stmt: in.Stmt}) }
	made = []*ssa.Func{narrow}
	var wide *ssa.Func
	if many > few {
		wide, many, _ = d.lanesOf(in, thread, uses, many, stay)
	}
	if wide == nil || many <= few {
		call(block, narrow)
	} else {
		// The first of as many lanes as a long vector has runs them all, where the block has them; the last ones that are
		// fewer run in short vectors.
		number := func(b *ssa.Block, n int) *ssa.Value {
			return b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(n))}, ssa.Int64).Result()
		}
		op := func(op ssa.Op, b *ssa.Block, t ssa.Type, x *ssa.Value, y *ssa.Value) *ssa.Value {
			return b.Append(&ssa.Instr{Op: op, Args: []*ssa.Value{x, y}}, t).Result()
		}
		branch := func(b *ssa.Block, cond *ssa.Value) *ssa.Instr {
			return b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}, Pos: in.Pos, Stmt: in.Stmt})
		}
		from := op(ssa.OpAndNot, block, ssa.Int64, first, number(block, many-1))
		whole := branch(block, op(ssa.OpLe, block, ssa.Bool, op(ssa.OpAdd, block, ssa.Int64, from, number(block, many)), in.Args[0]))
		then, els := whole.NewBlock(), whole.NewBlock()
		begins := branch(then, op(ssa.OpEq, then, ssa.Bool, first, from))
		run, skip := begins.NewBlock(), begins.NewBlock()
		call(run, wide)
		call(els, narrow)
		for _, b := range []*ssa.Block{run, skip, then, els} {
			yield(b)
		}
		made = append(made, wide)
	}
	yield(block)
	return made, ""
}

// missed says why the lanes of a block do not run in vectors.
func (d *Widener) missed(in *ssa.Instr, why string) {
	d.Summaries.Remarks.On(pass, ssa.Missed, in, "the lanes of a block do not run in vectors of our own: %s", why)
}

// lanesOf makes the function for vectors from the code of a thread in a loop over the lanes of a block. It says why if
// there is none. The vectors have at most so many lanes.
func (d *Widener) lanesOf(in *ssa.Instr, thread *ssa.Func, uses []*ssa.Value, most int, stay map[*ssa.Func]bool) (by *ssa.Func, lanes int, why string) {
	w := d.widener(thread.Clone(thread.Name), stay, ofBlock)
	w.calls.whole = in.Block.Func.Kind == ssa.BlockKernel
	w.lanes = most
	bytes := w.calls.localBytes()
	if bytes > maxLocals {
		return nil, 0, tooLarge
	}
	for bytes*w.lanes > maxStack {
		w.lanes /= 2
	}
	w.fit(in.Args[0])
	if w.lanes < 2 {
		return nil, 0, "a block, or a part into which it is divided, has too few"
	}
	w.facts = analysis.NewLanesOf(w.thread, w.lanes)
	w.owned = make(map[*ssa.Value]bool)
	var roots ssa.Roots
	for i, v := range uses {
		root := roots.Of(v).Def
		w.owned[w.thread.Params()[i]] = root != nil && root.Op == ssa.OpShared && root.Storage == ssa.BlockStorage
	}
	if why := w.accept(); why != "" {
		return nil, 0, why
	}
	if d.Lanes == 0 {
		if why := w.pays(w.reckoned()); why != "" {
			return nil, 0, why
		}
	}
	return d.make(w), w.lanes, ""
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

// farStrides returns how many vectors of each number the lanes take, so that they read more at once. It is more than
// one if the threads read numbers in a loop with few variables, these numbers lie next to each other for all lanes of
// the block, and those of the next iteration lie far away. The more the lanes read at once, the more of a page they
// read. What the block itself keeps is in the processor's cache, wherever in it the next number lies.
func (w *widener) farStrides(uses []*ssa.Value) int {
	most := 0 // variables of such a loop
	w.thread.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLoop || !w.readsRows(in.Do(), uses) {
			return
		}
		if _, ok := w.spanOf(in); !ok {
			return
		}
		vectors := 0
		for _, p := range in.Cond().Params {
			if !w.facts.IsUniform(p) && !w.isLinear(p) {
				list, _ := leavesOf(p.Type)
				vectors += len(list)
			}
		}
		most = max(most, vectors, 1)
	})
	if most == 0 || most > 2 {
		return 1
	}
	return 16 / most
}

// readsRows reports whether a block of the thread's code reads numbers that lie next to each other, from memory that
// is not the block's of threads. The values stand for the parameters of that code.
func (w *widener) readsRows(b *ssa.Block, uses []*ssa.Value) (found bool) {
	var roots ssa.Roots
	b.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLoad || found {
			return
		}
		a, ok := addressOf(in.Args[0])
		if !ok || !w.isRow(a) {
			return
		}
		root := roots.Of(in.Args[0])
		if i := slices.Index(w.thread.Params(), root); i >= 0 {
			root = roots.Of(uses[i])
		}
		found = root == nil || root.Def == nil || root.Def.Op != ssa.OpShared
	})
	return found
}
