package matrices

import (
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"

	"github.com/qdgen/qd"

	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/internal/testenv"
	"gonum.org/v1/gonum/mat"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

type (
	solver[M, V any]         interface{ Solve(V) (V, bool) }
	cholesky[M any]          interface{ Cholesky() (M, bool) }
	ldl[M, V any]            interface{ LDL() (M, V, bool) }
	orthogonalizer[Q, R any] interface{ QR() (Q, R) }
	decomposer[M, V any]     interface{ SVD() (M, V, M) }
	polar[M any]             interface{ Polar() (M, M) }
	eigensolver[M, V any]    interface{ SymEig() (V, M) }
	corrector[M any]         interface{ NearestPD(float64) M }
	inverter[M, T any]       interface {
		Inverse() M
		Det() T
		Mul(M) M
	}
)

//qd:kernel
func invert[M inverter[M, T], T any](t qd.Thread, m, inverse, product []M, det []T) {
	i := t.ID()
	inverse[i] = m[i].Inverse()
	product[i] = m[i].Mul(inverse[i])
	det[i] = m[i].Det()
}

//qd:kernel
func solve[M solver[M, V], V any](t qd.Thread, m []M, b, x []V, ok []bool) {
	i := t.ID()
	x[i], ok[i] = m[i].Solve(b[i])
}

//qd:kernel
func choleskyFactor[M cholesky[M]](t qd.Thread, m, l []M, ok []bool) {
	i := t.ID()
	l[i], ok[i] = m[i].Cholesky()
}

//qd:kernel
func ldlFactors[M ldl[M, V], V any](t qd.Thread, m, l []M, d []V, ok []bool) {
	i := t.ID()
	l[i], d[i], ok[i] = m[i].LDL()
}

//qd:kernel
func qrFactors[M orthogonalizer[M, R], R any](t qd.Thread, m, q []M, r []R) {
	i := t.ID()
	q[i], r[i] = m[i].QR()
}

//qd:kernel
func singularValues[M decomposer[M, V], V any](t qd.Thread, m, u []M, s []V, v []M) {
	i := t.ID()
	u[i], s[i], v[i] = m[i].SVD()
}

//qd:kernel
func polarFactors[M polar[M]](t qd.Thread, m, r, p []M) {
	i := t.ID()
	r[i], p[i] = m[i].Polar()
}

//qd:kernel
func symmetricEigen[M eigensolver[M, V], V any](t qd.Thread, m []M, w []V, v []M) {
	i := t.ID()
	w[i], v[i] = m[i].SymEig()
}

//qd:kernel
func nearest[M corrector[M]](t qd.Thread, m, p []M) {
	i := t.ID()
	p[i] = m[i].NearestPD(1e-3)
}

// TestDevices runs the methods on device "cpu" and compares every bit with what the Go
// functions give.
func TestDevices(t *testing.T) {
	for _, c := range []struct {
		name      string
		kernel    any
		symmetric bool
	}{
		{"Inverse 2x2 float64", invert[f64.Mat2, float64], false},
		{"Inverse 3x3 float32", invert[f32.Mat3, float32], false},
		{"Inverse 4x4 float32", invert[f32.Mat4, float32], false},
		{"Inverse 4x4 float64", invert[f64.Mat4, float64], false},
		{"Inverse 5x5 float32", invert[big32.Mat5x5, float32], false},
		{"Inverse 6x6 float64", invert[big64.Mat6x6, float64], false},
		{"Inverse 8x8 float32", invert[big32.Mat8x8, float32], false},
		{"Inverse 12x12 float32", invert[big32.Mat12x12, float32], false},
		{"Inverse 12x12 float64", invert[big64.Mat12x12, float64], false},
		{"Solve 3x3 float32", solve[f32.Mat3, f32.Vec3], false},
		{"Solve 6x6 float32", solve[big32.Mat6x6, big32.Vec6], false},
		{"Solve 12x12 float64", solve[big64.Mat12x12, big64.Vec12], false},
		{"Cholesky 6x6 float32", choleskyFactor[big32.Mat6x6], true},
		{"LDL 12x12 float32", ldlFactors[big32.Mat12x12, big32.Vec12], true},
		{"QR 4x4 float64", qrFactors[f64.Mat4, f64.Mat4], false},
		{"QR 6x3 float32", qrFactors[big32.Mat6x3, f32.Mat3], false},
		{"QR 12x12 float32", qrFactors[big32.Mat12x12, big32.Mat12x12], false},
		{"SVD 2x2 float32", singularValues[f32.Mat2, f32.Vec2], false},
		{"SVD 3x3 float32", singularValues[f32.Mat3, f32.Vec3], false},
		{"SVD 3x3 float64", singularValues[f64.Mat3, f64.Vec3], false},
		{"Polar 3x3 float32", polarFactors[f32.Mat3], false},
		{"SymEig 3x3 float64", symmetricEigen[f64.Mat3, f64.Vec3], true},
		{"SymEig 6x6 float32", symmetricEigen[big32.Mat6x6, big32.Vec6], true},
		{"SymEig 6x6 float64", symmetricEigen[big64.Mat6x6, big64.Vec6], true},
		{"NearestPD 6x6 float64", nearest[big64.Mat6x6], true},
	} {
		t.Run(c.name, func(t *testing.T) {
			kernel := reflect.TypeOf(c.kernel)
			mats := &matCase{typ: kernel.In(1).Elem(), seed: 77}
			mats.measure()
			n := 0
			in := reflect.MakeSlice(kernel.In(1), 0, 0)
			mats.inputs(c.symmetric, func(_ string, a *mat.Dense) {
				in = reflect.Append(in, mats.value(a))
				n++
			})
			run := func(device string) []any {
				args := []any{in.Interface()}
				for i := 2; i < kernel.NumIn(); i++ {
					out := reflect.MakeSlice(kernel.In(i), n, n)
					for j := range n {
						fill(out.Index(j), float64(j+1)) // b is read
					}
					args = append(args, out.Interface())
				}
				dev, err := qd.Open(device)
				if err != nil {
					testenv.Missing(t, err)
				}
				if err := dev.Launch(c.kernel, qd.Dim(n), args...); err != nil {
					t.Fatal(err)
				}
				return args[1:]
			}
			want, have := run("go"), run("cpu")
			for i := range want {
				for j := range n {
					w, h := reflect.ValueOf(want[i]).Index(j), reflect.ValueOf(have[i]).Index(j)
					if !same(w, h) {
						t.Fatalf("result %d of\n%v is\n%v on cpu, and on go\n%v", i, in.Index(j), h, w)
					}
				}
			}
			t.Logf("%d matrices", n)
		})
	}
}

// fill gives the elements of a vector, if it is one, values that differ.
func fill(v reflect.Value, seed float64) {
	if v.Kind() == reflect.Array && v.Index(0).CanFloat() {
		for i := range v.Len() {
			v.Index(i).SetFloat(math.Sin(seed * float64(i+1)))
		}
	}
}

// same reports whether two values are the same bits, all NaN being one.
func same(a, b reflect.Value) bool {
	if a.Kind() == reflect.Array {
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	if a.CanFloat() {
		x, y := a.Float(), b.Float()
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return a.Equal(b)
}
