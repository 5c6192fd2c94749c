package vectypes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Mul is the product with a square matrix. Products with others are functions, of those matrices
// whose types are all there.

// matrices are the matrices that are known, in order.
func (t *target) matrices() (list []Shape) {
	for _, s := range slices.Concat(t.shapes, small()) {
		if s.IsMat() && t.has(s) {
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
			if o.IsSquare() {
				fmt.Fprintf(&b, "\n// Mul is the matrix product of m and n.\nfunc (m %s) Mul(n %s) %[1]s {\n%[3]s\n}\n", c.Mat, c.typ(o), c.productBody(c.shape))
			} else {
				b.WriteString(c.productFunc(c.shape, o))
			}
		}
		if o.Cols == c.R && !c.made(o) && c.has(Mat(o.Rows, c.C)) {
			b.WriteString(c.productFunc(o, c.shape))
		}
	}
	return b.String(), nil
}

// productFunc is the function for the product of two matrices.
func (t *target) productFunc(left, right Shape) string {
	result := Mat(left.Rows, right.Cols)
	return fmt.Sprintf("\n// %s is the matrix product of m and n.\nfunc %[1]s(m %[2]s, n %[3]s) %[4]s {\n%[5]s\n}\n",
		fmt.Sprintf("%sMul%s", t.name(left), right.size()), t.typ(left), t.typ(right), t.typ(result), t.productBody(result))
}

// productBody is the body of a product of m and n: each row is that of m times n.
func (t *target) productBody(result Shape) string {
	if result.Rows <= maxShipped {
		return fmt.Sprintf("return %s{%s}", t.typ(result), joined(result.Rows, "n.TMulVec(m[%])", ", "))
	}
	return fmt.Sprintf("var r %s\nfor i := range %d { r[i] = n.TMulVec(m[i]) }\nreturn r", t.typ(result), result.Rows)
}

// outer is the outer product of two vectors that a matrix is the result of.
func outer(c *context) (string, error) {
	const doc = "is the outer product of v and o, the matrix of v[i]*o[j].\n"
	body := "return " + c.Mat + "{" + joined(c.R, "o.Scale(v[%])", ", ") + "}"
	if c.R > maxShipped {
		body = fmt.Sprintf("var m %s\nfor i := range %d { m[i] = o.Scale(v[i]) }\nreturn m", c.Mat, c.R)
	}
	return fmt.Sprintf("\n// %sOuter %sfunc %[1]sOuter(v %[3]s, o %[4]s) %[1]s {\n%[5]s\n}\n", c.Mat, doc, c.Col, c.Vec, body), nil
}
