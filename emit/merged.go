package emit

import (
	"maps"

	"github.com/qdgen/qd/ssa"
)

// Several modules of one package can be printed as one text, each kernel with the code
// that it has in a text of its own. What two modules both define is printed once
// where it is the same; else the later one's has another name. The formats of all modules are
// numbered in their order. The numbers of checks are each module's own, and each has a fault
// record of its own: see fault.go.

// A definition is a part of a text's body.
type definition struct {
	names         []string // of what it defines; of a kernel none, as Clash sees to them
	text, textEnd int      // where it stands in the writer's text,
	line, lineEnd int      // and which lines it has
}

// Clash reports whether modules cannot be in one text because of the names that their
// kernels export.
func Clash(m, other *ssa.Module) bool {
	taken := make(map[string]bool)
	for _, k := range m.Kernels() {
		for _, name := range kernelNames(k) {
			taken[name] = true
		}
	}
	for _, k := range other.Kernels() {
		for _, name := range kernelNames(k) {
			if taken[name] {
				return true
			}
		}
	}
	return false
}

// printMerged prints several modules as one text.
func (n *Named) printMerged() *Text {
	modules, d := n.modules, n.d
	if len(modules) > maxTogether {
		panic("BUG: more modules in a text than a check can tell apart")
	}
	exported := make(map[string]bool)
	all := make([]*ssa.Module, len(modules))
	for i, m := range modules {
		all[i] = m.SSA
		for _, k := range m.SSA.Kernels() {
			for _, name := range kernelNames(k) {
				exported[name] = true
			}
		}
	}
	defined := make(map[string]string) // the code behind a name, without comments
	needs := make(map[string]bool)
	body := writer{}.with()
	formats := 0
	for i, m := range modules {
		p, own := n.printBeside(m, exported, defined, i, formats)
		formats += len(m.SSA.Formats)
		maps.Copy(needs, p.needs)
		for _, def := range p.defs {
			if len(def.names) > 0 {
				if _, ok := defined[def.names[0]]; ok {
					continue
				}
				code := def.code(own)
				for _, name := range def.names {
					defined[name] = code
				}
			}
			body.buf = append(body.buf, own.buf[def.text:def.textEnd]...)
			body.lines = append(body.lines, own.lines[def.line:def.lineEnd]...)
		}
		own.free()
	}
	return beginText(d, needs, len(body.buf), all...).end(body)
}

// printBeside prints a module beside what is defined: what it defines under the same
// names is the same. There are so many modules before it, with so many formats.
func (n *Named) printBeside(m *Module, exported map[string]bool, defined map[string]string, before, formats int) (*printer, *writer) {
	avoid := maps.Clone(exported)
	for {
		p := newPrinter(m, n.d, avoid)
		p.behind, p.formats = before, formats
		body := p.body("", 0)
		p.needMentioned(body)
		clash := false
		for _, def := range p.defs {
			for _, name := range def.names {
				if code, ok := defined[name]; ok && code != def.code(body) {
					avoid[name], clash = true, true
				}
			}
		}
		if !clash {
			return p, body
		}
	}
}

// code is what a compiler sees of the definition.
func (d definition) code(w *writer) string {
	return (&Text{Source: string(w.buf[d.text:d.textEnd])}).Code()
}
