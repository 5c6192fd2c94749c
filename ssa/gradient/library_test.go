package gradient_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// The functions of package f64 have the gradients that differences say.
func TestLibrary(t *testing.T) {
	lib := library(t)
	for name, body := range map[string]string{
		"Inverse2":    "m := f64.Mat2{{2 + x[i], x[i+1]}, {x[i+2], 3}}.Inverse()\n\ty[i] = m[0][0]*x[i] + m[0][1]*m[1][0] + m[1][1]",
		"Inverse3":    "m := mat3(x, i).Inverse()\n\ty[i] = m[0].Dot(m[1]) + m[2][1]*x[i]",
		"Inverse4":    "m := f64.Mat4Identity().Scale(3).Add(f64.Mat4{{x[i], x[i+1], 0, 1}, {x[i+2], 0, x[i+3], 0}, {1, x[i+4], 0, 0}, {0, 0, x[i+5], 0}}).Inverse()\n\ty[i] = m[0].Dot(m[1]) + m[2][3]",
		"Solve3":      "v, ok := mat3(x, i).Solve(f64.Vec3{x[i], 1, x[i+1]})\n\tif ok {\n\t\ty[i] = v.Dot(f64.Vec3{1, 2, x[i+2]})\n\t}",
		"SolveMat3":   "v, _ := mat3(x, i).SolveMat(mat3(x, i+2))\n\ty[i] = v[0].Dot(v[1]) + v[2][2]",
		"Cholesky3":   "m := mat3(x, i)\n\tl, _ := m.Mul(m.Transpose()).Cholesky()\n\ty[i] = l[0][0] + l[1][0]*l[2][1] + l[2][2]*l[2][0]",
		"LDL3":        "m := mat3(x, i)\n\tl, d, _ := m.Mul(m.Transpose()).LDL()\n\ty[i] = l[1][0]*l[2][1] + d[2]*l[2][0]",
		"LU3":         "l, u, _, _ := mat3(x, i).LU()\n\ty[i] = l[1][0]*u[0][1] + u[2][2]*l[2][0]",
		"QR3":         "q, r := mat3(x, i).QR()\n\ty[i] = q[0].Dot(f64.Vec3{1, 2, 3})*r[0][1] + r[2][2]",
		"SVD2":        "u, s, v := f64.Mat2{{2 + x[i], x[i+1]}, {x[i+2], 1}}.SVD()\n\ty[i] = s[0]*s[1]*3 + u[0][0]*v[1][0] + s[0]",
		"SVD3":        "u, s, v := mat3(x, i).SVD()\n\ty[i] = s[0]*s[1]*3 + u[0][0]*v[0][0] + s[2] + u[1][1]*v[2][1]",
		"Polar3":      "r, p := mat3(x, i).Polar()\n\ty[i] = r[0][1]*p[0][0] + r[2][2]",
		"SymEig3":     "m := mat3(x, i)\n\tw, v := m.Add(m.Transpose()).SymEig()\n\ty[i] = w[0]*w[1] + w[2] + v[0][0]*v[0][0]*2",
		"SymEig2":     "w, v := f64.Mat2{{2 + x[i], x[i+1]}, {x[i+1], 1}}.SymEig()\n\ty[i] = w[0]*w[1]*w[0] + v[0][0]*v[0][0]*2",
		"Det":         "y[i] = mat3(x, i).Det()",
		"Normalize":   "y[i] = f64.Vec3{x[i], x[i+1], x[i+2]}.Normalize().Dot(f64.Vec3{1, 2, 3})",
		"Angle":       "y[i] = f64.Vec3{x[i], x[i+1], x[i+2]}.Angle(f64.Vec3{1, 2, 3})",
		"Quat":        "q := f64.QuatFromAxisAngle(f64.Vec3{x[i], x[i+1], 1}.Normalize(), x[i+2])\n\ty[i] = q.Rotate(f64.Vec3{x[i+3], 2, 1}).Dot(f64.Vec3{1, 2, 3}) + q.Mat3()[0][1]",
		"QuatFromMat": "q := f64.QuatFromMat(f64.Mat3RotationX(x[i]).Mul(f64.Mat3RotationY(x[i+1])))\n\ty[i] = q[0]*q[1] + q[3]",
		"Slerp":       "p := f64.Quat{x[i], 1, 0, 1}.Normalize()\n\tq := f64.Quat{x[i+1], 1, x[i+2], 1}.Normalize()\n\ty[i] = p.Slerp(q, 0.3*x[i+3]).Dot(f64.Quat{1, 2, 3, 4})",
		"QuatLog":     "q := f64.Quat{x[i], x[i+1], 0.2, 1}.Normalize().Log().Scale(1.5).Exp()\n\ty[i] = q[0]*q[1] + q[3]",
		"Euler":       "a, b, c := f64.Quat{x[i], 0.3, 0.2, 2}.Normalize().Euler()\n\ty[i] = a*b + c",
		"Smoothstep":  "v := f64.Vec2{x[i], x[i+1]}.Smoothstep(f64.Vec2{-2, -2}, f64.Vec2{2, 3})\n\ty[i] = v[0]*2 + v[1]",
		"Pow":         "v := f64.Vec2{x[i] + 3, 2}.Pow(f64.Vec2{x[i+1], x[i+2]})\n\ty[i] = v[0] + v[1]",
	} {
		t.Run(name, func(t *testing.T) {
			text := "package k\n\nimport (\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/f64\"\n)\n\nfunc mat3(x []float64, i int) f64.Mat3 {\n\treturn f64.Mat3{{3 + x[i], x[i+1], 0.5}, {x[i+2], 2, x[i+3]}, {0.3, x[i+4], 1.5}}\n}\n\nfunc k(t qd.Thread, x, y []float64) {\n\ti := t.ID()\n\t" + body + "\n}\n"
			k := lower(t, lib, text, "k")
			b, err := gradient.Of(k.Kernels()[0], gradient.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := ssa.Verify(moduleOf(k, b)); err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				tr := &trial{kernel: k.Kernels()[0], back: b, threads: 2, seed: seed}
				if err := tr.compare(tr.weights(), 1e-6); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// At zero, where norms have no derivative, the gradients are what the documentation says, and finite.
func TestAtZero(t *testing.T) {
	for body, want := range map[string]float64{
		"y[i] = f64.Vec3{z, z, z}.Norm()":                                                  0,
		"y[i] = f64.Vec2{1 + z, 2}.Distance(f64.Vec2{1, 2})":                               0,
		"y[i] = f64.Quat{z, z, z, z}.Norm()":                                               0,
		"y[i] = f64.Mat2{{z, z}, {z, z}}.Norm()":                                           0,
		"y[i] = f64.Vec3{z, 0, 0}.Normalize()[0]":                                          1,
		"q := f64.Quat{z, 0, 0, 0}.Exp()\n\ty[i] = q[0] + q[1] + q[2] + q[3]":              1,
		"y[i] = math.Hypot(z, 0)":                                                          0,
		"s := math.Sqrt(z)\n\tif s > 0 {\n\t\ty[i] = s\n\t} else {\n\t\ty[i] = 2 * z\n\t}": 2,
		"l := math.Log(z)\n\tfor range i {\n\t\ty[i] += l\n\t}\n\ty[i] += z":               1,
		// What a branch would use that is not taken is infinite or NaN.
		"r := 3 / z\n\tif z == 0 {\n\t\tr = 2\n\t}\n\ty[i] = r + z":                                                                                             1,
		"r := z / z\n\tif z == 0 {\n\t\tr = 2\n\t}\n\ty[i] = r + z":                                                                                             1,
		"s := math.Sqrt(z-1) * z\n\tif z > 1 {\n\t\ty[i] = s\n\t} else {\n\t\ty[i] = 2 * z\n\t}":                                                                2,
		"s := math.Exp(1000+z) * z\n\tw := s*s + s\n\tif z > 1 {\n\t\ty[i] = w\n\t} else {\n\t\ty[i] = 2 * z\n\t}":                                              2,
		"s := math.Sin(z / z)\n\tc := s\n\tif z > 1 {\n\t\ty[i] = s\n\t}\n\tif z > 2 {\n\t\ty[i] += c * z\n\t}\n\ty[i] += z":                                    1,
		"s := math.Mod(1, z) / z\n\tfor range i {\n\t\ty[i] += s * z\n\t}\n\ty[i] += z":                                                                         1,
		"l, ok := f64.Mat3{{z - 1, 0, 0}, {z, 1, 0}, {z, z, 2}}.Cholesky()\n\tif ok {\n\t\ty[i] = l[0][0] + l[2][1]*l[1][1]\n\t} else {\n\t\ty[i] = 2 * z\n\t}": 2,
		"l, d, ok := f64.Mat2{{z, z}, {1 + z, 1}}.LDL()\n\ty[i] = 2 * z\n\tif ok {\n\t\ty[i] = l[1][0] + d[1]\n\t}":                                             2,
		"m := f64.Mat2{{z, z}, {z, z}}.Inverse()\n\ty[i] = 2 * z\n\tif z > 0 {\n\t\ty[i] = m[0][0]\n\t}":                                                        2,
		"v, ok := f64.Mat2{{z, z}, {z, z}}.Solve(f64.Vec2{1, z})\n\ty[i] = 2 * z\n\tif ok {\n\t\ty[i] = v[0]\n\t}":                                              2,
		"q := f64.Vec2{z, z}.DivScalar(z).Dot(f64.Vec2{z, 3})\n\tif i > 0 {\n\t\ty[i] = q\n\t}\n\ty[i] += z":                                                    1,
		// Equal singular values and eigenvalues.
		"r, p := f64.Mat2{{2, z}, {0, 2}}.Polar()\n\ty[i] = 8*r[0][1] + 2*p[0][1]":                                        3,
		"r, p := f64.Mat3{{0, 2, 0}, {0, 0, 2}, {2 + z, z, 0}}.Polar()\n\ty[i] = r[2][1] + r[0][0] + p[0][0] + p[0][1]":   1.5,
		"u, s, v := f64.Mat3{{1 + z, z, 0}, {0, 1, 0}, {0, 0, 1}}.SVD()\n\ty[i] = s.Sum() + 4*u.Mul(v.Transpose())[0][1]": 3,
		"_, s, _ := f64.Mat3{{2 + z, 0, 0}, {}, {}}.SVD()\n\ty[i] = s[0] * s[0]":                                          4,
		"w, _ := f64.Mat3{{2 + z, 0, 0}, {z, 2, 0}, {0, 0, 2}}.SymEig()\n\ty[i] = w.Sum() + w.Dot(w)":                     5,
		"q := f64.Quat{z, 0, 0, 1}.Log()\n\ty[i] = q[0] + q[1] + q[2] + q[3]":                                             1,
	} {
		text := "package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/f64\"\n)\n\nvar _ = math.Pi\nvar _ f64.Vec2\n\nfunc k(t qd.Thread, x, y []float64) {\n\ti := t.ID()\n\tz := x[i] - qd.StopGradient(x[i])\n\t" + body + "\n}\n"
		m := lower(t, library(t), text, "k")
		b, err := gradient.Of(m.Kernels()[0], gradient.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr := &trial{kernel: m.Kernels()[0], back: b, threads: 1, seed: 1}
		weights := make([]float64, 2*elements)
		weights[elements] = 1
		got, err := tr.gradients(weights)
		if err != nil || got[0] != want {
			t.Errorf("%s: %v, not %v (%v)", body, got[0], want, err)
		}
	}
}

// The derivative of the logarithm of the gamma function has nearly all digits, also far out, and next to poles. Where a
// branch is not taken it counts for nothing. The numbers have been computed with 30 digits.
func TestDigamma(t *testing.T) {
	const near = 4e-15
	for body, want := range map[string]float64{
		"s, _ := math.Lgamma(0.001 + z)\n\ty[i] = s":                                        -1000.5755719318102797,
		"s, _ := math.Lgamma(0.5 + z)\n\ty[i] = s":                                          -1.9635100260214234794,
		"s, _ := math.Lgamma(1 + z)\n\ty[i] = s":                                            -0.57721566490153286061,
		"s, _ := math.Lgamma(2.5 + z)\n\ty[i] = s":                                          0.70315664064524318723,
		"s, _ := math.Lgamma(100 + z)\n\ty[i] = s":                                          4.6001618527380874002,
		"s, _ := math.Lgamma(1e8 + z)\n\ty[i] = s":                                          18.420680738952365464,
		"s, _ := math.Lgamma(z - 0.25)\n\ty[i] = s":                                         2.9141391202135278304,
		"s, sign := math.Lgamma(z - 1.5)\n\ty[i] = s + float64(sign)":                       0.70315664064524318723,
		"s, _ := math.Lgamma(z - 7.125)\n\ty[i] = s":                                        9.6166224295944972087,
		"y[i] = math.Gamma(7.25 + z)":                                                       2207.3017329379512083,
		"y[i] = math.Gamma(z - 7.125)":                                                      0.012162707202001663047,
		"s, _ := math.Lgamma(z)\n\ty[i] = 2 * z\n\tif z > 0 {\n\t\ty[i] = s\n\t}":           2,
		"s := math.Gamma(z - 1) * z\n\ty[i] = 2 * z\n\tif z > 0 {\n\t\ty[i] = s + s*s\n\t}": 2,
	} {
		text := "package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, x, y []float64) {\n\ti := t.ID()\n\tz := x[i] - qd.StopGradient(x[i])\n\t" + body + "\n}\n"
		m := lower(t, library(t), text, "k")
		b, err := gradient.Of(m.Kernels()[0], gradient.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr := &trial{kernel: m.Kernels()[0], back: b, threads: 1, seed: 1}
		weights := make([]float64, 2*elements)
		weights[elements] = 1
		got, err := tr.gradients(weights)
		if err != nil || !(math.Abs(got[0]-want) <= near*math.Abs(want)) {
			t.Errorf("%s: %v, not %v (%v)", body, got[0], want, err)
		}
	}
}
