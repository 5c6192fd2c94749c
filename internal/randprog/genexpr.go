package randprog

import (
	"fmt"
	"strconv"
)

// edges are literals at the ends of integer types, and others.
func (g *generator) literal(t *Type) *Node {
	n := &Node{Op: Lit, Type: t}
	switch t.Form {
	case Bool:
		n.Text = g.pick("true", "false")
	case Float:
		if t.Generic {
			n.Text = g.pick("0", "1", "2", "3", "7", "100", "127")
			break
		}
		n.Text = g.pick("0", "1", "-1", "2", "0.5", "3", "-2.5", "1e3", "0.1", "1e-3", "1e10", "16777217", "-1e-40", "3e38")
		if t.Bits == 64 && g.chance(5) {
			n.Text = g.pick("1e300", "4503599627370497.5", "5e-324", "-9007199254740993", "1.7976931348623157e308")
		}
	case Int:
		n.Text = g.intText(t)
		if n.Text != "0" && n.Text[0] != '-' && g.chance(6) {
			if v, err := strconv.ParseUint(n.Text, 10, 64); err == nil {
				n.Text = fmt.Sprintf("%#x", v)
			}
		}
	}
	if g.chance(3) {
		n.N = 1 // with its type, wherever it stands
	}
	return n
}

func (g *generator) intText(t *Type) string {
	switch g.IntN(8) {
	case 0:
		if t.Signed {
			return strconv.FormatInt(-1<<(t.Bits-1), 10)
		}
		return strconv.FormatUint(1<<t.Bits-1, 10)
	case 1:
		if t.Signed {
			return strconv.FormatInt(1<<(t.Bits-1)-1, 10)
		}
		return strconv.FormatUint(1<<(t.Bits-1), 10)
	case 2:
		return strconv.FormatUint(1<<g.IntN(t.Bits-1), 10)
	case 3:
		if t.Signed {
			return strconv.Itoa(-1 - g.IntN(9))
		}
		return strconv.Itoa(g.IntN(100))
	case 4:
		return strconv.Itoa(g.IntN(100))
	}
	return strconv.Itoa(g.IntN(5))
}

// expr is an expression of type t that writes nothing.
func (g *generator) expr(t *Type, depth int) *Node {
	if g.has(Static) && t.isScalar() && g.chance(30) {
		if g.chance(2) && g.knowable(t) {
			return &Node{Op: Call, Type: t, Text: "qd.Static", Kids: []*Node{g.known(t, 2)}}
		}
		return &Node{Op: Call, Type: t, Text: "qd.Dynamic", Kids: []*Node{g.expr(t, depth-1)}}
	}
	switch t.Form {
	case Struct, Array:
		return g.aggregate(t, depth)
	case Bool:
		return g.condition(t, depth)
	}
	if depth <= 0 {
		return g.leaf(t)
	}
	switch g.IntN(12) {
	case 0, 1:
		return g.leaf(t)
	case 2:
		if from := g.number(); from != t {
			return &Node{Op: Convert, Type: t, Kids: []*Node{g.dynamic(from, depth-1)}}
		}
	case 3:
		name := g.pick("min", "max")
		kids := []*Node{g.dynamic(t, depth-1), g.expr(t, depth-1)}
		if g.chance(3) {
			kids = append(kids, g.expr(t, 0))
		}
		return &Node{Op: Call, Type: t, Text: name, Kids: kids}
	case 4:
		if c := g.pureCall(t, depth); c != nil {
			return c
		}
	case 5:
		if t.Form == Float && !t.Generic {
			return g.mathCall(t, depth)
		}
		if t.Form == Int && g.chance(3) {
			return g.bitsCall(t, depth)
		}
		if t.Generic {
			return &Node{Op: Unary, Type: t, Text: "-", Kids: []*Node{g.dynamic(t, depth-1)}}
		}
		return &Node{Op: Unary, Type: t, Text: g.pick("-", "^", "+"), Kids: []*Node{g.dynamic(t, depth-1)}}
	case 6:
		if n := g.lenOf(t); n != nil {
			return n
		}
	}
	if t.Generic {
		return g.binary(t, g.pick("+", "-", "*"), depth)
	}
	if t.Form == Float {
		return g.binary(t, g.pick("+", "-", "*", "/", "+", "-", "*"), depth)
	}
	if g.chance(4) {
		count := g.dynamic(g.integer(), 0)
		if g.chance(2) {
			count = &Node{Op: Lit, Type: intType, Text: strconv.Itoa(g.IntN(t.Bits + 2))}
		}
		return &Node{Op: Binary, Type: t, Text: g.pick("<<", ">>"), Kids: []*Node{g.dynamic(t, depth-1), count}, Loose: g.loose()}
	}
	return g.binary(t, g.pick("+", "-", "*", "/", "%", "&", "|", "^", "&^", "+", "-", "*"), depth)
}

// binary is an operation of which one operand at least is not constant.
func (g *generator) binary(t *Type, op string, depth int) *Node {
	x, y := g.dynamic(t, depth-1), g.expr(t, depth-1)
	if g.chance(2) && !(t.Form == Int && (op == "/" || op == "%")) {
		x, y = y, x
	}
	n := &Node{Op: Binary, Type: t, Text: op, Kids: []*Node{x, y}}
	if t.Form == Int && (op == "/" || op == "%") {
		n.Loose = g.loose()
	}
	return n
}

// leaf is a literal, a variable or a part of one.
func (g *generator) leaf(t *Type) *Node {
	if !g.chance(4) {
		if n := g.part(t, false); n != nil {
			return n
		}
	}
	if !t.isScalar() {
		return g.aggregate(t, 0)
	}
	return g.literal(t)
}

// dynamic is an expression that is not constant.
func (g *generator) dynamic(t *Type, depth int) *Node {
	if n := g.expr(t, depth); !n.isConst() {
		return n
	}
	if n := g.part(t, false); n != nil {
		return n
	}
	from := g.one(g.visible(func(v *variable) bool { return v.typ.isNumber() && v.typ != t }))
	switch {
	case t.Form == Bool || from == nil:
		x := g.one(g.visible(func(v *variable) bool { return v.typ.isNumber() }))
		if x == nil {
			return &Node{Op: Raw, Type: t, Text: g.opaque(t)}
		}
		cmp := &Node{Op: Binary, Type: boolType, Text: g.pick("<", ">", "=="), Kids: []*Node{use(x), g.literal(x.typ)}}
		if t == boolType {
			return cmp
		}
		if t.Form == Bool {
			return &Node{Op: Convert, Type: t, Kids: []*Node{cmp}}
		}
		return &Node{Op: Raw, Type: t, Text: g.opaque(t)}
	}
	return &Node{Op: Convert, Type: t, Kids: []*Node{use(from)}}
}

// opaque is a value that is not constant, where there is no variable.
func (g *generator) opaque(t *Type) string {
	if t.Form == Bool {
		return t.Name + "(math.Abs(0) > 1)"
	}
	return t.Name + "(math.Abs(3))"
}

// part is a variable of type t, or a part of one; nil if there is none. What can
// be assigned is asked for by left.
func (g *generator) part(t *Type, left bool) *Node {
	for range 5 {
		v := g.one(g.allVisible(func(v *variable) bool {
			return reaches(v.typ, t, 4) && !isShared(v.name) && !(v.reads && (left || v.typ == t)) &&
				!(left && v.fixed && v.typ.Form != Slice && v.typ.Form != Pointer)
		}))
		if v == nil {
			return nil
		}
		n := use(v)
		if n = g.down(n, t, left); n != nil {
			return n
		}
	}
	return nil
}

// reaches reports whether a value of type t may have a part of type want.
func reaches(t, want *Type, depth int) bool {
	if t == want {
		return true
	}
	if depth == 0 {
		return false
	}
	switch t.Form {
	case Array, Slice, Pointer:
		return reaches(t.Elem, want, depth-1)
	case Struct:
		for _, f := range t.Fields {
			if reaches(f.Type, want, depth-1) {
				return true
			}
		}
	}
	return false
}

// down goes from a value to a part of it that is of type want.
func (g *generator) down(n *Node, want *Type, left bool) *Node {
	for n.Type != want {
		t := n.Type
		switch t.Form {
		case Array, Slice:
			n = &Node{Op: Index, Type: t.Elem, Kids: []*Node{n, g.index()}, Loose: g.loose()}
		case Pointer:
			elem := t.Elem
			switch {
			case elem.Form == Struct && g.chance(2):
				n = g.field(n, elem, want)
			case elem.Form == Array && g.chance(2):
				n = &Node{Op: Index, Type: elem.Elem, Kids: []*Node{n, g.index()}, Loose: g.loose()}
			default:
				n = &Node{Op: Deref, Type: elem, Kids: []*Node{n}}
			}
		case Struct:
			n = g.field(n, t, want)
		default:
			return nil
		}
		if n == nil {
			return nil
		}
	}
	return n
}

// field is a field of n, which is of struct type t or a pointer to it, on the way
// to type want.
func (g *generator) field(n *Node, t, want *Type) *Node {
	var ok []Field
	for _, f := range t.Fields {
		if reaches(f.Type, want, 4) {
			ok = append(ok, f)
		}
	}
	if len(ok) == 0 {
		return nil
	}
	f := ok[g.IntN(len(ok))]
	if f.Embedded && f.Type != want && g.chance(2) {
		// The promoted field, if the name means the inner one.
		for _, in := range f.Type.Fields {
			if reaches(in.Type, want, 3) && !t.hasField(in.Name) {
				return &Node{Op: FieldOf, Type: in.Type, Text: in.Name, Kids: []*Node{n}}
			}
		}
	}
	return &Node{Op: FieldOf, Type: f.Type, Text: f.Name, Kids: []*Node{n}}
}

// hasField reports whether a name could mean another field of t than the one
// promoted from an embedded struct.
func (t *Type) hasField(name string) bool {
	embedded := 0
	for _, f := range t.Fields {
		if f.Name == name {
			return true
		}
		if f.Embedded {
			embedded++
		}
	}
	return embedded > 1
}

// index is an integer, kept in range where it prints.
func (g *generator) index() *Node {
	const deepest = 4 // indices in indices: where all integers are elements, there is no end otherwise
	if g.indices++; g.chance(3) || g.indices > deepest {
		g.indices--
		return &Node{Op: Lit, Type: intType, Text: strconv.Itoa(g.IntN(perThread))}
	}
	defer func() { g.indices-- }()
	if v := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Int })); v != nil && !g.chance(4) {
		return use(v)
	}
	n := g.dynamic(g.integer(), 1)
	if n.Op == Raw {
		n = &Node{Op: Lit, Type: intType, Text: "1"}
	}
	return n
}

// condition is an expression of a type of bools.
func (g *generator) condition(t *Type, depth int) *Node {
	if depth <= 0 && !g.chance(3) {
		return g.leaf(t)
	}
	var n *Node
	switch g.IntN(7) {
	case 0:
		n = &Node{Op: Unary, Text: "!", Kids: []*Node{g.expr(boolType, depth-1)}}
	case 1, 2:
		n = &Node{Op: Binary, Text: g.pick("&&", "||"), Kids: []*Node{g.expr(boolType, depth-1), g.expr(boolType, depth-1)}}
	case 3:
		of := g.valueType()
		n = &Node{Op: Binary, Text: g.pick("==", "!="), Kids: []*Node{g.dynamic(of, depth-1), g.expr(of, depth-1)}}
	default:
		of := g.number()
		n = &Node{Op: Binary, Text: g.pick("<", "<=", ">", ">=", "==", "!="), Kids: []*Node{g.dynamic(of, depth-1), g.expr(of, depth-1)}}
	}
	n.Type = boolType
	if t != boolType {
		n = &Node{Op: Convert, Type: t, Kids: []*Node{n}}
	}
	return n
}

// aggregate is a struct or an array.
func (g *generator) aggregate(t *Type, depth int) *Node {
	if !g.chance(3) {
		if n := g.part(t, false); n != nil {
			return n
		}
	}
	if depth > 0 && g.chance(4) {
		if c := g.pureCall(t, depth); c != nil {
			return c
		}
	}
	n := &Node{Op: Compose, Type: t}
	if g.chance(6) {
		return n
	}
	count := t.Len
	if t.Form == Struct {
		count = len(t.Fields)
	}
	if g.chance(2) {
		n.Text = "keyed"
	}
	for i := range count {
		elem := t.Elem
		if t.Form == Struct {
			elem = t.Fields[i].Type
		}
		if n.Text == "keyed" && g.chance(3) {
			n.Kids = append(n.Kids, nil)
			continue
		}
		n.Kids = append(n.Kids, g.expr(elem, min(depth-1, 1)))
	}
	return n
}

// lenOf is the length of something, as a type's value.
func (g *generator) lenOf(t *Type) *Node {
	v := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Slice }))
	if v == nil || t != intType {
		return nil
	}
	return &Node{Op: Call, Type: intType, Text: "len", Kids: []*Node{use(v)}}
}

// exact are functions whose results Go fixes, by their number of arguments, but for
// the sign and the payload of a NaN.
var exact = [][]string{
	1: {"Abs", "Ceil", "Floor", "Round", "RoundToEven", "Sqrt", "Trunc"},
	2: {"Max", "Min", "Mod", "Remainder", "Nextafter"},
	3: {"FMA"},
}

// mathCall is a call of one of the functions of package math, or its twin.
func (g *generator) mathCall(t *Type, depth int) *Node {
	of := t
	if t.Base != nil {
		of = t.Base
	}
	if of == float32Type && g.chance(6) {
		half := &Node{Op: Call, Text: g.pick("qd.ToFloat16", "qd.ToBFloat16"), Kids: []*Node{g.dynamic(of, depth-1)}}
		return g.convert(t, &Node{Op: Call, Type: of, Ptr: true, Text: "Float32", Kids: []*Node{half}})
	}
	arity := []int{1, 1, 1, 2, 2, 3}[g.IntN(6)]
	name := exact[arity][g.IntN(len(exact[arity]))]
	n := &Node{Op: Call, Type: of, Text: "qd." + name}
	switch {
	case of == float64Type && g.chance(2):
		n.Text = "math." + name
	case name == "Nextafter":
		n.Text = "mathx." + name
	}
	for range arity {
		n.Kids = append(n.Kids, g.dynamic(of, depth-1))
	}
	return g.convert(t, n)
}

// convert is n as a value of type t.
func (g *generator) convert(t *Type, n *Node) *Node {
	if n.Type == t {
		return n
	}
	return &Node{Op: Convert, Type: t, Kids: []*Node{n}}
}

// wideCalls are functions that call those of package math/bits with two results.
var wideCalls = []string{
	"func(x, y uint64) uint64 { hi, lo := bits.Mul64(x, y); return hi ^ lo }",
	"func(x, y uint64) uint64 { hi, _ := bits.Mul64(x, y); return hi }",
	"func(x, y uint64) uint64 { sum, carry := bits.Add64(x, y, x&1); return sum ^ carry<<9 }",
	"func(x, y uint64) uint64 { diff, borrow := bits.Sub64(x, y, y&1); return diff ^ borrow<<9 }",
	"func(x, y uint64) uint64 { quo, rem := bits.Div64(x>>1, y, x|1<<63); return quo ^ rem<<9 }",
	"func(x, y uint64) uint64 { return bits.Rem64(x, ^x, y|1) }",
}

// bitsCall is a call of one of the functions of package math/bits.
func (g *generator) bitsCall(t *Type, depth int) *Node {
	if g.chance(8) {
		args := []*Node{g.dynamic(uint64Type, depth-1), g.expr(uint64Type, 1)}
		return g.convert(t, &Node{Op: Call, Type: uint64Type, Text: g.pick(wideCalls...), Kids: args})
	}
	of := []*Type{uint8Type, uint16Type, uint32Type, uint64Type}[g.IntN(4)]
	width := fmt.Sprint(of.Bits)
	n := &Node{Op: Call, Type: intType, Kids: []*Node{g.dynamic(of, depth-1)}}
	switch name := g.pick("OnesCount", "Len", "LeadingZeros", "TrailingZeros", "Reverse", "ReverseBytes", "RotateLeft"); name {
	case "RotateLeft":
		n.Type, n.Text = of, "bits.RotateLeft"+width
		n.Kids = append(n.Kids, g.expr(intType, 1))
	case "Reverse":
		n.Type, n.Text = of, "bits.Reverse"+width
	case "ReverseBytes":
		if n.Type, n.Text = of, "bits.ReverseBytes"+width; of == uint8Type {
			n.Text = "bits.Reverse8"
		}
	default:
		n.Text = "bits." + name + width
	}
	return g.convert(t, n)
}
