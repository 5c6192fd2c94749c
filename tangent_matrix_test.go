//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

// perturbed3 is a matrix that is moved by small numbers.
func perturbed3(m f64.Mat3, x []float64) f64.Mat3 {
	for i := range 3 {
		for j := range 3 {
			m[i][j] += x[3*i+j]
		}
	}
	return m
}

// decompositions are functions of decompositions that have a derivative where singular values and eigenvalues are equal, and all
// elements of the factors where they are not.
func decompositions(_ qd.Thread, x, y []float64) {
	turned := f64.Mat3RotationX(1).Mul(f64.Mat3RotationY(0.5))
	r, p := perturbed3(turned.Scale(1.5), x).Polar()
	u, s, v := perturbed3(turned, x).SVD()
	q := u.Mul(v.Transpose())
	for i := range 3 {
		for j := range 3 {
			y[3*i+j] = r[i][j]
			y[9+3*i+j] = p[i][j]
			y[18+3*i+j] = q[i][j]
		}
	}
	y[27] = s[0] * s[1] * s[2]
	u, s, v = perturbed3(f64.Mat3{{3, 0, 0}, {0, -1, 0}, {0, 0, 2}}, x).SVD()
	w, e := perturbed3(f64.Mat3{{3, 0, 0}, {0, 1, 0}, {0, 0, 2}}, x).SymEig()
	for i := range 3 {
		for j := range 3 {
			y[30+3*i+j] = u[i][j]
			y[39+3*i+j] = v[i][j]
			y[48+3*i+j] = e[i][j]
		}
		y[57+i], y[60+i] = s[i], w[i]
	}
	w, e = perturbed3(f64.Mat3{{2, 0, 0}, {0, 2, 0}, {0, 0, 3}}, x).SymEig()
	y[63], y[64], y[65] = w[0]+w[1], w[2], e[0][2]*e[1][2]
	y[66] = e[0].Mul(e[0]).Dot(f64.Vec3{1, 1, 0})
	r2, p2 := f64.Mat2{{2 + x[0], x[1]}, {x[2], 2 + x[3]}}.Polar()
	u2, s2, v2 := f64.Mat2{{2 + x[0], x[1]}, {x[2], 1 + x[3]}}.SVD()
	w2, e2 := f64.Mat2{{2 + x[0], x[1]}, {x[2], 1 + x[3]}}.SymEig()
	for i := range 2 {
		for j := range 2 {
			y[70+2*i+j], y[74+2*i+j] = r2[i][j], p2[i][j]
			y[78+2*i+j], y[82+2*i+j], y[86+2*i+j] = u2[i][j], v2[i][j], e2[i][j]
		}
		y[90+i], y[92+i] = s2[i], w2[i]
	}
	r, p = f64.Mat3{{2 + x[0], x[1], 0}, {x[2], 2, x[3]}, {0, x[4], 1e-9}}.Polar() // nearly singular
	y[94] = p[0][1] + p[1][1]
	n := perturbed3(f64.Mat3{{2, 0, 0}, {0, 2, 0}, {0, 0, -1}}, x).NearestPD(0.5 + x[8])
	for i := range 3 {
		for j := range 3 {
			y[95+3*i+j] = n[i][j]
		}
	}
}

// The derivatives of SVD, SymEig and Polar are right at diagonal matrices, where no rotation is needed, and where singular
// values and eigenvalues are equal, as far as there is a derivative.
func TestDerivativesOfDecompositions(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			along(t, [][]float64{make([]float64, 9), make([]float64, 104)}, func(tangent bool, a ...[]float64) error {
				if tangent {
					return dev.Launch(qd.NewKernel(decompositions).Tangent(), qd.Dim(1), a[0], a[1], a[2], a[3])
				}
				return dev.Launch(decompositions, qd.Dim(1), a[0], a[1])
			})
		})
	}
}
