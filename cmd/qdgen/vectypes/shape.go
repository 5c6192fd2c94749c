package vectypes

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Shape is that of a vector or a matrix.
type Shape struct {
	Rows int // 0 for a vector
	Cols int // elements of a row, or of the vector
}

// Vec is the shape of a vector of n elements.
func Vec(n int) Shape { return Shape{Cols: n} }

// Mat is the shape of a matrix.
func Mat(rows, cols int) Shape { return Shape{rows, cols} }

// IsVec reports whether the shape is a vector's.
func (s Shape) IsVec() bool { return s.Rows == 0 }

// IsMat reports whether the shape is a matrix's.
func (s Shape) IsMat() bool { return s.Rows > 0 }

// IsSquare reports whether the shape is that of a matrix with as many rows as columns.
func (s Shape) IsSquare() bool { return s.Rows == s.Cols }

// isTall reports whether the shape is that of a matrix with at least as many rows as columns.
func (s Shape) isTall() bool { return s.IsMat() && s.Rows >= s.Cols }

// Sizes of types.
const (
	minSize    = 2   // of rows, columns, elements
	maxShipped = 4   // of types of package qd; and what is written out instead of in a loop
	maxVec     = 256 // elements of a vector
	maxMat     = 32  // rows and columns of a matrix
)

// Shipped reports whether package qd has a type of the shape.
func (s Shape) Shipped() bool {
	return s.Cols >= minSize && s.Cols <= maxShipped && (s.IsVec() || s.Rows >= minSize && s.Rows <= maxShipped)
}

// Shipped are the shapes of package qd, vectors first.
func Shipped() (list []Shape) {
	for n := minSize; n <= maxShipped; n++ {
		list = append(list, Vec(n))
	}
	for r := minSize; r <= maxShipped; r++ {
		for c := minSize; c <= maxShipped; c++ {
			list = append(list, Mat(r, c))
		}
	}
	return list
}

var typeName = regexp.MustCompile(`^(?:Vec([1-9][0-9]*)|Mat([1-9][0-9]*)x([1-9][0-9]*))$`)

// Parse gives the shape of a type by its name, Vec6 or Mat3x6.
func Parse(name string) (Shape, error) {
	m := typeName.FindStringSubmatch(name)
	if m == nil {
		return Shape{}, fmt.Errorf("%q is no name of a vector or matrix type: %s", name, advice(name))
	}
	size := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			return maxVec + 1 // more digits than an int has
		}
		return n
	}
	s, limit, elems := Vec(size(m[1])), maxVec, "elements"
	if m[1] == "" {
		s, limit, elems = Mat(size(m[2]), size(m[3])), maxMat, "rows and columns"
	}
	switch {
	case s.Cols < minSize || s.IsMat() && s.Rows < minSize:
		return Shape{}, fmt.Errorf("%s: there are no types of a single row, column or element: use a vector, or a number", name)
	case s.Cols > limit || s.Rows > limit:
		return Shape{}, fmt.Errorf("%s is too large, the most are %d %s: vectors and matrices are held in the registers of one thread; keep larger ones in slices, or in a qd.View2", name, limit, elems)
	case s.Shipped():
		return Shape{}, fmt.Errorf("package qd has %s: use qd.%[1]s[T]", name)
	}
	return s, nil
}

// almostName is what people write for the name of a type.
var almostName = regexp.MustCompile(`(?i)^(?:qd\.)?(vec|mat|bool)0*([1-9][0-9]*)(?:x0*([1-9][0-9]*))?([a-z]|\[.*)?$`)

// advice says how to write what is no name of a type.
func advice(name string) string {
	if strings.ContainsAny(name, " ,;") {
		return "separate the names by spaces, without quotes: qdgen types Vec6 Mat3x6"
	}
	m := almostName.FindStringSubmatch(name)
	if m == nil {
		return "types are called Vec6, for 6 elements, or Mat3x6, for 3 rows and 6 columns"
	}
	rows, cols := m[2], m[3]
	matrix, masks := cols != "" || strings.EqualFold(m[1], "mat"), strings.EqualFold(m[1], "bool")
	right := "Vec" + rows
	if matrix {
		right = "Mat" + rows + "x" + cmp.Or(cols, rows)
	}
	switch {
	case masks:
		return fmt.Sprintf("masks come with their type: write %s", right)
	case m[4] != "":
		return fmt.Sprintf("types are written for all types of elements: write %s, and use it as %[1]s[float32]", right)
	}
	return "write " + right
}

// maxUnrolled is the most rows of a matrix whose algorithms have their loops unrolled.
const maxUnrolled = 6

// String is the name of the type: Vec3, Mat2x3.
func (s Shape) String() string {
	if s.IsVec() {
		return fmt.Sprintf("Vec%d", s.Cols)
	}
	return fmt.Sprintf("Mat%dx%d", s.Rows, s.Cols)
}

// size is what names have of a matrix's shape: 2x3.
func (s Shape) size() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// bool is the name of the type of masks.
func (s Shape) bool() string {
	if s.IsVec() {
		return fmt.Sprintf("Bool%d", s.Cols)
	}
	return fmt.Sprintf("Bool%dx%d", s.Rows, s.Cols)
}

// len is the number of what the type's array has: elements or rows.
func (s Shape) len() int {
	if s.IsVec() {
		return s.Cols
	}
	return s.Rows
}
