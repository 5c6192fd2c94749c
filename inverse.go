package qd

import "math"

// The inverses of this file are the adjugate over the determinant: no branches and few
// operations. So that products of elements of several rows neither overflow nor vanish, however
// large or small m is, m is first multiplied by the power of two that makes the product of the
// rows' largest elements about 1. Let u be 2^-24 for float32 and 2^-53 for float64, and p the
// product of the lengths of the rows over the absolute value of the determinant, which is 1 for
// an orthogonal matrix and large for one that is nearly singular. If then no product of elements
// of different rows is out of T's range, which takes rows of very different lengths, and no
// quotient, an element x in column i of the inverse has an error of at most
//
//	16 u p (|x| + 1/|row i|)
//
// Where the determinant comes out as 0, no element of the inverse is finite. Each element of m is a
// factor of terms of the determinant, which is not finite therefore where an element is not:
// see reciprocal.

// Inverse is the inverse of m: its product with m is the identity. For one that is singular,
// and so has none, no element is finite; where an element of m is not finite, all are NaN.
// The error is at most 16 u p (|x| + 1/|row i|) for an element x in column i, with u = 2^-24 or
// 2^-53 and p for the product of the lengths of the rows over |Det|, at any scale of m, unless rows
// of very different lengths have products out of T's range. T must be a float. It is Cramer's rule.
func (m Mat2x2[T]) Inverse() Mat2x2[T] {
	NeedFloat[T]()
	scale := ApplyFloat(meanSize(rowSize2(m[0]), rowSize2(m[1])), inversePower32, inversePower64)
	n := m.Scale(scale)
	a := n.Adjugate()
	return a.Scale(scale * reciprocal(n[0][0]*a[0][0]+n[0][1]*a[1][0]))
}

// Inverse is the inverse of m: its product with m is the identity. For one that is singular,
// and so has none, no element is finite; where an element of m is not finite, all are NaN.
// The error is at most 16 u p (|x| + 1/|row i|) for an element x in column i, with u = 2^-24 or
// 2^-53 and p for the product of the lengths of the rows over |Det|, at any scale of m, unless rows
// of very different lengths have products out of T's range. T must be a float. It is Cramer's rule.
func (m Mat3x3[T]) Inverse() Mat3x3[T] {
	NeedFloat[T]()
	scale := ApplyFloat(ApplyFloat3(rowSize3(m[0]), rowSize3(m[1]), rowSize3(m[2]), meanOfThree32, meanOfThree64), inversePower32, inversePower64)
	n := m.Scale(scale)
	a := n.Adjugate()
	return a.Scale(scale * reciprocal(n[0][0]*a[0][0]+n[0][1]*a[1][0]+n[0][2]*a[2][0]))
}

// Inverse is the inverse of m: its product with m is the identity. For one that is singular,
// and so has none, no element is finite; where an element of m is not finite, all are NaN.
// The error is at most 16 u p (|x| + 1/|row i|) for an element x in column i, with u = 2^-24 or
// 2^-53 and p for the product of the lengths of the rows over |Det|, at any scale of m, unless rows
// of very different lengths have products out of T's range. T must be a float. It is Cramer's rule.
func (m Mat4x4[T]) Inverse() Mat4x4[T] {
	NeedFloat[T]()
	scale := ApplyFloat(meanSize(meanSize(rowSize4(m[0]), rowSize4(m[1])), meanSize(rowSize4(m[2]), rowSize4(m[3]))), inversePower32, inversePower64)
	n := m.Scale(scale)
	a := n.Adjugate()
	return a.Scale(scale * reciprocal(n[0][0]*a[0][0]+n[0][1]*a[1][0]+n[0][2]*a[2][0]+n[0][3]*a[3][0]))
}

// reciprocal is 1/x, and NaN for the infinities too: 0, which 1/x would be, times an element of an
// adjugate may be finite.
func reciprocal[T Number](x T) T { return 1/x + (x - x) }

// rowSize2, 3 and 4 are the largest magnitude of a row, and of the least normal number.

func rowSize2[T Number](v Vec2[T]) T { return larger(larger(leastNormal[T](), v[0]), v[1]) }
func rowSize3[T Number](v Vec3[T]) T {
	return larger(larger(larger(leastNormal[T](), v[0]), v[1]), v[2])
}
func rowSize4[T Number](v Vec4[T]) T {
	return larger(larger(larger(larger(leastNormal[T](), v[0]), v[1]), v[2]), v[3])
}

// larger is the larger one of a, which is not negative, and of b's magnitude, and a if b is NaN.
func larger[T Number](a, b T) T {
	if b = AbsNumber(b); b > a {
		return b
	}
	return a
}

func leastNormal[T Number]() T      { return ApplyFloat(T(0), leastNormal32, leastNormal64) }
func leastNormal32(float32) float32 { return 0x1p-126 }
func leastNormal64(float64) float64 { return 0x1p-1022 }

// meanSize is the power of two with the mean of two positive numbers' exponents, rounded down.
func meanSize[T Number](x, y T) T { return ApplyFloat2(x, y, meanOfTwo32, meanOfTwo64) }

func meanOfTwo32(x, y float32) float32 {
	return math.Float32frombits((math.Float32bits(x)>>23 + math.Float32bits(y)>>23) / 2 << 23)
}

func meanOfTwo64(x, y float64) float64 {
	return math.Float64frombits((math.Float64bits(x)>>52 + math.Float64bits(y)>>52) / 2 << 52)
}

// meanOfThree32 is [meanSize] of three numbers. 43691 >> 17 is a third of what has 16 bits.
func meanOfThree32(x, y, z float32) float32 {
	sum := math.Float32bits(x)>>23 + math.Float32bits(y)>>23 + math.Float32bits(z)>>23
	return math.Float32frombits(sum * 43691 >> 17 << 23)
}

func meanOfThree64(x, y, z float64) float64 {
	sum := math.Float64bits(x)>>52 + math.Float64bits(y)>>52 + math.Float64bits(z)>>52
	return math.Float64frombits(sum * 43691 >> 17 << 52)
}

// inversePower32 is 2/x for a power of two, and 0 for the infinity: all normal ones have one.
func inversePower32(x float32) float32 { return math.Float32frombits(0x7f800000 - math.Float32bits(x)) }

func inversePower64(x float64) float64 {
	return math.Float64frombits(0x7ff0000000000000 - math.Float64bits(x))
}
