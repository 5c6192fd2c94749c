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

// Sizes of types.
const (
	minSize    = 2   // of rows, columns, elements
	maxShipped = 4   // of types of packages f32, ...; and what is written out instead of in a loop
	maxVec     = 256 // elements of a vector
	maxMat     = 32  // rows and columns of a matrix
)

// isSmall reports whether the shape is one of those that the packages of the most used elements have.
func (s Shape) isSmall() bool {
	return s.Cols >= minSize && s.Cols <= maxShipped && (s.IsVec() || s.Rows >= minSize && s.Rows <= maxShipped)
}

// small are the shapes of these packages, vectors first.
func small() (list []Shape) {
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

// maxUnrolled is the most rows of a matrix whose algorithms have their loops unrolled.
const maxUnrolled = 6

// String is the name of the type: Vec3, Mat2x3, and Mat3 of a square one.
func (s Shape) String() string {
	switch {
	case s.IsVec():
		return fmt.Sprintf("Vec%d", s.Cols)
	case s.IsSquare():
		return fmt.Sprintf("Mat%d", s.Rows)
	}
	return s.long()
}

// long is the name of a matrix with both of its sizes, which is another one for square ones: Mat3x3.
func (s Shape) long() string { return "Mat" + s.size() }

// size is what names have of a matrix's shape: 2x3.
func (s Shape) size() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// bool is the name of the type of masks in a package that has numbers of the shape too.
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
