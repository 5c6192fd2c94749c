package qd

// QuatFromAxisAngle is the rotation about the axis by an angle in radians, right-handed. The axis may
// have any length whose square is in T's range; about the axis 0 it is the identity.
func QuatFromAxisAngle[T Float](axis Vec3[T], angle T) Quat[T] {
	n := Sqrt(axis.NormSq())
	if n == 0 {
		return QuatIdentity[T]()
	}
	s, c := Sincos(angle / 2)
	return Quat[T]{axis[0] / n * s, axis[1] / n * s, axis[2] / n * s, c}
}

// AxisAngle is the rotation q as an axis of length 1 and an angle from 0 to pi. Where there is
// no rotation, the axis is x. q need not be of length 1. The angle is within 8u of itself,
// however small it is.
func (q Quat[T]) AxisAngle() (axis Vec3[T], angle T) {
	if q[3] < 0 {
		q = q.Neg()
	}
	v := q.Vec()
	n := Sqrt(v.NormSq())
	if n == 0 {
		return Vec3[T]{1, 0, 0}, 0
	}
	return v.DivScalar(n), 2 * Atan2(n, q[3])
}

// QuatFromEuler rotates about the axes of space that stand still: by x radians about x, then by
// y about y, then by z about z (roll, pitch and yaw), which is Rz(z) Ry(y) Rx(x).
func QuatFromEuler[T Float](x, y, z T) Quat[T] {
	sx, cx := Sincos(x / 2)
	sy, cy := Sincos(y / 2)
	sz, cz := Sincos(z / 2)
	return Quat[T]{
		sx*cy*cz - cx*sy*sz,
		cx*sy*cz + sx*cy*sz,
		cx*cy*sz - sx*sy*cz,
		cx*cy*cz + sx*sy*sz,
	}
}

// Euler gives the angles of [QuatFromEuler], for a rotation: x and z from -pi to pi, y from
// -pi/2 to pi/2. At y = +-pi/2 only the sum or difference of x and z matters (gimbal lock).
//
// The formulas are without the arcsine's loss of accuracy there: Bernardes and Viollet,
// "Quaternion to Euler angles conversion: A direct, general and computationally efficient
// method", 2022. From the angles q comes back within 16u.
func (q Quat[T]) Euler() (x, y, z T) {
	// (a, b) and (c, d) have lengths in the ratio of the cosine and the sine of an angle that
	// is y/2 away from pi/4; their directions are the sum and the difference of x and z.
	a, b := q[3]-q[1], q[0]+q[2]
	c, d := q[3]+q[1], q[2]-q[0]
	y = 2*Atan2(Hypot(c, d), Hypot(a, b)) - pi/2
	sum, diff := Atan2(b, a), Atan2(d, c)
	return wrapAngle(sum - diff), y, wrapAngle(sum + diff)
}

// wrapAngle brings an angle of less than 3 pi into -pi to pi.
func wrapAngle[T Float](a T) T {
	if a > pi {
		return a - 2*pi
	}
	if a < -pi {
		return a + 2*pi
	}
	return a
}

// QuatFromMat is the rotation of a matrix, which must be orthogonal with the determinant 1; of
// another one it is some quaternion of length 1, as far as its elements are finite.
//
// It is Shepperd's method ("Quaternion from rotation matrix", 1978): the largest component
// comes from a square root, the others by division by it, so that no rotation is near a
// division by zero. Of the matrix of a rotation q it is q or -q within 16u.
func QuatFromMat[T Float](m Mat3x3[T]) Quat[T] {
	trace := m[0][0] + m[1][1] + m[2][2]
	var q Quat[T]
	switch {
	case trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2]:
		q = Quat[T]{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace}
	case m[0][0] >= m[1][1] && m[0][0] >= m[2][2]:
		q = Quat[T]{1 + (m[0][0] - m[1][1] - m[2][2]), m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]}
	case m[1][1] >= m[2][2]:
		q = Quat[T]{m[0][1] + m[1][0], 1 + (m[1][1] - m[2][2] - m[0][0]), m[1][2] + m[2][1], m[0][2] - m[2][0]}
	default:
		q = Quat[T]{m[0][2] + m[2][0], m[1][2] + m[2][1], 1 + (m[2][2] - m[0][0] - m[1][1]), m[1][0] - m[0][1]}
	}
	return q.Normalize()
}

// Mat3 is the matrix of the rotation q, for column vectors: q.Mat3().MulVec(v) is q.Rotate(v).
// Each element is within 10u if the length of q is 1 within 2u.
func (q Quat[T]) Mat3() Mat3x3[T] {
	x, y, z, w := q[0], q[1], q[2], q[3]
	return Mat3x3[T]{
		{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)},
	}
}

// QuatBetween is the shortest rotation that turns the direction of a into that of b: neither may
// be 0, and their lengths do not matter while the squares are in T's range. Between opposite
// directions it turns about some axis at right angles to them. The rotated direction is within
// 16u of b's, however near the two are to being equal or opposite.
func QuatBetween[T Float](a, b Vec3[T]) Quat[T] {
	a = a.DivScalar(Sqrt(a.NormSq()))
	b = b.DivScalar(Sqrt(b.NormSq()))
	h := a.Add(b)
	hh := h.NormSq()
	c := Sqrt(hh) / 2 // the cosine of half the angle
	if hh >= 2 {
		n := a.Cross(b).DivScalar(2 * c)
		return Quat[T]{n[0], n[1], n[2], c}
	}
	// Beyond a right angle: h is nearly at right angles to a, unless it is but the rounding of
	// a and b.
	n := a.Cross(h)
	nn := n.NormSq()
	if !(nn > hh/4) {
		n = perpendicular(a)
		nn = n.NormSq()
	}
	n = n.Scale(Sqrt(1-c*c) / Sqrt(nn))
	return Quat[T]{n[0], n[1], n[2], c}
}

// perpendicular is a vector at right angles to v that is at least as long as v's largest
// components: v without its smallest, the other two swapped and one negated (Hughes and Möller,
// "Building an orthonormal basis from a unit vector", 1999).
func perpendicular[T Float](v Vec3[T]) Vec3[T] {
	xx, yy, zz := v[0]*v[0], v[1]*v[1], v[2]*v[2]
	switch {
	case xx <= yy && xx <= zz:
		return Vec3[T]{0, -v[2], v[1]}
	case yy <= zz:
		return Vec3[T]{-v[2], 0, v[0]}
	default:
		return Vec3[T]{-v[1], v[0], 0}
	}
}

// Rotate is v rotated by q, which has length 1: v + 2w (n x v) + 2 n x (n x v), with n for q's
// imaginary part, in 15 multiplications. The error is at most 24u |v| if the length of q is 1
// within 2u.
func (q Quat[T]) Rotate(v Vec3[T]) Vec3[T] {
	n := q.Vec()
	t := n.Cross(v)
	t = t.Add(t)
	return v.Add(t.Scale(q[3])).Add(n.Cross(t))
}

// RotateInv is v rotated by the inverse of q, which has length 1.
func (q Quat[T]) RotateInv(v Vec3[T]) Vec3[T] { return q.Conj().Rotate(v) }

// Slerp is the rotation that has done the share t of the way from q to r, at a constant angular
// velocity (Shoemake, "Animating rotation with quaternion curves", 1985): q at 0, r or -r at 1.
// It takes the shorter way: where q.Dot(r) is negative, it is that to -r. Both have length 1.
// If they are within 1e-5, where the difference is below float64's precision, it is
// [Quat.Nlerp]. For t from 0 to 1 the error is at most 16u.
func (q Quat[T]) Slerp(r Quat[T], t T) Quat[T] {
	r = r.onSideOf(q)
	// Kahan's formula for the angle is exact for small ones, where the arccosine of the dot
	// product is not.
	angle := 2 * Atan2(q.Sub(r).Norm(), q.Add(r).Norm())
	if angle < 1e-5 {
		return q.Nlerp(r, t)
	}
	s := Sin(angle)
	return q.Scale(Sin((1-t)*angle) / s).Add(r.Scale(Sin(t*angle) / s))
}

// Nlerp is the point that is the share t of the straight way from q to r, brought back to
// length 1: the way of [Quat.Slerp] at another speed, for less work. It takes the shorter way
// too. Both have length 1. For t from 0 to 1 the error is at most 8u.
func (q Quat[T]) Nlerp(r Quat[T], t T) Quat[T] {
	r = r.onSideOf(q)
	return q.Scale(1 - t).Add(r.Scale(t)).Normalize()
}

// onSideOf is of q and -q, which are the same rotation, the one nearer to r.
func (q Quat[T]) onSideOf(r Quat[T]) Quat[T] {
	if q.Dot(r) < 0 {
		return q.Neg()
	}
	return q
}
