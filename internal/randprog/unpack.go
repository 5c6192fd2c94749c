package randprog

import "strconv"

// unpack gives array fields of structs the tag qd:"unpacked", as far as the program has no
// other uses of them than what the tag allows, or can be changed so: the indices become
// literals, and so do the arrays in literals of the structs.
func (g *generator) unpack() {
	for _, t := range g.prog.Types {
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Type.Form != Array || !f.Type.scalarElem() || g.chance(3) {
				continue
			}
			u := unpacking{prog: g.prog, of: t, field: i, elems: map[*Node]bool{}}
			if u.find(); u.whole {
				continue
			}
			f.Tag = `qd:"unpacked"`
			for _, index := range u.indices {
				index.Loose = false
				index.Kids[1] = &Node{Op: Lit, Type: intType, Text: strconv.Itoa(g.IntN(perThread))}
			}
			for _, lit := range u.literals {
				lit.Kids[i] = spelled(lit.Kids[i])
			}
		}
	}
}

// spelled is a literal in the place of an array that is none, and so in the places of the arrays in it.
func spelled(n *Node) *Node {
	if n == nil || n.Type.Form != Array {
		return n
	}
	if n.Op != Compose {
		return &Node{Op: Compose, Type: n.Type}
	}
	for i, kid := range n.Kids {
		n.Kids[i] = spelled(kid)
	}
	return n
}

// scalarElem reports whether an array, of arrays perhaps, is of numbers or bools in the end.
func (t *Type) scalarElem() bool {
	for t.Form == Array {
		t = t.Elem
	}
	return t.isScalar()
}

// An unpacking looks for the uses of a field in a program.
type unpacking struct {
	prog     *Program
	of       *Type
	field    int
	elems    map[*Node]bool // selections of the field of which an element is taken
	whole    bool           // there are others
	indices  []*Node        // the Index nodes that take the elements
	literals []*Node        // of the struct, with a value for the field
}

func (u *unpacking) find() {
	for _, r := range append(u.prog.Funcs, u.prog.Kernel) {
		r.Body.walk(u.node)
	}
	for _, v := range u.prog.Globals {
		v.Value.walk(u.node)
	}
	for _, v := range u.prog.Consts {
		v.Value.walk(u.node)
	}
	if u.prog.Recv != nil {
		u.prog.Recv.Value.walk(u.node)
	}
}

func (u *unpacking) node(n *Node) bool {
	switch n.Op {
	case Index:
		base, indices := n, []*Node(nil)
		for base.Op == Index {
			indices = append(indices, base)
			base = base.Kids[0]
		}
		if base.Op == FieldOf && u.selects(base) && n.Type.isScalar() && !u.elems[base] {
			u.elems[base] = true
			u.indices = append(u.indices, indices...)
		}
	case FieldOf:
		u.whole = u.whole || u.selects(n) && !u.elems[n]
	case Compose:
		if n.Type == u.of || n.Type.Origin != nil && n.Type.Origin == u.of {
			if u.field < len(n.Kids) && n.Kids[u.field] != nil {
				u.literals = append(u.literals, n)
			}
		}
	}
	return true
}

// selects reports whether a selection is of the field, or is one promoted.
func (u *unpacking) selects(n *Node) bool {
	t := n.Kids[0].Type
	if t.Form == Pointer {
		t = t.Elem
	}
	owner, i := t.find(n.Text)
	return i == u.field && owner != nil && (owner == u.of || owner.Origin == u.of)
}

// find is the struct that has a field of a name, which is t itself or embedded in it, and
// which field that is.
func (t *Type) find(name string) (*Type, int) {
	for i, f := range t.Fields {
		if f.Name == name {
			return t, i
		}
	}
	for _, f := range t.Fields {
		if f.Embedded {
			if owner, i := f.Type.find(name); owner != nil {
				return owner, i
			}
		}
	}
	return nil, 0
}
