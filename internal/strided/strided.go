// Package strided makes views of memory whose rows are further apart than they are long, as other packages have it.
package strided

import (
	"unsafe"

	"github.com/qdgen/qd"
)

// view has the fields of a qd.View2.
type view[T any] struct {
	data   []T
	n0, n1 int
	s0, s1 int
}

// View2 is a view of n0 rows of n1 elements: element i, j is at index i*s0 + j*s1 of the slice. There have to be as
// many.
func View2[T any](data []T, n0, n1, s0, s1 int) qd.View2[T] {
	v := view[T]{nil, n0, n1, s0, s1}
	if n0 > 0 && n1 > 0 {
		n := (n0-1)*s0 + (n1-1)*s1 + 1
		v.data = data[:n:n]
	}
	return *(*qd.View2[T])(unsafe.Pointer(&v))
}
