package opt

import "github.com/qdgen/qd/ssa"

// invariant replaces the variables of a loop that every iteration hands on unchanged
// by their initial values. The variable itself, without uses then, is left for
// dce; only its result may still be needed, where a break gives another value.
func invariant(f *ssa.Func) bool {
	var p invariants
	p.block(f.Body)
	return p.changed
}

type invariants struct {
	exits   []*ssa.Instr // reused
	changed bool
}

func (p *invariants) block(b *ssa.Block) {
	for _, in := range b.Instrs {
		in.Resolve()
		if in.Op == ssa.OpLoop {
			p.loop(in)
		}
		for _, nested := range in.Blocks {
			p.block(nested)
		}
	}
}

// loop looks at a loop before its blocks, so that their uses are still to come.
func (p *invariants) loop(in *ssa.Instr) {
	cond, post := in.Cond(), in.Post()
	if len(cond.Params) == 0 {
		return
	}
	next := post.Terminator().Args
	var continues, breaks []*ssa.Instr
	for k, param := range cond.Params {
		if param.Forward != nil || next[k].Resolved() != post.Params[k] && next[k].Resolved() != in.Args[k] {
			continue
		}
		if continues == nil {
			p.exits = in.Exits(ssa.OpContinue, p.exits[:0])
			n := len(p.exits)
			p.exits = in.Exits(ssa.OpBreak, p.exits)
			continues, breaks = p.exits[:n:n], p.exits[n:]
		}
		if !allPass(continues, k, param, in.Args[k]) {
			continue
		}
		p.changed = true
		param.ForwardTo(in.Args[k])
		post.Params[k].ForwardTo(in.Args[k])
		if allPass(breaks, k, param, in.Args[k]) {
			in.Results[k].ForwardTo(in.Args[k])
		}
	}
}

// allPass reports whether all terminators give the loop's variable k as it is.
func allPass(exits []*ssa.Instr, k int, param, init *ssa.Value) bool {
	for _, e := range exits {
		if v := e.Args[k].Resolved(); v != param.Resolved() && v != init {
			return false
		}
	}
	return true
}
