package emit

import "github.com/qdgen/qd/ssa"

// ifStatement prints an If with its chain of else-ifs.
func (p *printer) ifStatement(in *ssa.Instr) {
	if p.code.IsEmpty(in) {
		return
	}
	p.stepsBefore(p.code.Ahead(in))
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
	if then.empty() && !p.code.IsEmptyBlock(in.Else()) {
		then.free()
		p.w.line(before + "if (" + p.negated(in.Args[0]) + ") {")
		p.w.append(p.inner(1, func() { p.block(in.Else()) }))
		return
	}
	p.w.line(before + "if (" + cond.text + ") {")
	p.w.append(then)
	p.w.stmt = in.Stmt
	if next := p.code.ElseIf(in.Else()); next != nil {
		p.w.at(next.Stmt)
		p.chain("} else ", next)
		return
	}
	els := p.inner(1, func() { p.block(in.Else()) })
	if !els.empty() {
		p.w.line("} else {")
	}
	p.w.append(els)
}

// negated is the text of the negation of a condition.
func (p *printer) negated(cond *ssa.Value) string {
	if in := cond.Def; in != nil && p.code.IsInline(cond) {
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
