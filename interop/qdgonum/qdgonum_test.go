package qdgonum_test

import (
	"fmt"
	"log"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/interop/qdgonum"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

//qd:kernel
func multiply(t qd.Thread, a, b, c qd.View2[float64]) {
	i, j := t.ID2()
	sum := 0.0
	for k := range a.Dim(1) {
		sum += a.At(i, k) * b.At(k, j)
	}
	c.Set(i, j, sum)
}

func Example() {
	a := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	b := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	c := mat.NewDense(2, 2, nil)
	if err := qd.Launch(multiply, qd.Dim(c.Dims()), qdgonum.Dense(a), qdgonum.Dense(b), qdgonum.Dense(c)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(c))
	// Output:
	// ⎡ 4   5⎤
	// ⎣10  11⎦
}

// Parts of matrices and vectors with gaps are multiplied as gonum does it, and what is beside them stays.
func TestParts(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		whole := mat.NewDense(5, 6, nil)
		whole.Apply(func(i, j int, _ float64) float64 { return float64(i*10 + j) }, whole)
		a := whole.Slice(2, 5, 2, 6).(*mat.Dense) // the lower right corner
		x := blas64.Vector{N: 4, Data: []float64{1, 9, 2, 9, 3, 9, 4}, Inc: 2}
		out := mat.NewVecDense(3, nil)
		if err := dev.Launch(multiply, qd.Dim(3, 1), qdgonum.Dense(a), qdgonum.Vector(x), qdgonum.VecDense(out)); err != nil {
			t.Fatal(err)
		}
		var want mat.VecDense
		want.MulVec(a, mat.NewVecDense(4, []float64{1, 2, 3, 4}))
		if !mat.Equal(out, &want) {
			t.Errorf("%s: %v, not %v", name, out, &want)
		}
		if err := dev.Launch(multiply, qd.Dim(3, 4), qdgonum.Dense(mat.NewDense(3, 3, []float64{2, 0, 0, 0, 2, 0, 0, 0, 2})), qdgonum.Dense(mat.DenseCopyOf(a)), qdgonum.Dense(a)); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			for j := range 6 {
				want := float64(i*10 + j)
				if i >= 2 && j >= 2 {
					want *= 2
				}
				if whole.At(i, j) != want {
					t.Errorf("%s: element %d, %d is %v, not %v", name, i, j, whole.At(i, j), want)
				}
			}
		}
	}
	v := qdgonum.General32(blas32.General{Rows: 2, Cols: 1, Data: []float32{1, 2, 3}, Stride: 2})
	if v.At(1, 0) != 3 || !slices.Equal(qdgonum.Vector32(blas32.Vector{N: 2, Data: []float32{5, 6}, Inc: 1}).Data(), []float32{5, 6}) {
		t.Error("float32")
	}
}
