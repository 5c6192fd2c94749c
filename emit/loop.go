package emit

import (
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// loopFrame is a loop that is being printed.
type loopFrame struct {
	in   *ssa.Instr
	next string // label at the end of the body, "" while no jump needs one
	done string // label after the loop, "" while no jump needs one
	// plainNext says that C++'s continue goes where the loop's post part is.
	plainNext bool
	element   string // of a loop over a matrix in registers: the number of the element in its thread
}

// loop prints an OpLoop as for or while.
func (p *printer) loop(in *ssa.Instr) {
	init := p.enterLoop(in)
	frame := &loopFrame{in: in, plainNext: p.code.PostFits(in)}
	p.markTails(in.Do(), in)
	if !frame.plainNext && p.needsNext(in) {
		frame.next = p.newLabel(in, "next")
	}
	p.loops = append(p.loops, frame)

	cond, post := p.headerTest(in), ""
	testInside := cond == "" && !p.alwaysTrue(in)
	if frame.plainNext {
		post = p.headerPost(in)
	}
	if frame.next == "" && p.nestedContinue(in) {
		frame.next = p.newLabel(in, "next")
	}
	body := p.inner(1, func() {
		if testInside {
			p.insideTest(in)
		}
		p.loopBody(frame)
	})
	p.loops = p.loops[:len(p.loops)-1]

	p.w.stmt = in.Stmt
	if in.Rolled {
		p.w.line(p.d.Rolled)
	}
	p.w.line(loopHeader(init, cond, post))
	p.w.append(body)
	p.w.stmt = in.Stmt
	p.w.line("}")
	if frame.done != "" {
		p.w.line(frame.done + ":;")
	}
}

func loopHeader(init, cond, post string) string {
	if init == "" && post == "" {
		if cond == "" {
			return "for (;;) {"
		}
		return "while (" + cond + ") {"
	}
	if cond != "" {
		cond = " " + cond
	}
	if post != "" {
		post = " " + post
	}
	return "for (" + init + ";" + cond + ";" + post + ") {"
}

// enterLoop prints what stands before a loop: declarations of its variables
// with their first values, except for those that the result, the for
// statement's init part, declares.
func (p *printer) enterLoop(in *ssa.Instr) (init string) {
	before, header := p.code.Entry(in)
	p.stepsBefore(before)
	p.w.at(in.Stmt)
	var parts []string
	for _, c := range header {
		to := p.vars[c.To.Number]
		to.declared = true
		parts = append(parts, to.name+" = "+p.expr(c.From).text)
	}
	p.declare(in)
	if parts == nil {
		return ""
	}
	return p.typeName(header[0].To.Type) + " " + strings.Join(parts, ", ")
}

// headerTest is a loop's condition as one expression, or "" if it is not one, or
// is always true.
func (p *printer) headerTest(in *ssa.Instr) string {
	test := in.Cond().Terminator()
	if p.alwaysTrue(in) || len(p.code.Copies(test)) > 0 || p.hasStatements(in.Cond()) {
		return ""
	}
	return p.expr(test.Args[0]).text
}

func (p *printer) alwaysTrue(in *ssa.Instr) bool {
	c, ok := in.Cond().Terminator().Args[0].Const()
	return ok && c.Bool() && !p.hasStatements(in.Cond())
}

func (p *printer) hasStatements(b *ssa.Block) bool {
	for _, in := range b.Instrs {
		if !in.Op.IsTerminator() && p.code.IsStatement(in) {
			return true
		}
	}
	return false
}

// headerPost is a loop's post part for the header of a for statement.
func (p *printer) headerPost(in *ssa.Instr) string {
	var parts []string
	for _, i := range in.Post().Instrs {
		if !i.Op.IsTerminator() && p.code.IsStatement(i) {
			parts = append(parts, p.assignment(i))
		}
	}
	for _, s := range p.code.Sequence(p.code.Copies(in.Post().Terminator())) {
		parts = append(parts, p.assign(s.Copy)) // none needs a temporary, or the part would not fit
	}
	return strings.Join(parts, ", ")
}

// insideTest prints a condition that does not fit into the header: its
// statements, and the way out.
func (p *printer) insideTest(in *ssa.Instr) {
	p.block(in.Cond())
	test := in.Cond().Terminator()
	if c, ok := test.Args[0].Const(); ok && c.Bool() {
		return
	}
	copies := p.code.Copies(test)
	if len(copies) == 0 {
		p.w.line("if (" + p.negated(test.Args[0]) + ") break;")
		return
	}
	p.w.line("if (" + p.negated(test.Args[0]) + ") {")
	p.w.append(p.inner(1, func() {
		p.steps(p.code.Sequence(copies), nil)
		p.w.line("break;")
	}))
	p.w.line("}")
}

// loopBody prints a loop's body, and its post part unless the header has it.
func (p *printer) loopBody(frame *loopFrame) {
	in := frame.in
	if frame.next == "" {
		p.block(in.Do())
	} else {
		body := p.inner(0, func() { p.block(in.Do()) })
		declares := body.declares
		if declares {
			// In braces, so that a jump to the body's end passes no declaration.
			p.w.line("{")
			body = body.indented()
		}
		p.w.append(body)
		if declares {
			p.w.line("}")
		}
		p.w.line(frame.next + ":;")
	}
	if !frame.plainNext {
		p.w.stmt = in.Stmt
		p.block(in.Post())
	}
}

// markTails marks the terminators by which control reaches the end of b, when b
// is the body of loop or, with a nil loop, of a function: there the text goes on
// where they go.
func (p *printer) markTails(b *ssa.Block, loop *ssa.Instr) {
	n := len(b.Instrs)
	switch t := b.Instrs[n-1]; t.Op {
	case ssa.OpContinue:
		p.tails[t] = p.tails[t] || t.Target == loop
	case ssa.OpReturn:
		p.tails[t] = p.tails[t] || loop == nil
	case ssa.OpUnreachable:
		if n > 1 && b.Instrs[n-2].Op == ssa.OpIf && p.code.IsStatement(b.Instrs[n-2]) {
			p.markTails(b.Instrs[n-2].Then(), loop)
			p.markTails(b.Instrs[n-2].Else(), loop)
		}
	}
}

// needsNext reports whether a jump to a post part at the body's end is needed.
func (p *printer) needsNext(in *ssa.Instr) bool {
	for _, t := range p.code.Exits(in) {
		if t.Op == ssa.OpContinue && !p.tails[t] {
			return true
		}
	}
	return false
}

// nestedContinue reports whether a continue of a loop stands in a loop inside it, so
// that C++'s continue would be that one's.
func (p *printer) nestedContinue(in *ssa.Instr) bool {
	for _, t := range p.code.Exits(in) {
		if t.Op == ssa.OpContinue && innermost(t) != in {
			return true
		}
	}
	return false
}

// innermost is the loop that a terminator stands in.
func innermost(t *ssa.Instr) *ssa.Instr {
	owner := t.Block.Owner
	for owner.Op != ssa.OpLoop {
		owner = owner.Block.Owner
	}
	return owner
}

// jump is the C++ statement for a continue or a break, "" if the text goes on
// at the right place by itself.
func (p *printer) jump(in *ssa.Instr) string {
	if p.tails[in] {
		return ""
	}
	var frame *loopFrame
	for _, f := range p.loops {
		if f.in == in.Target {
			frame = f
		}
	}
	inner := p.loops[len(p.loops)-1] == frame
	if in.Op == ssa.OpContinue {
		if inner && frame.plainNext {
			return "continue;"
		}
		return "goto " + frame.next + ";"
	}
	if inner {
		return "break;"
	}
	if frame.done == "" {
		frame.done = p.newLabel(frame.in, "done")
	}
	return "goto " + frame.done + ";"
}

// newLabel is a label of its own for a place of a loop.
func (p *printer) newLabel(in *ssa.Instr, place string) string {
	name := "loop"
	if in.Label != "" {
		name = identifier(in.Label)
	}
	base := name + "_" + place
	label := base
	for n := 2; p.label[label]; n++ {
		label = base + "_" + strconv.Itoa(n)
	}
	p.label[label] = true
	return label
}
