package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Kernels for Warp's test_quat.py, and for those of test_math.py that are about vectors
// and quaternions.

// A quaternion of numbers T, where vectors are V and matrices M.
type quaternion[Q, V, M, T any] interface {
	~[4]T
	Inverse() Q
	Conj() Q
	Normalize() Q
	Add(Q) Q
	Sub(Q) Q
	Mul(Q) Q
	Scale(T) Q
	Slerp(Q, T) Q
	Dot(Q) T
	Norm() T
	Rotate(V) V
	RotateInv(V) V
	Mat3() M
	AxisAngle() (V, T)
	Euler() (x, y, z T)
}

// quatMakers are the functions that make quaternions.
type quatMakers[Q, V, M, T any] struct {
	FromAxisAngle func(V, T) Q
	FromMat       func(M) Q
	FromEuler     func(x, y, z T) Q
}

// A quatResult has what operations on quaternions give.
type quatResult[Q, V, M, T any] struct {
	Inverse, Conj, Normalized, Sum, Difference, Product, Scaled, Lerp, Slerp, Turned Q
	Dot, Norm                                                                        T
	Rotated, RotatedInv                                                              V
	Mat                                                                              M
	Axis                                                                             V
	Angle                                                                            T
	Back                                                                             Q // from Mat
	Euler                                                                            Q // there and back
}

//qd:kernel
func quatOperations[Q quaternion[Q, V, M, T], V, M any, T qd.Float](t qd.Thread, f qd.Const[quatMakers[Q, V, M, T]], a, b []Q, v []V, s T, out []quatResult[Q, V, M, T]) {
	i := t.ID()
	q, r := a[i], b[i]
	n, m := q.Normalize(), r.Normalize()
	res := quatResult[Q, V, M, T]{
		Inverse: q.Inverse(), Conj: q.Conj(), Normalized: n,
		Sum: q.Add(r), Difference: q.Sub(r), Product: q.Mul(r), Scaled: q.Scale(s),
		Lerp:  q.Scale(1 - s).Add(r.Scale(s)),
		Slerp: n.Slerp(m, s),
		Dot:   q.Dot(r), Norm: q.Norm(),
		Rotated: n.Rotate(v[i]), RotatedInv: n.RotateInv(v[i]),
		Mat: n.Mat3(),
	}
	res.Axis, res.Angle = n.AxisAngle()
	res.Turned = f.V.FromAxisAngle(res.Axis, res.Angle)
	res.Back = f.V.FromMat(res.Mat)
	res.Euler = f.V.FromEuler(n.Euler())
	out[i] = res
}

//qd:kernel
func quatElements(t qd.Thread, in []float32, out []f32.Quat, n []int) {
	q := f32.Quat{in[0], in[1], in[2], in[3]}
	out[0] = q
	q[0] = 2 * q[3]
	q[len(q)-1] += 1
	out[1] = q
	var zero f32.Quat
	out[2], out[3] = zero, f32.QuatIdentity()
	for i := range qd.Dynamic(4) {
		out[4][i] = 2 * in[i]
	}
	n[0], n[1] = len(q), qd.Static(len(zero))
}

//qd:kernel
func quatArrays(t qd.Thread, x qd.View2[f32.Quat], y qd.View2[float32]) {
	i, j := t.ID2()
	q := x.Ptr(i, j)
	y.Set(i, j, q[0]+2*q[1]+3*x.At(i, j)[2]+4*q[3])
	q[3] = 7
	x.Set(i, j, x.At(i, j).Add(f32.Quat{1, 1, 1, 1}).Sub(f32.Quat{0, 0, 0, 2}))
}

// A vecNorms has norms of a vector.
type vecNorms struct{ L1, L2, Huber, PseudoHuber float32 }

func normsOfVec(v f32.Vec3) vecNorms {
	n := v.Norm()
	huber := 0.5 * n * n
	if n > 1 {
		huber = n - 0.5
	}
	return vecNorms{v.Abs().Sum(), n, huber, qd.Sqrt(1 + v.NormSq())}
}

//qd:kernel
func vecNormsOf(t qd.Thread, v []f32.Vec3, out []vecNorms) { out[t.ID()] = normsOfVec(v[t.ID()]) }

//qd:kernel
func smoothNormalized(t qd.Thread, v []f32.Vec3, out []f32.Vec3) {
	i := t.ID()
	out[i] = v[i].DivScalar(normsOfVec(v[i]).PseudoHuber)
}

//qd:kernel
func eulerAngles(t qd.Thread, e []f32.Vec3, back []f32.Vec3, q, again []f32.Quat) {
	i := t.ID()
	q[i] = f32.QuatFromEuler(e[i][0], e[i][1], e[i][2])
	x, y, z := q[i].Euler()
	back[i] = f32.Vec3{x, y, z}
	again[i] = f32.QuatFromEuler(x, y, z)
}

// twist is the part of a rotation that turns about an axis.
func twist(axis f32.Vec3, q f32.Quat) f32.Quat {
	along := axis.Scale(q.Vec().Dot(axis))
	return f32.Quat{along[0], along[1], along[2], q[3]}.Normalize()
}

//qd:kernel
func twists(t qd.Thread, angles []float32, out []float32) {
	i := t.ID()
	axis := f32.Vec3{0, 0, 1}
	q := f32.QuatFromAxisAngle(f32.Vec3{1, 0, 0}, 0.4).Mul(f32.QuatFromAxisAngle(axis, angles[i]))
	about, angle := twist(axis, q).AxisAngle()
	out[i] = angle * about.Dot(axis)
}

// A motion has what rigid motions give.
type motion struct {
	Point, Vector, Back, Both f32.Vec3
	Mat                       f32.Vec3
}

//qd:kernel
func motions(t qd.Thread, a, b f32.Transform, p []f32.Vec3, out []motion) {
	i := t.ID()
	out[i] = motion{
		Point: a.Point(p[i]), Vector: a.Vector(p[i]), Back: a.Inverse().Point(a.Point(p[i])),
		Both: a.Mul(b).Point(p[i]), Mat: a.Mat4().TransformPoint(p[i]),
	}
}
