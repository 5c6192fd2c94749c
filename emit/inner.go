package emit

import "github.com/qdgen/qd/ssa"

// This file prints what is decided by the interior of rows: see [ssa.Site].

// innerClamp is the expression of a min or max that is a site: its index in the
// interior, and what is otherwise printed outside.
func (p *printer) innerClamp(in *ssa.Instr, s *ssa.Site) expr {
	index := in.Args[s.Index]
	for p.plan.inline[index.ID] {
		// A clamp of a clamped index is the index as well.
		inside := index.Def.Site
		if inside == nil {
			break
		}
		index = index.Def.Args[inside.Index]
	}
	x := p.expr(index)
	return expr{"inner ? " + x.text + " : " + p.outside(in).text, precAssign, true}
}

// innerTest is the expression of a comparison that is a site, or of its negation.
func (p *printer) innerTest(in *ssa.Instr, s *ssa.Site, negate bool) expr {
	e := p.outsideTest(in, negate)
	if s.Value != negate {
		return infix(operator{"||", precOrOr}, call("inner"), e)
	}
	return infix(operator{"&&", precAndAnd}, call("!inner"), e)
}

// site gives the site that in is, if it has to be printed as one.
func (p *printer) site(in *ssa.Instr) *ssa.Site {
	if p.beyond {
		return nil
	}
	return in.Site
}

// outside is the expression of an instruction outside of the interior.
func (p *printer) outside(in *ssa.Instr) expr {
	defer func(was bool) { p.beyond = was }(p.beyond)
	p.beyond = true
	return p.instr(in)
}

func (p *printer) outsideTest(in *ssa.Instr, negate bool) expr {
	defer func(was bool) { p.beyond = was }(p.beyond)
	p.beyond = true
	op := in.Op
	if negate {
		op = opposites[op]
	}
	return p.infix(comparisons[op], in.Args[0], in.Args[1])
}
