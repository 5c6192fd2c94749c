package vectypes

import "fmt"

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

// Shipped reports whether package qd has a type of the shape.
func (s Shape) Shipped() bool {
	return s.Cols >= 2 && s.Cols <= maxShipped && (s.IsVec() || s.Rows >= 2 && s.Rows <= maxShipped)
}

// maxShipped is the most rows and columns of a type of package qd, and the most
// elements that are written out instead of in a loop.
const maxShipped = 4

// maxUnrolled is the most rows of a matrix whose algorithms have their loops unrolled.
const maxUnrolled = 6

// String is the name of the type: Vec3, Mat2x3.
func (s Shape) String() string {
	if s.IsVec() {
		return fmt.Sprintf("Vec%d", s.Cols)
	}
	return fmt.Sprintf("Mat%dx%d", s.Rows, s.Cols)
}

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
