package ssa

// invariant replaces the variables of a loop that every turn hands on unchanged
// by their initial values. The variable itself, without uses then, is left for
// dce; only its result may still be needed, where a break gives another value.
func invariant(f *Func) bool {
	var p invariants
	p.block(f.Body)
	return p.changed
}

type invariants struct {
	exits   []*Instr // reused
	changed bool
}

func (p *invariants) block(b *Block) {
	for _, in := range b.Instrs {
		in.resolve()
		if in.Op == OpLoop {
			p.loop(in)
		}
		for _, nested := range in.Blocks {
			p.block(nested)
		}
	}
}

// loop looks at a loop before its blocks, so that their uses are still to come.
func (p *invariants) loop(in *Instr) {
	cond, post := in.Cond(), in.Post()
	if len(cond.Params) == 0 {
		return
	}
	next := post.Terminator().Args
	var continues, breaks []*Instr
	for k, param := range cond.Params {
		if param.forward != nil || next[k].resolved() != post.Params[k] && next[k].resolved() != in.Args[k] {
			continue
		}
		if continues == nil {
			p.exits = in.exits(OpContinue, p.exits[:0])
			n := len(p.exits)
			p.exits = in.exits(OpBreak, p.exits)
			continues, breaks = p.exits[:n:n], p.exits[n:]
		}
		if !allPass(continues, k, param, in.Args[k]) {
			continue
		}
		p.changed = true
		param.forwardTo(in.Args[k])
		post.Params[k].forwardTo(in.Args[k])
		if allPass(breaks, k, param, in.Args[k]) {
			in.Results[k].forwardTo(in.Args[k])
		}
	}
}

// allPass reports whether all terminators give the loop's variable k as it is.
func allPass(exits []*Instr, k int, param, init *Value) bool {
	for _, e := range exits {
		if v := e.Args[k].resolved(); v != param.resolved() && v != init {
			return false
		}
	}
	return true
}
