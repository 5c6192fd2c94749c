package emit

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// ifStatement prints an If with its chain of else-ifs.
func (p *printer) ifStatement(in *ssa.Instr) {
	ms, yield := p.hoisted(in)
	if p.invisible(in) && ms == nil {
		return
	}
	if yield != nil {
		p.done[yield] = true
		p.startMoves(ms)
	}
	p.w.at(in.Stmt)
	p.declare(in)
	p.chain("", in)
	p.w.stmt = in.Stmt
	p.w.line("}")
}

// chain prints an If up to its last closing brace; before stands in front of it.
func (p *printer) chain(before string, in *ssa.Instr) {
	then := p.inner(1, func() { p.block(in.Then()) })
	cond := p.expr(in.Args[0])
	if then.empty() && !p.invisibleBlock(in.Else()) {
		p.w.line(before + "if (" + p.negated(in.Args[0]) + ") {")
		p.w.append(p.inner(1, func() { p.block(in.Else()) }))
		return
	}
	p.w.line(before + "if (" + cond.text + ") {")
	p.w.append(then)
	p.w.stmt = in.Stmt
	if next := p.elseIf(in.Else()); next != nil {
		p.w.at(next.Stmt)
		p.chain("} else ", next)
		return
	}
	if els := p.inner(1, func() { p.block(in.Else()) }); !els.empty() {
		p.w.line("} else {")
		p.w.append(els)
	}
}

// elseIf gives the If that is all that an else block prints, if it is one that
// needs no declarations in front.
func (p *printer) elseIf(b *ssa.Block) *ssa.Instr {
	var only *ssa.Instr
	for _, in := range b.Instrs {
		switch {
		case in.Op.IsTerminator():
			if in.Op != ssa.OpUnreachable && (in.Op != ssa.OpYield || !p.done[in] && len(p.plan.edge(in)) > 0) {
				return nil
			}
		case p.plan.IsStatement(in):
			if only != nil || in.Op != ssa.OpIf || p.plan.IsLogical(in) {
				return nil
			}
			only = in
		}
	}
	if only == nil || len(p.plan.decl[only]) > 0 || p.invisible(only) {
		return nil
	}
	if ms, _ := p.hoisted(only); ms != nil {
		return nil
	}
	return only
}

// invisible reports whether an If would print nothing.
func (p *printer) invisible(in *ssa.Instr) bool {
	return p.invisibleBlock(in.Then()) && p.invisibleBlock(in.Else())
}

func (p *printer) invisibleBlock(b *ssa.Block) bool {
	for _, in := range b.Instrs {
		switch {
		case in.Op == ssa.OpYield:
			if !p.done[in] && len(p.plan.edge(in)) > 0 {
				return false
			}
		case p.plan.IsStatement(in):
			if in.Op == ssa.OpIf && !p.plan.IsLogical(in) && p.invisible(in) {
				continue
			}
			return false
		}
	}
	return true
}

// hoisted gives the moves of a block of an If that does nothing else, if they
// can be done before the If, for the other block to overwrite: Go's "x := a; if c { x = b }".
// That is so when nothing that the If reads is in the variables.
func (p *printer) hoisted(in *ssa.Instr) ([]move, *ssa.Instr) {
	then, els, ok := p.plan.live.AtEntry(in)
	if !ok {
		return nil, nil // the function joins no values
	}
	if ms, yield := p.onlyMoves(in, in.Else(), then); ms != nil {
		return ms, yield
	}
	return p.onlyMoves(in, in.Then(), els)
}

// onlyMoves gives the moves of b if they are all that b does, and may be done
// before the If, whose other block has other live on entry.
func (p *printer) onlyMoves(in *ssa.Instr, b *ssa.Block, other live.Set) ([]move, *ssa.Instr) {
	t := b.Terminator()
	if t.Op != ssa.OpYield {
		return nil, nil
	}
	for _, i := range b.Instrs[:len(b.Instrs)-1] {
		if p.plan.IsStatement(i) {
			return nil, nil
		}
	}
	ms := p.plan.edge(t)
	for _, m := range ms {
		if m.from.Def != nil && m.from.Def.Block == b {
			return nil, nil // Go assigns it in the block
		}
		if p.plan.readsVariable(in.Args[0], m.to) {
			return nil, nil
		}
		if other.Meets(m.to.members) {
			return nil, nil
		}
	}
	return ms, t
}

// negated is the text of the negation of a condition.
func (p *printer) negated(cond *ssa.Value) string {
	if in := cond.Def; in != nil && p.plan.inline[cond.ID] {
		switch {
		case in.Op == ssa.OpNot:
			return p.expr(in.Args[0]).text
		case in.Op == ssa.OpEq || in.Op == ssa.OpNe || opposites[in.Op] != 0 && ssa.IsInteger(in.Args[0].Type):
			return p.infix(comparisons[opposites[in.Op]], in.Args[0], in.Args[1]).text
		}
	}
	return "!" + p.expr(cond).in(precPostfix)
}

// opposites of the comparisons. Of floats only the first two are: a NaN makes
// the others all false.
var opposites = map[ssa.Op]ssa.Op{
	ssa.OpEq: ssa.OpNe, ssa.OpNe: ssa.OpEq,
	ssa.OpLt: ssa.OpGe, ssa.OpGe: ssa.OpLt, ssa.OpGt: ssa.OpLe, ssa.OpLe: ssa.OpGt,
}
