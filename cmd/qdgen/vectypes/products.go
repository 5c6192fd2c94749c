package vectypes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Products of matrices and of vectors need types of other shapes than their factors'. There are
// those whose types are all there. They are methods of the left factor; where that is a type of package qd and
// the others are not, functions.

// made reports whether a type of a shape is generated for the same package.
func (c *context) made(s Shape) bool { return slices.Contains(c.all, s) }

// matrices are the matrices that are known, in order.
func (c *context) matrices() (list []Shape) {
	for _, s := range slices.Concat(c.all, Shipped()) {
		if s.IsMat() {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(a.Rows, b.Rows), cmp.Compare(a.Cols, b.Cols))
	})
	return slices.Compact(list)
}

// products are the products of two matrices that are to be declared with a matrix.
func products(c *context) (string, error) {
	var b strings.Builder
	for _, o := range c.matrices() {
		if o.Rows == c.C && c.has(Mat(c.R, o.Cols)) {
			name := "Mul" + o.size()
			if o.IsSquare() {
				name = "Mul"
			}
			fmt.Fprintf(&b, "\n// %s is the matrix product of m and n.\nfunc (m %s) %s(n %s[T]) %s[T] {\n%s\n}\n",
				name, c.M, name, o, Mat(c.R, o.Cols), productBody(c.R, Mat(c.R, o.Cols)))
		}
		if left := o; left.Cols == c.R && !c.made(left) && c.has(Mat(left.Rows, c.C)) {
			result := Mat(left.Rows, c.C)
			fmt.Fprintf(&b, "\n// %s is the matrix product of m and n.\nfunc %[1]s[T Number](m %[2]s[T], n %[3]s) %[4]s[T] {\n%[5]s\n}\n",
				fmt.Sprintf("%sMul%s", left, c.shape.size()), left, c.M, result, productBody(left.Rows, result))
		}
	}
	return b.String(), nil
}

// productBody is the body of a product of m, which has so many rows, and n: each row is that
// of m times n.
func productBody(rows int, result Shape) string {
	if rows <= maxShipped {
		return fmt.Sprintf("return %s[T]{%s}", result, joined(rows, "n.TMulVec(m[%])", ", "))
	}
	return fmt.Sprintf("var r %s[T]\nfor i := range %d { r[i] = n.TMulVec(m[i]) }\nreturn r", result, rows)
}

// outer is the outer product of two vectors that a matrix is the result of.
func outer(c *context) (string, error) {
	doc := fmt.Sprintf("is the outer product of v and o, the matrix of v[i]*o[j].\n")
	body := "return " + c.M + "{" + joined(c.R, "o.Scale(v[%])", ", ") + "}"
	if c.R > maxShipped {
		body = fmt.Sprintf("var m %s\nfor i := range %d { m[i] = o.Scale(v[i]) }\nreturn m", c.M, c.R)
	}
	if !c.made(Vec(c.R)) {
		name := c.Mat + "Outer"
		return fmt.Sprintf("\n// %s %sfunc %[1]s[T Number](v %[3]s[T], o %[4]s) %[5]s {\n%[6]s\n}\n", name, doc, c.Col, c.V, c.M, body), nil
	}
	name := fmt.Sprintf("Outer%d", c.C)
	if c.R == c.C {
		name = "Outer"
	}
	return fmt.Sprintf("\n// %s %sfunc (v %s[T]) %[1]s(o %[4]s) %[5]s {\n%[6]s\n}\n", name, doc, c.Col, c.V, c.M, body), nil
}
