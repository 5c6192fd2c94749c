package vectypes

import (
	"fmt"
	"regexp"
	"strings"
)

// A method is a row of a table. In params and expr V is the type, B that of masks; in expr
// [%] is the index of the element: of the row, where the type is a matrix.
type method struct {
	name   string
	params string
	kind   kind
	expr   string
	doc    string // what follows the name
}

// A kind is how the result is made of the expression.
type kind int

const (
	each       kind = iota // V, whose elements the expressions are
	eachMask               // B, whose elements they are
	applied                // V, of calls of the function for floats that is called so
	applied2               // V, of calls of one of two parameters for v and o
	total                  // T: they are added up
	product                // T: they are multiplied
	smallest               // T: the least of them
	largest                // T: the greatest
	value                  // V, by an expression of no element
	scalar                 // T, by one
	body                   // V, by statements
	bodyScalar             // T, by statements
)

// A receiver is what the methods of a table have: its name, and its type with its parameter.
type receiver struct{ name, typ string }

func vector(c *context) receiver { return receiver{"v", c.V} }
func matrix(c *context) receiver { return receiver{"m", c.M} }
func masks(c *context) receiver  { return receiver{"b", c.Bool} }

// table is the text of methods.
func table(of func(c *context) receiver, methods []method) func(c *context) (string, error) {
	return func(c *context) (string, error) {
		var b strings.Builder
		for _, m := range methods {
			fmt.Fprintf(&b, "\n%s\n", m.decl(c, of(c)))
		}
		return b.String(), nil
	}
}

// intTable is the text of functions of two vectors of integers: Vec3And(v, o).
func intTable(c *context) (string, error) {
	var b strings.Builder
	for _, m := range intFuncs {
		name := c.Vec + m.name
		fmt.Fprintf(&b, "\n// %s %s\nfunc %s[T Int](v, o %s) %s { %s }\n", name, m.doc, name, c.V, c.V, m.body(c, m.expr, c.V))
	}
	return b.String(), nil
}

var placeholder = regexp.MustCompile(`\b[VB]\b`)

// decl is the declaration of a method.
func (m method) decl(c *context, r receiver) string {
	return fmt.Sprintf("// %s %s\nfunc (%s %s) %s { %s }",
		m.name, m.doc, r.name, r.typ, m.signature(r.typ, c.Bool), m.body(c, named(m.expr, r.typ, c.Bool), m.result(r.typ, c.Bool)))
}

// signature is the method's name with its parameters and its result, for a type and that of its masks.
func (m method) signature(typ, masks string) string {
	return fmt.Sprintf("%s(%s) %s", m.name, named(m.params, typ, masks), m.result(typ, masks))
}

// named is text with the names of the types in the place of V and B.
func named(text, typ, masks string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if name == "B" {
			return masks
		}
		return typ
	})
}

// result is the type of the method's result.
func (m method) result(typ, masks string) string {
	switch m.kind {
	case eachMask:
		return masks
	case total, product, smallest, largest, scalar, bodyScalar:
		return "T"
	}
	return typ
}

// body are the statements of a method.
func (m method) body(c *context, expr, result string) string {
	n := c.shape.len()
	at := func(i any) string { return strings.ReplaceAll(expr, "[%]", fmt.Sprintf("[%v]", i)) }
	elems := make([]string, n)
	for i := range elems {
		elems[i] = at(i)
	}
	switch m.kind {
	case each, eachMask:
		if n <= maxShipped {
			return fmt.Sprintf("return %s{%s}", result, strings.Join(elems, ", "))
		}
		return fmt.Sprintf("var r %s\nfor i := range %d { r[i] = %s }\nreturn r", result, n, at("i"))
	case applied, applied2:
		return "return " + fmt.Sprintf(applyCalls[m.kind], floatFuncs(expr))
	case value, scalar:
		return "return " + expr
	case body, bodyScalar:
		return expr
	}
	f := folds[m.kind]
	if n <= maxShipped {
		return "return " + f.before + strings.Join(elems, f.between) + f.after
	}
	return fmt.Sprintf("x := %s\nfor i := range %d { x = %s }\nreturn x", at(0), n-1, f.before+"x"+f.between+at("i+1")+f.after)
}

// applyCalls are the calls of methods that every vector has, of text/vec.go.tmpl.
var applyCalls = map[kind]string{
	applied:  "v.apply(%s)",
	applied2: "v.apply2(o, %s)",
}

// folds are how an expression of all elements looks.
var folds = map[kind]struct{ before, between, after string }{
	total:    {"", " + ", ""},
	product:  {"", " * ", ""},
	smallest: {"min(", ", ", ")"},
	largest:  {"max(", ", ", ")"},
}
