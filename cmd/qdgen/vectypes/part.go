package vectypes

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"
)

// A part is some declarations that types have.
type part struct {
	file string             // the beginning of the name of its file in package qd
	has  func(s Shape) bool // whether types of a shape have it
	text func(c *context) (string, error)
}

// parts are all parts, in the order in which a file has them.
var parts = []part{
	{"vec", Shape.IsVec, text("vec")},
	{"vec", Shape.IsVec, table(vector, vecMethods)},
	{"vec", Shape.IsVec, intTable},
	{"vec", Shape.IsVec, text("bool")},
	{"vec", Shape.IsVec, table(masks, boolMethods)},
	{"vec", vectors(2, 2), text("vec2")},
	{"vec", vectors(3, 3), text("vec3")},
	{"swizzle", vectors(2, 4), swizzles},
	{"mat", Shape.IsMat, text("mat")},
	{"mat", Shape.IsMat, table(matrix, matMethods)},
	{"mat", Shape.IsMat, products},
	{"mat", Shape.IsMat, outer},
	{"mat", Shape.IsMat, table(matrix, matMaskMethods)},
	{"mat", Shape.IsMat, text("matbool")},
	{"mat", Shape.IsMat, table(masks, matBoolMethods)},
	{"mat", Shape.IsSquare, text("square")},
	{"inverse", squares(5, 12), text("detn")},
	{"inverse", squares(5, 12), text("inverse")},
	{"maxabs", Shape.isTall, text("maxabs")},
	{"solve", Shape.IsSquare, text("solve")},
	{"cholesky", Shape.IsSquare, text("cholesky")},
	{"qr", Shape.isTall, text("qr")},
	{"svd", squares(2, 2), text("svd2")},
	{"svd", squares(3, 3), text("svd3")},
	{"svd", squares(2, 3), text("polar")},
	{"symeig", squares(2, 6), text("symeig")},
}

// vectors gives the vectors of from to to elements.
func vectors(from, to int) func(Shape) bool {
	return func(s Shape) bool { return s.IsVec() && from <= s.Cols && s.Cols <= to }
}

// squares gives the square matrices of from to to rows.
func squares(from, to int) func(Shape) bool {
	return func(s Shape) bool { return s.IsSquare() && from <= s.Cols && s.Cols <= to }
}

//go:embed text/*.tmpl
var texts embed.FS

// text is a file text/NAME.go.tmpl: a text/template over a [context].
func text(name string) func(c *context) (string, error) {
	file := "text/" + name + ".go.tmpl"
	return func(c *context) (string, error) {
		t, err := template.New(name+".go.tmpl").Funcs(c.funcs()).ParseFS(texts, file)
		if err != nil {
			return "", err
		}
		var b bytes.Buffer
		err = t.Execute(&b, c)
		return b.String(), err
	}
}

// A context is what the text of a part can name, for one shape. V and M are the types
// with their parameter, Vec3[T]; Vec, Mat, Row, ... are names without it, for functions.
type context struct {
	N       int    // elements of the vector; rows of a square matrix
	R, C    int    // rows and columns of the matrix
	Vec     string // the vector; of a matrix, a row
	Mat     string // the matrix
	Col     string // the vector that a column is: Vec2 of Mat2x3
	Diag    string // the vector that the diagonal is
	Trans   string // the transposed matrix
	Bool    string // the masks: Bool3, Bool2x3
	BoolRow string // the masks of a row
	Next    string // the vector with an element more
	V, M    string // vector and matrix with their parameter
	shape   Shape
	all     []Shape // what is generated together, for the same package
}

func newContext(s Shape, all []Shape) *context {
	c := &context{N: s.len(), R: s.Rows, C: s.Cols, Bool: s.bool(), Vec: Vec(s.Cols).String(), shape: s, all: all}
	c.V = c.Vec + "[T]"
	c.BoolRow = Vec(s.Cols).bool()
	if s.IsVec() {
		c.Next = Vec(s.Cols + 1).String()
		return c
	}
	c.Mat, c.M = s.String(), s.String()+"[T]"
	c.Col, c.Diag = Vec(s.Rows).String(), Vec(min(s.Rows, s.Cols)).String()
	c.Trans = Mat(s.Cols, s.Rows).String()
	return c
}

// funcs are the functions that texts call.
func (c *context) funcs() template.FuncMap {
	return template.FuncMap{
		// Expressions for 0 to n-1, each with the number for %: {{list 2 "m[%][0]"}} is
		// m[0][0], m[1][0].
		"list": func(n int, expr string) string { return joined(n, expr, ", ") },
		"sum":  func(n int, expr string) string { return joined(n, expr, " + ") },
		"join": joined,
		// Calls of functions of package qd for floats on T, which may be any number as
		// far as Go knows: {{float "Sqrt" "x"}}.
		"float":  floatCall,
		"float2": floatCall2,
		"ints":   ints,
		"mul":    func(a, b int) int { return a * b },
		"turns":  turns,
		// Whether there is a matrix type of r rows and c columns.
		"has":   func(rows, cols int) bool { return c.has(Mat(rows, cols)) },
		"add":   func(a, b int) int { return a + b },
		"small": func(n int) bool { return n <= maxShipped },
	}
}

// has reports whether there is a type of a shape.
func (c *context) has(s Shape) bool { return s.Shipped() || c.made(s) }

func joined(n int, expr, sep string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(expr, "%", fmt.Sprint(i))
	}
	return strings.Join(list, sep)
}

func floatCall(name, x string) string {
	return fmt.Sprintf("ApplyFloat(%s, %s)", x, floatFuncs(name))
}

func floatCall2(name, x, y string) string {
	return fmt.Sprintf("ApplyFloat2(%s, %s, %s)", x, y, floatFuncs(name))
}

// floatFuncs are the functions of float32 and of float64 that a function of package qd for floats
// is. For float64 it is that of package math where there is one: it is compiled already, where each
// package that mentions a vector compiles instances of a generic function of its own.
func floatFuncs(name string) string {
	if name == "Radians" || name == "Degrees" {
		return fmt.Sprintf("%s[float32], %[1]s[float64]", name)
	}
	return fmt.Sprintf("%s[float32], math.%[1]s", name)
}

// turns is the number of turns of a loop of an algorithm on matrices of n rows: small ones are
// unrolled, so that they are in registers, large ones are looped over, so that they compile quickly.
func turns(n, first int, rest string) string {
	expr := fmt.Sprint(first) + rest
	if n <= maxUnrolled {
		return expr
	}
	return "Dynamic(" + expr + ")"
}

func ints(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
