package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/outofssa"
)

// loopFrame is a loop that is being printed.
type loopFrame struct {
	in      *ssa.Instr
	next    string // label at the end of the body, "" if no jump needs one
	done    string // label after the loop, "" while no jump needs one
	element string // of a loop over a matrix in registers: the number of the element in its thread
}

// loop prints an OpLoop as for or while.
func (p *printer) loop(in *ssa.Instr) {
	init := p.enterLoop(in)
	frame := &loopFrame{in: in}
	if p.code.HasNext(in, in.Do()) {
		frame.next = p.newLabel(in, "next")
	}
	p.loops = append(p.loops, frame)

	cond, post := "", ""
	if p.code.TestFits(in) {
		cond = p.expr(in.Cond().Terminator().Args[0]).text
	}
	if p.code.PostFits(in) {
		post = p.headerPost(in)
	}
	body := p.inner(1, func() {
		if cond == "" && !p.code.IsEndless(in) {
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
	for i, c := range header {
		to := p.vars[c.To.Number]
		to.declared = true
		typ := p.typeName(c.To.Type)
		if i == 0 {
			init = typ + " "
		} else { // in int* p = a, *q = b the type is int, and each variable has a star of its own
			init += ", " + typ[len(strings.TrimRight(typ, "*")):]
		}
		init += to.name + " = " + p.expr(c.From).text
	}
	p.declare(in)
	return init
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
	if !p.code.PostFits(in) {
		p.w.stmt = in.Stmt
		p.block(in.Post())
	}
}

// jump is the statement of a continue, a break or a return without values, "" if the text goes on
// at the right place by itself.
func (p *printer) jump(in *ssa.Instr) string {
	switch how, loop := p.code.Jump(in); how {
	case outofssa.Falls:
		return ""
	case outofssa.Return:
		return "return;"
	case outofssa.Continue:
		return "continue;"
	case outofssa.Break:
		return "break;"
	case outofssa.ToNext:
		return "goto " + p.frameOf(loop).next + ";"
	default:
		frame := p.frameOf(loop)
		if frame.done == "" {
			frame.done = p.newLabel(loop, "done")
		}
		return "goto " + frame.done + ";"
	}
}

// frameOf is the frame of a loop that is being printed.
func (p *printer) frameOf(loop *ssa.Instr) *loopFrame {
	i := slices.IndexFunc(p.loops, func(f *loopFrame) bool { return f.in == loop })
	return p.loops[i]
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
