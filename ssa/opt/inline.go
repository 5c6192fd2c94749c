package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Inline replaces calls in a function by the bodies of what they call: those that wanted reports, and of those
// again, in what was called. It reports whether there were any.
//
// What comes from a body keeps its place in the source: the Go lines that text and faults show are
// the callee's. A body that returns in its middle becomes a loop of one turn, which the returns leave; pass early makes
// branches of that. Calls of functions that never return stay.
func Inline(f *ssa.Func, known *analysis.Summaries, wanted func(call *ssa.Instr) bool) bool {
	n := inliner{known: known, wanted: wanted}
	n.block(f.Body)
	if n.changed {
		resolveAll(f.Body)
	}
	return n.changed
}

type inliner struct {
	known   *analysis.Summaries
	wanted  func(call *ssa.Instr) bool
	changed bool
}

// block replaces the calls in a block.
func (n *inliner) block(b *ssa.Block) {
	var out []*ssa.Instr // nil until there is a call to be replaced
	for i, in := range b.Instrs {
		if in.Op == ssa.OpCall && n.known.Of(in.Callee).Returns && n.wanted(in) {
			if out == nil {
				out = append(out, b.Instrs[:i]...)
			}
			out = append(out, n.body(in)...)
			continue
		}
		for _, nested := range in.Blocks {
			n.block(nested)
		}
		if out != nil {
			out = append(out, in)
		}
	}
	if out != nil {
		b.Instrs, n.changed = out, true
	}
}

// body is what stands in the place of a call.
func (n *inliner) body(call *ssa.Instr) []*ssa.Instr {
	for i, a := range call.Args {
		nameArgument(a.Resolved(), call.Callee.Params()[i].Name)
	}
	body := &ssa.Block{Func: call.Block.Func, Owner: call.Block.Owner}
	call.Callee.CopyTo(body, call.Args)
	n.block(body)
	if isPlain(body) {
		last := len(body.Instrs) - 1
		forward(call.Results, body.Instrs[last].Args)
		for _, in := range body.Instrs[:last] {
			in.Block = call.Block
		}
		return body.Instrs[:last]
	}
	at := &ssa.Block{Func: body.Func, Owner: body.Owner}
	forward(call.Results, oneTurn(call, body, at))
	for _, in := range at.Instrs {
		in.Block = call.Block
	}
	return at.Instrs
}

// nameArgument gives an argument that has no name in Go that of the parameter. An address keeps none: what it leads to has a
// better one.
func nameArgument(v *ssa.Value, name string) {
	if v.Name != "" || v.Def == nil || v.Def.Op == ssa.OpConst || v.Def.Op.IsPath() || v.IsLocal() {
		return
	}
	v.Name = name
}

// isPlain reports whether the only return of a body is its end.
func isPlain(body *ssa.Block) bool {
	count := 0
	body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpReturn {
			count++
		}
	})
	return count == 1 && body.Terminator().Op == ssa.OpReturn
}

// oneTurn appends a loop of one turn to a block, of which a body is the turn, and what it gives in place of a call's
// results.
func oneTurn(call *ssa.Instr, body, to *ssa.Block) []*ssa.Value {
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
	return loop.Results
}

// forward replaces values by others.
func forward(vs, by []*ssa.Value) {
	for i, v := range vs {
		v.ForwardTo(by[i].Resolved())
	}
}
