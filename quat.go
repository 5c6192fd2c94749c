package qd

// A Quat is a quaternion x*i + y*j + z*k + w, in this order: the real part is the last.
//
// Quaternions of length 1 are the rotations of space: q rotates v to q v q*, about the
// direction of (x, y, z) by twice the angle whose cosine is w, counterclockwise for one who
// looks against that direction (right-handed); q and -q are the same rotation. The product is
// Hamilton's: p.Mul(q) rotates by q first, as the product of the matrices does. Methods that
// take rotations say so, and do not make a quaternion's length 1 themselves.
//
// Bounds are for float32 as for float64, in units of u, which is 2^-24 and 2^-53.
type Quat[T Float] [4]T

// Quatf is a quaternion of float32.
type Quatf = Quat[float32]

// Quatd is a quaternion of float64.
type Quatd = Quat[float64]

// QuatIdentity is 1, the rotation that moves nothing.
func QuatIdentity[T Float]() Quat[T] { return Quat[T]{0, 0, 0, 1} }

// Vec is the imaginary part, (x, y, z).
func (q Quat[T]) Vec() Vec3[T] { return Vec3[T]{q[0], q[1], q[2]} }

// Add is the sum q + r.
func (q Quat[T]) Add(r Quat[T]) Quat[T] {
	return Quat[T]{q[0] + r[0], q[1] + r[1], q[2] + r[2], q[3] + r[3]}
}

// Sub is the difference q - r.
func (q Quat[T]) Sub(r Quat[T]) Quat[T] {
	return Quat[T]{q[0] - r[0], q[1] - r[1], q[2] - r[2], q[3] - r[3]}
}

// Neg is -q: as a rotation, the same one.
func (q Quat[T]) Neg() Quat[T] { return Quat[T]{-q[0], -q[1], -q[2], -q[3]} }

// Scale is q with each component times s.
func (q Quat[T]) Scale(s T) Quat[T] { return Quat[T]{q[0] * s, q[1] * s, q[2] * s, q[3] * s} }

// Mul is Hamilton's product q r: as a rotation, r and then q. The error of each component is at
// most 5u |q||r|.
func (q Quat[T]) Mul(r Quat[T]) Quat[T] {
	return Quat[T]{
		q[3]*r[0] + q[0]*r[3] + q[1]*r[2] - q[2]*r[1],
		q[3]*r[1] - q[0]*r[2] + q[1]*r[3] + q[2]*r[0],
		q[3]*r[2] + q[0]*r[1] - q[1]*r[0] + q[2]*r[3],
		q[3]*r[3] - q[0]*r[0] - q[1]*r[1] - q[2]*r[2],
	}
}

// Conj is the conjugate (-x, -y, -z, w): of a rotation, the inverse.
func (q Quat[T]) Conj() Quat[T] { return Quat[T]{-q[0], -q[1], -q[2], q[3]} }

// Inverse is 1/q for any q: the conjugate over the square of the length, within 8u |1/q|. That
// of 0 is not finite.
func (q Quat[T]) Inverse() Quat[T] {
	d := q.Dot(q)
	return Quat[T]{-q[0] / d, -q[1] / d, -q[2] / d, q[3] / d}
}

// Dot is the sum of the products of the components: of two rotations, the cosine of half the
// angle between them.
func (q Quat[T]) Dot(r Quat[T]) T { return q[0]*r[0] + q[1]*r[1] + q[2]*r[2] + q[3]*r[3] }

// Norm is the length of q. The squares of the components must be in T's range.
func (q Quat[T]) Norm() T { return Sqrt(q.Dot(q)) }

// Normalize is q over its length, within 4u, and the identity if that is 0. The squares of the
// components must be in T's range.
func (q Quat[T]) Normalize() Quat[T] {
	n := q.Norm()
	if n == 0 {
		return QuatIdentity[T]()
	}
	return Quat[T]{q[0] / n, q[1] / n, q[2] / n, q[3] / n}
}

// Exp is e to the power q, for any q. Of (a/2, 0), with a vector a, it is the rotation about a
// by |a| radians. The error is at most 16u e^w, if |q| is at most 4.
func (q Quat[T]) Exp() Quat[T] {
	e, n := Exp(q[3]), Sqrt(q.Vec().NormSq())
	s, c := Sincos(n)
	f := e // e sin(n)/n, whose limit at 0 is e
	if n != 0 {
		f = e * (s / n)
	}
	return Quat[T]{q[0] * f, q[1] * f, q[2] * f, c * e}
}

// Log is the natural logarithm of q whose imaginary part is at most pi long, the inverse of
// Exp. Of a rotation it is (a/2, 0), with the rotation's axis times its angle for a. The
// logarithm of a negative real number, which could have any axis, has x; the real part of that
// of 0 is -Inf. The error is at most 16u, and 16u times the length of the result.
func (q Quat[T]) Log() Quat[T] {
	n := Sqrt(q.Vec().NormSq())
	l := Log(q.Norm())
	if n == 0 {
		if q[3] < 0 {
			return Quat[T]{pi, 0, 0, l}
		}
		return Quat[T]{q[0], q[1], q[2], l}
	}
	f := Atan2(n, q[3]) / n
	return Quat[T]{q[0] * f, q[1] * f, q[2] * f, l}
}
