package ssa

// variables writes a loop's variables with their initial values.
func (p *printer) variables(loop *Instr) {
	if len(loop.Args) == 0 {
		return
	}
	p.str(" (")
	for i, arg := range loop.Args {
		if i > 0 {
			p.str(", ")
		}
		if len(loop.Blocks) > 0 && loop.Cond() != nil && i < len(loop.Cond().Params) {
			p.define(loop.Cond().Params[i])
		} else {
			p.str("<nil>")
		}
		p.str(" = ")
		p.value(arg)
	}
	p.str(")")
}

// numberLoops gives the loops of a block their numbers, in order.
func (p *printer) numberLoops(b *Block) {
	if b == nil {
		return
	}
	for _, in := range b.Instrs {
		if in == nil {
			continue
		}
		if in.Op == OpLoop {
			p.number(in)
		}
		for _, nested := range in.Blocks {
			p.numberLoops(nested)
		}
	}
}

// number is a loop's number, which it gets when it is first seen.
func (p *printer) number(loop *Instr) int {
	for i, l := range p.loops {
		if l == loop {
			return i
		}
	}
	p.loops = append(p.loops, loop)
	return len(p.loops) - 1
}

// label writes a loop's label.
func (p *printer) label(loop *Instr) {
	if loop == nil {
		p.str("<nil>")
		return
	}
	p.str("L")
	p.int(p.number(loop))
}
