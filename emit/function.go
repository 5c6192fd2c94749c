package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// function prints a device function, after the struct of its results if it has several.
func (p *printer) function(f *ssa.Func) {
	w := p.w
	p.begin(f)
	result := p.resultType(f)
	var params []string
	for _, v := range f.Params() {
		params = append(params, p.param(v))
	}
	if p.takesAlone[f] {
		params = append(params, "bool alone")
	}
	p.prototypes(f)
	w.at(&f.Decl)
	inline := "static " + p.d.Device + "inline"
	switch {
	case f.Rare:
		inline = p.d.Rare
	case f.InLine:
		inline = p.d.InLine
	case f.OutOfLine:
		inline = p.d.OutOfLine
	}
	w.linef("%s %s %s(%s) {", inline, result, p.names[f], strings.Join(params, ", "))
	p.funcBody(f)
	w.stmt = &f.Decl
	w.line("}")
}

// resultType is the type of what a function returns. It prints the struct of several results, once.
func (p *printer) resultType(f *ssa.Func) string {
	switch len(f.Results) {
	case 0:
		return "void"
	case 1:
		return p.typeName(f.Results[0])
	}
	name := p.names[f] + "_results"
	if p.ahead[f] {
		return name
	}
	var fields strings.Builder
	for i, t := range f.Results {
		fmt.Fprintf(&fields, " %s r%d;", p.typeName(t), i)
	}
	p.w.linef("struct %s {%s };", name, fields.String())
	p.w.line("")
	return name
}

// prototypes declares the functions behind a function that it calls. None of their parameters is a reference: that is
// decided where a function is printed.
func (p *printer) prototypes(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpRecur || in.Callee == f || p.ahead[in.Callee] {
			return
		}
		result := p.resultType(in.Callee)
		if p.ahead == nil {
			p.ahead = make(map[*ssa.Func]bool)
		}
		p.ahead[in.Callee] = true
		var params []string
		for _, v := range in.Callee.Params() {
			params = append(params, p.typeName(v.Type))
		}
		p.w.linef("static %sinline %s %s(%s);", p.d.Device, result, p.names[in.Callee], strings.Join(params, ", "))
		p.w.line("")
	})
}

// hasLanes reports whether a loop in a function runs several lanes of a block at once.
func hasLanes(f *ssa.Func) (found bool) {
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpFor && in.WideBlock() != nil })
	return found
}

// begin begins a function.
func (p *printer) begin(f *ssa.Func) {
	var frame []string
	switch {
	case f.Kernel:
		frame = p.d.Frame(f)
	case p.takesAlone[f]:
		frame = []string{"alone"}
	}
	if hasLanes(f) {
		frame = append(slices.Clip(frame), p.d.Block.Width)
	}
	p.fn, p.code = f, p.funcs[f]
	p.nameVariables(func(name string) bool { return p.avoid[name] || slices.Contains(frame, name) })
	p.loops = nil
	p.label = make(map[string]bool)
	for _, v := range f.Params() {
		if x := p.held(v); x != nil {
			x.declared = true
		}
	}
}

// param is the declaration of a function's parameter; an unused one has no name.
func (p *printer) param(v *ssa.Value) string {
	x := p.held(v)
	switch {
	case x == nil:
		return p.typeName(v.Type)
	case !p.ahead[v.Block.Func] && p.byReference(v, x):
		return p.constType(v.Type) + "& " + x.name
	}
	return p.typeName(v.Type) + " " + x.name
}

// byReference reports whether a parameter is a reference to what the caller has: an aggregate that the text does not
// assign, in a function that leaves memory as it is.
func (p *printer) byReference(v *ssa.Value, x *variable) bool {
	return p.fn.ReadsOnly && ssa.IsAggregate(v.Type) && v.Type.Size() > 0 && x.Once
}

func (p *printer) funcBody(f *ssa.Func) {
	p.w.depth++
	p.block(f.Body)
	p.w.depth--
}
