package randprog

import (
	"fmt"

	"github.com/qdgen/qd/internal/randprog/harness"
)

// kernelFunc makes the kernel.
func (g *generator) kernelFunc() {
	budget := 6 + g.IntN(16)
	if g.chance(16) {
		budget *= 4
	}
	g.scope = &scope{budget: budget, times: 1, depth: 1, kernel: true, callees: g.prog.Funcs}
	g.declareGlobals()
	r := &Routine{Name: g.prog.Name, Params: []Param{{Name: "t", Type: &Type{Name: "qd.Thread"}}}}
	g.entry()
	add := func(name string, t *Type, in harness.Input) {
		r.Params = append(r.Params, Param{Name: name, Type: t})
		g.prog.Inputs = append(g.prog.Inputs, in)
		g.declare(name, t)
	}
	for i := range 2 + g.IntN(4) {
		t := g.scalar()
		if t.Base != nil {
			t = t.Base
		}
		if g.has(Aggregates) && g.chance(3) {
			t = g.valueType()
		}
		add(fmt.Sprintf("%s%d", ownPrefix, i), g.types.slice(t, perThread), harness.Input{Len: perThread, Threads: true, Elem: t.Name})
	}
	if g.chance(3) {
		t := g.number()
		if t.Base == nil && t.isAtomic() && t.Form == Int {
			add(fmt.Sprintf("%s%d", sharedPrefix, g.IntN(6)), g.types.slice(t, perThread), harness.Input{Len: perThread})
			g.vars[len(g.vars)-1].fixed = true
		}
	}
	for i := range g.IntN(4) {
		t := g.scalar()
		if t.Base != nil {
			t = t.Base
		}
		if g.has(Aggregates) && g.chance(4) {
			t = g.valueType()
		}
		add(fmt.Sprintf("a%d", i), t, harness.Input{})
	}
	g.results = nil
	g.prog.Rank = 1
	id := "t.ID()"
	n := &Node{Op: Block}
	g.prog.Kernel = r
	n.Kids = append(n.Kids, &Node{Op: Decl, Text: ":=", Type: intType, Names: []string{"i"}, Kids: []*Node{{Op: Raw, Type: intType, Text: id}}})
	if g.chance(6) {
		g.prog.Rank = 2
		n.Kids[0] = &Node{Op: DeclMany, Names: []string{"row", "col"}, Kids: []*Node{{Op: Raw, Text: "t.ID2()"}}}
		n.Kids = append(n.Kids, &Node{Op: Decl, Text: ":=", Type: intType, Names: []string{"i"}, Kids: []*Node{{Op: Raw, Type: intType, Text: "row*t.Dim(1) + col"}}})
		g.declare("row", intType)
		g.declare("col", intType)
	}
	g.declare("i", intType).fixed = true
	for g.budget > 0 {
		g.budget--
		g.cost += g.times
		s := g.statement(3)
		if s == nil || s.Op == Return {
			continue
		}
		n.Kids = append(n.Kids, s)
	}
	n.Kids = append(n.Kids, g.observe()...)
	r.Body = n
	g.scope = nil
}

// observe writes the variables at the end of a kernel where they can be seen.
func (g *generator) observe() []*Node {
	var out []*Node
	for _, v := range g.visible(func(v *variable) bool { return !isShared(v.name) && !isOwn(v.name) && v.name != "i" }) {
		for _, own := range g.visible(func(o *variable) bool { return isOwn(o.name) && reaches(v.typ, o.typ.Elem, 4) }) {
			part := g.down(use(v), own.typ.Elem, false)
			if part == nil {
				continue
			}
			at := &Node{Op: Index, Type: own.typ.Elem, Kids: []*Node{use(own), g.index()}}
			if own.typ.Elem.isNumber() {
				out = append(out, &Node{Op: Assign, Text: "+=", Kids: []*Node{at, part}})
			} else {
				out = append(out, &Node{Op: Assign, Text: "=", Kids: []*Node{at, part}})
			}
			break
		}
	}
	return out
}
