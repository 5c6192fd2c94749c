package qd

// The matrices of this file are for homogeneous coordinates and column vectors: the point (x,
// y, z) is the column (x, y, z, 1), a translation is the last column, and a.Mul(b) transforms
// by b first. Rotations are right-handed: for one who looks against the axis they turn
// counterclockwise. Angles are in radians.

// Mat4x4Translation moves points by d.
func Mat4x4Translation[T Number](d Vec3[T]) Mat4x4[T] {
	return Mat4x4[T]{{1, 0, 0, d[0]}, {0, 1, 0, d[1]}, {0, 0, 1, d[2]}, {0, 0, 0, 1}}
}

// Mat4x4Scaling scales along the axes by the components of s.
func Mat4x4Scaling[T Number](s Vec3[T]) Mat4x4[T] {
	return Mat4x4[T]{{s[0], 0, 0, 0}, {0, s[1], 0, 0}, {0, 0, s[2], 0}, {0, 0, 0, 1}}
}

// Mat4x4FromMat3 is the linear map m as a map of homogeneous coordinates.
func Mat4x4FromMat3[T Number](m Mat3x3[T]) Mat4x4[T] {
	return Mat4x4[T]{
		{m[0][0], m[0][1], m[0][2], 0},
		{m[1][0], m[1][1], m[1][2], 0},
		{m[2][0], m[2][1], m[2][2], 0},
		{0, 0, 0, 1},
	}
}

// Mat4x4RotationX rotates about the x axis.
func Mat4x4RotationX[T Float](angle T) Mat4x4[T] { return Mat4x4FromMat3(Mat3x3RotationX(angle)) }

// Mat4x4RotationY rotates about the y axis.
func Mat4x4RotationY[T Float](angle T) Mat4x4[T] { return Mat4x4FromMat3(Mat3x3RotationY(angle)) }

// Mat4x4RotationZ rotates about the z axis.
func Mat4x4RotationZ[T Float](angle T) Mat4x4[T] { return Mat4x4FromMat3(Mat3x3RotationZ(angle)) }

// Mat4x4Rotation rotates about an axis through the origin, which may be as that of [Mat3x3Rotation]:
// about the axis 0 it is the identity.
func Mat4x4Rotation[T Float](axis Vec3[T], angle T) Mat4x4[T] {
	return Mat4x4FromMat3(Mat3x3Rotation(axis, angle))
}

// Mat4x4Compose scales along the axes, rotates by a quaternion of length 1, and translates, in
// this order.
func Mat4x4Compose[T Float](translation Vec3[T], rotation Quat[T], scale Vec3[T]) Mat4x4[T] {
	m := rotation.Mat3()
	return Mat4x4[T]{
		{m[0][0] * scale[0], m[0][1] * scale[1], m[0][2] * scale[2], translation[0]},
		{m[1][0] * scale[0], m[1][1] * scale[1], m[1][2] * scale[2], translation[1]},
		{m[2][0] * scale[0], m[2][1] * scale[1], m[2][2] * scale[2], translation[2]},
		{0, 0, 0, 1},
	}
}

// Mat4x4Decompose gives the parts of which [Mat4x4Compose] makes m. Scales are positive, except
// that of x where m mirrors. Where m has shear or projects, no parts make it: the rotation is
// then some quaternion of length 1. Where a scale is 0, so that m does not tell the rotation,
// its components are NaN.
func Mat4x4Decompose[T Float](m Mat4x4[T]) (translation Vec3[T], rotation Quat[T], scale Vec3[T]) {
	x := Vec3[T]{m[0][0], m[1][0], m[2][0]}
	y := Vec3[T]{m[0][1], m[1][1], m[2][1]}
	z := Vec3[T]{m[0][2], m[1][2], m[2][2]}
	scale = Vec3[T]{Sqrt(x.NormSq()), Sqrt(y.NormSq()), Sqrt(z.NormSq())}
	if x.Dot(y.Cross(z)) < 0 {
		scale[0] = -scale[0]
	}
	rotation = QuatFromMat(Mat3x3[T]{
		{x[0] / scale[0], y[0] / scale[1], z[0] / scale[2]},
		{x[1] / scale[0], y[1] / scale[1], z[1] / scale[2]},
		{x[2] / scale[0], y[2] / scale[1], z[2] / scale[2]},
	})
	return Vec3[T]{m[0][3], m[1][3], m[2][3]}, rotation, scale
}

// TransformPoint is the point to which m brings p: m times (x, y, z, 1), over the last
// component of the result, which is 1 unless m projects.
func (m Mat4x4[T]) TransformPoint(p Vec3[T]) Vec3[T] {
	w := m[3][0]*p[0] + m[3][1]*p[1] + m[3][2]*p[2] + m[3][3]
	return Vec3[T]{
		(m[0][0]*p[0] + m[0][1]*p[1] + m[0][2]*p[2] + m[0][3]) / w,
		(m[1][0]*p[0] + m[1][1]*p[1] + m[1][2]*p[2] + m[1][3]) / w,
		(m[2][0]*p[0] + m[2][1]*p[1] + m[2][2]*p[2] + m[2][3]) / w,
	}
}

// TransformVector is what m makes of the direction and length v: the upper left 3x3 matrix
// times v.
func (m Mat4x4[T]) TransformVector(v Vec3[T]) Vec3[T] {
	return Vec3[T]{
		m[0][0]*v[0] + m[0][1]*v[1] + m[0][2]*v[2],
		m[1][0]*v[0] + m[1][1]*v[1] + m[1][2]*v[2],
		m[2][0]*v[0] + m[2][1]*v[1] + m[2][2]*v[2],
	}
}

// TransformNormal is the direction at right angles to what m makes of a surface at right angles
// to n, on the same side of it; its length is to be made 1 by the caller. It is n times the
// inverse transpose of the upper left 3x3 matrix, times the absolute value of that matrix's
// determinant: so nothing is divided, and m may flatten the surface.
func (m Mat4x4[T]) TransformNormal(n Vec3[T]) Vec3[T] {
	x := Vec3[T]{m[0][0], m[0][1], m[0][2]}
	y := Vec3[T]{m[1][0], m[1][1], m[1][2]}
	z := Vec3[T]{m[2][0], m[2][1], m[2][2]}
	yz := y.Cross(z) // the rows of the cofactor matrix
	r := Vec3[T]{yz.Dot(n), z.Cross(x).Dot(n), x.Cross(y).Dot(n)}
	if x.Dot(yz) < 0 {
		return r.Neg()
	}
	return r
}
