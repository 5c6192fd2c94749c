package emit

import "github.com/qdgen/qd/ssa"

// actOnce prints a statement that one thread executes for all.
func (p *printer) actOnce(in *ssa.Instr) {
	p.before(in)
	p.w.at(in.Stmt)
	changed := p.printed(p.code.Changed(in))
	p.w.declares = p.w.declares || len(changed) > 0
	var memory []string
	for _, x := range changed {
		name := p.temporary(x.name + "_shared")
		memory = append(memory, name)
		p.w.line(p.d.Block.Shared(p.typeName(x.Type) + " " + name))
		if !x.declared {
			x.declared = true
			p.w.line(p.typeName(x.Type) + " " + x.name + ";")
		}
	}
	p.w.line("if (" + p.d.Block.First + ") {")
	p.w.append(p.inner(1, func() {
		p.onceStatement(in)
		for i, x := range changed {
			p.w.linef("%s = %s;", memory[i], x.name)
		}
	}))
	p.w.line("}")
	p.barrier()
	for i, x := range changed {
		p.w.linef("%s = %s;", x.name, memory[i])
	}
}

// onceStatement prints the statement itself; the variables of its results are declared.
func (p *printer) onceStatement(in *ssa.Instr) {
	if len(in.Results) < 2 || p.code.AllUnused(in.Results) {
		p.plainStatement(in)
		return
	}
	all := p.temporary("results")
	p.w.linef("const auto %s = %s;", all, p.callText(in))
	for i, v := range in.Results {
		if x := p.held(v); x != nil {
			p.w.linef("%s = %s.r%d;", x.name, all, i)
		}
	}
}
