// Package qdgonum gives kernels the matrices and vectors of gonum.
//
//	err := qd.Launch(scale, qd.Dim(m.Dims()), 2, qdgonum.Dense(m))
//
// The views are of gonum's memory, also of parts of matrices: nothing is copied on the devices "go" and "cpu". In the
// other direction gonum takes slices: mat.NewDense(rows, columns, x.Slice()).
package qdgonum

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/strided"
)

// Dense is a view of the elements of a matrix.
func Dense(m *mat.Dense) qd.View2[float64] { return General(m.RawMatrix()) }

// VecDense is a view of the elements of a vector, as a matrix of one column.
func VecDense(v *mat.VecDense) qd.View2[float64] { return Vector(v.RawVector()) }

// General is a view of the elements of a matrix.
func General(g blas64.General) qd.View2[float64] {
	return strided.View2(g.Data, g.Rows, g.Cols, g.Stride, 1)
}

// Vector is a view of the elements of a vector, as a matrix of one column. If the elements are adjacent, v.Data[:v.N]
// is a slice of them.
func Vector(v blas64.Vector) qd.View2[float64] { return column(v.Data, v.N, v.Inc) }

// General32 is a view of the elements of a matrix.
func General32(g blas32.General) qd.View2[float32] {
	return strided.View2(g.Data, g.Rows, g.Cols, g.Stride, 1)
}

// Vector32 is a view of the elements of a vector, as a matrix of one column.
func Vector32(v blas32.Vector) qd.View2[float32] { return column(v.Data, v.N, v.Inc) }

func column[T any](data []T, n, inc int) qd.View2[T] {
	if inc <= 0 {
		panic("qdgonum: the elements of a vector must be in ascending order")
	}
	return strided.View2(data, n, 1, inc, 1)
}
