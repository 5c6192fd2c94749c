package emit

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
)

// This file prints what concerns matrices in the registers of the threads of a block.

// layout is the type that says which thread has which elements of a matrix.
func (p *printer) layout(rows, columns int) string {
	down, across := ssa.Warps(rows, columns, p.fn.Threads)
	p.need("qd.layout")
	return fmt.Sprintf("qd::layout<%d, %d, %d, %d, %d>", rows, columns, down, across, p.fn.Threads)
}

// fragment is the type of the part of a matrix that a thread has.
func (p *printer) fragment(in *ssa.Instr) string {
	columns := int(in.Index)
	p.need("qd.fragment")
	return fmt.Sprintf("qd::fragment<%s, %s>", p.typeName(in.Result().Type.(ssa.Slice).Elem), p.layout(int(in.Len)/columns, columns))
}

// spread prints a loop over the elements of a matrix that a thread has.
func (p *printer) spread(in *ssa.Instr) {
	body := in.Blocks[0]
	indices := [2]string{p.laneName(body.Params[0]), p.laneName(body.Params[1])}
	element := p.temporary("element")
	m, _ := in.Args[0].Const()
	n, _ := in.Args[1].Const()
	layout := p.layout(int(m.Int()), int(n.Int()))
	text := p.turn(in, body, element, 1, func() {
		p.phase.element = element
		p.w.linef("if (!%s::has(%s)) continue;", layout, element)
		p.w.linef("const int64 %s = %s::row(%s), %s = %s::column(%s);", indices[0], layout, element, indices[1], layout, element)
	})
	p.before(in)
	p.w.at(in.Stmt)
	p.w.raw("#pragma unroll")
	p.w.linef("for (int32 %s = 0; %s < %s::size; %s++) {", element, element, layout, element)
	p.w.append(text)
	p.w.stmt = in.Stmt
	p.w.line("}")
	if !in.Async {
		p.barrier()
	}
}

// syncCopies prints a barrier that waits for copies too.
func (p *printer) syncCopies(in *ssa.Instr) {
	p.need("qd.wait_for_groups")
	p.w.at(in.Stmt)
	p.w.linef("qd::wait_for_groups<%d>();", in.Len)
	p.w.line(p.d.Block.Barrier)
}

// multiply prints a product that is added to a matrix in registers.
func (p *printer) multiply(in *ssa.Instr) {
	name := [...]string{"multiply", "multiply_float16", "multiply_bfloat16", "multiply_int8", "multiply_tf32"}[in.Narrow]
	if in.Args[1].Type == (ssa.Slice{Elem: ssa.Float64}) {
		name = "multiply_float64"
	}
	p.need("qd." + name)
	p.w.at(in.Stmt)
	p.w.linef("qd::%s<%d>(%s, %s.data, %s.data);", name, in.Len, p.variable(in.Args[0]).name, p.expr(in.Args[1]).in(precPostfix), p.expr(in.Args[2]).in(precPostfix))
}
