package peers

import (
	"math"
	"math/rand/v2"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
)

// hamilton is the product of two quaternions.
func hamilton(a, b [4]float64) [4]float64 {
	return [4]float64{
		a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1],
		a[3]*b[1] + a[1]*b[3] + a[2]*b[0] - a[0]*b[2],
		a[3]*b[2] + a[2]*b[3] + a[0]*b[1] - a[1]*b[0],
		a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
	}
}

func doubles[Q ~[4]T, T qd.Float](q Q) (d [4]float64) {
	copy(d[:], numbers(q[:]))
	return d
}

// A quatComparison compares what the kernel gives with quaternions and a vector in double
// precision.
type quatComparison[Q, V, M, T any] = func(a, b [4]float64, v [3]float64, r quatResult[Q, V, M, T], c *check)

// quatOps launches quatOperations over random quaternions and vectors.
func quatOps[Q interface {
	~[4]T
	quaternion[Q, V, M, T]
}, V ~[3]T, M any, T qd.Float](c *check, f quatMakers[Q, V, M, T], compare quatComparison[Q, V, M, T]) {
	c.Helper()
	rnd := rand.New(rand.NewPCG(42, 1))
	a, b, v := make([]Q, 20), make([]Q, 20), make([]V, 20)
	for i := range a {
		for k := range 4 {
			a[i][k], b[i][k] = T(rnd.NormFloat64()), T(rnd.NormFloat64())
		}
		for k := range 3 {
			v[i][k] = T(rnd.NormFloat64())
		}
	}
	a[0], a[1], a[2], a[3] = Q{0, 0, 0, 1}, Q{1, 0, 0, 0}, Q{0, 1, 0, 0}, Q{0, 0, 0, -1}
	b[4] = a[4]
	out := make([]quatResult[Q, V, M, T], len(a))
	c.launch(quatOperations[Q, V, M, T], len(a), qd.C(f), a, b, v, T(0.25), out)
	for i, r := range out {
		compare(doubles(a[i]), doubles(b[i]), [3]float64(numbers(v[i][:])), r, c)
	}
}

// nearQuat compares quaternions.
func nearQuat[Q ~[4]T, T qd.Float](c *check, got Q, want [4]float64, ulps float64) {
	c.Helper()
	nearEach(c, got[:], ulps*epsilon[T](), want[:]...)
}

// nearRotation compares quaternions that are rotations: q and -q are one.
func nearRotation[Q ~[4]T, T qd.Float](c *check, got, want Q, ulps float64) {
	c.Helper()
	rotation := doubles(want)
	if dotOf(doubles(got), rotation) < 0 {
		rotation = scaledQuat(rotation, -1)
	}
	nearQuat(c, got, rotation, ulps)
}

func dotOf(p, q [4]float64) (dot float64) {
	for i := range p {
		dot += p[i] * q[i]
	}
	return dot
}

func normOf(q [4]float64) float64 { return math.Sqrt(sumSq(q[:])) }

func scaledQuat(q [4]float64, s float64) [4]float64 {
	return [4]float64{q[0] * s, q[1] * s, q[2] * s, q[3] * s}
}

func conjugate(q [4]float64) [4]float64 { return [4]float64{-q[0], -q[1], -q[2], q[3]} }

// onBoth runs a comparison in both precisions.
func onBoth(single quatComparison[f32.Quat, f32.Vec3, f32.Mat3, float32], double quatComparison[f64.Quat, f64.Vec3, f64.Mat3, float64]) func(c *check) {
	return func(c *check) {
		quatOps(c, quatMakers[f32.Quat, f32.Vec3, f32.Mat3, float32]{f32.QuatFromAxisAngle, f32.QuatFromMat, f32.QuatFromEuler}, single)
		quatOps(c, quatMakers[f64.Quat, f64.Vec3, f64.Mat3, float64]{f64.QuatFromAxisAngle, f64.QuatFromMat, f64.QuatFromEuler}, double)
	}
}

func quatInverses[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, _ [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	nearQuat(c, r.Inverse, scaledQuat(conjugate(a), 1/sumSq(a[:])), 8)
	nearQuat(c, r.Conj, conjugate(a), 0)
}

func quatLengths[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, b [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	near(c, r.Dot, dotOf(a, b), 16*epsilon[T]())
	near(c, r.Norm, normOf(a), 4*epsilon[T]())
	nearQuat(c, r.Normalized, scaledQuat(a, 1/normOf(a)), 4)
}

func quatArithmetic[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, b [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	for i := range a {
		equal(c, r.Sum[i], T(a[i])+T(b[i]))
		equal(c, r.Difference[i], T(a[i])-T(b[i]))
		equal(c, r.Scaled[i], T(a[i])*0.25)
		near(c, r.Lerp[i], 0.75*a[i]+0.25*b[i], 4*epsilon[T]())
	}
}

func quatProducts[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, b [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	nearQuat(c, r.Product, hamilton(a, b), 16)
}

func quatRotations[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, _ [4]float64, v [3]float64, r quatResult[Q, V, M, T], c *check) {
	q := scaledQuat(a, 1/normOf(a))
	p := [4]float64{v[0], v[1], v[2], 0}
	rotated, back := hamilton(hamilton(q, p), conjugate(q)), hamilton(hamilton(conjugate(q), p), q)
	nearEach(c, r.Rotated[:], 32*epsilon[T](), rotated[:3]...)
	nearEach(c, r.RotatedInv[:], 32*epsilon[T](), back[:3]...)
}

func quatMatrices[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, _ [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	q := scaledQuat(a, 1/normOf(a))
	mat := gridFrom(r.Mat)
	nearUnit(c, "the rotation", mat, 32*epsilon[T]())
	for j := range 3 {
		axis := [4]float64{}
		axis[j] = 1
		image := hamilton(hamilton(q, axis), conjugate(q))
		for i := range 3 {
			near(c, T(mat[i][j]), image[i], 16*epsilon[T]())
		}
	}
	nearRotation(c, r.Back, r.Normalized, 32)
}

func quatAngles[Q ~[4]T, V ~[3]T, M any, T qd.Float](_, _ [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	nearRotation(c, r.Turned, r.Normalized, 32)
	nearRotation(c, r.Euler, r.Normalized, 64)
}

func quatSlerps[Q ~[4]T, V ~[3]T, M any, T qd.Float](a, b [4]float64, _ [3]float64, r quatResult[Q, V, M, T], c *check) {
	p, q := scaledQuat(a, 1/normOf(a)), scaledQuat(b, 1/normOf(b))
	dot := dotOf(p, q)
	if dot < 0 {
		q, dot = scaledQuat(q, -1), -dot
	}
	// A quarter of the way: the angle to the first is a quarter of that between them.
	angle := math.Acos(min(1, dot))
	near(c, normOf(doubles(r.Slerp)), 1, 16*epsilon[T]())
	near(c, T(dotOf(doubles(r.Slerp), p)), math.Cos(angle/4), 32*epsilon[T]())
	near(c, T(dotOf(doubles(r.Slerp), q)), math.Cos(angle*3/4), 32*epsilon[T]())
}

func eulers(c *check, e []f32.Vec3) (q, again []f32.Quat, back []f32.Vec3) {
	c.Helper()
	q, again, back = make([]f32.Quat, len(e)), make([]f32.Quat, len(e)), make([]f32.Vec3, len(e))
	c.launch(eulerAngles, len(e), e, back, q, again)
	return q, again, back
}

var warpQuat = []peerCase{
	{"test_constructors, test_anon_type_instance, test_constructor_default, test_indexing, test_assignment, test_quat_extract, test_quat_assign, test_quat_indexing_assign, test_quat_len, test_quat_identity", "quaternions of four numbers, their elements and their length", "x, y, z, w, by index", func(c *check) {
		out, n := make([]f32.Quat, 5), make([]int, 2)
		c.launch(quatElements, 1, []float32{1, 2, 3, 4}, out, n)
		equal(c, out, []f32.Quat{{1, 2, 3, 4}, {8, 2, 3, 5}, {}, {0, 0, 0, 1}, {2, 4, 6, 8}})
		equal(c, n, []int{4, 4})
	}},
	{"test_quat_array_extract, test_quat_array_assign, test_quat_add_inplace, test_quat_sub_inplace, test_quat_array_add_inplace, test_quat_array_sub_inplace", "quaternions of arrays, and in place", "", func(c *check) {
		x, y := full(6, f32.Quat{1, 1, 1, 1}), make([]float32, 6)
		c.must(c.dev.Launch(quatArrays, qd.Dim(2, 3), qd.ViewOf2(x, 2, 3), qd.ViewOf2(y, 2, 3)))
		equal(c, y, full(6, float32(10)))
		equal(c, x, full(6, f32.Quat{2, 2, 2, 6}))
	}},
	{"test_inverse", "inverses and conjugates", "of any quaternion but zero", onBoth(quatInverses, quatInverses)},
	{"test_dotproduct, test_length, test_normalize", "dot products, lengths, and the normalized quaternion", "", onBoth(quatLengths, quatLengths)},
	{"test_addition, test_subtraction, test_scalar_multiplication, test_scalar_division, test_quat_lerp", "sums, differences, multiples", "", onBoth(quatArithmetic, quatArithmetic)},
	{"test_quat_multiplication", "products", "", onBoth(quatProducts, quatProducts)},
	{"test_quat_rotate", "rotated vectors, and back", "", onBoth(quatRotations, quatRotations)},
	{"test_quat_to_matrix, test_quat_from_matrix", "rotations as matrices, and back", "", onBoth(quatMatrices, quatMatrices)},
	{"test_slerp_grad", "the way between two rotations", "without gradients", onBoth(quatSlerps, quatSlerps)},
	{"test_quat_to_axis_angle_grad, test_quat_rpy_grad, test_quat_euler_conversion", "axes and angles, and Euler's angles, and back", "without gradients; one order of axes", onBoth(quatAngles, quatAngles)},
	{"test_py_arithmetic_ops", "the algebra outside of kernels", "", func(c *check) {
		q := f64.Quat{1, -2, 3, -4}
		equal(c, q.Neg(), f64.Quat{-1, 2, -3, 4})
		equal(c, q.Add(f64.Quat{5, 5, 5, 5}), f64.Quat{6, 3, 8, 1})
		equal(c, q.Sub(f64.Quat{5, 5, 5, 5}), f64.Quat{-4, -7, -2, -9})
		equal(c, q.Scale(2), f64.Quat{2, -4, 6, -8})
	}},
	{"test_casting_constructors", "quaternions of one precision from another", "element by element", nil},
	{"test_scalar_quat_div", "a number divided by the elements of a quaternion", "no operation of quaternions: s times the inverse is q.Inverse().Scale(s)", nil},
	{"test_quat_slicing_assign", "parts of a quaternion", "q.Vec() and by index", nil},
	{"test_quat_backward, test_quat_slicing_assign_backward", "gradients", "gradients have cases of their own, under ssa/gradient; this one is not rebuilt", nil},
	{"test_math.py: test_vec_norm", "norms: of absolute values, Euclid's, Huber's", "a line of Go each", func(c *check) {
		out := make([]vecNorms, 3)
		c.launch(vecNormsOf, 3, []f32.Vec3{{-2, -1, -3}, {2, 1, 3}, {}}, out)
		r := math.Sqrt(14)
		for i := range 2 {
			nearEach(c, []float32{out[i].L1, out[i].L2, out[i].Huber, out[i].PseudoHuber}, 1e-6, 6, r, r-0.5, math.Sqrt(15))
		}
		equal(c, out[2], vecNorms{PseudoHuber: 1})
	}},
	{"test_math.py: test_smooth_normalize", "a vector over its smooth norm", "", func(c *check) {
		v, out := []f32.Vec3{{}, {1.2, -0.4, 0.8}}, make([]f32.Vec3, 2)
		c.launch(smoothNormalized, 2, v, out)
		equal(c, out[0], f32.Vec3{})
		n := math.Sqrt(1 + 1.44 + 0.16 + 0.64)
		nearEach(c, out[1][:], 1e-6, 1.2/n, -0.4/n, 0.8/n)
	}},
	{"test_math.py: test_quat_helpers, test_quat_euler_roundtrip", "Euler's angles there and back, at the gimbal lock too", "one order of axes", func(c *check) {
		const lock = math.Pi / 2
		e := []f32.Vec3{{0.3, -0.25, 0.7}, {0.2, 0, 0}, {0.31, lock - 1e-4, 0.41}, {0.31, -lock + 1e-4, 0.41}, {0.6, lock, 0.2}}
		q, again, back := eulers(c, e)
		for i := range e {
			nearRotation(c, again[i], q[i], 64)
		}
		nearEach(c, back[0][:], 1e-6, 0.3, -0.25, 0.7)
		nearRotation(c, q[1], f32.QuatFromAxisAngle(f32.Vec3{1, 0, 0}, 0.2), 16)
	}},
	{"test_math.py: test_quat_twist_angles, test_quat_twist_angle_signed_branches", "the angle of a rotation about an axis, with its sign", "a function of three lines", func(c *check) {
		angles := []float32{-2, -0.0006, -0.0005, -0.0001, 0.0001, 0.0005, 0.0006, 0.9, 2}
		out := make([]float32, len(angles))
		c.launch(twists, len(angles), angles, out)
		nearEach(c, out, 4e-7, numbers(angles)...)
	}},
	{"test_math.py: test_spatial_helpers", "points moved by rigid motions, and back", "twists and wrenches of six numbers are two vectors", func(c *check) {
		a := f32.Transform{P: f32.Vec3{1, 2, 3}, Q: f32.QuatFromAxisAngle(f32.Vec3{0, 0, 1}, math.Pi/2)}
		b := f32.Transform{P: f32.Vec3{-1, 0, 0}, Q: f32.QuatFromAxisAngle(f32.Vec3{1, 0, 0}, math.Pi)}
		p, out := []f32.Vec3{{1, 0, 0}, {0, 2, 1}}, make([]motion, 2)
		c.launch(motions, 2, a, b, p, out)
		want := [][5][3]float64{
			{{1, 3, 3}, {0, 1, 0}, {1, 0, 0}, {1, 2, 3}, {1, 3, 3}},
			{{-1, 2, 4}, {-2, 0, 1}, {0, 2, 1}, {3, 1, 2}, {-1, 2, 4}},
		}
		for i, m := range out {
			for k, got := range []f32.Vec3{m.Point, m.Vector, m.Back, m.Both, m.Mat} {
				nearEach(c, got[:], 1e-6, want[i][k][:]...)
			}
		}
	}},
}
