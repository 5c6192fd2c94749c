package matrices

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSVD(t *testing.T) {
	forMats(t, "SVD", func(t *testing.T, c *matCase) {
		times := 16.0
		if c.r == 3 {
			times = 32
		}
		residual, left, right := bound{name: "|u*s*v^T - m|", times: times}, bound{name: "|u^T*u - 1|", times: times}, bound{name: "|v^T*v - 1|", times: times}
		values := bound{name: "s", times: times}
		c.inputs(false, func(name string, a *mat.Dense) {
			r, _ := call(c.value(a), "SVD")
			u, s, v := r[0], r[1], r[2]
			size := norm(a)
			residual.check(t, c, name, a, distance(product(u, s, v.T()), a), size)
			left.check(t, c, name, a, departure(u), 1)
			right.check(t, c, name, a, departure(v), 1)
			if list := s.RawMatrix().Data; !slices.IsSortedFunc(list, func(x, y float64) int { return cmp.Compare(y, x) }) || list[c.r-1] < 0 {
				t.Fatalf("singular values of %s: %v", name, list)
			}
			if d := mat.Det(v); d < 0 {
				t.Fatalf("v of %s is no rotation: %v", name, d)
			}
			if d := mat.Det(scaled(a)); abs(d) > 100*c.eps && d*mat.Det(u) < 0 {
				t.Fatalf("the determinants of %s and of its u have different signs", name)
			}
			if !c.isNormal(a) {
				return
			}
			var svd mat.SVD
			if !svd.Factorize(scaled(a), mat.SVDNone) {
				t.Fatal("gonum has no singular values")
			}
			for i, x := range svd.Values(nil) {
				values.check(t, c, name, a, abs(s.At(i, 0)/unit(a)-x), size/unit(a))
			}
		})
		for _, b := range []bound{residual, left, right, values} {
			b.log(t)
		}
		nonFinite(t, c, "SVD", false)
	})
}

func TestPolar(t *testing.T) {
	forMats(t, "Polar", func(t *testing.T, c *matCase) {
		times := 32.0
		if c.r == 3 {
			times = 64
		}
		residual, orth, semidefinite := bound{name: "|r*p - m|", times: times}, bound{name: "|r^T*r - 1|", times: times}, bound{name: "negative eigenvalue of p", times: times}
		c.inputs(false, func(name string, a *mat.Dense) {
			res, _ := call(c.value(a), "Polar")
			r, p := res[0], res[1]
			residual.check(t, c, name, a, distance(product(r, p), a), norm(a))
			orth.check(t, c, name, a, departure(r), 1)
			if d := mat.Det(scaled(a)); abs(d) > 100*c.eps && d*mat.Det(r) < 0 {
				t.Fatalf("the determinants of %s and of its r have different signs", name)
			}
			if !mat.Equal(p, p.T()) {
				t.Fatalf("p of %s is not symmetric:\n%v", name, mat.Formatted(p))
			}
			if !c.isNormal(a) {
				return
			}
			w := eigenvalues(t, p)
			semidefinite.check(t, c, name, a, max(0, -w[0]), norm(a)/unit(p))
		})
		for _, b := range []bound{residual, orth, semidefinite} {
			b.log(t)
		}
		nonFinite(t, c, "Polar", false)
	})
}

func TestSymEig(t *testing.T) {
	forMats(t, "SymEig", func(t *testing.T, c *matCase) {
		times := 12 * float64(c.r)
		residual, orth, values := bound{name: "|v*w*v^T - m|", times: times}, bound{name: "|v^T*v - 1|", times: times}, bound{name: "w", times: times}
		c.inputs(true, func(name string, a *mat.Dense) {
			r, _ := call(c.value(a), "SymEig")
			w, v := r[0], r[1]
			residual.check(t, c, name, a, distance(product(v, w, v.T()), a), norm(a))
			orth.check(t, c, name, a, departure(v), 1)
			if list := w.RawMatrix().Data; !slices.IsSorted(list) {
				t.Fatalf("eigenvalues of %s: %v", name, list)
			}
			if !c.isNormal(a) {
				return
			}
			for i, x := range eigenvalues(t, a) {
				values.check(t, c, name, a, abs(w.At(i, 0)/unit(a)-x), norm(a)/unit(a))
			}
		})
		for _, b := range []bound{residual, orth, values} {
			b.log(t)
		}
		nonFinite(t, c, "SymEig", true)
	})
}

func TestNearestPD(t *testing.T) {
	forMats(t, "NearestPD", func(t *testing.T, c *matCase) {
		elem := c.typ.Elem().Elem()
		nearest := bound{name: "distance to the nearest", times: 30 * float64(c.r)}
		least := bound{name: "least eigenvalue", times: 30 * float64(c.r)}
		changed := 0
		c.inputs(true, func(name string, a *mat.Dense) {
			for _, eps := range []float64{0, 1e-3 * norm(a)} {
				eps := reflect.ValueOf(eps).Convert(elem)
				r, _ := call(c.value(a), "NearestPD", eps)
				p := r[0]
				if !mat.Equal(p, p.T()) {
					t.Fatalf("%s: not symmetric:\n%v", name, mat.Formatted(p))
				}
				if !c.isNormal(a) {
					continue
				}
				if _, ok := call(c.value(p), "Cholesky"); !ok {
					t.Fatalf("%s: not positive definite: %v\n%v\n%v", name, eigenvalues(t, p), mat.Formatted(a), mat.Formatted(p))
				}
				// The nearest in float64.
				var eig mat.EigenSym
				if !eig.Factorize(symmetric(a), true) {
					t.Fatal("gonum has no eigenvalues")
				}
				var v mat.Dense
				eig.VectorsTo(&v)
				w := eig.Values(nil)
				if w[0]*unit(a) < eps.Float() {
					changed++
				}
				for i := range w {
					w[i] = max(w[i], eps.Float()/unit(a))
				}
				want := product(&v, mat.NewDense(c.r, 1, w), v.T())
				want.Scale(unit(a), want)
				nearest.check(t, c, name, a, distance(p, want), norm(a))
				least.check(t, c, name, a, max(0, eps.Float()-eigenvalues(t, p)[0]*unit(p)), norm(a))
			}
		})
		nearest.log(t)
		least.log(t)
		if changed < 1000 {
			t.Errorf("only %d matrices were not positive definite", changed)
		}
		nonFinite(t, c, "NearestPD", true, reflect.ValueOf(0.5).Convert(elem))
	})
}

// unit is what a matrix is divided by before gonum gets it: its largest element.
func unit(a mat.Matrix) float64 {
	if u := maxAbs(a); u > 0 {
		return u
	}
	return 1
}

func scaled(a mat.Matrix) *mat.Dense {
	var s mat.Dense
	u := unit(a)
	s.Apply(func(i, j int, x float64) float64 { return x / u }, a)
	return &s
}

func symmetric(a mat.Matrix) mat.Symmetric {
	n, _ := a.Dims()
	return mat.NewSymDense(n, scaled(a).RawMatrix().Data)
}

// eigenvalues are those of a over its unit, by gonum.
func eigenvalues(t *testing.T, a mat.Matrix) []float64 {
	t.Helper()
	var eig mat.EigenSym
	if !eig.Factorize(symmetric(a), false) {
		t.Fatal("gonum has no eigenvalues")
	}
	return eig.Values(nil)
}

func abs(x float64) float64 { return max(x, -x) }
