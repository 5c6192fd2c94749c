package qd

// Det is the determinant of m. The error is at most 2u times the product of the lengths of the
// rows, with u = 2^-24 for float32 and 2^-53 for float64, as long as no product is out of T's
// range.
func (m Mat2x2[T]) Det() T { return m[0][0]*m[1][1] - m[0][1]*m[1][0] }

// Det is the determinant of m. The error is at most 8u times the product of the lengths of the
// rows, with u = 2^-24 for float32 and 2^-53 for float64, as long as no product is out of T's
// range.
func (m Mat3x3[T]) Det() T { return m[0].Dot(m[1].Cross(m[2])) }

// Det is the determinant of m, from those of 2x2 parts. The error is at most 16u times the
// product of the lengths of the rows, with u = 2^-24 for float32 and 2^-53 for float64, as long
// as no product is out of T's range.
func (m Mat4x4[T]) Det() T {
	s, c := m.minors()
	return s[0]*c[5] - s[1]*c[4] + s[2]*c[3] + s[3]*c[2] - s[4]*c[1] + s[5]*c[0]
}

// minors are the 2x2 determinants of the upper two rows and of the lower two: of the columns
// 01, 02, 03, 12, 13, 23. Laplace's expansion by two rows makes the determinant and all
// cofactors of them (Eberly, "The Laplace expansion theorem", 2008).
func (m Mat4x4[T]) minors() (upper, lower [6]T) {
	return [6]T{
			m[0][0]*m[1][1] - m[0][1]*m[1][0],
			m[0][0]*m[1][2] - m[0][2]*m[1][0],
			m[0][0]*m[1][3] - m[0][3]*m[1][0],
			m[0][1]*m[1][2] - m[0][2]*m[1][1],
			m[0][1]*m[1][3] - m[0][3]*m[1][1],
			m[0][2]*m[1][3] - m[0][3]*m[1][2],
		}, [6]T{
			m[2][0]*m[3][1] - m[2][1]*m[3][0],
			m[2][0]*m[3][2] - m[2][2]*m[3][0],
			m[2][0]*m[3][3] - m[2][3]*m[3][0],
			m[2][1]*m[3][2] - m[2][2]*m[3][1],
			m[2][1]*m[3][3] - m[2][3]*m[3][1],
			m[2][2]*m[3][3] - m[2][3]*m[3][2],
		}
}

// Adjugate is the transposed matrix of the cofactors: its product with m, in either order, is
// Det times the identity.
func (m Mat2x2[T]) Adjugate() Mat2x2[T] { return Mat2x2[T]{{m[1][1], -m[0][1]}, {-m[1][0], m[0][0]}} }

// Adjugate is the transposed matrix of the cofactors: its product with m, in either order, is
// Det times the identity.
func (m Mat3x3[T]) Adjugate() Mat3x3[T] {
	return Mat3x3[T]{m[1].Cross(m[2]), m[2].Cross(m[0]), m[0].Cross(m[1])}.Transpose()
}

// Adjugate is the transposed matrix of the cofactors: its product with m, in either order, is
// Det times the identity.
func (m Mat4x4[T]) Adjugate() Mat4x4[T] {
	s, c := m.minors()
	return Mat4x4[T]{
		{
			m[1][1]*c[5] - m[1][2]*c[4] + m[1][3]*c[3],
			m[0][2]*c[4] - m[0][1]*c[5] - m[0][3]*c[3],
			m[3][1]*s[5] - m[3][2]*s[4] + m[3][3]*s[3],
			m[2][2]*s[4] - m[2][1]*s[5] - m[2][3]*s[3],
		}, {
			m[1][2]*c[2] - m[1][0]*c[5] - m[1][3]*c[1],
			m[0][0]*c[5] - m[0][2]*c[2] + m[0][3]*c[1],
			m[3][2]*s[2] - m[3][0]*s[5] - m[3][3]*s[1],
			m[2][0]*s[5] - m[2][2]*s[2] + m[2][3]*s[1],
		}, {
			m[1][0]*c[4] - m[1][1]*c[2] + m[1][3]*c[0],
			m[0][1]*c[2] - m[0][0]*c[4] - m[0][3]*c[0],
			m[3][0]*s[4] - m[3][1]*s[2] + m[3][3]*s[0],
			m[2][1]*s[2] - m[2][0]*s[4] - m[2][3]*s[0],
		}, {
			m[1][1]*c[1] - m[1][0]*c[3] - m[1][2]*c[0],
			m[0][0]*c[3] - m[0][1]*c[1] + m[0][2]*c[0],
			m[3][1]*s[1] - m[3][0]*s[3] - m[3][2]*s[0],
			m[2][0]*s[3] - m[2][1]*s[1] + m[2][2]*s[0],
		},
	}
}
