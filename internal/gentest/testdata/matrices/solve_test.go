package matrices

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestLU(t *testing.T) {
	forMats(t, "LU", func(t *testing.T, c *matCase) {
		residual := bound{name: "|l*u - p(m)| / g", times: float64(c.r)}
		singular := 0
		c.inputs(false, func(name string, a *mat.Dense) {
			r, ok := call(c.value(a), "LU")
			l, u, p := r[0], r[1], r[2]
			permuted := mat.NewDense(c.r, c.r, nil)
			for i := range c.r {
				permuted.SetRow(i, a.RawRowView(int(p.At(i, 0))))
			}
			if maxAbs(l) > 1 {
				t.Fatalf("%s: l has an element above 1:\n%v", name, mat.Formatted(l))
			}
			for i := range c.r {
				if l.At(i, i) != 1 || (u.At(i, i) == 0) && ok {
					t.Fatalf("%s: the diagonals are wrong:\n%v\n%v", name, mat.Formatted(l), mat.Formatted(u))
				}
				for j := range i {
					if l.At(j, i) != 0 || u.At(i, j) != 0 {
						t.Fatalf("%s: not triangular:\n%v\n%v", name, mat.Formatted(l), mat.Formatted(u))
					}
				}
			}
			if !ok {
				singular++
			}
			var d mat.Dense
			d.Sub(product(l, u), permuted)
			residual.check(t, c, name, a, maxAbs(&d), max(maxAbs(u), maxAbs(a)))
		})
		residual.log(t)
		if singular < 20 {
			t.Errorf("only %d matrices were singular", singular)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			for i := range c.r * c.r {
				rng := rand.New(rand.NewPCG(8, uint64(i)))
				a := mat.NewDense(c.r, c.r, spread(c.r*c.r, rng.NormFloat64))
				a.Set(i/c.r, i%c.r, bad)
				if _, ok := call(c.value(a), "LU"); ok {
					t.Errorf("ok for %v at element %d", bad, i)
				}
			}
		}
	})
}

func TestSolve(t *testing.T) {
	forMats(t, "Solve", func(t *testing.T, c *matCase) {
		residual, against := bound{name: "|m*x - b|", times: 3 * float64(c.r)}, bound{name: "|x - gonum's| / condition", times: 3 * float64(c.r) * float64(c.r)}
		several := bound{name: "|m*x - b| of SolveMat", times: 3 * float64(c.r)}
		rng := rand.New(rand.NewPCG(9, c.seed))
		solved := 0
		c.inputs(false, func(name string, a *mat.Dense) {
			vec := reflect.New(c.typ.Elem()).Elem()
			for i := range c.r {
				vec.Index(i).SetFloat(rng.NormFloat64() * unit(a))
			}
			b := dense(vec)
			m := c.value(a)
			r, ok := call(m, "Solve", vec)
			_, regular := call(m, "LU")
			if ok != regular {
				t.Fatalf("%s: ok is %v, that of LU %v", name, ok, regular)
			}
			x := r[0]
			if !ok {
				for i := range c.r {
					if !math.IsNaN(x.At(i, 0)) {
						t.Fatalf("%s is singular, and x is %v", name, x)
					}
				}
				return
			}
			all, ok := call(m, "SolveMat", m)
			if !ok {
				t.Fatalf("%s: SolveMat", name)
			}
			if !isFinite(x) || !isFinite(all[0]) || !c.isNormal(a) {
				return // out of range
			}
			solved++
			factors, _ := call(m, "LU")
			growth := max(1, maxAbs(factors[1])/maxAbs(a))
			residual.check(t, c, name, a, distanceInf(product(a, column(x)), b), growth*mat.Norm(a, math.Inf(1))*maxAbs(x))
			if cond := mat.Cond(scaled(a), math.Inf(1)); cond < 0.01/c.eps {
				var want mat.Dense
				if err := want.Solve(scaled(a), b); err != nil {
					t.Fatal(err)
				}
				want.Apply(func(i, j int, x float64) float64 { return x / unit(a) }, &want)
				against.check(t, c, name, a, distanceInf(column(x), &want), growth*cond*maxAbs(x))
			}
			var d mat.Dense
			d.Sub(product(a, all[0]), a)
			several.check(t, c, name, a, mat.Norm(&d, math.Inf(1)), growth*mat.Norm(a, math.Inf(1))*mat.Norm(all[0], math.Inf(1))*float64(c.r))
		})
		if solved < 2000 {
			t.Errorf("only %d systems were solved", solved)
		}
		residual.log(t)
		against.log(t)
		several.log(t)
		nonFinite(t, c, "Solve", false, reflect.New(c.typ.Elem()).Elem())
		nonFinite(t, c, "SolveMat", false, reflect.New(c.typ).Elem())
	})
}

// column gives a column vector a second column, of zeros: [product] takes one for a diagonal.
func column(x *mat.Dense) mat.Matrix {
	n, _ := x.Dims()
	v := mat.NewDense(n, 2, nil)
	v.SetCol(0, x.RawMatrix().Data)
	return v
}

func distanceInf(a, b mat.Matrix) float64 {
	n, _ := a.Dims()
	d := 0.0
	for i := range n {
		d = max(d, abs(a.At(i, 0)-b.At(i, 0)))
	}
	return d
}

func TestCholesky(t *testing.T) {
	forMats(t, "Cholesky", func(t *testing.T, c *matCase) {
		residual := bound{name: "|l*l^T - m|", times: float64(c.r) + 2}
		definite, not := 0, 0
		c.inputs(true, func(name string, a *mat.Dense) {
			for _, shift := range []float64{0, 1e-2, 2 * float64(c.r)} {
				b := mat.DenseCopyOf(a)
				for i := range c.r {
					b.Set(i, i, a.At(i, i)+shift*unit(a))
				}
				b = dense(c.value(b))
				r, ok := call(c.value(b), "Cholesky")
				least := eigenvalues(t, b)[0]
				margin := 10 * float64(c.r) * float64(c.r) * c.eps
				if ok && least < -margin || !ok && least > margin {
					t.Fatalf("%s: ok is %v with a least eigenvalue of %v * the largest element", name, ok, least)
				}
				if !ok {
					not++
					if !math.IsNaN(r[0].At(0, 0)) {
						t.Fatalf("%s has no factor, and it is\n%v", name, mat.Formatted(r[0]))
					}
					continue
				}
				definite++
				l := r[0]
				for i := range c.r {
					for j := range i {
						if l.At(j, i) != 0 {
							t.Fatalf("%s: not triangular", name)
						}
					}
				}
				var d mat.Dense
				d.Sub(product(l, l.T()), b)
				residual.check(t, c, name, b, maxAbs(&d), maxAbs(b))
			}
		})
		if definite < 1000 || not < 1000 {
			t.Errorf("%d matrices were definite, %d not", definite, not)
		}
		residual.log(t)
		nonFinite(t, c, "Cholesky", true)
	})
}

func TestLDL(t *testing.T) {
	forMats(t, "LDL", func(t *testing.T, c *matCase) {
		residual := bound{name: "|l*d*l^T - m|", times: float64(c.r) + 2}
		factored, not := 0, 0
		c.inputs(true, func(name string, a *mat.Dense) {
			r, ok := call(c.value(a), "LDL")
			if !ok {
				not++
				if !math.IsNaN(r[0].At(0, 0)) || !math.IsNaN(r[1].At(0, 0)) {
					t.Fatalf("%s has no factors, and they are\n%v", name, mat.Formatted(r[0]))
				}
				return
			}
			l, d := r[0], r[1]
			if maxAbs(l) > 1e30 {
				return // what is multiplied does not fit float32
			}
			factored++
			have := product(l, d, l.T())
			l.Apply(func(i, j int, x float64) float64 { return abs(x) }, l)
			d.Apply(func(i, j int, x float64) float64 { return abs(x) }, d)
			size := product(l, d, l.T())
			lost := c.tiny / c.eps * maxAbs(d) // where an element of l is below the range
			for i := range c.r {
				for j := range c.r {
					if s := abs(a.At(i, j)) + size.At(i, j); s > 1e-30 {
						residual.check(t, c, name, a, abs(have.At(i, j)-a.At(i, j)), s+lost)
					}
				}
			}
		})
		if factored < 2000 || not < 20 {
			t.Errorf("%d matrices had factors, %d had none", factored, not)
		}
		residual.log(t)
		nonFinite(t, c, "LDL", true)
	})
}

func TestQR(t *testing.T) {
	forMats(t, "QR", func(t *testing.T, c *matCase) {
		times := 8 * float64(c.c)
		residual, orth := bound{name: "|q*r - m|", times: times}, bound{name: "|q^T*q - 1|", times: times}
		c.inputs(false, func(name string, a *mat.Dense) {
			res, _ := call(c.value(a), "QR")
			q, r := res[0], res[1]
			residual.check(t, c, name, a, distance(product(q, r), a), norm(a))
			orth.check(t, c, name, a, departure(q), 1)
			for i := range c.c {
				if r.At(i, i) < 0 {
					t.Fatalf("%s: the diagonal is negative:\n%v", name, mat.Formatted(r))
				}
				for j := range i {
					if r.At(i, j) != 0 {
						t.Fatalf("%s: not triangular:\n%v", name, mat.Formatted(r))
					}
				}
			}
		})
		residual.log(t)
		orth.log(t)
		nonFinite(t, c, "QR", false)
	})
}
