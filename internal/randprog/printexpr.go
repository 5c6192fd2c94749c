package randprog

import (
	"fmt"
	"strings"
)

func exprs(list []*Node) string {
	var s []string
	for _, n := range list {
		s = append(s, expr(n))
	}
	return strings.Join(s, ", ")
}

// bare is an expression where its type is given by what it is assigned to or
// combined with: a number needs no conversion there.
func bare(n *Node) string {
	switch {
	case n.Op == Lit && n.N == 0:
		return n.Text
	case n.Op == Compose:
		return compose(n)
	}
	return expr(n)
}

// expr is an expression, in parentheses where it could be taken apart.
func expr(n *Node) string {
	switch n.Op {
	case Lit:
		if n.Type.Form == Bool && n.Type.Base == nil {
			return n.Text
		}
		return n.Type.Name + "(" + n.Text + ")"
	case Var, Raw:
		return n.Text
	case Unary:
		return "(" + n.Text + " " + expr(n.Kids[0]) + ")"
	case Binary:
		return binary(n)
	case Convert:
		if strings.HasPrefix(n.Type.Name, "*") {
			return "(" + n.Type.Name + ")(" + expr(n.Kids[0]) + ")"
		}
		return n.Type.Name + "(" + expr(n.Kids[0]) + ")"
	case Call:
		if n.Recv != nil {
			return methodExpr(n)
		}
		if n.Ptr {
			return expr(n.Kids[0]) + "." + n.Text + "(" + exprs(n.Kids[1:]) + ")"
		}
		if n.Fn != nil {
			return literal(n.Fn) + "(" + exprs(n.Kids) + ")"
		}
		name := n.Text
		if n.Arg != nil {
			name += "[" + n.Arg.Name + "]"
		}
		return name + "(" + exprs(n.Kids) + ")"
	case Index:
		c, i := n.Kids[0], n.Kids[1]
		if c.Op == Var && strings.HasPrefix(c.Text, ownPrefix) {
			if n.Loose && i.Op != Lit {
				return fmt.Sprintf("%s[i*%d+int(%s)]", c.Text, perThread, loose(i, perThread))
			}
			if i.Op != Lit && i.Type != intType {
				return fmt.Sprintf("%s[i*%d+int(%s)]", c.Text, perThread, masked(i, perThread))
			}
			return fmt.Sprintf("%s[i*%d+%s]", c.Text, perThread, masked(i, perThread))
		}
		length := c.Type.Len
		if c.Type.Form == Pointer {
			length = c.Type.Elem.Len
		}
		if n.Loose && !i.isConst() {
			return expr(c) + "[" + loose(i, length) + "]"
		}
		return expr(c) + "[" + masked(i, length) + "]"
	case FieldOf:
		return expr(n.Kids[0]) + "." + n.Text
	case Compose:
		if n.Type.Form == Struct {
			return "(" + compose(n) + ")" // the head of a statement could not hold it
		}
		return compose(n)
	case Addr:
		return "&" + expr(n.Kids[0])
	case Deref:
		return "(*" + expr(n.Kids[0]) + ")"
	case Subslice:
		c := n.Kids[0]
		if c.Op == Var && strings.HasPrefix(c.Text, ownPrefix) {
			return fmt.Sprintf("%s[i*%d : i*%d+%d]", c.Text, perThread, perThread, perThread)
		}
		if len(n.Kids) == 3 {
			return fmt.Sprintf("%s[%s:%s]", expr(c), loose(n.Kids[1], 4), loose(n.Kids[2], 9))
		}
		return fmt.Sprintf("%s[%d:%d]", expr(c), n.N, n.N+n.Type.Len)
	case Literal:
		return literal(n.Fn)
	}
	panic(fmt.Sprintf("BUG: no expression: op %d", n.Op))
}

// methodExpr is a call of a method by its expression: T.m(x) or (*T).m(&x).
func methodExpr(n *Node) string {
	name, first := n.Recv.Name, expr(n.Kids[0])
	if n.Recv.Form == Pointer {
		name = "(" + name + ")"
		if n.Kids[0].Type != n.Recv {
			first = "&" + first
		}
	}
	args := append([]*Node{{Op: Raw, Text: first}}, n.Kids[1:]...)
	return name + "." + n.Text + "(" + exprs(args) + ")"
}

// compose is a composite literal.
func compose(n *Node) string {
	if n.Text != "keyed" {
		return n.Type.Name + "{" + exprs(n.Kids) + "}"
	}
	var s []string
	for i, k := range n.Kids {
		if k != nil {
			s = append(s, n.Type.key(i)+": "+expr(k))
		}
	}
	return n.Type.Name + "{" + strings.Join(s, ", ") + "}"
}

// key is what element i of a composite literal goes by.
func (t *Type) key(i int) string {
	if t.Form == Struct {
		return t.Fields[i].Name
	}
	return fmt.Sprint(i)
}

func literal(r *Routine) string {
	var p printer
	p.line("func%s {", signature(r.Params, r.Results))
	p.body(r)
	p.b.WriteString("}")
	return p.b.String()
}

func binary(n *Node) string {
	x, y := n.Kids[0], n.Kids[1]
	left, right := expr(x), expr(y)
	switch {
	case n.Loose && !y.isConst():
	case n.Text == "<<" || n.Text == ">>":
		right = count(y)
	case (n.Text == "/" || n.Text == "%") && n.Type.Form == Int:
		right = nonzero(y)
	case x.Op != Lit:
		right = bare(y)
	case y.Op != Lit && !y.isConst():
		left = bare(x)
	}
	return "(" + left + " " + n.Text + " " + right + ")"
}

// loose is an index that is mostly in the range from 0 to n-1.
func loose(e *Node, n int) string { return fmt.Sprintf("%s%%%d", expr(e), n+1) }

// nonzero is a divisor.
func nonzero(n *Node) string {
	if n.Op == Lit && n.Text != "0" {
		return n.Text
	}
	return "(" + expr(n) + " | 1)"
}

// count is the count of a shift: any number below 128, so that some are past the
// width, or any at all where it has no sign.
func count(n *Node) string {
	switch {
	case n.Op == Lit:
		return strings.TrimPrefix(n.Text, "-")
	case n.Type.Signed:
		return "(" + expr(n) + " & 127)"
	}
	return expr(n)
}

// masked is an expression kept in the range from 0 to n-1.
func masked(e *Node, n int) string {
	switch {
	case e.Op == Lit:
		return fmt.Sprint(e.digest() % n)
	case n&(n-1) == 0:
		return fmt.Sprintf("%s&%d", expr(e), n-1)
	case e.Type.Signed:
		return fmt.Sprintf("uint(%s)%%%d", expr(e), n)
	}
	return fmt.Sprintf("%s%%%d", expr(e), n)
}

// digest is a small number that depends on a literal's text.
func (n *Node) digest() int {
	sum := 0
	for _, c := range n.Text {
		sum = sum*10 + int(c&15)
		sum &= 1<<20 - 1
	}
	return sum
}
