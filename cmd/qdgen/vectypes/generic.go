package vectypes

import (
	"fmt"
	"strings"
)

// vectorConstraint is the constraint of package qd that its vectors satisfy, for functions that are
// generic over their length: the methods of all vectors but those with masks, whose type has the
// length in its name.
func vectorConstraint() string {
	var b strings.Builder
	b.WriteString(`// Vector is satisfied by V = Vec2[T], Vec3[T] and Vec4[T]: it is the constraint of functions that are
// generic over the length of a vector, and that are called like any others.
//
//	func rescaled[V qd.Vector[V, T], T qd.Float](v V, most T) V {
//		return v.Scale(min(1, most/v.Norm()))
//	}
//
// A v of type V is an array for Go: there is v[i], and len(v) is known at compile time, so that
// a loop over range len(v) is unrolled. (Go does not allow range v.) It has the methods
// of all vectors but those with masks.
type Vector[V any, T Number] interface {
	~[2]T | ~[3]T | ~[4]T

`)
	methodSet(&b, vecMethods, "V")
	b.WriteString("ArgMin() int\nArgMax() int\n}\n")
	return b.String()
}

// matrixConstraints are those that the matrices of package qd satisfy, and the square ones.
func matrixConstraints() string {
	var b strings.Builder
	b.WriteString(`// Matrix is satisfied by the types of matrices M with rows of type R, such as M = Mat2x3[T] with
// R = Vec3[T]: it is the constraint of functions that are generic over the shape of a matrix.
//
//	func rowNorms[M qd.Matrix[M, R, T], R qd.Vector[R, T], T qd.Float](m M, norms []T) {
//		for i := range len(m) {
//			norms[i] = m[i].Norm()
//		}
//	}
//
// It has the methods of all matrices but those with masks, or with vectors of the length of a column.
type Matrix[M, R any, T Number] interface {
	~[2]R | ~[3]R | ~[4]R

	Row(i int) R
	WithRow(i int, r R) M
`)
	methodSet(&b, matMethods, "M")
	b.WriteString(`}

// SquareMatrix is satisfied by the types of square matrices M with rows, and columns, of type R.
type SquareMatrix[M, R any, T Number] interface {
	Matrix[M, R, T]

	Col(j int) R
	WithCol(j int, c R) M
	Diag() R
	Trace() T
	Det() T
	Transpose() M
	Adjugate() M
	Inverse() M
	Mul(n M) M
	MulVec(v R) R
	TMulVec(v R) R
	Solve(b R) (x R, ok bool)
	SolveMat(b M) (x M, ok bool)
	SymEig() (w R, v M)
	NearestPD(eps T) M
}
`)
	return b.String()
}

// methodSet writes the signatures of methods that name no masks, for a type of the name of a type parameter.
func methodSet(b *strings.Builder, methods []method, typ string) {
	for _, m := range methods {
		if m.kind != eachMask {
			fmt.Fprintln(b, m.signature(typ, ""))
		}
	}
}
