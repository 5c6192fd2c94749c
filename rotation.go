package qd

// Mat2x2Rotation rotates the plane by an angle in radians, from x to y.
func Mat2x2Rotation[T Float](angle T) Mat2x2[T] {
	s, c := Sincos(angle)
	return Mat2x2[T]{{c, -s}, {s, c}}
}

// Mat3x3RotationX rotates about the x axis by an angle in radians, from y to z.
func Mat3x3RotationX[T Float](angle T) Mat3x3[T] {
	s, c := Sincos(angle)
	return Mat3x3[T]{{1, 0, 0}, {0, c, -s}, {0, s, c}}
}

// Mat3x3RotationY rotates about the y axis by an angle in radians, from z to x.
func Mat3x3RotationY[T Float](angle T) Mat3x3[T] {
	s, c := Sincos(angle)
	return Mat3x3[T]{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}
}

// Mat3x3RotationZ rotates about the z axis by an angle in radians, from x to y.
func Mat3x3RotationZ[T Float](angle T) Mat3x3[T] {
	s, c := Sincos(angle)
	return Mat3x3[T]{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}
}

// Mat3x3Rotation rotates about an axis, of any length whose square is in T's range, by an angle in
// radians, right-handed: counterclockwise for one who looks against the axis. About the axis 0 it
// is the identity. It is the matrix of [QuatFromAxisAngle], whose half angle keeps small rotations
// exact.
func Mat3x3Rotation[T Float](axis Vec3[T], angle T) Mat3x3[T] {
	return QuatFromAxisAngle(axis, angle).Mat3()
}
