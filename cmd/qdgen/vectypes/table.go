package vectypes

import (
	"fmt"
	"regexp"
	"strings"
)

// A method is a row of a table. In params and expr V is the type, B that of masks; in expr
// % is the number of the element: of the row, where the type is a matrix.
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
	each     kind = iota // V, whose elements the expressions are
	eachMask             // B, ...
	total                // T: they are added up
	smallest             // T: the least of them
	largest              // T: the greatest
	value                // V, by an expression of no element
	scalar               // T
	body                 // V, by statements
	bodyScalar
)

// table is the text of methods.
func table(methods []method) func(c *context) (string, error) {
	return func(c *context) (string, error) {
		var b strings.Builder
		for _, m := range methods {
			fmt.Fprintf(&b, "\n%s\n", m.decl(c))
		}
		return b.String(), nil
	}
}

var placeholder = regexp.MustCompile(`\b[VB]\b`)

// named puts the names of types into text.
func (c *context) named(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if name == "B" {
			return c.Bool
		}
		return c.typ()
	})
}

// typ is the type with its parameter.
func (c *context) typ() string { return c.shape.String() + "[T]" }

// receiver is the name of the type's receivers.
func (c *context) receiver() string {
	if c.shape.IsVec() {
		return "v"
	}
	return "m"
}

// decl is the declaration of a method.
func (m method) decl(c *context) string {
	result := c.typ()
	switch m.kind {
	case eachMask:
		result = c.Bool
	case total, smallest, largest, scalar, bodyScalar:
		result = "T"
	}
	return fmt.Sprintf("// %s %s\nfunc (%s %s) %s(%s) %s { %s }",
		m.name, m.doc, c.receiver(), c.typ(), m.name, c.named(m.params), result, m.body(c, result))
}

// body are the statements of a method.
func (m method) body(c *context, result string) string {
	n, expr := c.shape.len(), c.named(m.expr)
	small := n <= maxShipped
	// Of many elements: a loop over those behind the first, or over all.
	fold := func(step string) string {
		first := strings.ReplaceAll(expr, "%", "0")
		next := strings.ReplaceAll(expr, "[%]", "[i+1]")
		return fmt.Sprintf("x := %s\nfor i := range %d { %s }\nreturn x", first, n-1, fmt.Sprintf(step, next))
	}
	switch m.kind {
	case each, eachMask:
		if small {
			return fmt.Sprintf("return %s{%s}", result, joined(n, expr, ", "))
		}
		return fmt.Sprintf("var r %s\nfor i := range %d { r[i] = %s }\nreturn r", result, n, strings.ReplaceAll(expr, "%", "i"))
	case total:
		if small {
			return "return " + joined(n, expr, " + ")
		}
		return fold("x += %s")
	case smallest, largest:
		name := map[kind]string{smallest: "min", largest: "max"}[m.kind]
		if small {
			return fmt.Sprintf("return %s(%s)", name, joined(n, expr, ", "))
		}
		return fold("x = " + name + "(x, %s)")
	case value, scalar:
		return "return " + expr
	}
	return expr
}
