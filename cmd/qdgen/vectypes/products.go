package vectypes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A package that mentions a type makes the Go compiler compile all its methods, and those of all
// types that they mention. Products of other shapes than those of a type are functions
// therefore, so that vectors cost no matrices, and square matrices no others. There are those
// whose types are all there.

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
			if o.IsSquare() {
				fmt.Fprintf(&b, "\n// Mul is the matrix product of m and n.\nfunc (m %s) Mul(n %s[T]) %[1]s {\n%[3]s\n}\n", c.M, o, productBody(c.R, c.shape))
			} else {
				b.WriteString(productFunc(c.shape, o))
			}
		}
		if o.Cols == c.R && !c.made(o) && c.has(Mat(o.Rows, c.C)) {
			b.WriteString(productFunc(o, c.shape))
		}
	}
	return b.String(), nil
}

// productFunc is the function for the product of two matrices.
func productFunc(left, right Shape) string {
	result := Mat(left.Rows, right.Cols)
	return fmt.Sprintf("\n// %s is the matrix product of m and n.\nfunc %[1]s[T Number](m %[2]s[T], n %[3]s[T]) %[4]s[T] {\n%[5]s\n}\n",
		fmt.Sprintf("%sMul%s", left, right.size()), left, right, result, productBody(left.Rows, result))
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
	const doc = "is the outer product of v and o, the matrix of v[i]*o[j].\n"
	body := "return " + c.M + "{" + joined(c.R, "o.Scale(v[%])", ", ") + "}"
	if c.R > maxShipped {
		body = fmt.Sprintf("var m %s\nfor i := range %d { m[i] = o.Scale(v[i]) }\nreturn m", c.M, c.R)
	}
	return fmt.Sprintf("\n// %sOuter %sfunc %[1]sOuter[T Number](v %[3]s[T], o %[4]s) %[5]s {\n%[6]s\n}\n", c.Mat, doc, c.Col, c.V, c.M, body), nil
}
