package widen

import (
	"github.com/qdgen/qd/ssa"
)

// remaining makes what follows the copy of a loop that all lanes are in: the loop for the lanes that have iterations
// left, if any has. It begins with the parts of the loop's variables, and gives the parts of the results.
func (w *widener) remaining(in *ssa.Instr, l *loop, s span, init []*ssa.Value) []*ssa.Value {
	params := in.Cond().Params
	w.takeAll(params, init)
	w.block(in.Cond(), 0, func(*ssa.Instr) []*ssa.Value { return nil })
	parts := w.choose(w.anyHolds(s), func() []*ssa.Value { return w.whileAny(in, l, init) }, func() (parts []*ssa.Value) {
		w.takeAll(params, init)
		for k, r := range in.Results {
			if n := len(w.resultTypes(r)); n > 0 {
				parts = append(parts, w.parts(params[k], r)[:n]...)
			}
		}
		return parts
	})
	w.outline(w.at.Instrs[len(w.at.Instrs)-1].Then())
	return parts
}

// outline makes a function of a block that is rarely run, if it has vectors that take several registers: compilers
// would give those to it that the loop in front of it needs.
func (w *widener) outline(rare *ssa.Block) {
	long := false
	rare.Walk(func(in *ssa.Instr) {
		for _, r := range in.Results {
			long = long || ssa.LanesOf(r.Type) > 0 && ssa.ElemOf(r.Type) != ssa.Bool && r.Type.Size() > w.table.vectorBytes
		}
	})
	if !long {
		return
	}
	f, uses := rare.Outline("rest")
	f.Decl, f.Library, f.Rare = w.thread.Decl, w.thread.Library, true
	if w.in != nil && w.in.Stmt != nil {
		f.Decl = *w.in.Stmt
	}
	yield := rare.Terminator()
	call := &ssa.Instr{Op: ssa.OpCall, Callee: f, Args: uses, Pos: yield.Pos, Stmt: yield.Stmt}
	rare.Instrs = nil
	rare.Append(call)
	for i, v := range yield.Args {
		f.Results = append(f.Results, v.Type)
		yield.Args[i] = call.AddResult(v.Type, v.Name)
	}
	rare.Append(yield)
	w.calls.made = append(w.calls.made, f)
}
