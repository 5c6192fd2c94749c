package peers

import "github.com/qdgen/qd"

// Kernels for what Warp's test_mat.py solves, decomposes and transforms.

// A withDet matrix has a determinant.
type withDet[T any] interface{ Det() T }

//qd:kernel
func determinants[M2, M3, M4 withDet[T], M5, M23, M32 any, T qd.Number](t qd.Thread, m []matrices[M2, M3, M4, M5, M23, M32], out [][3]T) {
	i := t.ID()
	out[i] = [3]T{m[i].M2.Det(), m[i].M3.Det(), m[i].M4.Det()}
}

// A qr has a matrix's factors.
type qr[M any] struct{ Q, R M }

//qd:kernel
func qrs[M interface{ QR() (q, r M) }](t qd.Thread, m []M, out []qr[M]) {
	i := t.ID()
	q, r := m[i].QR()
	out[i] = qr[M]{q, r}
}

// An eigen has a symmetric matrix's eigenvalues and eigenvectors.
type eigen[M, V any] struct {
	W V
	Q M
}

// A diagonalizable matrix has eigenvalues where it is symmetric.
type diagonalizable[M, V any, T qd.Float] interface {
	qd.SquareMatrix[M, V, T]
	SymEig() (w V, v M)
}

//qd:kernel
func eigens[M diagonalizable[M, V, T], V qd.Vector[V, T], T qd.Float](t qd.Thread, m []M, out []eigen[M, V]) {
	i := t.ID()
	w, q := m[i].Add(m[i].Transpose()).SymEig()
	out[i] = eigen[M, V]{w, q}
}

// A transformer is a matrix that moves points and directions.
type transformer[V any] interface {
	TransformPoint(V) V
	TransformVector(V) V
}

//qd:kernel
func transforms[M transformer[V], V any](t qd.Thread, m M, v []V, points, vectors []V) {
	i := t.ID()
	points[i], vectors[i] = m.TransformPoint(v[i]), m.TransformVector(v[i])
}

// composers are the functions that compose matrices.
type composers[V3, V4, Q, M3, M4 any] struct {
	Mat3     func(Q) M3
	Compose  func(translation V3, rotation Q, scale V3) M4
	FromCols func(c0, c1, c2, c3 V4) M4
}

//qd:kernel
func composes[
	V3 interface {
		~[3]T
		Scale(T) V3
		Extend(T) V4
	},
	V4 any,
	M3 interface {
		~[3]V3
		Transpose() M3
	},
	Q, M4 any, T qd.Float,
](t qd.Thread, f qd.Const[composers[V3, V4, Q, M3, M4]], p V3, r Q, s V3, out []M4) {
	out[0] = f.V.Compose(p, r, s)
	rows := f.V.Mat3(r).Transpose()
	c0, c1, c2 := rows[0].Scale(s[0]), rows[1].Scale(s[1]), rows[2].Scale(s[2])
	out[1] = f.V.FromCols(c0.Extend(0), c1.Extend(0), c2.Extend(0), p.Extend(1))
}
