package emit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
)

// Named is what is printed as one text, with a name in a dialect for all that has one: a module, or
// several of one package.
type Named struct {
	d       *Dialect
	known   *analysis.Summaries
	modules []*ssa.Module
	printer *printer // of the only module
}

// Name gives what is in modules the names that it has in a text of theirs. Those of several depend on the text:
// what two of them both define is printed once where it is the same. No two of several may
// clash, none may have checks, panics or a part for the host. What is known of the functions goes with them.
func Name(d *Dialect, known *analysis.Summaries, modules ...*ssa.Module) *Named {
	n := &Named{d: d, known: known, modules: modules}
	if len(modules) == 1 {
		n.printer = newPrinter(modules[0], d, known, nil)
	}
	return n
}

// Print writes the text. Equal modules in equal order give equal text. The lines of several modules are not
// those of one file of Go: there are no line directives for them.
func (n *Named) Print(o Options) *Text {
	if n.printer == nil {
		return n.printMerged()
	}
	p, d := n.printer, n.d
	body := p.body("", 0)
	p.needMentioned(body)

	w := new(writer)
	header(w, d, p.m)
	d.prelude(w, p.needs)
	if o.LineDirectives {
		// Directives that lead back to this file need to know the line they are on.
		body = p.body(p.m.Name+d.Ext, len(w.lines))
	}
	w.append(body)
	if host := n.modules[0].Host(); host != nil {
		w.host(host)
	}
	return &Text{Source: string(w.buf), Lines: w.lines}
}

// newPrinter is a printer of a module, with a name for all that has one of its own. No
// name is one of those in avoid, but for the symbols of the kernels.
func newPrinter(m *ssa.Module, d *Dialect, known *analysis.Summaries, avoid map[string]bool) *printer {
	p := &printer{d: d, m: m.Device(), needs: make(map[string]bool), avoid: make(map[string]bool), calls: known}
	maps.Copy(p.avoid, avoid)
	p.nameKernels()
	p.findStructs()
	p.nameFunctions()
	p.namePlaces()
	p.findThreadUses()
	p.findKernels()
	return p
}

// needMentioned notes the pieces of the prelude that are needed wherever they are named.
func (p *printer) needMentioned(body *writer) {
	for _, name := range mentioned(body.buf) {
		p.need(name)
	}
}

// host shows what the host runs of a Grid kernel, as a comment.
func (w *writer) host(f *ssa.Func) {
	w.line("")
	w.comment("What the host runs:")
	for line := range strings.Lines(f.String()) {
		w.comment("    " + strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    "))
	}
}

// A printer prints one module.
type printer struct {
	d          *Dialect
	m          *ssa.Module
	needs      map[string]bool      // pieces of the prelude
	names      map[*ssa.Func]string // of the functions; of a kernel its symbol
	avoid      map[string]bool      // names that no variable may have
	structs    *structs
	threadType string // the name of the type of a thread's place
	blockType  string // of a block's
	formats    int    // of modules before, in a text of several
	ids        bool   // some function reads an index along an axis
	uses       blockUses
	dims       bool // some function reads a launch size
	calls      *analysis.Summaries

	kernels map[*ssa.Func]*Kernel

	w        *writer
	plan     *plan              // of the function being printed
	frame    *Kernel            // of the kernel being printed
	told     map[*ssa.Func]bool // functions of threads that have one more parameter: whether all threads of the launch run one after the other
	defs     []definition       // of the body so far
	declared map[*ssa.Func]bool // the functions that stand behind one that calls them, and are declared there
	loops    []*loopFrame
	phase    *loopFrame          // the loop over lanes that is being printed
	label    map[string]bool     // labels of the function
	tails    map[*ssa.Instr]bool // terminators that go where the text goes on anyway
	done     map[*ssa.Instr]bool // yields whose moves have been printed already
}

func (p *printer) need(piece string) { p.needs[piece] = true }

// nameKernels gives each kernel its symbol.
func (p *printer) nameKernels() {
	p.names = make(map[*ssa.Func]string)
	for _, f := range p.m.Kernels() {
		p.names[f] = Symbol(f)
		for _, n := range kernelNames(f) {
			p.avoid[n] = true
		}
	}
}

// kernelNames are the names that a kernel takes in a text.
func kernelNames(k *ssa.Func) []string {
	name := Symbol(k)
	return []string{name, name + "_args", name + "_thread", name + "_part", name + "_block", name + "_tiles"}
}

// namePlaces names the types of what kernels' first parameters are.
func (p *printer) namePlaces() {
	p.threadType, p.blockType = p.freeName("Thread"), p.freeName("Block")
	if p.hasParam(ssa.BlockPlace) {
		p.avoid[p.blockType] = true
	}
	if p.hasParam(ssa.Thread) {
		p.avoid[p.threadType] = true
	}
}

// freeName is a name that nothing has, if it can be this one.
func (p *printer) freeName(base string) string {
	name := base
	for n := 2; p.avoid[name]; n++ {
		name = withNumber(base, n)
	}
	return name
}

// nameFunctions gives each device function a name of its own.
func (p *printer) nameFunctions() {
	for _, f := range p.m.Funcs {
		if f.Kernel {
			continue
		}
		base := globalName(f.Name)
		name := base
		for n := 2; p.avoid[name] || p.avoid[name+"_results"]; n++ {
			name = base + "_" + strconv.Itoa(n)
		}
		p.names[f] = name
		p.avoid[name], p.avoid[name+"_results"] = true, true
	}
}

// findThreadUses finds out which parts a Thread must have.
func (p *printer) findThreadUses() {
	for _, f := range p.m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpThreadID, ssa.OpBlockIndex:
				p.ids = p.ids || in.Rank > 1
			case ssa.OpThreadDim:
				p.dims = p.dims || !f.Phased
			}
			p.uses.note(f, in)
		})
	}
}

// header says what the text of modules of one package is.
func header(w *writer, d *Dialect, modules ...*ssa.Module) {
	var kernels []string
	for _, m := range modules {
		for _, k := range m.Kernels() {
			kernels = append(kernels, k.Name)
		}
	}
	what := "kernel " + strings.Join(kernels, ", ")
	if len(kernels) == 0 { // of a Grid kernel without a loop
		what += modules[0].Name
	}
	if len(kernels) > 1 {
		what = "kernels " + strings.Join(kernels, ", ")
	}
	w.comment(what + " of package " + modules[0].Pkg + " in " + d.Language + ", emitted by qdgen")
}

// body prints everything after the prelude. file is the name for #line
// directives, "" for none, and before the number of lines above.
func (p *printer) body(file string, before int) *writer {
	w := &writer{directives: file, offset: before}
	p.w = w
	if usesPrintf(p.m) {
		p.need("qd.Printf")
	}
	p.defs = nil
	if p.hasParam(ssa.Thread) {
		p.definition(p.threadStruct, p.threadType)
	}
	if p.hasParam(ssa.BlockPlace) {
		p.definition(p.blockStruct, p.blockType)
	}
	for _, t := range p.structs.order {
		p.definition(func() { p.structDefinition(t) }, p.structs.names[t])
	}
	for _, f := range p.m.Funcs {
		if f.Kernel {
			p.definition(func() { p.kernel(f) })
		} else {
			p.definition(func() { p.function(f) }, p.names[f], p.names[f]+"_results")
		}
	}
	return w
}

// definition prints a part of the body, which defines what has the names.
func (p *printer) definition(print func(), names ...string) {
	w := p.w
	d := definition{names: names, text: len(w.buf), line: len(w.lines)}
	w.line("")
	print()
	w.stmt = nil
	d.textEnd, d.lineEnd = len(w.buf), len(w.lines)
	p.defs = append(p.defs, d)
}

func usesPrintf(m *ssa.Module) bool {
	found := false
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpPrintf })
	}
	return found
}

// threadStruct prints the type of what a kernel's first parameter is, with the
// parts that the module reads.
func (p *printer) threadStruct() {
	w := p.w
	about := "the row-major index"
	if p.ids {
		about += ", the indices along the axes"
	}
	if p.dims {
		about += ", the sizes of the launch"
	}
	if p.uses.any() {
		about += ", the place in its block"
	}
	w.comment("The place of one thread in the launch: " + about + ".")
	w.line("struct " + p.threadType + " {")
	w.line("    int64 flat;")
	if p.ids {
		w.line("    int64 id[4];")
	}
	if p.dims {
		w.line("    int64 dim[4];")
	}
	p.uses.fields(w)
	w.linef("    %sint64 ID() const { return flat; }", p.d.Device)
	w.line("};")
}

// function prints a device function, after the struct of its results if it has several.
func (p *printer) function(f *ssa.Func) {
	w := p.w
	p.begin(f)
	result := p.resultType(f)
	var params []string
	for _, v := range f.Params() {
		params = append(params, p.param(v))
	}
	if p.told[f] {
		params = append(params, "bool alone")
	}
	p.prototypes(f)
	w.at(&f.Decl)
	inline := "static " + p.d.Device + "inline"
	if f.Rare {
		inline = p.d.Rare
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
	if p.declared[f] {
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
		if in.Op != ssa.OpRecur || in.Callee == f || p.declared[in.Callee] {
			return
		}
		result := p.resultType(in.Callee)
		if p.declared == nil {
			p.declared = make(map[*ssa.Func]bool)
		}
		p.declared[in.Callee] = true
		var params []string
		for _, v := range in.Callee.Params() {
			params = append(params, p.typeName(v.Type))
		}
		p.w.linef("static %sinline %s %s(%s);", p.d.Device, result, p.names[in.Callee], strings.Join(params, ", "))
		p.w.line("")
	})
}

// begin plans a function.
func (p *printer) begin(f *ssa.Func) {
	var frame []string
	switch {
	case f.Kernel:
		frame = p.d.Frame(f)
	case p.told[f]:
		frame = []string{"alone"}
	}
	p.plan = newPlan(f, p.calls, func(name string) bool {
		return p.avoid[name] || slices.Contains(frame, name)
	})
	p.loops = nil
	p.label = make(map[string]bool)
	p.tails = make(map[*ssa.Instr]bool)
	p.done = make(map[*ssa.Instr]bool)
	for _, v := range f.Params() {
		if x := p.plan.vars[v.ID]; x != nil {
			x.declared = true
		}
	}
}

// param is the declaration of a function's parameter; an unused one has no name.
func (p *printer) param(v *ssa.Value) string {
	x := p.plan.vars[v.ID]
	switch {
	case x == nil:
		return p.typeName(v.Type)
	case !p.declared[v.Block.Func] && p.byReference(v, x):
		return p.constType(v.Type) + "& " + x.name
	}
	return p.typeName(v.Type) + " " + x.name
}

// byReference reports whether a parameter is a reference to what the caller has: an aggregate that the text does not assign, in a
// function that leaves memory as it is.
func (p *printer) byReference(v *ssa.Value, x *variable) bool {
	return p.plan.fn.ReadsOnly && ssa.IsAggregate(v.Type) && v.Type.Size() > 0 && x.assigned == 1 && !p.plan.inMemory(v)
}

func (p *printer) funcBody(f *ssa.Func) {
	if len(f.Results) == 0 {
		p.markTails(f.Body, nil)
	}
	p.w.depth++
	p.block(f.Body)
	p.w.depth--
}

// kernel prints a kernel's argument struct, and the kernel in its dialect's frame.
func (p *printer) kernel(f *ssa.Func) {
	w := p.w
	p.begin(f)
	k := p.kernels[f]
	k.Params, k.Shared = nil, nil // a text may be printed more than once
	p.frame = k
	if f.Phased {
		if x := p.plan.vars[f.Params()[len(f.Params())-1].ID]; x != nil {
			k.Lanes = x.name
		}
	}
	if x := p.plan.vars[f.Params()[0].ID]; x != nil {
		k.Thread = x.name
	}
	for i, field := range p.fields(f) {
		v := f.Params()[i+1]
		param := Param{Field: field, Type: p.typeName(v.Type), Empty: v.Type.Size() == 0, Aggregate: ssa.IsAggregate(v.Type)}
		if x := p.plan.vars[v.ID]; x != nil {
			param.Name, param.Const = x.name, x.assigned == 1 && !p.plan.inMemory(v)
		}
		k.Params = append(k.Params, param)
	}
	if k.Tile != nil {
		p.need("qd.tile")
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
	layout := p.d.ABI.ArgsKnowing(f, p.calls)
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
	p.kernels, p.told = make(map[*ssa.Func]*Kernel), make(map[*ssa.Func]bool)
	for _, f := range p.m.Kernels() {
		k := &Kernel{Symbol: p.names[f], Func: f, Interior: p.interior(f), Tile: p.tile(f), Faults: p.calls.Of(f).Effects.Has(analysis.MayStop), Blocked: abi.Blocked(f, p.calls), Place: p.typeName(f.Params()[0].Type), Narrow: p.m.Narrow, uses: p.uses, ids: p.ids, dims: p.dims}
		k.Hint = p.hint(f.Vector)
		if w := f.Wide; w != nil && w.By != nil {
			k.Wide, k.WideLanes = p.names[w.By], w.Lanes
		}
		if k.Alone = p.d.Alone && f.AddsAlone(); k.Alone {
			p.told[f] = true
			if w := f.Wide; w != nil && w.By != nil {
				p.told[w.By] = true
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
	taken := map[string]bool{"dim": true, "block": abi.Blocked(k, p.calls), "threads": p.d.ABI.Divides, "by": p.d.ABI.Divides}
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

// lines writes lines that are indented by themselves.
func (p *printer) lines(lines []string) {
	for _, l := range lines {
		p.w.line(l)
	}
}
