package peers

import "github.com/qdgen/qd"

// Kernels for what Warp's test_mat.py solves, decomposes and transforms.

//qd:kernel
func determinants[T qd.Number](t qd.Thread, m []matrices[T], out [][3]T) {
	i := t.ID()
	out[i] = [3]T{m[i].M2.Det(), m[i].M3.Det(), m[i].M4.Det()}
}

// A qr has a matrix's factors.
type qr[M any] struct{ Q, R M }

//qd:kernel
func qrs[T qd.Float](t qd.Thread, m []qd.Mat3x3[T], out []qr[qd.Mat3x3[T]]) {
	i := t.ID()
	q, r := m[i].QR()
	out[i] = qr[qd.Mat3x3[T]]{q, r}
}

// An eigen has a symmetric matrix's eigenvalues and eigenvectors.
type eigen[M, V any] struct {
	W V
	Q M
}

//qd:kernel
func eigens[T qd.Float](t qd.Thread, m []qd.Mat3x3[T], out []eigen[qd.Mat3x3[T], qd.Vec3[T]]) {
	i := t.ID()
	w, q := m[i].Add(m[i].Transpose()).SymEig()
	out[i] = eigen[qd.Mat3x3[T], qd.Vec3[T]]{w, q}
}

//qd:kernel
func transforms[T qd.Float](t qd.Thread, m qd.Mat4x4[T], v []qd.Vec3[T], points, vectors []qd.Vec3[T]) {
	i := t.ID()
	points[i], vectors[i] = m.TransformPoint(v[i]), m.TransformVector(v[i])
}

//qd:kernel
func composes[T qd.Float](t qd.Thread, p qd.Vec3[T], r qd.Quat[T], s qd.Vec3[T], out []qd.Mat4x4[T]) {
	out[0] = qd.Mat4x4Compose(p, r, s)
	rows := r.Mat3().Transpose()
	c0, c1, c2 := rows[0].Scale(s[0]), rows[1].Scale(s[1]), rows[2].Scale(s[2])
	out[1] = qd.Mat4x4FromCols(c0.Extend(0), c1.Extend(0), c2.Extend(0), p.Extend(1))
}
