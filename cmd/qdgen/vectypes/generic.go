package vectypes

import (
	"fmt"
	"strings"
)

// maxGeneric is the longest array of the types that satisfy the constraints of package qd.
const maxGeneric = maxMat

// arrays is a union of the arrays of from 2 to maxGeneric elements of a type.
func arrays(elem string) string {
	var b strings.Builder
	b.WriteByte('\t')
	for n := minSize; n <= maxGeneric; n++ {
		fmt.Fprintf(&b, "~[%d]%s", n, elem)
		switch {
		case n == maxGeneric:
			b.WriteString("\n\n")
		case n%8 == 0:
			b.WriteString(" |\n\t\t")
		default:
			b.WriteString(" | ")
		}
	}
	return b.String()
}

// vectorConstraints are those of package qd that vectors satisfy, for functions that are
// generic over their length and their elements: the methods of all vectors but those with masks, whose type has the
// length in its name.
func vectorConstraints() string {
	var b strings.Builder
	b.WriteString(`
// Vector is satisfied by vectors of floats, such as V = f32.Vec3 with T = float32. It is the constraint for
// functions that are generic over the length of a vector and the type of its elements. Calls of such
// functions need no type arguments.
//
//	func rescaled[V qd.Vector[V, T], T qd.Float](v V, most T) V {
//		return v.Scale(min(1, most/v.Norm()))
//	}
//
// A v of type V is an array: it has v[i], and len(v) is known at compile time, so that a loop over range
// len(v) is unrolled. (Go does not allow range v.) It has the methods that all vectors of floats have, except
// those with masks. Types from qdgen types satisfy it too, up to ` + fmt.Sprint(maxGeneric) + ` elements.
type Vector[V any, T Float] interface {
	NumberVector[V, T]

`)
	methodSet(&b, vecFloatMethods, "V")
	b.WriteString(`}

// NumberVector is satisfied by vectors of any numbers, such as V = i32.Vec3 with T = int32, and V = f32.Vec3
// with T = float32. It is [Vector] without the methods that only floats have.
type NumberVector[V any, T Number] interface {
`)
	b.WriteString(arrays("T"))
	methodSet(&b, vecMethods, "V")
	b.WriteString("ArgMin() int\nArgMax() int\n}\n")
	return b.String()
}

// matrixConstraints are those that matrices satisfy, and the square ones.
func matrixConstraints() string {
	var b strings.Builder
	b.WriteString(`
// Matrix is satisfied by matrices of floats M with rows of type R, such as M = f32.Mat2x3 with R = f32.Vec3
// and T = float32. It is the constraint for functions that are generic over the shape of a matrix.
//
//	func rowNorms[M qd.Matrix[M, R, T], R qd.Vector[R, T], T qd.Float](m M, norms []T) {
//		for i := range len(m) {
//			norms[i] = m[i].Norm()
//		}
//	}
//
// It has the methods that all matrices of floats have, except those with masks and those with column vectors.
type Matrix[M, R any, T Float] interface {
	NumberMatrix[M, R, T]

`)
	methodSet(&b, matFloatMethods, "M")
	b.WriteString(`}

// NumberMatrix is satisfied by matrices of any numbers, such as M = i32.Mat2x3 with R = i32.Vec3 and T =
// int32. It is [Matrix] without the methods that only floats have.
type NumberMatrix[M, R any, T Number] interface {
`)
	b.WriteString(arrays("R"))
	b.WriteString(`	Row(i int) R
	WithRow(i int, r R) M
`)
	methodSet(&b, matMethods, "M")
	b.WriteString(`}

// SquareMatrix is satisfied by square matrices of floats M with rows and columns of type R, up to 12 rows.
// Only smaller matrices have Adjugate, SVD and SymEig. A function that needs such a method adds it to its
// constraint: interface{ SymEig() (w R, v M) }.
type SquareMatrix[M, R any, T Float] interface {
	Matrix[M, R, T]
	NumberSquareMatrix[M, R, T]

	Det() T
	Inverse() M
	Solve(b R) (x R, ok bool)
	SolveMat(b M) (x M, ok bool)
}

// NumberSquareMatrix is satisfied by square matrices of any numbers M with rows and columns of type R. It is
// [SquareMatrix] without the methods that only floats have. Matrices with up to 4 rows have a determinant
// too. A function that needs it adds interface{ Det() T } to its constraint.
type NumberSquareMatrix[M, R any, T Number] interface {
	NumberMatrix[M, R, T]

	Col(j int) R
	WithCol(j int, c R) M
	Diag() R
	Trace() T
	Transpose() M
	Mul(n M) M
	MulVec(v R) R
	TMulVec(v R) R
}
`)
	return b.String()
}

// methodSet writes the signatures of methods that name no masks, for a type of the name of a type parameter.
func methodSet(b *strings.Builder, methods []method, typ string) {
	for _, m := range methods {
		if m.kind != eachMask {
			fmt.Fprintln(b, m.signature(types{vec: typ, elem: "T"}))
		}
	}
}
