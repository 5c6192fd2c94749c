package randprog

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// A kernel may have compile-time parameters, or be a method of a struct that it captures.
// What Go runs then, and what shrinking sees, is a function around it that passes them.

// A Given is a compile-time argument of the kernel, or its receiver.
type Given struct {
	Name  string
	Type  *Type
	Value *Node
}

// entry chooses compile-time parameters for the kernel, or a receiver.
func (g *generator) entry() {
	if !g.has(Consts) || !g.chance(3) {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	if g.has(Methods|Structs) && len(g.structs) > 0 && g.chance(3) {
		if t := g.structs[g.IntN(len(g.structs))]; g.knowable(t) {
			g.prog.Recv = &Given{"m", t, g.initial(t)}
			g.declareGiven("m", t)
			return
		}
	}
	for range 1 + g.IntN(2) {
		t := g.valueType()
		if !g.knowable(t) {
			t = intType
		}
		g.unique++
		name := fmt.Sprintf("p%d", g.unique)
		g.prog.Consts = append(g.prog.Consts, Given{name, g.types.constOf(t), g.initial(t)})
		g.declare(name, g.types.constOf(t)).fixed = true
		g.declareGiven(name+".V", t)
	}
}

func (g *generator) declareGiven(name string, t *Type) {
	v := g.declare(name, t)
	v.known, v.fixed = true, true
}

// isGiven reports whether the kernel is given something at compile time.
func (p *Program) isGiven() bool { return p.Recv != nil || len(p.Consts) > 0 }

// ref names the kernel for the compiler.
func (p *Program) ref() load.Ref {
	name := p.Name
	switch {
	case p.Recv != nil:
		name = p.tagged(p.Recv.Type.Name) + ".Kernel"
	case p.isGiven():
		name = "given" + p.Name
	}
	return load.Ref{Pkg: pkgPath, Name: name}
}

func (p *Program) tagged(name string) string { return strings.ReplaceAll(name, p.Suffix, p.Tag) }

// options are the front end's.
func (p *Program) options() frontend.Options {
	o := frontend.Options{Checked: p.Checked}
	if p.Recv != nil {
		v := p.value(p.Recv.Value)
		o.Receiver = &v
	}
	for i, c := range p.Consts {
		if o.Consts == nil {
			o.Consts = map[int]comptime.Value{}
		}
		o.Consts[i+1] = p.value(c.Value)
	}
	return o
}

// value is what a tree of literals stands for.
func (p *Program) value(n *Node) comptime.Value {
	t := n.Type
	v := comptime.Value{Type: p.typeName(t)}
	switch t.Form {
	case Bool:
		v.Kind = comptime.Bool
		if n.Text == "true" {
			v.Bits = 1
		}
	case Int:
		v.Kind = comptime.Uint
		v.Bits, _ = strconv.ParseUint(n.Text, 0, 64)
		if t.Signed {
			i, _ := strconv.ParseInt(n.Text, 0, 64)
			v.Kind, v.Bits = comptime.Int, uint64(i)
		}
	case Float:
		f, _ := strconv.ParseFloat(n.Text, t.Bits)
		v.Kind, v.Bits = comptime.Float64, math.Float64bits(f)
		if t.Bits == 32 {
			v.Kind, v.Bits = comptime.Float32, uint64(math.Float32bits(float32(f)))
		}
	default:
		v.Kind = comptime.Array
		if t.Form == Struct {
			v.Kind = comptime.Struct
		}
		for _, k := range n.Kids {
			v.Elems = append(v.Elems, p.value(k))
		}
	}
	return v
}

// typeName is the name of a type as package comptime has it.
func (p *Program) typeName(t *Type) string {
	switch {
	case t.Form == Array:
		return fmt.Sprintf("[%d]%s", t.Len, p.typeName(t.Elem))
	case t.Form == Struct || t.Base != nil:
		return pkgPath + "." + p.tagged(t.Name)
	}
	return t.Name
}

// kernel writes the kernel, and the function around it.
func (p *printer) kernel(prog *Program) {
	k := prog.Kernel
	if !prog.isGiven() {
		p.line("//qd:kernel")
		p.routine(k)
		return
	}
	inner, callee := *k, "given"+k.Name
	inner.Name = callee
	if prog.Recv != nil {
		inner.Name, inner.Recv = "Kernel", &Param{Name: prog.Recv.Name, Type: prog.Recv.Type}
		callee = "(" + expr(prog.Recv.Value) + ").Kernel"
	}
	args := []string{k.Params[0].Name}
	inner.Params = []Param{k.Params[0]}
	for _, c := range prog.Consts {
		inner.Params = append(inner.Params, Param{Name: c.Name, Type: c.Type})
		args = append(args, "qd.C("+expr(c.Value)+")")
	}
	for _, q := range k.Params[1:] {
		inner.Params = append(inner.Params, q)
		args = append(args, q.Name)
	}
	p.line("//qd:kernel")
	p.routine(&inner)
	p.line("func %s%s {\n\t%s(%s)\n}\n", k.Name, signature(k.Params, nil), callee, strings.Join(args, ", "))
}
