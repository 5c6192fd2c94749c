package emit

import (
	"maps"
	"strconv"
	"strings"

	"github.com/qdgen/qd/emit/prelude"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/declare"
	"github.com/qdgen/qd/ssa/target/outofssa"
)

// A Module is a module in the form in which it is printed.
type Module struct {
	SSA      *ssa.Module
	Funcs    map[*ssa.Func]*outofssa.Func // how those for the device are written
	Declared *declare.Module              // what stands before them
}

// Named is what is printed as one text, with a name in a dialect for all that has one: a module, or
// several of one package.
type Named struct {
	d       *Dialect
	modules []*Module
	printer *printer // of the only module
}

// Name chooses the names for one text of modules. If there are several modules, what two of them define in the same way
// is printed once. Several modules must not clash, and must have no part for the host.
func Name(d *Dialect, modules ...*Module) *Named {
	n := &Named{d: d, modules: modules}
	if len(modules) == 1 {
		n.printer = newPrinter(modules[0], d, nil)
	}
	return n
}

// Print writes the text. Equal modules in the same order give equal text. The text of several modules has no line
// directives, because its lines come from several Go files.
func (n *Named) Print(o Options) *Text {
	if n.printer == nil {
		return n.printMerged()
	}
	p, d := n.printer, n.d
	body := p.body("", 0)
	p.needMentioned(body)

	t := beginText(d, p.needs, len(body.buf), p.m)
	if o.LineDirectives {
		// Directives that lead back to this file need to know the line they are on.
		body.free()
		body = p.body(p.m.Name+d.Ext, t.lines())
	}
	if host := n.modules[0].SSA.Host(); host != nil {
		body.host(host)
	}
	return t.end(body)
}

// newPrinter is a printer of a module, with a name for all that has one of its own. No
// name is one of those in avoid, but for the symbols of the kernels.
func newPrinter(m *Module, d *Dialect, avoid map[string]bool) *printer {
	p := &printer{d: d, m: m.SSA.Device(), funcs: m.Funcs, declared: m.Declared, needs: make(map[string]bool), avoid: make(map[string]bool)}
	maps.Copy(p.avoid, avoid)
	p.nameKernels()
	p.nameStructs()
	p.nameFunctions()
	p.namePlaces()
	p.findKernels()
	return p
}

// needMentioned notes the pieces of the prelude that are needed wherever they are named.
func (p *printer) needMentioned(body *writer) {
	for _, name := range prelude.Mentioned(body.buf) {
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
	funcs      map[*ssa.Func]*outofssa.Func
	declared   *declare.Module
	needs      map[string]bool      // pieces of the prelude
	names      map[*ssa.Func]string // of the functions; of a kernel its symbol
	avoid      map[string]bool      // names that no variable may have
	frames     map[string]bool      // see framed
	structs    *structs
	threadType string // the name of the type of a thread's place
	blockType  string // of a block's
	behind     int    // so many modules, in a text of several
	formats    int    // of these modules

	kernels map[*ssa.Func]*Kernel

	w          *writer
	fn         *ssa.Func          // the function being printed
	code       *outofssa.Func     // how it is written
	vars       []*variable        // its variables, by number
	taken      *namer             // the names in it
	frame      *Kernel            // of the kernel being printed
	cut        map[*ssa.Instr]int // where its OpShared begin in the piece of memory that a block is given; nil if they are declared
	takesAlone map[*ssa.Func]bool // functions of threads that have one more parameter: whether all threads of the launch run one after the other
	defs       []definition       // of the body so far
	ahead      map[*ssa.Func]bool // the functions that stand behind one that calls them, and are declared there
	loops      []*loopFrame
	phase      *loopFrame      // the loop over lanes that is being printed
	label      map[string]bool // labels of the function
	inTable    bool            // constants are being printed that have no variables
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
	return []string{name, name + "_args", name + "_thread", name + "_part", name + "_block"}
}

// namePlaces names the types of what kernels' first parameters are.
func (p *printer) namePlaces() {
	p.threadType, p.blockType = p.freeName("Thread"), p.freeName("Block")
	if p.declared.Place.Block {
		p.avoid[p.blockType] = true
	}
	if p.declared.Place.Thread {
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
		for n := 2; p.avoid[name] || p.avoid[name+"_results"] || p.framed(name); n++ {
			name = base + "_" + strconv.Itoa(n)
		}
		p.names[f] = name
		p.avoid[name], p.avoid[name+"_results"] = true, true
	}
}

// framed reports whether kernels have a variable of a name around their bodies: it would hide a function or a type.
func (p *printer) framed(name string) bool {
	if p.frames == nil {
		p.frames = map[string]bool{p.d.Block.Width: true}
		if p.d.Alone {
			p.frames["alone"] = true
		}
		for _, k := range p.m.Kernels() {
			for _, v := range p.d.Frame(k) {
				p.frames[v] = true
			}
		}
	}
	return p.frames[name]
}

// header says what the text of modules of one package is.
func header(d *Dialect, modules []*ssa.Module) string {
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
	return what + " of package " + modules[0].Pkg + " in " + d.Language + ", emitted by qdgen"
}

// body prints everything after the prelude. file is the name for #line
// directives, "" for none, and before the number of lines above.
func (p *printer) body(file string, before int) *writer {
	w := writer{directives: file, offset: before}.with()
	p.w = w
	if p.declared.Printf {
		p.need("qd.Printf")
	}
	p.defs = nil
	if p.declared.Place.Thread {
		p.definition(p.threadStruct, p.threadType)
	}
	if p.declared.Place.Block {
		p.definition(p.blockStruct, p.blockType)
	}
	if len(p.structs.Ahead) > 0 {
		p.definition(p.structsAhead) // again in each module of a text
	}
	for _, t := range p.structs.Order {
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

// lines writes lines that are indented by themselves.
func (p *printer) lines(lines []string) {
	for _, l := range lines {
		p.w.line(l)
	}
}
