package qd

// A Transform is a rigid motion of space: the rotation Q, of length 1, and then the translation
// by P. Where it brings a point p has an error of at most 32u (|P| + |p|), with u = 2^-24 or
// 2^-53 and a length of Q that is 1 within 2u.
type Transform[T Float] struct {
	P Vec3[T]
	Q Quat[T]
}

// Transformf is a motion in float32.
type Transformf = Transform[float32]

// Transformd is a motion in float64.
type Transformd = Transform[float64]

// TransformIdentity is the motion that moves nothing.
func TransformIdentity[T Float]() Transform[T] {
	return Transform[T]{Q: QuatIdentity[T]()}
}

// Mul is the motion o and then a.
func (a Transform[T]) Mul(o Transform[T]) Transform[T] {
	return Transform[T]{P: a.P.Add(a.Q.Rotate(o.P)), Q: a.Q.Mul(o.Q)}
}

// Inverse is the motion back.
func (a Transform[T]) Inverse() Transform[T] {
	q := a.Q.Conj()
	return Transform[T]{P: q.Rotate(a.P).Neg(), Q: q}
}

// Point is where the motion brings the point p: rotated, then translated.
func (a Transform[T]) Point(p Vec3[T]) Vec3[T] { return a.P.Add(a.Q.Rotate(p)) }

// InvPoint is the point that the motion brings to p.
func (a Transform[T]) InvPoint(p Vec3[T]) Vec3[T] { return a.Q.RotateInv(p.Sub(a.P)) }

// Vector is the direction that the motion gives the direction v: rotated, not translated.
func (a Transform[T]) Vector(v Vec3[T]) Vec3[T] { return a.Q.Rotate(v) }

// InvVector is the direction to which the motion gives the direction v.
func (a Transform[T]) InvVector(v Vec3[T]) Vec3[T] { return a.Q.RotateInv(v) }

// Mat4 is the motion as a matrix for homogeneous coordinates: the columns are the rotated axes
// and P.
func (a Transform[T]) Mat4() Mat4x4[T] {
	m := a.Q.Mat3()
	return Mat4x4[T]{
		{m[0][0], m[0][1], m[0][2], a.P[0]},
		{m[1][0], m[1][1], m[1][2], a.P[1]},
		{m[2][0], m[2][1], m[2][2], a.P[2]},
		{0, 0, 0, 1},
	}
}
