package matrices

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int64s"

	"gonum.org/v1/gonum/mat"
)

// scalar is the result of a method without arguments that gives a number.
func scalar(v reflect.Value, method string) float64 {
	return v.MethodByName(method).Call(nil)[0].Float()
}

// rowNorms are the lengths of the rows.
func rowNorms(a *mat.Dense) []float64 {
	r, _ := a.Dims()
	list := make([]float64, r)
	for i := range list {
		list[i] = norm(a.Slice(i, i+1, 0, r))
	}
	return list
}

// productOf multiplies numbers, without going out of range.
func productOf(list []float64) *big.Float {
	p := number(1)
	for _, x := range list {
		p.Mul(p, number(x))
	}
	return p
}

// inRange reports whether the products of some of the numbers are normal numbers of the type,
// with some room: for roundoff of roundoff below, and for sums above.
func (c *matCase) inRange(list []float64) bool {
	least, greatest := number(1), number(1)
	for _, x := range list {
		least.Mul(least, number(min(math.Abs(x), 1)))
		greatest.Mul(greatest, number(max(math.Abs(x), 1)))
	}
	return least.Cmp(number(c.tiny/c.eps/c.eps/c.eps)) > 0 && greatest.Cmp(number(c.eps*c.eps/c.tiny)) < 0
}

// TestInverse is about determinants and inverses, in closed form and by elimination, against
// exact ones.
func TestInverse(t *testing.T) {
	// Of 8x8 elements are the largest matrices whose elimination is unrolled.
	types := append(slices.Clone(matTypes), big32.Mat8x8{}, big64.Mat8x8{})
	forTypes(t, types, "Inverse", func(t *testing.T, c *matCase) {
		p := &inverseTest{matCase: c,
			det: bound{name: "Det", times: map[int]float64{2: 1, 3: 4, 4: 8}[c.r]}, inverse: bound{name: "Inverse", times: 8}}
		if c.r > 4 {
			p.det.times, p.inverse.times = float64(c.r)/2, float64(c.r)/2
		}
		c.inputs(false, func(name string, a *mat.Dense) {
			switch {
			case c.r <= 4:
				p.closed(t, name, a)
			case c.often():
				p.eliminated(t, name, a)
			}
		})
		if c.r <= 4 && (p.singular < 10 || p.dets < 1000 || p.inverses < 2000) || p.dets < 10 || p.inverses < 50 {
			t.Errorf("%d determinants and %d inverses were checked, %d matrices were singular", p.dets, p.inverses, p.singular)
		}
		p.det.log(t)
		p.inverse.log(t)
		for i := range c.r * c.r {
			a := mat.NewDense(c.r, c.r, nil)
			a.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(1 + i + j*j)) }, a)
			inf := math.Inf(i%2*2 - 1)
			alone := mat.NewDense(c.r, c.r, nil) // beside ones and zeros, which hide it in products
			for j := range c.r {
				alone.Set(j, j, 1)
			}
			alone.Set(i/c.r, i%c.r, inf)
			a.Set(i/c.r, i%c.r, inf)
			for _, a := range []*mat.Dense{a, alone} {
				r, _ := call(c.value(a), "Inverse")
				for _, x := range r[0].RawMatrix().Data {
					if !math.IsNaN(x) {
						t.Fatalf("with an infinity as element %d:\n%v", i, mat.Formatted(r[0]))
					}
				}
			}
			a.Set(i/c.r, i%c.r, math.NaN())
			r, _ := call(c.value(a), "Inverse")
			for _, x := range append(r[0].RawMatrix().Data, scalar(c.value(a), "Det")) {
				if !math.IsNaN(x) {
					t.Fatalf("with NaN as element %d:\n%v", i, mat.Formatted(r[0]))
				}
			}
		}
	})
}

type inverseTest struct {
	*matCase
	det, inverse             bound
	dets, inverses, singular int
}

// closed checks the bounds of the closed forms: errors are relative to products of the lengths
// of the rows.
func (c *inverseTest) closed(t *testing.T, name string, a *mat.Dense) {
	want, ok := exact(a)
	rows := rowNorms(a)
	det := scalar(c.value(a), "Det")
	r, _ := call(c.value(a), "Inverse")
	if c.inRange(rows) {
		c.dets++
		c.det.check(t, c.matCase, name, a, difference(det, want.det), float(productOf(rows)))
	}
	if !ok {
		if !smallIntegers(a) {
			return
		}
		c.singular++
		for _, x := range r[0].RawMatrix().Data {
			if det != 0 || !math.IsNaN(x) && !math.IsInf(x, 0) {
				t.Fatalf("of the singular matrix %s, whose determinant is %v:\n%v", name, det, mat.Formatted(r[0]))
			}
		}
		return
	}
	p := float(number(0).Quo(productOf(rows), magnitude(want.det)))
	scaled, middle := leveled(rows)
	if p*c.eps > 0.01 || !c.inRange(scaled) || !c.inRange(append(scaled, 1/p)) || p/middle > c.eps/c.tiny {
		return
	}
	c.inverses++
	for i := range c.r {
		for j := range c.r {
			x := want.inverse[i][j]
			c.inverse.check(t, c.matCase, name, a, difference(r[0].At(i, j), x), p*(math.Abs(float(x))+1/rows[j]))
		}
	}
}

// leveled divides lengths by the power of two near their geometric mean, which it returns too.
func leveled(list []float64) (scaled []float64, middle float64) {
	sum := 0.0
	for _, x := range list {
		sum += math.Log2(x)
	}
	middle = math.Exp2(math.Round(sum / float64(len(list))))
	for _, x := range list {
		scaled = append(scaled, x/middle)
	}
	return scaled, middle
}

// eliminated checks the bounds of elimination: errors are relative to the condition.
func (c *inverseTest) eliminated(t *testing.T, name string, a *mat.Dense) {
	want, ok := exact(a)
	if !ok || strings.HasPrefix(name, "growth") { // with intermediate results far above its elements
		return
	}
	x := want.dense()
	k := norm(a) * norm(x)
	if k*c.eps > 0.01 {
		return
	}
	if c.inRange(want.pivots) {
		c.dets++
		c.det.check(t, c.matCase, name, a, difference(scalar(c.value(a), "Det"), want.det), k*math.Abs(float(want.det)))
	}
	for _, p := range want.pivots {
		if !c.inRange([]float64{p}) {
			return
		}
	}
	c.inverses++
	r, _ := call(c.value(a), "Inverse")
	c.inverse.check(t, c.matCase, name, a, distance(r[0], x), k*norm(x))
}

// often reports whether an input is to be tried: exact inverses of large matrices take long.
func (c *matCase) often() bool {
	c.turn++
	return c.turn%(2*c.r+1) == 0 // a number that is coprime to that of the scales
}

// smallIntegers reports whether all that is computed of a matrix is exact.
func smallIntegers(a *mat.Dense) bool {
	for _, x := range a.RawMatrix().Data {
		if x != math.Trunc(x) || math.Abs(x) > 2 {
			return false
		}
	}
	return true
}

// TestAdjugate compares with the definition by determinants.
func TestAdjugate(t *testing.T) {
	for _, m := range []int64s.Mat4{
		{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}},
		{{2, -1, 0, 3}, {5, 4, 1, -2}, {3, 3, -5, 1}, {-1, 25, 2, 7}},
		{},
		{{math.MaxInt64, 3}, {5, math.MinInt64}, {0, 0, 7, 11}, {1, 1, 1, math.MaxInt64}},
	} {
		m3 := int64s.Mat3FromRows(m[0].XYZ(), m[1].XYZ(), m[2].XYZ())
		m2 := int64s.Mat2FromRows(m[0].XY(), m[1].XY())
		if got, want := m.Mul(m.Adjugate()), int64s.Mat4Identity().Scale(m.Det()); got != want {
			t.Errorf("m adj(m) = %v, want %v", got, want)
		}
		if got, want := m3.Adjugate().Mul(m3), int64s.Mat3Identity().Scale(m3.Det()); got != want {
			t.Errorf("adj(m) m = %v, want %v", got, want)
		}
		if got, want := m2.Adjugate().Mul(m2), int64s.Mat2Identity().Scale(m2.Det()); got != want {
			t.Errorf("adj(m) m = %v, want %v", got, want)
		}
	}
}
