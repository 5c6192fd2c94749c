//go:build !race

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
	// The formulas of the inverse functions end in the logarithm of a number near 1, whose last bit a GPU's own functions may
	// choose otherwise.
	slack := func(k int) float64 {
		if k < 6 && dev.String() == "cuda:0" {
			return 0x1p-51
		}
		return 0
	}
	for i, z := range x {
		for k, of := range cmplxFuncs {
			if want := of.f(z); !sameComplex(out[18*i+k], want, slack(k)) {
				t.Errorf("%s(%v) = %v, want %v", of.name, z, out[18*i+k], want)
			}
		}
		for k := range 6 {
			if got, want := rest[6*i+k], wantRest[6*i+k]; !sameComplex(got, want, 0) {
				t.Errorf("result %d of %v and %v is %v, want %v", k, z, y[i], got, want)
			}
		}
	}
	if !reflect.DeepEqual(is, wantIs) {
		t.Error("IsNaN or IsInf differ")
	}
}

// sameComplex reports whether a result is the expected one: to the bit where that is an infinity, a NaN or zero, else
// up to what the functions of package math differ by, of which these are made, and a given slack.
func sameComplex(got, want complex128, slack float64) bool {
	same := func(x, y float64) bool {
		if math.Abs(x-y) <= slack && slack > 0 {
			return true
		}
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

// A polar number has its own complex type, with a method, beside others.
type polarized struct {
	Gain complex64
	On   bool
	At   [2]complex128
}

func complexParams(t qd.Thread, k complex64, z qd.Const[complex128], m qd.View2[complex128], p polarized, ps []polarized, out []complex128) {
	i := t.ID()
	sum := z.V * complex128(k)
	if real(z.V) > 0 { // known while it is compiled
		sum += 1
	}
	for r := range m.Dim(0) {
		sum += m.At(r, i) * p.At[r]
	}
	q := ps[i]
	if q.On != p.On && q.Gain != 0 {
		q.At[1] /= complex128(q.Gain)
	}
	q.Gain = -k
	ps[i] = q
	row := m.Row(0)
	ptr := &row[i]
	*ptr *= 1i
	local := qd.Local[complex64](3)
	for j := range local {
		local[j] = complex64(sum) * complex(float32(j), 0)
	}
	out[i] = sum + complex128(local[2]) + complexTable[i%2] + qd.Static(complexTable[1]/complexTable[0])
}

var complexTable = [2]complex128{3 - 4i, 1 + 1i}

// Complex numbers are given to a launch in every way: as arguments, in structs, in arrays of devices and in views, as
// compile-time values, captured and as package variables.
func TestComplexArguments(t *testing.T) {
	type result struct {
		ps  []polarized
		m   []complex128
		out []complex128
	}
	var want *result
	onAll(t, func(t *testing.T, dev *qd.Device) {
		m := qd.From(dev, []complex128{1 + 2i, 3 - 1i, -2i, 4, 5, 0.5 + 0.25i, 7i, 8 - 8i}, 2, 4)
		defer m.Free()
		ps := make([]polarized, 4)
		for i := range ps {
			ps[i] = polarized{complex(float32(i), 1), i%2 == 0, [2]complex128{1, complex(2, float64(i))}}
		}
		out := qd.Zeros[complex128](dev, 4)
		defer out.Free()
		p := polarized{Gain: 1i, At: [2]complex128{1i, 2 - 1i}}
		if err := dev.Launch(complexParams, qd.Dim(4), 2-0.5i, qd.C(1+1i), m, p, ps, out); err != nil {
			t.Fatal(err)
		}
		if err := dev.Launch(complexParams, qd.Dim(4), 2, qd.C(-1.5), m, p, ps, out); err != nil {
			t.Fatal(err)
		}
		c, w := complex64(0.1+3i), [2]complex128{2i, 4}
		if err := dev.Launch(qd.NewKernel(func(t qd.Thread, out []complex128) {
			out[t.ID()] += complex128(c) * w[t.ID()%2]
		}, qd.Capture("c", c), qd.Capture("w", w)), qd.Dim(4), out); err != nil {
			t.Fatal(err)
		}
		got := &result{ps, m.Slice(), out.Slice()}
		if m.Err() != nil || out.Err() != nil {
			t.Fatal(m.Err(), out.Err())
		}
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func complexPoly(t qd.Thread, w complex128, x, y []complex128) {
	i := t.ID()
	z := x[i]
	for range 2 {
		z = z*z + w/z
	}
	y[i] = cmplx.Exp(z/4) - z
}

// The gradient of an array of complex numbers is that of their parts: for a function with a derivative, the seed by the
// conjugate of that.
func TestComplexGradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		w, in := 0.5-0.25i, []complex128{1 + 0.5i, -0.75 + 1i, 0.3 - 1.1i}
		x, y := qd.From(dev, in).WithGrad(), qd.Zeros[complex128](dev, len(in)).WithGrad()
		tape := qd.NewTape(dev)
		seed := []complex128{1, 1i, 2 - 1i}
		must(t, tape.Launch(complexPoly, qd.Dim(len(in)), w, x, y), tape.BackwardFrom(y, seed))
		got := x.Grad().Slice()
		for i, z := range in {
			d := complex128(1)
			for range 2 {
				d, z = d*(2*z-w/(z*z)), z*z+w/z
			}
			d *= cmplx.Exp(z/4)/4 - 1
			if want := seed[i] * cmplx.Conj(d); cmplx.Abs(got[i]-want) > 1e-12*cmplx.Abs(want) {
				t.Errorf("gradient of element %d is %v, want %v", i, got[i], want)
			}
		}
	})
}
