package vectypes

import (
	"fmt"
	"regexp"
	"strings"
)

// A method is a row of a table. In params, expr and doc, V is the type, B that of masks and T that of
// the elements. In expr, [%] is the index of the element: of the row, where the type is a matrix;
// {Sqrt} is the function for floats of that name, and abs(x) the absolute value of any number.
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
	total                  // T: they are added up
	product                // T: they are multiplied
	smallest               // T: the least of them
	largest                // T: the greatest
	value                  // V, by an expression of no element
	scalar                 // T, by one
	body                   // V, by statements
	bodyScalar             // T, by statements
)

// A receiver is what the methods of a table have: its name, and its type.
type receiver struct{ name, typ string }

func vector(c *context) receiver { return receiver{"v", c.Vec} }
func matrix(c *context) receiver { return receiver{"m", c.Mat} }
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

// types are the names that stand for V, B and T.
type types struct{ vec, masks, elem string }

var placeholder = regexp.MustCompile(`\b[VBT]\b`)

// in is text with the names of the types in the place of V, B and T.
func (t types) in(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		switch name {
		case "V":
			return t.vec
		case "B":
			return t.masks
		}
		return t.elem
	})
}

var (
	floatFunction = regexp.MustCompile(`\{([A-Z]\w*)\}`)
	absolute      = regexp.MustCompile(`\babs\(([^()]*)\)`)
)

// functions is text with calls of functions for these elements.
func (e Elem) functions(text string) string {
	text = floatFunction.ReplaceAllStringFunc(text, func(name string) string { return e.function(name[1 : len(name)-1]) })
	return absolute.ReplaceAllStringFunc(text, func(call string) string { return e.abs(absolute.FindStringSubmatch(call)[1]) })
}

// decl is the declaration of a method.
func (m method) decl(c *context, r receiver) string {
	t := types{r.typ, c.Bool, c.T}
	notes := ""
	if r.name != "b" {
		notes = c.elem.notes(m.name)
	}
	return fmt.Sprintf("// %s %s\nfunc (%s %s) %s { %s }", m.name, t.in(m.doc+notes), r.name, r.typ, m.signature(t), m.body(c, t))
}

// signature is the method's name with its parameters and its result.
func (m method) signature(t types) string {
	return fmt.Sprintf("%s(%s) %s", m.name, t.in(m.params), m.result(t))
}

// result is the type of the method's result.
func (m method) result(t types) string {
	switch m.kind {
	case eachMask:
		return t.masks
	case total, product, smallest, largest, scalar, bodyScalar:
		return t.elem
	}
	return t.vec
}

// body are the statements of a method.
func (m method) body(c *context, t types) string {
	n := c.shape.len()
	expr := c.elem.functions(t.in(m.expr))
	at := func(i any) string { return strings.ReplaceAll(expr, "[%]", fmt.Sprintf("[%v]", i)) }
	elems := make([]string, n)
	for i := range elems {
		elems[i] = at(i)
	}
	switch m.kind {
	case each, eachMask:
		if n <= maxShipped {
			return fmt.Sprintf("return %s{%s}", m.result(t), strings.Join(elems, ", "))
		}
		return fmt.Sprintf("var r %s\nfor i := range %d { r[i] = %s }\nreturn r", m.result(t), n, at("i"))
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

// folds are how an expression of all elements looks.
var folds = map[kind]struct{ before, between, after string }{
	total:    {"", " + ", ""},
	product:  {"", " * ", ""},
	smallest: {"min(", ", ", ")"},
	largest:  {"max(", ", ", ")"},
}
