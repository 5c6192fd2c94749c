package qd

// The inverses of this file are the adjugate over the determinant: no branches and few
// operations. Let u be 2^-24 for float32 and 2^-53 for float64, and p the product of the
// lengths of the rows over the absolute value of the determinant, which is 1 for an orthogonal
// matrix and large for one that is nearly singular. If no product of elements of all rows is
// out of T's range, and no quotient, an element x in column i of the inverse has an error of at
// most
//
//	16 u p (|x| + 1/|row i|)
//
// Where the determinant comes out as 0, no element of the inverse is finite. Each element of m is a
// factor of terms of the determinant, which is not finite therefore where an element is not:
// see reciprocal.

// Inverse is the inverse of m: its product with m is the identity. For one that is singular,
// and so has none, no element is finite; where an element of m is not finite, or Det overflows,
// all are NaN. The error is at most 16 u p (|x| + 1/|row i|) for an
// element x in column i, with u = 2^-24 or 2^-53 and p for the product of the lengths of the
// rows over |Det|. T must be a float.
func (m Mat2x2[T]) Inverse() Mat2x2[T] {
	NeedFloat[T]()
	return m.Adjugate().Scale(reciprocal(m.Det()))
}

// Inverse is the inverse of m: its product with m is the identity. For one that is singular,
// and so has none, no element is finite; where an element of m is not finite, or Det overflows,
// all are NaN. The error is at most 16 u p (|x| + 1/|row i|) for an
// element x in column i, with u = 2^-24 or 2^-53 and p for the product of the lengths of the
// rows over |Det|. T must be a float.
func (m Mat3x3[T]) Inverse() Mat3x3[T] {
	NeedFloat[T]()
	a := m.Adjugate()
	return a.Scale(reciprocal(m[0][0]*a[0][0] + m[0][1]*a[1][0] + m[0][2]*a[2][0]))
}

// Inverse is the inverse of m: its product with m is the identity. For one that is singular,
// and so has none, no element is finite; where an element of m is not finite, or Det overflows,
// all are NaN. The error is at most 16 u p (|x| + 1/|row i|) for an
// element x in column i, with u = 2^-24 or 2^-53 and p for the product of the lengths of the
// rows over |Det|. T must be a float.
func (m Mat4x4[T]) Inverse() Mat4x4[T] {
	NeedFloat[T]()
	a := m.Adjugate()
	return a.Scale(reciprocal(m[0][0]*a[0][0] + m[0][1]*a[1][0] + m[0][2]*a[2][0] + m[0][3]*a[3][0]))
}

// reciprocal is 1/x, and NaN for the infinities too: 0, which 1/x would be, times an element of an
// adjugate may be finite.
func reciprocal[T Number](x T) T { return 1/x + (x - x) }
