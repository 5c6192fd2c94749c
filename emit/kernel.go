package emit

import (
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// kernel prints a kernel's argument struct, and the kernel in its dialect's frame.
func (p *printer) kernel(f *ssa.Func) {
	w := p.w
	p.begin(f)
	k := p.kernels[f]
	k.Params, k.Shared = nil, nil // a text may be printed more than once
	p.frame = k
	if f.Phased {
		if x := p.held(f.Params()[len(f.Params())-1]); x != nil {
			k.Lanes = x.name
		}
	}
	if x := p.held(f.Params()[0]); x != nil {
		k.Thread = x.name
	}
	for i, field := range p.fields(f) {
		v := f.Params()[i+1]
		param := Param{Field: field, Type: p.typeName(v.Type), Empty: v.Type.Size() == 0, Aggregate: ssa.IsAggregate(v.Type)}
		if x := p.held(v); x != nil {
			param.Name, param.Const = x.name, x.Once
		}
		k.Params = append(k.Params, param)
	}
	k.Memory, p.cut = 0, nil
	if p.d.Block.Cut != nil && abi.OnePiece(f) {
		p.cut, k.Memory = abi.BlockMemory(f)
	}
	w.linef("struct %s {", k.Args())
	w.line("    int64 dim[4];")
	if k.Blocked {
		w.line("    int64 block;")
	}
	for _, a := range k.Params {
		if a.Empty {
			continue
		}
		w.linef("    %s %s;", a.Type, a.Field)
	}
	layout := p.declared.Frames[f].Layout
	if layout.Sizes.Threads != 0 {
		w.line("    int64 threads;")
	}
	if layout.Sizes.Divisors != 0 {
		w.linef("    size_divisor by[%d];", layout.Sizes.Rank)
	}
	w.line("};")
	w.linef("static_assert(sizeof(%s) == %d, \"the host lays out the arguments so\");", k.Args(), layout.Size)
	w.line("")
	w.at(&f.Decl)
	memory := p.sharedFirst(f)
	for line := range strings.Lines(string(memory.buf)) {
		k.Shared = append(k.Shared, strings.TrimSuffix(line, "\n"))
	}
	p.lines(p.d.Open(k))
	p.funcBody(f)
	w.stmt = nil
	p.lines(p.d.Close(k))
}

// findKernels finds out what the frames of kernels are made of.
func (p *printer) findKernels() {
	p.kernels, p.takesAlone = make(map[*ssa.Func]*Kernel), make(map[*ssa.Func]bool)
	for _, f := range p.m.Kernels() {
		frame := p.declared.Frames[f]
		k := &Kernel{
			Symbol: p.names[f], Func: f, Place: p.typeName(f.Params()[0].Type), parts: p.declared.Place, Narrow: p.m.Narrow,
			Rows: p.rows(f), Interior: p.interior(f), Hint: p.hint(f.Vector), Faults: frame.Stops, Blocked: frame.Blocked, Wide: p.wide(f, f.Wide),
		}
		if k.Alone = p.d.Alone && f.AddsAlone(); k.Alone {
			p.takesAlone[f] = true
			if w := f.Wide; w != nil && w.By != nil {
				p.takesAlone[w.By] = true
			}
		}
		p.kernels[f] = k
	}
}

// hint is the line before a loop over threads or lanes, "" for none.
func (p *printer) hint(v ssa.Vector) string {
	if p.d.Hint == nil {
		return ""
	}
	return p.d.Hint(v)
}

// fields are the names of a kernel's parameters in its argument struct.
func (p *printer) fields(k *ssa.Func) []string {
	var names []string
	taken := map[string]bool{"dim": true, "block": p.declared.Frames[k].Blocked, "threads": p.d.ABI.Divides, "by": p.d.ABI.Divides}
	for _, name := range p.structs.names {
		taken[name] = true // C++ would not let a field hide a type that others have
	}
	for i, v := range abi.Params(k) {
		field := identifier(v.Name)
		if v.Name == "" || v.Name == "_" {
			field = "arg" + strconv.Itoa(i+1)
		}
		for reserved[field] || taken[field] {
			field += "_"
		}
		taken[field] = true
		names = append(names, field)
	}
	return names
}
