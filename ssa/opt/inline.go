package opt

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Inline replaces calls in a function by the bodies of the callees. It does so if wanted reports true for a call, also
// for calls in a body that was inlined. It reports whether there were any.
//
// Instructions of a body keep their statement, so the text shows the Go lines of the callee. They keep their position
// too, but those of a library function get the position of the call. A body with a return in its middle becomes a loop
// of one turn, which the returns leave; pass early makes branches of that. Calls of functions that never return stay.
func Inline(f *ssa.Func, summaries *analysis.Summaries, wanted func(call *ssa.Instr) bool) bool {
	return InlineAt(f, summaries, wanted, func(callee *ssa.Func) bool { return callee.Library })
}

// InlineAt is [Inline] where it is asked which functions are of a library.
func InlineAt(f *ssa.Func, summaries *analysis.Summaries, wanted func(call *ssa.Instr) bool, library func(callee *ssa.Func) bool) bool {
	n := inliner{summaries: summaries, wanted: wanted, library: library}
	n.block(f.Body)
	if n.changed {
		resolveAll(f.Body)
	}
	return n.changed
}

type inliner struct {
	summaries *analysis.Summaries
	wanted    func(call *ssa.Instr) bool
	library   func(callee *ssa.Func) bool
	changed   bool
}

// inlines reports whether an instruction is a call to be replaced.
func (n *inliner) inlines(in *ssa.Instr) bool {
	return in.Op == ssa.OpCall && n.summaries.Of(in.Callee).Returns > 0 && !n.summaries.Of(in.Callee).Recurs && n.wanted(in)
}

// block replaces the calls in a block.
func (n *inliner) block(b *ssa.Block) {
	if !slices.ContainsFunc(b.Instrs, n.inlines) {
		for _, in := range b.Instrs {
			for _, nested := range in.Blocks {
				n.block(nested)
			}
		}
		return
	}
	old := b.Instrs
	b.Instrs = make([]*ssa.Instr, 0, 2*len(old))
	n.appendTo(b, old)
	n.changed = true
}

// appendTo appends instructions to a block, bodies in the place of calls. Each is looked at once, however deep it comes
// from.
func (n *inliner) appendTo(b *ssa.Block, ins []*ssa.Instr) {
	for _, in := range ins {
		if n.inlines(in) {
			n.appendBody(b, in)
			continue
		}
		in.Block = b
		b.Instrs = append(b.Instrs, in)
		for _, nested := range in.Blocks {
			n.block(nested)
		}
	}
}

// appendBody appends to a block what stands in the place of a call.
func (n *inliner) appendBody(b *ssa.Block, call *ssa.Instr) {
	for i, a := range call.Args {
		nameArgument(a.Resolved(), call.Callee.Params()[i].Name)
	}
	body := &ssa.Block{Func: b.Func}
	call.Callee.CopyTo(body, call.Args)
	if n.library(call.Callee) { // what is said of it is said of the user's code
		body.Walk(func(in *ssa.Instr) { in.Pos = call.Place() })
	}
	if last := len(body.Instrs) - 1; n.summaries.Of(call.Callee).Returns == 1 && body.Instrs[last].Op == ssa.OpReturn {
		n.appendTo(b, body.Instrs[:last])
		forward(call.Results, body.Instrs[last].Args)
		return
	}
	loop := oneTurn(call, body, b)
	n.block(loop.Do())
	forward(call.Results, loop.Results)
}

// nameArgument gives an argument that has no name in Go that of the parameter. An address keeps none: what it leads to
// has a better one.
func nameArgument(v *ssa.Value, name string) {
	if v.Name != "" || v.Def == nil || v.Def.Op == ssa.OpConst || v.Def.Op.IsPath() || v.IsLocal() {
		return
	}
	v.Name = name
}

// oneTurn appends a loop of one turn to a block, of which a body is the turn. Its results are the call's.
func oneTurn(call *ssa.Instr, body, to *ssa.Block) *ssa.Instr {
	stand := func(b *ssa.Block, in *ssa.Instr) *ssa.Instr {
		in.Pos, in.Stmt = call.Pos, call.Stmt
		return b.Append(in)
	}
	var first []*ssa.Value // which nobody reads
	for _, r := range call.Results {
		first = append(first, to.AppendZero(r.Type))
	}
	loop := stand(to, &ssa.Instr{Op: ssa.OpLoop, Args: first})
	cond, do, post := loop.NewBlock(), loop.NewBlock(), loop.NewBlock()
	for _, r := range call.Results {
		cond.AddParam(r.Type, "")
		post.AddParam(r.Type, "")
		loop.AddResult(r.Type, "")
	}
	yes := cond.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true)}, ssa.Bool)
	stand(cond, &ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{yes.Result()}})
	stand(post, &ssa.Instr{Op: ssa.OpYield, Args: post.Params})
	body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpReturn {
			in.Op, in.Target = ssa.OpBreak, loop
		}
	})
	do.Instrs = body.Instrs
	for _, in := range do.Instrs {
		in.Block = do
	}
	return loop
}

// forward replaces values by others.
func forward(vs, by []*ssa.Value) {
	for i, v := range vs {
		v.ForwardTo(by[i].Resolved())
	}
}
