package qd

// The matrices of this file take a camera's view to clip space, as Vulkan, Metal, Direct3D and
// WebGPU have it, but with y up: x and y from -1 to 1, and depth from 0 at the near plane to 1
// at the far one. A camera looks along its -z, with x to the right and y up, which is a
// right-handed system. Points become those of clip space by [Mat4x4.TransformPoint].

// Mat4x4LookAt is the view of a camera at eye that looks at target with up upwards: it takes
// coordinates of the world to those of the camera. up need not be at right angles to the view,
// but must not be parallel to it.
func Mat4x4LookAt[T Float](eye, target, up Vec3[T]) Mat4x4[T] {
	z := eye.Sub(target)
	z = z.DivScalar(Sqrt(z.NormSq()))
	x := up.Cross(z)
	x = x.DivScalar(Sqrt(x.NormSq()))
	y := z.Cross(x)
	return Mat4x4[T]{
		{x[0], x[1], x[2], -x.Dot(eye)},
		{y[0], y[1], y[2], -y.Dot(eye)},
		{z[0], z[1], z[2], -z.Dot(eye)},
		{0, 0, 0, 1},
	}
}

// Mat4x4Perspective is the projection of a camera that sees an angle of fovY radians from
// bottom to top, less than pi, and aspect times as wide as high. What is at the distance near >
// 0 gets the depth 0, at far the depth 1, which may be infinite.
func Mat4x4Perspective[T Float](fovY, aspect, near, far T) Mat4x4[T] {
	f := 1 / Tan(fovY/2)
	d := 1 / (1 - near/far) // far/(far - near), for infinity too
	return Mat4x4[T]{
		{f / aspect, 0, 0, 0},
		{0, f, 0, 0},
		{0, 0, -d, -d * near},
		{0, 0, -1, 0},
	}
}

// Mat4x4Orthographic is the projection of the box of camera coordinates with x from left to
// right, y from bottom to top and the distance (-z) from near to far, without perspective. The
// depth is 0 at near and 1 at far.
func Mat4x4Orthographic[T Float](left, right, bottom, top, near, far T) Mat4x4[T] {
	return Mat4x4[T]{
		{2 / (right - left), 0, 0, (left + right) / (left - right)},
		{0, 2 / (top - bottom), 0, (bottom + top) / (bottom - top)},
		{0, 0, 1 / (near - far), near / (near - far)},
		{0, 0, 0, 1},
	}
}
