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
		l := &laneLoop{d: d, in: in, thread: thread, uses: uses}
		if why := l.choose(); why != "" {
			d.missed(in, why)
			continue
		}
		l.block()
		for _, by := range l.made {
			if numbered++; numbered > 1 {
				by.Name += strconv.Itoa(numbered)
			}
			made = append(made, d.named(by)...)
		}
	}
	return made
}

// A laneLoop is a loop over the lanes of a block.
type laneLoop struct {
	d      *Widener
	in     *ssa.Instr
	thread *ssa.Func    // what a lane does
	uses   []*ssa.Value // values from around the loop, which thread has as parameters
	lanes  int          // of the shorter vectors
	longer int          // lanes of the longer vectors, if there are any
	made   []*ssa.Func  // for the shorter vectors, and the longer ones
}

// choose makes the functions for vectors. There are none if vectors are impossible or do not pay, for which it gives the
// reason. Some functions that the thread calls may stay functions; if that is impossible, none does.
func (l *laneLoop) choose() (why string) {
	for stay := l.d.staying(l.thread); ; stay = nil {
		if why := l.d.refusedSize(l.thread, stay); why != "" {
			return why
		}
		if why = l.vectors(stay); why == "" || stay == nil {
			return why
		}
	}
}

// vectors makes the functions for vectors if these functions stay, or says why there are none.
func (l *laneLoop) vectors(stay map[*ssa.Func]bool) (why string) {
	w := l.d.widener(l.thread.Clone(l.thread.Name), stay, ofBlock)
	if stay != nil {
		if why := w.accept(); why != "" {
			return why
		}
	}
	few := l.d.Lanes
	if few == 0 {
		few = w.bestLanes()
	}
	many := min(w.farStrides(l.uses)*few, ssa.MaxVecLanes)
	if ssa.IsConst(l.in.Args[0]) {
		few = many
	}
	by, few, why := l.vectorsOf(few, stay)
	if by == nil {
		return why
	}
	l.d.Summaries.Remarks.On(pass, ssa.Done, l.in, "the lanes of a block run in vectors, %d at once", few)
	l.made, l.lanes = []*ssa.Func{by}, few
	if many > few {
		if by, many, _ := l.vectorsOf(many, stay); many > few {
			l.made, l.longer = append(l.made, by), many
		}
	}
	return ""
}

// block makes the second block of the loop, which calls the functions for vectors.
func (l *laneLoop) block() {
	block := l.in.NewBlock()
	first := block.AddParam(ssa.Int64, l.in.Blocks[0].Params[0].Name)
	l.in.Len, l.in.Vector = int32(l.lanes), ssa.VectorRest
	if len(l.made) == 1 {
		l.call(block, l.made[0], first)
	} else {
		// The first of as many lanes as a long vector has runs them all, where the block has them; the last ones that are
		// fewer run in short vectors.
		op := func(b *ssa.Block, op ssa.Op, t ssa.Type, x, y *ssa.Value) *ssa.Value {
			return b.AppendOp(op, t, x, y).Result()
		}
		number := func(n int) *ssa.Value { return block.AppendInt(ssa.Int64, int64(n)) }
		from := op(block, ssa.OpAndNot, ssa.Int64, first, number(l.longer-1))
		end := op(block, ssa.OpAdd, ssa.Int64, from, number(l.longer))
		whole := l.append(block, ssa.OpIf, op(block, ssa.OpLe, ssa.Bool, end, l.in.Args[0]))
		then, els := whole.NewBlock(), whole.NewBlock()
		begins := l.append(then, ssa.OpIf, op(then, ssa.OpEq, ssa.Bool, first, from))
		run, skip := begins.NewBlock(), begins.NewBlock()
		l.call(run, l.made[1], first)
		l.call(els, l.made[0], first)
		for _, b := range []*ssa.Block{run, skip, then, els} {
			l.append(b, ssa.OpYield)
		}
	}
	l.append(block, ssa.OpYield)
}

// append appends an instruction, which comes from the statement of the loop.
func (l *laneLoop) append(b *ssa.Block, op ssa.Op, args ...*ssa.Value) *ssa.Instr {
	return b.Append(&ssa.Instr{Op: op, Args: args, Pos: l.in.Pos, Stmt: l.in.Stmt})
}

// call calls a function for vectors, from a lane on. The function keeps the parameters that it uses.
func (l *laneLoop) call(b *ssa.Block, by *ssa.Func, first *ssa.Value) {
	var params, args []*ssa.Value
	for i, a := range append(slices.Clone(l.uses), first) {
		if p := by.Params()[i]; len(l.d.Summaries.Users(by)[p.ID]) > 0 {
			params, args = append(params, p), append(args, a)
		}
	}
	by.Body.Params = params
	l.append(b, ssa.OpCall, args...).Callee = by
}

// missed says why the lanes of a block do not run in vectors.
func (d *Widener) missed(in *ssa.Instr, why string) {
	d.Summaries.Remarks.On(pass, ssa.Missed, in, "the lanes of a block do not run in vectors of our own: %s", why)
}

// vectorsOf makes the function for vectors of at most so many lanes. It says why if there is none.
func (l *laneLoop) vectorsOf(most int, stay map[*ssa.Func]bool) (by *ssa.Func, lanes int, why string) {
	w := l.d.widener(l.thread.Clone(l.thread.Name), stay, ofBlock)
	w.calls.whole = l.in.Block.Func.Kind == ssa.BlockKernel
	w.lanes = most
	bytes := w.calls.localBytes()
	if bytes > maxLocals {
		return nil, 0, tooLarge
	}
	for bytes*w.lanes > maxStack {
		w.lanes /= 2
	}
	w.fit(l.in.Args[0])
	if w.lanes < 2 {
		return nil, 0, "a block, or a part into which it is divided, has too few"
	}
	w.facts = analysis.NewLanesOf(w.thread, w.lanes)
	w.owned = make(map[*ssa.Value]bool)
	var roots ssa.Roots
	for i, v := range l.uses {
		root := roots.Of(v).Def
		w.owned[w.thread.Params()[i]] = root != nil && root.Op == ssa.OpShared && root.Storage == ssa.BlockStorage
	}
	if why := w.accept(); why != "" {
		return nil, 0, why
	}
	if l.d.Lanes == 0 {
		if why := w.pays(w.reckoned()); why != "" {
			return nil, 0, why
		}
	}
	return l.d.make(w), w.lanes, ""
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
		if c, ok := w.facts.IsDivided(in); ok {
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
