package f32_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/f32"
	"gonum.org/v1/gonum/num/quat"
)

// u is the unit roundoff.
const u = 0x1p-24

// numberOf is a quaternion as gonum has it.
func numberOf(q f32.Quat) quat.Number {
	return quat.Number{Real: float64(q[3]), Imag: float64(q[0]), Jmag: float64(q[1]), Kmag: float64(q[2])}
}

// quatOf rounds one of gonum's.
func quatOf(n quat.Number) f32.Quat {
	return f32.Quat{float32(n.Imag), float32(n.Jmag), float32(n.Kmag), float32(n.Real)}
}

func pure(v f32.Vec3) quat.Number {
	return quat.Number{Imag: float64(v[0]), Jmag: float64(v[1]), Kmag: float64(v[2])}
}

// far is how far a result is from an exact one: the length of the difference.
func far(got f32.Quat, want quat.Number) float64 {
	return quat.Abs(quat.Sub(numberOf(got), want))
}

// apart is how far two quaternions are from being the same rotation.
func apart(a, b quat.Number) float64 {
	return min(quat.Abs(quat.Sub(a, b)), quat.Abs(quat.Add(a, b)))
}

// rotated is v rotated by q.
func rotated(q, v quat.Number) quat.Number { return quat.Mul(quat.Mul(q, v), quat.Conj(q)) }

// somewhere is a vector of a random direction and length 1, or near an axis, or on one.
func somewhere(rng *rand.Rand) quat.Number {
	v := quat.Number{Imag: rng.NormFloat64(), Jmag: rng.NormFloat64(), Kmag: rng.NormFloat64()}
	switch rng.IntN(4) {
	case 0:
		v.Jmag *= math.Exp2(-30 * rng.Float64())
		v.Kmag *= math.Exp2(-30 * rng.Float64())
	case 1:
		v.Imag, v.Kmag = 0, 0
	}
	return quat.Scale(1/quat.Abs(v), v)
}

// rotations gives rotations, each rounded to length 1 within 2u: random ones, small ones, and
// some by nearly half a turn, about random axes and those of space.
func rotations(n int, test func(rng *rand.Rand, q f32.Quat)) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		half := rng.Float64() * math.Pi
		switch rng.IntN(5) {
		case 0:
			half = math.Exp2(-40 * rng.Float64())
		case 1:
			half = math.Pi/2 + math.Exp2(-40*rng.Float64())
		case 2:
			half = []float64{0, math.Pi / 6, math.Pi / 4, math.Pi / 3, math.Pi / 2}[rng.IntN(5)]
		}
		q := quat.Scale(math.Sin(half), somewhere(rng))
		q.Real = math.Cos(half)
		test(rng, quatOf(q))
	}
}

// A within is the largest error of a test, in units of u; it fails where that is above the
// bound.
type within struct {
	name         string
	bound, worst float64
}

func (w *within) check(t *testing.T, err, unit float64, inputs ...any) {
	t.Helper()
	if !(err <= w.bound*unit) {
		t.Fatalf("%s of %v: off by %g, which is %.3g times %g; the bound is %g", w.name, inputs, err, err/unit, unit, w.bound)
	}
	if unit > 0 {
		w.worst = max(w.worst, err/unit)
	}
}

func (w *within) log(t *testing.T) { t.Logf("%s: at most %.1f, bound %g", w.name, w.worst, w.bound) }

func TestQuatAlgebra(t *testing.T) {
	// Each bound is twice that of the documentation where gonum errs as much.
	product, inverse, normal := within{name: "Mul", bound: 10}, within{name: "Inverse", bound: 16}, within{name: "Normalize", bound: 8}
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() f32.Quat {
		q := f32.Quat{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}
		return q.Scale(float32(math.Exp2(30 * rng.NormFloat64() / 3)))
	}
	for range 5000 {
		p, q := random(), random()
		size := float64(p.Norm()) * float64(q.Norm())
		got, want := p.Mul(q), quat.Mul(numberOf(p), numberOf(q))
		for i, x := range numbers(want) {
			product.check(t, math.Abs(float64(got[i])-x), size*u, p, q)
		}
		inv := quat.Inv(numberOf(p))
		inverse.check(t, far(p.Inverse(), inv), quat.Abs(inv)*u, p)
		normal.check(t, far(p.Normalize(), quat.Scale(1/quat.Abs(numberOf(p)), numberOf(p))), u, p)
		if p.Add(q).Sub(q.Add(p)) != (f32.Quat{}) || p.Neg().Add(p) != (f32.Quat{}) || p.Conj().Conj() != p {
			t.Fatalf("sums of %v and %v", p, q)
		}
	}
	for _, w := range []within{product, inverse, normal} {
		w.log(t)
	}
	if (f32.Quat{}).Normalize() != f32.QuatIdentity() {
		t.Error("0 normalized is not the identity")
	}
	for _, x := range (f32.Quat{}).Inverse() {
		if x-x == 0 {
			t.Error("1/0 is finite")
		}
	}
	i, j, k := f32.Quat{1}, f32.Quat{0, 1}, f32.Quat{0, 0, 1}
	if i.Mul(j) != k || j.Mul(k) != i || k.Mul(i) != j || i.Mul(i) != (f32.Quat{0, 0, 0, -1}) {
		t.Error("not Hamilton's product")
	}
}

func numbers(n quat.Number) [4]float64 { return [4]float64{n.Imag, n.Jmag, n.Kmag, n.Real} }

func TestQuatRotate(t *testing.T) {
	rotate, back := within{name: "Rotate", bound: 24}, within{name: "RotateInv", bound: 24}
	matrix, fromMat := within{name: "Mat3", bound: 10}, within{name: "QuatFromMat", bound: 16}
	rotations(5000, func(rng *rand.Rand, q f32.Quat) {
		v := f32.Vec3{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}.Scale(float32(math.Exp2(40 * rng.NormFloat64() / 3)))
		n, w := numberOf(q), pure(v)
		size := quat.Abs(w) * u
		rotate.check(t, quat.Abs(quat.Sub(pure(q.Rotate(v)), rotated(quat.Scale(1/quat.Abs(n), n), w))), size, q, v)
		back.check(t, quat.Abs(quat.Sub(pure(q.RotateInv(v)), rotated(quat.Scale(1/quat.Abs(n), quat.Conj(n)), w))), size, q, v)
		m := q.Mat3()
		for j := range 3 {
			var e f32.Vec3
			e[j] = 1
			column := numbers(rotated(n, pure(e)))
			for i := range 3 {
				matrix.check(t, math.Abs(float64(m[i][j])-column[i]), u, q, i, j)
			}
		}
		fromMat.check(t, apart(numberOf(f32.QuatFromMat(m)), n), u, q)
	})
	for _, w := range []within{rotate, back, matrix, fromMat} {
		w.log(t)
	}
}

func TestQuatBetween(t *testing.T) {
	direction, length, shortest := within{name: "direction", bound: 16}, within{name: "length", bound: 8}, within{name: "axis", bound: 8}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		a := somewhere(rng)
		b := somewhere(rng)
		if d := math.Exp2(-60 * rng.Float64()); rng.IntN(2) == 0 {
			b = quat.Add(a, quat.Scale(d, b)) // nearly equal, or equal
		}
		if rng.IntN(2) == 0 {
			b = quat.Scale(-1, b) // or opposite
		}
		v := vec3Of(quat.Scale(math.Exp2(20*rng.NormFloat64()/3), a))
		w := vec3Of(quat.Scale(math.Exp2(20*rng.NormFloat64()/3), b))
		q := numberOf(f32.QuatBetween(v, w))
		length.check(t, math.Abs(quat.Abs(q)-1), u, v, w)
		from, to := pure(v), pure(w)
		from, to = quat.Scale(1/quat.Abs(from), from), quat.Scale(1/quat.Abs(to), to)
		direction.check(t, quat.Abs(quat.Sub(rotated(q, from), to)), u, v, w)
		// The shortest one turns about an axis at right angles to both.
		shortest.check(t, math.Abs(quat.Mul(q, from).Real)+math.Abs(quat.Mul(q, to).Real), u, v, w)
	}
	for _, w := range []within{direction, length, shortest} {
		w.log(t)
	}
}

func vec3Of(n quat.Number) f32.Vec3 {
	return f32.Vec3{float32(n.Imag), float32(n.Jmag), float32(n.Kmag)}
}

func TestQuatAngles(t *testing.T) {
	angle, axis, again := within{name: "angle", bound: 8}, within{name: "axis", bound: 8}, within{name: "QuatFromAxisAngle(AxisAngle)", bound: 8}
	exp, log, euler := within{name: "Exp", bound: 16}, within{name: "Log", bound: 16}, within{name: "QuatFromEuler(Euler)", bound: 16}
	rotations(5000, func(rng *rand.Rand, q f32.Quat) {
		n := numberOf(q)
		v, a := q.AxisAngle()
		im := math.Hypot(n.Imag, math.Hypot(n.Jmag, n.Kmag))
		want := 2 * math.Atan2(im, math.Abs(n.Real))
		angle.check(t, math.Abs(float64(a)-want), want*u, q) // small ones are exact too
		axis.check(t, math.Abs(quat.Abs(pure(v))-1), u, q)
		again.check(t, apart(numberOf(f32.QuatFromAxisAngle(v.Scale(3), a)), n), u, q)
		x, y, z := q.Euler()
		euler.check(t, apart(numberOf(f32.QuatFromEuler(x, y, z)), n), u, q)
		if math.Abs(float64(x)) > math.Pi+1e-6 || math.Abs(float64(y)) > math.Pi/2+1e-6 || math.Abs(float64(z)) > math.Pi+1e-6 {
			t.Fatalf("angles of %v: %v, %v, %v", q, x, y, z)
		}

		p := f32.Quat{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}
		p = p.Scale(float32(math.Exp2(-8 * rng.Float64())))
		e := quat.Exp(numberOf(p))
		exp.check(t, far(p.Exp(), e), quat.Abs(e)*u, p)
		l := quat.Log(numberOf(p))
		log.check(t, far(p.Log(), l), max(1, quat.Abs(l))*u, p)
		log.check(t, far(q.Log(), quat.Log(n)), math.Pi*u, q)
	})
	for _, w := range []within{angle, axis, again, exp, log, euler} {
		w.log(t)
	}
	for _, y := range []float64{math.Pi / 2, -math.Pi / 2} { // gimbal lock
		for x := -3.0; x <= 3; x += 0.25 {
			q := f32.QuatFromEuler(float32(x), float32(y), 0.5)
			a, b, c := q.Euler()
			if d := apart(numberOf(f32.QuatFromEuler(a, b, c)), numberOf(q)); d > 16*u {
				t.Errorf("angles %v, %v, 0.5: %v, %v, %v, off by %g", x, y, a, b, c, d)
			}
		}
	}
	if v, a := f32.QuatIdentity().AxisAngle(); a != 0 || v != (f32.Vec3{1, 0, 0}) {
		t.Errorf("the identity turns by %v about %v", a, v)
	}
	if q := f32.QuatFromAxisAngle(f32.Vec3{}, 1); q != f32.QuatIdentity() {
		t.Errorf("about 0: %v", q)
	}
	if q := (f32.Quat{0, 0, 0, -1}).Log(); q != (f32.Quat{math.Pi, 0, 0, 0}) {
		t.Errorf("log(-1) = %v", q)
	}
	if q := (f32.Quat{}).Log(); !math.IsInf(float64(q[3]), -1) || q.Vec() != (f32.Vec3{}) {
		t.Errorf("log(0) = %v", q)
	}
	if q := (f32.Quat{0, 0, 0, 2}).Exp(); q.Vec() != (f32.Vec3{}) || math.Abs(float64(q[3])/math.Exp(2)-1) > 4*u {
		t.Errorf("exp(2) = %v", q)
	}
}

func TestQuatSlerp(t *testing.T) {
	way, length, straight := within{name: "Slerp", bound: 16}, within{name: "length", bound: 8}, within{name: "Nlerp", bound: 8}
	rotations(5000, func(rng *rand.Rand, q f32.Quat) {
		turn := quat.Scale(math.Exp2(-40*rng.Float64()), somewhere(rng))
		r := quatOf(quat.Mul(numberOf(q), quat.Exp(turn)))
		switch rng.IntN(3) {
		case 0:
			r = r.Neg()
		case 1:
			r = q
		}
		s := float32(rng.Float64())
		a, b := numberOf(q), numberOf(r)
		if float64(q.Dot(r)) < 0 {
			b = quat.Scale(-1, b)
		}
		// a exp(s log(a^-1 b))
		want := quat.Mul(a, quat.Exp(quat.Scale(float64(s), quat.Log(quat.Mul(quat.Inv(a), b)))))
		got := q.Slerp(r, s)
		way.check(t, far(got, want), u, q, r, s)
		length.check(t, math.Abs(quat.Abs(numberOf(got))-1), u, q, r, s)
		way.check(t, far(q.Slerp(r, 0), a), u, q, r)
		way.check(t, far(q.Slerp(r, 1), b), u, q, r)
		mean := quat.Add(quat.Scale(1-float64(s), a), quat.Scale(float64(s), b))
		straight.check(t, far(q.Nlerp(r, s), quat.Scale(1/quat.Abs(mean), mean)), u, q, r, s)
	})
	for _, w := range []within{way, length, straight} {
		w.log(t)
	}
}

// Values that are not finite give results that are not, and no endless loop or panic.
func TestQuatNonFinite(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		for i := range 4 {
			q := f32.Quat{1, 2, 3, 4}
			q[i] = bad
			for name, r := range map[string]f32.Quat{"Normalize": q.Normalize(), "Mul": q.Mul(q), "Slerp": q.Slerp(q, 0.5), "Inverse": q.Inverse(), "Log": q.Log()} {
				if d := r.Dot(r); d-d == 0 {
					t.Errorf("%s of %v is %v", name, q, r)
				}
			}
		}
	}
}
