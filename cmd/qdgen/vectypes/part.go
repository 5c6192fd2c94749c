package vectypes

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// A part is some declarations that types have.
type part struct {
	file string                        // its file in packages f32, ..., with %s for the size
	has  func(s Shape, elem Elem) bool // whether types of a shape, with elements of a type, have it
	text func(c *context) (string, error)
}

// parts are all parts, in the order in which a file has them.
var parts = []part{
	{"vec%s", vectors(minSize, maxVec), text("vec")},
	{"vec%s", vectors(minSize, maxVec), table(vector, vecMethods)},
	{"vec%s", floats(vectors(minSize, maxVec)), table(vector, vecFloatMethods)},
	{"vec%s", ints(vectors(minSize, maxVec)), table(vector, vecIntMethods)},
	{"vec%s", vectors(2, 2), text("vec2")},
	{"vec%s", vectors(3, 3), text("vec3")},
	{"swizzle%s", vectors(minSize, maxShipped), swizzles},
	{"mat%s", matrices, text("mat")},
	{"mat%s", matrices, table(matrix, matMethods)},
	{"mat%s", floats(matrices), table(matrix, matFloatMethods)},
	{"mat%s", matrices, products},
	{"mat%s", matrices, outer},
	{"mat%s", matrices, table(matrix, matMaskMethods)},
	{"mat%s", floats(matrices), table(matrix, matFloatMaskMethods)},
	{"mat%s", squares(minSize, maxMat), text("square")},
	{"det", squares(2, 2), text("det2")},
	{"det", squares(3, 3), text("det3")},
	{"det", squares(4, 4), text("det4")},
	{"inverse", floats(squares(2, 4)), text("inverse")},
	{"inverse", floats(squares(5, 12)), text("detn")},
	{"inverse", floats(squares(5, 12)), text("inversen")},
	{"maxabs", floats(tall), text("maxabs")},
	{"solve%s", floats(squares(minSize, maxMat)), text("solve")},
	{"solve%s", floats(squares(minSize, maxMat)), text("cholesky")},
	{"qr", floats(tall), text("qr")},
	{"svd", floats(squares(2, 2)), text("svd2")},
	{"svd", floats(squares(3, 3)), text("svd3")},
	{"svd", floats(squares(2, 3)), text("polar")},
	{"symeig", floats(squares(2, 6)), text("symeig")},
	{"rotation", floats(squares(2, 2)), text("rotation2")},
	{"rotation", floats(squares(3, 3)), text("rotation3")},
	{"affine", shipped(squares(4, 4)), text("affine")},
	{"affine", floats(squares(4, 4)), text("affinefloat")},
	{"camera", floats(squares(4, 4)), text("camera")},
	{"gradient", floats(vectors(minSize, maxVec)), text("vecnorm")},
	{"gradient", floats(matrices), text("matnorm")},
	{"gradient", floats(squares(2, 12)), text("inversegradient")},
	{"gradient", floats(squares(minSize, maxMat)), text("solvegradient")},
	{"gradient", floats(squares(2, 3)), text("svdgradient")},
	{"gradient", floats(squares(2, 6)), text("symeiggradient")},
}

// halfParts are those of vectors of floats of 16 bits, which have no others.
var halfParts = []part{{"vec%s", vectors(minSize, maxVec), text("half")}}

// maskParts are those of the masks, which types of all elements share.
var maskParts = []part{
	{"vec", vectors(minSize, maxVec), text("bool")},
	{"vec", vectors(minSize, maxVec), table(masks, boolMethods)},
	{"mat", matrices, text("matbool")},
	{"mat", matrices, table(masks, matBoolMethods)},
}

// helpers are functions that texts of several types call, each in a package once, where they are
// called.
var helpers = []string{"powerScale", "negligibleSquare", "jacobiRotation"}

// vectors gives the vectors of from to to elements.
func vectors(from, to int) func(Shape, Elem) bool {
	return func(s Shape, _ Elem) bool { return s.IsVec() && from <= s.Cols && s.Cols <= to }
}

// squares gives the square matrices of from to to rows.
func squares(from, to int) func(Shape, Elem) bool {
	return func(s Shape, _ Elem) bool { return s.IsSquare() && from <= s.Cols && s.Cols <= to }
}

// matrices gives all matrices.
func matrices(s Shape, _ Elem) bool { return s.IsMat() }

// tall gives the matrices with at least as many rows as columns.
func tall(s Shape, _ Elem) bool { return s.IsMat() && s.Rows >= s.Cols }

// floats gives those of some shapes whose elements are floats.
func floats(has func(Shape, Elem) bool) func(Shape, Elem) bool {
	return func(s Shape, e Elem) bool { return has(s, e) && e.IsFloat() }
}

// ints gives those of some shapes whose elements are integers.
func ints(has func(Shape, Elem) bool) func(Shape, Elem) bool {
	return func(s Shape, e Elem) bool { return has(s, e) && e.IsInt() }
}

// shipped gives those of some shapes for whose elements there is a package.
func shipped(has func(Shape, Elem) bool) func(Shape, Elem) bool {
	return func(s Shape, e Elem) bool { return has(s, e) && e.Has(s) }
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

// A target is what is generated together, for one package.
type target struct {
	elem   Elem
	shapes []Shape
	names  map[Shape]string // of those whose name is not that of their shape
	pkg    string           // the package's name where it is one of this module's
}

// made reports whether a type of a shape is generated.
func (t *target) made(s Shape) bool { return slices.Contains(t.shapes, s) }

// has reports whether there is a type of a shape.
func (t *target) has(s Shape) bool { return t.made(s) || t.elem.Has(s) }

// name is the name of a type where it is declared.
func (t *target) name(s Shape) string {
	if name := t.names[s]; name != "" {
		return name
	}
	return s.String()
}

// typ is the name of a type where it is used.
func (t *target) typ(s Shape) string {
	if !t.made(s) && t.elem.Has(s) {
		return t.elem.Package() + "." + s.String()
	}
	return t.name(s)
}

// masks is the name of the type of masks where it is used. Those of the small sizes are package bools's.
func (t *target) masks(s Shape) string {
	switch {
	case t.pkg == boolsPackage:
		return s.String()
	case s.isSmall():
		return boolsPackage + "." + s.String()
	}
	return s.bool()
}

// helper is the name of a helper: in packages of others one that says what it is for.
func (t *target) helper(name string) string {
	if t.pkg != "" {
		return name
	}
	return name + strings.ToUpper(string(t.elem[:1])) + string(t.elem[1:])
}

// A context is what the text of a part can name, for one shape.
type context struct {
	*target
	N       int    // elements of the vector; rows of a square matrix
	R, C    int    // rows and columns of the matrix
	T       string // the elements
	Vec     string // the vector; of a matrix, a row
	Mat     string // the matrix
	Col     string // the vector that a column is: Vec2 of Mat2x3
	Diag    string // the vector that the diagonal is
	Trans   string // the transposed matrix
	Bool    string // the masks: bools.Vec3, bools.Mat2x3
	BoolRow string // the masks of a row
	Next    string // the vector with an element more
	Epsilon string // the constant of this name
	U       string // what bounds are in units of: half of Epsilon
	Pkg     string
	Path    string   // the package's import path
	Files   []string // its source for kernels, several in a line
	shape   Shape
}

func newContext(t *target, s Shape) *context {
	c := &context{target: t, N: s.len(), R: s.Rows, C: s.Cols, T: string(t.elem), Pkg: t.pkg, Path: modulePath + "/" + t.pkg, Bool: t.masks(s), Vec: t.typ(Vec(s.Cols)), shape: s}
	c.BoolRow = t.masks(Vec(s.Cols))
	if c.U = "2^-24"; t.elem == "float64" {
		c.U = "2^-53"
	}
	if c.Epsilon = "Epsilon"; t.pkg == "" {
		c.Epsilon = t.elem.Package() + ".Epsilon"
	}
	if s.IsVec() {
		c.Next = t.typ(Vec(s.Cols + 1))
		return c
	}
	c.Mat = t.name(s)
	c.Col, c.Diag = t.typ(Vec(s.Rows)), t.typ(Vec(min(s.Rows, s.Cols)))
	c.Trans = t.typ(Mat(s.Cols, s.Rows))
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
		// The function of floats of a name: {{f "Sqrt"}}(x).
		"f":       c.elem.function,
		"helper":  c.helper,
		"isFloat": c.elem.IsFloat,
		"ints":    numbers,
		"mul":     func(a, b int) int { return a * b },
		"turns":   turns,
		// Whether there is a matrix type of r rows and c columns, and its name.
		"has":   func(rows, cols int) bool { return c.has(Mat(rows, cols)) },
		"mat":   func(rows, cols int) string { return c.typ(Mat(rows, cols)) },
		"vec":   func(n int) string { return c.typ(Vec(n)) },
		"add":   func(a, b int) int { return a + b },
		"small": func(n int) bool { return n <= maxShipped },

		"rounded":  c.elem.rounded,
		"float32s": float32s,
	}
}

func joined(n int, expr, sep string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(expr, "%", fmt.Sprint(i))
	}
	return strings.Join(list, sep)
}

// turns is the number of turns of a loop of an algorithm on matrices of n rows: small ones are
// unrolled, so that they are in registers, large ones are looped over, so that they compile quickly.
func turns(n, first int, rest string) string {
	expr := fmt.Sprint(first) + rest
	if n <= maxUnrolled {
		return expr
	}
	return "qd.Dynamic(" + expr + ")"
}

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
