package qd_test

import (
	"math"
	"math/cmplx"
	"reflect"
	"testing"

	"github.com/qdgen/qd"
)

// cmplxFuncs are the functions of package math/cmplx of one number that give one.
var cmplxFuncs = []struct {
	name string
	f    func(complex128) complex128
}{
	{"Acos", cmplx.Acos}, {"Acosh", cmplx.Acosh}, {"Asin", cmplx.Asin}, {"Asinh", cmplx.Asinh}, {"Atan", cmplx.Atan},
	{"Atanh", cmplx.Atanh}, {"Conj", cmplx.Conj}, {"Cos", cmplx.Cos}, {"Cosh", cmplx.Cosh}, {"Cot", cmplx.Cot},
	{"Exp", cmplx.Exp}, {"Log", cmplx.Log}, {"Log10", cmplx.Log10}, {"Sin", cmplx.Sin}, {"Sinh", cmplx.Sinh},
	{"Sqrt", cmplx.Sqrt}, {"Tan", cmplx.Tan}, {"Tanh", cmplx.Tanh},
}

// cmplxOnes gives what each of cmplxFuncs gives, by number, and the rest of the package.
func cmplxOnes(t qd.Thread, x, out []complex128) {
	i := t.ID()
	z, of := x[i], out[18*i:]
	of[0], of[1], of[2], of[3] = cmplx.Acos(z), cmplx.Acosh(z), cmplx.Asin(z), cmplx.Asinh(z)
	of[4], of[5], of[6], of[7] = cmplx.Atan(z), cmplx.Atanh(z), cmplx.Conj(z), cmplx.Cos(z)
	of[8], of[9], of[10], of[11] = cmplx.Cosh(z), cmplx.Cot(z), cmplx.Exp(z), cmplx.Log(z)
	of[12], of[13], of[14], of[15] = cmplx.Log10(z), cmplx.Sin(z), cmplx.Sinh(z), cmplx.Sqrt(z)
	of[16], of[17] = cmplx.Tan(z), cmplx.Tanh(z)
}

func cmplxRest(t qd.Thread, x, y, out []complex128, is []bool) {
	i := t.ID()
	z := x[i]
	r, theta := cmplx.Polar(z)
	of := out[6*i:]
	of[0] = complex(cmplx.Abs(z), cmplx.Phase(z))
	of[1] = complex(r, theta)
	of[2] = cmplx.Rect(real(z), imag(z))
	of[3] = cmplx.Inf()
	of[4] = cmplx.NaN()
	if z != 0 || !math.IsNaN(real(y[i])) { // what panics in Go
		of[5] = cmplx.Pow(z, y[i])
	}
	is[2*i], is[2*i+1] = cmplx.IsNaN(z), cmplx.IsInf(z)
}

// complexValues are numbers with special parts and ordinary ones.
func complexValues() (list []complex128) {
	parts := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.25, 2, 3.5, -20, 1e-8, 1e8, 3e9, 1e150, -1e300, 1e-300,
		math.Pi, -math.Pi / 2, 710, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, re := range parts {
		for _, im := range parts {
			small, large := min(math.Abs(re), math.Abs(im)), max(math.Abs(re), math.Abs(im))
			if small > 1e-7 && large > 100 && !math.IsInf(large, 0) {
				continue // where the formulas of the inverse functions cancel, one bit of a logarithm counts for millions
			}
			list = append(list, complex(re, im))
		}
	}
	return list
}

// All functions of package math/cmplx give on device cpu what they give in Go.
func TestComplexFunctions(t *testing.T) {
	onAll(t, testComplexFunctions)
}

func testComplexFunctions(t *testing.T, dev *qd.Device) {
	x := complexValues()
	n := len(x)
	out, rest, is := make([]complex128, 18*n), make([]complex128, 6*n), make([]bool, 2*n)
	y := make([]complex128, n)
	for i := range y {
		y[i] = x[(7*i+3)%n]
	}
	if err := dev.Launch(cmplxOnes, qd.Dim(n), x, out); err != nil {
		t.Fatal(err)
	}
	if err := dev.Launch(cmplxRest, qd.Dim(n), x, y, rest, is); err != nil {
		t.Fatal(err)
	}
	wantRest, wantIs := make([]complex128, 6*n), make([]bool, 2*n)
	goDev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := goDev.Launch(cmplxRest, qd.Dim(n), x, y, wantRest, wantIs); err != nil {
		t.Fatal(err)
	}
	for i, z := range x {
		for k, of := range cmplxFuncs {
			if want := of.f(z); !sameComplex(out[18*i+k], want) {
				t.Errorf("%s(%v) = %v, want %v", of.name, z, out[18*i+k], want)
			}
		}
		for k := range 6 {
			if got, want := rest[6*i+k], wantRest[6*i+k]; !sameComplex(got, want) {
				t.Errorf("result %d of %v and %v is %v, want %v", k, z, y[i], got, want)
			}
		}
	}
	if !reflect.DeepEqual(is, wantIs) {
		t.Error("IsNaN or IsInf differ")
	}
}

// sameComplex reports whether a result is the expected one: to the bit where that is an infinity, a NaN or zero, else
// up to what the functions of package math differ by, of which these are made.
func sameComplex(got, want complex128) bool {
	same := func(x, y float64) bool {
		if y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
			return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
		}
		size := math.Abs(y)
		if m := cmplx.Abs(want); !cmplx.IsNaN(want) && !math.IsInf(m, 0) {
			size = m
		}
		return math.Abs(x-y) <= 1e-12*size
	}
	return same(real(got), real(want)) && same(imag(got), imag(want))
}
