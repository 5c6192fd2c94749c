package matrices

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/bigtypes"
	"github.com/qdgen/qd/internal/testenv"
	"gonum.org/v1/gonum/mat"
)

// A square matrix with elements T.
type square[M any, T qd.Float] interface {
	Inverse() M
	Det() T
	Mul(M) M
	Transpose() M
}

//qd:kernel
func invertAll[M square[M, T], T qd.Float](t qd.Thread, a, inverses, products []M, dets []T) {
	i := t.ID()
	inverses[i] = a[i].Inverse()
	products[i] = a[i].Mul(inverses[i].Transpose())
	dets[i] = a[i].Det()
}

// What device "cpu" computes has the bits of what Go does, as only + - * / are in it.
func TestInverseDevices(t *testing.T) {
	cpu := device(t, "cpu")
	t.Run("2", func(t *testing.T) { sameInverses[qd.Mat2f, float32](t, cpu); sameInverses[qd.Mat2d, float64](t, cpu) })
	t.Run("3", func(t *testing.T) { sameInverses[qd.Mat3f, float32](t, cpu); sameInverses[qd.Mat3d, float64](t, cpu) })
	t.Run("4", func(t *testing.T) { sameInverses[qd.Mat4f, float32](t, cpu); sameInverses[qd.Mat4d, float64](t, cpu) })
	t.Run("5", func(t *testing.T) {
		sameInverses[bigtypes.Mat5x5[float32], float32](t, cpu)
		sameInverses[bigtypes.Mat5x5[float64], float64](t, cpu)
	})
	t.Run("6", func(t *testing.T) { sameInverses[bigtypes.Mat6x6[float64], float64](t, cpu) })
	t.Run("8", func(t *testing.T) { sameInverses[bigtypes.Mat8x8[float32], float32](t, cpu) })
	t.Run("12", func(t *testing.T) {
		sameInverses[bigtypes.Mat12x12[float32], float32](t, cpu)
		sameInverses[bigtypes.Mat12x12[float64], float64](t, cpu)
	})
}

// device opens a device that the test needs.
func device(t *testing.T, name string) *qd.Device {
	t.Helper()
	dev, err := qd.Open(name)
	if err != nil {
		testenv.Missing(t, err)
	}
	return dev
}

func sameInverses[M square[M, T], T qd.Float](t *testing.T, cpu *qd.Device) {
	t.Helper()
	var a []M
	c := newCase(reflect.TypeFor[M](), 1)
	c.inputs(false, func(_ string, m *mat.Dense) { a = append(a, c.value(m).Interface().(M)) })
	rng := rand.New(rand.NewPCG(1, 2))
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range c.r * c.r {
			m := mat.NewDense(c.r, c.r, spread(c.r*c.r, rng.NormFloat64))
			m.Set(i/c.r, i%c.r, bad)
			a = append(a, c.value(m).Interface().(M))
		}
	}
	type results struct {
		inverses, products []M
		dets               []T
	}
	launch := func(dev *qd.Device) (r results) {
		r = results{make([]M, len(a)), make([]M, len(a)), make([]T, len(a))}
		if err := dev.Launch(invertAll[M, T], qd.Dim(len(a)), a, r.inverses, r.products, r.dets); err != nil {
			t.Fatal(err)
		}
		return r
	}
	want, got := launch(device(t, "go")), launch(cpu)
	for i, m := range a {
		for _, r := range []struct {
			what      string
			got, want any
		}{
			{"Inverse", got.inverses[i], want.inverses[i]}, {"Mul", got.products[i], want.products[i]}, {"Det", got.dets[i], want.dets[i]},
		} {
			if !sameBits(reflect.ValueOf(r.got), reflect.ValueOf(r.want)) {
				t.Fatalf("%T: %s of %v is %v on cpu, and %v in Go", m, r.what, m, r.got, r.want)
			}
		}
	}
}

// sameBits reports whether two values of a type of floats are the same; one NaN is like another.
func sameBits(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		return x != x && y != y || math.Float64bits(x) == math.Float64bits(y)
	case reflect.Array:
		for i := range a.Len() {
			if !sameBits(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	panic(fmt.Sprintf("BUG: a %s", a.Type()))
}
