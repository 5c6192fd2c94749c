package emit

import "github.com/qdgen/qd/ssa"

// This file prints addresses and memory accesses. An address that is computed where it is used is not printed itself.
// The access then names an element, a field or a variable as Go does.

// place is what a pointer points to.
func (p *printer) place(ptr *ssa.Value) expr {
	switch {
	case ptr.IsLocal():
		return expr{p.variable(ptr).name, precPrimary, true}
	case p.code.IsInline(ptr) && ptr.Def.Op.IsPart():
		return p.placeOf(ptr.Def)
	}
	return expr{"*" + p.pointer(ptr).in(precPostfix), precUnary, true}
}

// pointer is the text of a pointer that something is reached through: of nil with the type,
// which nullptr alone does not have.
func (p *printer) pointer(ptr *ssa.Value) expr {
	e := p.expr(ptr)
	if e.text == "nullptr" {
		return expr{"(" + p.typeName(ptr.Type) + ")" + e.text, precUnary, true}
	}
	return e
}

// placeOf is what an address leads to.
func (p *printer) placeOf(in *ssa.Instr) expr {
	switch in.Op {
	case ssa.OpIndexAddr:
		if in.Args[0].SpreadMatrix() != nil {
			return call(p.variable(in.Args[0]).name + "[" + p.phase.element + "]") // each lane its own
		}
		return call(p.expr(in.Args[0]).in(precPostfix) + "[" + p.expr(in.Args[1]).text + "]")
	case ssa.OpElemAddr:
		return call(p.place(in.Args[0]).in(precPostfix) + "[" + p.expr(in.Args[1]).text + "]")
	}
	base := in.Args[0]
	field := p.fieldName(base.Type.(ssa.Pointer).Elem, int(in.Index))
	if field == "" {
		return expr{"*(" + p.typeName(in.Results[0].Type) + ")" + p.address(base).in(precUnary), precUnary, true}
	}
	if base.IsLocal() || p.code.IsInline(base) && base.Def.Op.IsPart() {
		return call(p.place(base).in(precPostfix) + "." + field)
	}
	return call(p.pointer(base).in(precPostfix) + "->" + field)
}

// address is the text of a pointer.
func (p *printer) address(ptr *ssa.Value) expr {
	if ptr.IsLocal() {
		return expr{"&" + p.variable(ptr).name, precUnary, true}
	}
	return p.expr(ptr)
}

// addressOf is the text of a pointer that is computed.
func (p *printer) addressOf(in *ssa.Instr) expr {
	at := p.placeOf(in)
	if at.text[0] == '*' {
		return expr{at.text[1:], precUnary, true}
	}
	return expr{"&" + at.text, precUnary, true}
}

// fieldName is the name of a field in the text, "" for one that is not there.
func (p *printer) fieldName(t ssa.Type, index int) string {
	return p.structs.fields[t.(*ssa.Struct)][index]
}

// fieldOf is a field of a struct.
func (p *printer) fieldOf(in *ssa.Instr) expr {
	return call(p.expr(in.Args[0]).in(precPostfix) + "." + p.fieldName(in.Args[0].Type, int(in.Index)))
}
