package randprog

import (
	"fmt"
	"strconv"
)

// stringType is the type of strings, which kernels know at compile time only.
var stringType = &Type{Form: String, Name: "string"}

var words = []string{"", "add", "mul", "sub", "x", "long name", "é"}

// knownVar is a variable of a type that is known at compile time here, nil if there is none.
func (g *generator) knownVar(t *Type) *Node {
	if v := g.one(g.visible(func(v *variable) bool { return v.known && v.typ == t })); v != nil {
		return use(v)
	}
	return nil
}

// known is an expression that is known at compile time.
func (g *generator) known(t *Type, depth int) *Node {
	switch t.Form {
	case Struct, Array:
		if n := g.knownVar(t); n != nil && g.chance(2) {
			return n
		}
		return g.knownAggregate(t, depth)
	case Bool:
		return g.convert(t, g.knownCondition(depth))
	case String:
		if n := g.knownVar(t); n != nil && !g.chance(3) {
			return n
		}
		return &Node{Op: Lit, Type: t, Text: strconv.Quote(words[g.IntN(len(words))])}
	}
	x := g.knownVar(t)
	if x == nil {
		x = g.knownPart(t)
	}
	if x == nil {
		from := g.one(g.visible(func(v *variable) bool { return v.known && v.typ.isNumber() }))
		if from == nil || g.chance(3) {
			return g.smallLiteral(t)
		}
		x = &Node{Op: Convert, Type: t, Kids: []*Node{use(from)}}
	}
	if depth <= 0 || g.chance(3) {
		return x
	}
	y := g.known(t, depth-1)
	if t.Form == Float || t.Generic {
		return &Node{Op: Binary, Type: t, Text: g.pick("+", "-", "*"), Kids: []*Node{x, y}}
	}
	switch g.IntN(8) {
	case 0:
		return &Node{Op: Call, Type: t, Text: g.pick("min", "max"), Kids: []*Node{x, y}}
	case 1:
		return &Node{Op: Unary, Type: t, Text: g.pick("-", "^"), Kids: []*Node{x}}
	case 2:
		if s := g.knownVar(stringType); s != nil {
			return g.convert(t, &Node{Op: Call, Type: intType, Text: "len", Kids: []*Node{s}})
		}
		return x
	case 3:
		count := &Node{Op: Lit, Type: intType, Text: strconv.Itoa(g.IntN(t.Bits + 2))}
		return &Node{Op: Binary, Type: t, Text: g.pick("<<", ">>"), Kids: []*Node{x, count}}
	case 4:
		if c := g.knownCall(t, depth); c != nil && g.has(Consts) {
			return c
		}
	}
	return &Node{Op: Binary, Type: t, Text: g.pick("+", "-", "*", "/", "%", "&", "|", "^", "&^"), Kids: []*Node{x, y}}
}

// smallLiteral is a number that every type of numbers has.
func (g *generator) smallLiteral(t *Type) *Node {
	return &Node{Op: Lit, Type: t, Text: strconv.Itoa(g.IntN(9)), N: 1}
}

// knownPart is an element or a field of a variable that is known.
func (g *generator) knownPart(t *Type) *Node {
	v := g.one(g.visible(func(v *variable) bool { return v.known && v.typ != t && reaches(v.typ, t, 3) }))
	if v == nil {
		return nil
	}
	n := use(v)
	for n.Type != t {
		switch n.Type.Form {
		case Array:
			n = &Node{Op: Index, Type: n.Type.Elem, Kids: []*Node{n, g.knownIndex()}}
		case Struct:
			if n = g.field(n, n.Type, t); n == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return n
}

// knownIndex is an index that is known.
func (g *generator) knownIndex() *Node {
	if n := g.knownVar(intType); n != nil && g.chance(2) {
		return n
	}
	return &Node{Op: Lit, Type: intType, Text: strconv.Itoa(g.IntN(perThread))}
}

// knownCall is a call of a function without effects that is passed known values.
func (g *generator) knownCall(t *Type, depth int) *Node {
	var fit []*Routine
	for _, f := range g.callees {
		if f.Effects || f.Generic || f.Recv != nil || f.Asks || len(f.Results) != 1 || f.Results[0].Type != t || f.Cost > 60 || g.mayPanic(f) {
			continue
		}
		scalar := true
		for _, p := range f.Params {
			scalar = scalar && p.Type.isScalar()
		}
		if scalar {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	f := fit[g.IntN(len(fit))]
	n := &Node{Op: Call, Type: t, Text: f.Name}
	for _, p := range f.Params {
		n.Kids = append(n.Kids, g.known(p.Type, depth-1))
	}
	g.cost += g.times * f.Cost
	return n
}

// mayPanic reports whether a call of a function may panic: where that is asked for at compile time, the
// program is refused.
func (g *generator) mayPanic(f *Routine) (found bool) {
	if !g.has(Faults) {
		return false
	}
	seen := map[*Routine]bool{}
	var look func(f *Routine)
	look = func(f *Routine) {
		if seen[f] {
			return
		}
		seen[f] = true
		f.Body.walk(func(n *Node) bool {
			switch {
			case n.Loose, n.Op == Call && (n.Text == "panic" || n.Text == "qd.Assert"), n.Op == Decl && n.Text == "var" && n.Type.Form == Pointer:
				found = true
			case n.Op == Call:
				for _, f := range g.prog.Funcs {
					if f.Name == n.Text {
						look(f)
					}
				}
			}
			return !found
		})
	}
	look(f)
	return found
}

// knownCondition is a bool that is known.
func (g *generator) knownCondition(depth int) *Node {
	of := g.number()
	if x := g.knownVar(intType); x != nil && g.chance(2) {
		of = intType
	}
	switch g.IntN(7) {
	case 0:
		if b := g.knownVar(boolType); b != nil {
			return b
		}
	case 1:
		if depth > 0 {
			return &Node{Op: Unary, Type: boolType, Text: "!", Kids: []*Node{g.knownCondition(depth - 1)}}
		}
	case 2, 3:
		if depth > 0 {
			return &Node{Op: Binary, Type: boolType, Text: g.pick("&&", "||"), Kids: []*Node{g.knownCondition(depth - 1), g.knownCondition(depth - 1)}}
		}
	case 4:
		if s := g.knownVar(stringType); s != nil {
			return &Node{Op: Binary, Type: boolType, Text: g.pick("==", "!=", "<"), Kids: []*Node{s, g.known(stringType, 0)}}
		}
	}
	x := g.knownVar(of)
	if x == nil {
		return &Node{Op: Lit, Type: boolType, Text: g.pick("true", "false")}
	}
	return &Node{Op: Binary, Type: boolType, Text: g.pick("<", "<=", ">", ">=", "==", "!="), Kids: []*Node{x, g.known(of, min(depth, 1))}}
}

// knownAggregate is a struct or an array of known values.
func (g *generator) knownAggregate(t *Type, depth int) *Node {
	return composed(t, func(part *Type) *Node { return g.known(part, min(depth-1, 1)) })
}

// declareKnown declares a variable that is known: one that is never assigned to, or one
// that only [generator.updateKnown] does.
func (g *generator) declareKnown(mutable bool) *Node {
	t := g.scalar()
	switch {
	case mutable:
		t = g.integer()
	case g.chance(4):
		t = g.valueType()
	case g.has(Strings) && g.chance(6):
		t = stringType
	}
	if !g.knowable(t) {
		t = intType
	}
	value := g.known(t, 2)
	g.unique++
	v := g.declare(fmt.Sprintf("v%d", g.unique), t)
	v.known, v.fixed, v.mutable, v.level = true, true, mutable, g.level
	return &Node{Op: Decl, Text: ":=", Type: t, Names: []string{v.name}, Kids: []*Node{value}}
}

// knowable reports whether values of a type can be made of known ones.
func (g *generator) knowable(t *Type) bool { return !t.Generic && t.Origin == nil }

// updateKnown changes a variable that is known, where all that decides whether this runs
// is known too.
func (g *generator) updateKnown() *Node {
	v := g.one(g.visible(func(v *variable) bool { return v.mutable && v.level == g.level }))
	if v == nil {
		return g.declareKnown(true)
	}
	if g.chance(3) {
		return &Node{Op: Step, Text: g.pick("++", "--"), Kids: []*Node{use(v)}}
	}
	return &Node{Op: Assign, Text: g.pick("=", "+=", "*=", "-=", "^="), Kids: []*Node{use(v), g.known(v.typ, 2)}}
}
