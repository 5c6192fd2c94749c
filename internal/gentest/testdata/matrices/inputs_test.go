package matrices

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"

	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"gonum.org/v1/gonum/mat"
)

// The types whose algorithms are tested.
var matTypes = []any{
	f32.Mat2{}, f64.Mat2{}, f32.Mat3{}, f64.Mat3{},
	f32.Mat4{}, f64.Mat4{}, big32.Mat5x5{}, big64.Mat5x5{},
	big32.Mat6x6{}, big64.Mat6x6{}, big32.Mat12x12{}, big64.Mat12x12{},
	f32.Mat3x2{}, f64.Mat3x2{}, f32.Mat4x3{}, f64.Mat4x3{},
	big32.Mat6x3{}, big64.Mat6x3{},
}

// A matCase is a matrix type under test.
type matCase struct {
	typ  reflect.Type
	r, c int
	eps  float64 // of the element type, as is
	tiny float64 // the smallest positive number
	seed uint64
	turn int // counts inputs
}

// forMats runs a test for each of matTypes with the method.
func forMats(t *testing.T, method string, test func(t *testing.T, c *matCase)) {
	forTypes(t, matTypes, method, test)
}

// forTypes runs a test for each type with the method.
func forTypes(t *testing.T, types []any, method string, test func(t *testing.T, c *matCase)) {
	for i, zero := range types {
		typ := reflect.TypeOf(zero)
		if _, ok := typ.MethodByName(method); !ok {
			continue
		}
		c := &matCase{typ: typ, seed: uint64(i)}
		c.measure()
		t.Run(fmt.Sprintf("%dx%d/%s", c.r, c.c, typ.Elem().Elem()), func(t *testing.T) { test(t, c) })
	}
}

// measure completes a case with what its type says.
func (c *matCase) measure() {
	c.r, c.c = c.typ.Len(), c.typ.Elem().Len()
	c.eps, c.tiny = 0x1p-52, 0x1p-1074
	if c.typ.Elem().Elem().Kind() == reflect.Float32 {
		c.eps, c.tiny = 0x1p-23, 0x1p-149
	}
}

// value rounds a matrix to the type.
func (c *matCase) value(a mat.Matrix) reflect.Value {
	v := reflect.New(c.typ).Elem()
	for i := range c.r {
		for j := range c.c {
			v.Index(i).Index(j).SetFloat(a.At(i, j))
		}
	}
	return v
}

// call calls a method of the matrix; vectors among the results are columns.
func call(m reflect.Value, method string, args ...reflect.Value) (mats []*mat.Dense, ok bool) {
	for _, r := range m.MethodByName(method).Call(args) {
		switch {
		case r.Kind() == reflect.Bool:
			ok = r.Bool()
		default:
			mats = append(mats, dense(r))
		}
	}
	return mats, ok
}

// dense is a matrix or a vector in float64.
func dense(v reflect.Value) *mat.Dense {
	at := func(v reflect.Value) float64 {
		if v.CanInt() {
			return float64(v.Int())
		}
		return v.Float()
	}
	if v.Index(0).Kind() != reflect.Array {
		d := mat.NewDense(v.Len(), 1, nil)
		for i := range v.Len() {
			d.Set(i, 0, at(v.Index(i)))
		}
		return d
	}
	d := mat.NewDense(v.Len(), v.Index(0).Len(), nil)
	for i := range v.Len() {
		for j := range v.Index(0).Len() {
			d.Set(i, j, at(v.Index(i).Index(j)))
		}
	}
	return d
}

// inputs gives matrices of the shape, random ones and hard ones, each by its name.
func (c *matCase) inputs(symmetric bool, test func(name string, a *mat.Dense)) {
	rng := rand.New(rand.NewPCG(5, c.seed))
	random := func() *mat.Dense {
		a := mat.NewDense(c.r, c.c, nil)
		a.Apply(func(i, j int, _ float64) float64 { return rng.NormFloat64() }, a)
		return a
	}
	orthogonal := func(n int) *mat.Dense {
		var qr mat.QR
		a := mat.NewDense(n, n, nil)
		a.Apply(func(i, j int, _ float64) float64 { return rng.NormFloat64() }, a)
		qr.Factorize(a)
		qr.QTo(a)
		return a
	}
	// with is a matrix with the singular values, or eigenvalues.
	with := func(values ...float64) *mat.Dense {
		s := mat.NewDense(c.r, c.c, nil)
		for i := range c.c {
			s.Set(i, i, values[i%len(values)])
		}
		u := orthogonal(c.r)
		if symmetric {
			return product(u, s, u.T())
		}
		return product(u, s, orthogonal(c.c))
	}
	filled := func(f func(i, j int) float64) *mat.Dense {
		a := mat.NewDense(c.r, c.c, nil)
		a.Apply(func(i, j int, _ float64) float64 { return f(i, j) }, a)
		return a
	}
	kinds := []struct {
		name  string
		times int
		make  func() *mat.Dense
	}{
		{"random", 300, random},
		{"integers", 100, func() *mat.Dense { return filled(func(i, j int) float64 { return float64(rng.IntN(5) - 2) }) }},
		{"signs", 50, func() *mat.Dense { return filled(func(i, j int) float64 { return float64(rng.IntN(3) - 1) }) }},
		{"zero", 1, func() *mat.Dense { return mat.NewDense(c.r, c.c, nil) }},
		{"identity", 1, func() *mat.Dense { return filled(func(i, j int) float64 { return bit(i == j) }) }},
		{"exchange", 1, func() *mat.Dense { return filled(func(i, j int) float64 { return bit(i+j == c.c-1) }) }},
		{"all ones", 1, func() *mat.Dense { return filled(func(i, j int) float64 { return 1 }) }},
		{"one element", 20, func() *mat.Dense {
			k, l := rng.IntN(c.r), rng.IntN(c.c)
			return filled(func(i, j int) float64 { return bit(i == k && j == l || symmetric && i == l && j == k) })
		}},
		{"diagonal", 50, func() *mat.Dense { return filled(func(i, j int) float64 { return bit(i == j) * rng.NormFloat64() }) }},
		{"rank 1", 50, func() *mat.Dense { return with(append([]float64{1}, make([]float64, c.c-1)...)...) }},
		{"singular", 50, func() *mat.Dense { return with(append([]float64{0}, spread(c.c-1, rng.Float64)...)...) }},
		{"nearly singular", 50, func() *mat.Dense {
			return with(append([]float64{c.eps * rng.Float64() * 4}, spread(c.c-1, rng.Float64)...)...)
		}},
		{"repeated", 50, func() *mat.Dense { return with(2) }},
		{"repeated, signs", 50, func() *mat.Dense { return with(1, -1) }},
		{"nearly repeated", 50, func() *mat.Dense { return with(spread(c.c, func() float64 { return 1 + c.eps*rng.Float64()*8 })...) }},
		{"spread", 50, func() *mat.Dense {
			return with(spread(c.c, func() float64 { return math.Exp2(-40 * rng.Float64()) })...)
		}},
		{"graded", 50, func() *mat.Dense {
			return filled(func(i, j int) float64 { return rng.NormFloat64() * math.Pow(c.eps, float64(i+j)/4) })
		}},
		{"graded up", 50, func() *mat.Dense {
			return filled(func(i, j int) float64 { return rng.NormFloat64() * math.Pow(c.eps, float64(c.r+c.c-i-j)/4) })
		}},
		{"wildly graded", 50, func() *mat.Dense {
			return filled(func(i, j int) float64 {
				return rng.NormFloat64() * math.Exp2(40*(rng.Float64()-1)*float64(i+j)/float64(c.r))
			})
		}},
		{"tiny elements", 50, func() *mat.Dense {
			return filled(func(i, j int) float64 { return rng.NormFloat64() * math.Exp2(-120*float64(rng.IntN(2))) })
		}},
		{"small columns", 50, func() *mat.Dense {
			scale := spread(c.c, func() float64 { return math.Exp2(-80 * rng.Float64()) })
			return filled(func(i, j int) float64 { return rng.NormFloat64() * scale[j] })
		}},
		{"Hilbert", 1, func() *mat.Dense { return filled(func(i, j int) float64 { return 1 / float64(i+j+1) }) }},
		{"Wilkinson", 1, func() *mat.Dense {
			return filled(func(i, j int) float64 {
				return math.Abs(float64(i)-float64(c.c-1)/2)*bit(i == j) + bit(i-j == 1 || j-i == 1)
			})
		}},
		{"Kahan", 1, func() *mat.Dense {
			return filled(func(i, j int) float64 { return math.Pow(0.28, float64(i)) * (bit(i == j) - 0.96*bit(i < j)) })
		}},
		{"growth", 1, func() *mat.Dense {
			return filled(func(i, j int) float64 { return bit(i == j || j == c.c-1) - bit(i > j && j < c.c-1) })
		}},
	}
	scales := []float64{1e-30, 1e30, 1e15, 1e-15, 0x1p100, 0x1p-60}
	if c.eps < 1e-10 {
		scales = append(scales, 1e-290, 1e290)
	}
	for _, k := range kinds {
		for i := range k.times {
			a := k.make()
			if symmetric {
				for i := range c.r {
					for j := range i {
						a.Set(j, i, a.At(i, j))
					}
				}
			}
			for _, scale := range []float64{1, scales[i%len(scales)], scales[rng.IntN(len(scales))]} {
				b := mat.DenseCopyOf(a)
				b.Scale(scale, a)
				test(fmt.Sprintf("%s * %g", k.name, scale), dense(c.value(b))) // rounded to the type
			}
		}
	}
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// spread is n values of f.
func spread(n int, f func() float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = f()
	}
	return list
}

// product multiplies matrices; vectors among them are diagonals.
func product(factors ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(factors[0])
	for _, f := range factors[1:] {
		if n, c := f.Dims(); c == 1 {
			d := mat.NewDense(n, n, nil)
			for i := range n {
				d.Set(i, i, f.At(i, 0))
			}
			f = d
		}
		var next mat.Dense
		next.Mul(p, f)
		p = &next
	}
	return p
}

// A bound is asserted: residual <= times * eps * size, and as many of the smallest positive number,
// in which numbers are rounded that are not normal. worst keeps the largest times that was needed.
type bound struct {
	name  string
	times float64
	worst float64
	where string
}

func (b *bound) check(t *testing.T, c *matCase, input string, a *mat.Dense, residual, size float64) {
	t.Helper()
	if !(residual <= b.times*(c.eps*size+c.tiny)) {
		t.Fatalf("%s of %s: residual %g is above %g * epsilon * %g\n%v", b.name, input, residual, b.times, size, mat.Formatted(a, mat.Excerpt(0)))
	}
	if size*c.eps > c.tiny && residual/size/c.eps > b.worst {
		b.worst, b.where = residual/size/c.eps, input
	}
}

func (b *bound) log(t *testing.T) {
	t.Logf("%s: at most %.1f * epsilon (%s), bound %g", b.name, b.worst, b.where, b.times)
}

// distance is the Frobenius norm of the difference.
func distance(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return norm(&d)
}

// norm is the Frobenius norm. It does not overflow where its square would.
func norm(a mat.Matrix) float64 {
	largest := mat.Max(a)
	largest = max(largest, -mat.Min(a))
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	scaled := mat.DenseCopyOf(a)
	scaled.Apply(func(i, j int, x float64) float64 { return x / largest }, a)
	return largest * mat.Norm(scaled, 2)
}

// departure is how far the columns are from being orthonormal.
func departure(q *mat.Dense) float64 {
	_, n := q.Dims()
	id := mat.NewDense(n, n, nil)
	for i := range n {
		id.Set(i, i, 1)
	}
	return distance(product(q.T(), q), id)
}

// isNormal reports whether a matrix is in the range of normal numbers of the type.
func (c *matCase) isNormal(a mat.Matrix) bool { return maxAbs(a)*c.eps >= c.tiny }

// isFinite reports whether all elements are finite.
func isFinite(a mat.Matrix) bool {
	r, c := a.Dims()
	for i := range r {
		for j := range c {
			if x := a.At(i, j); x-x != 0 {
				return false
			}
		}
	}
	return true
}

func maxAbs(a mat.Matrix) float64 { return max(mat.Max(a), -mat.Min(a)) }

// nonFinite gives matrices with an element that is not finite to the method, which has to end and
// to give only results that are NaN, and false.
func nonFinite(t *testing.T, c *matCase, method string, symmetric bool, args ...reflect.Value) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range c.r {
			for j := range c.c {
				if symmetric && j > i {
					continue
				}
				rng := rand.New(rand.NewPCG(7, uint64(i*c.c+j)))
				a := mat.NewDense(c.r, c.c, nil)
				for k := range c.r {
					for l := range c.c {
						a.Set(k, l, rng.NormFloat64())
					}
					if symmetric {
						a.Set(k, k, 20)
					}
				}
				a.Set(i, j, bad)
				results, ok := call(c.value(a), method, args...)
				if ok {
					t.Errorf("%s says ok of a matrix with %v at (%d, %d)", method, bad, i, j)
				}
				for k, r := range results {
					for _, x := range r.RawMatrix().Data {
						if !math.IsNaN(x) {
							t.Fatalf("result %d of %s of a matrix with %v at (%d, %d) is not all NaN:\n%v", k, method, bad, i, j, mat.Formatted(r))
						}
					}
				}
			}
		}
	}
}
