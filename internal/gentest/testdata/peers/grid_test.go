package peers

import (
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/qdgen/qd"
)

// gridFrom has the numbers of an array of arrays of floats: of a matrix of any size.
func gridFrom(m any) grid[float64] {
	v := reflect.ValueOf(m)
	return gridOf(v.Len(), v.Index(0).Len(), func(i, j int) float64 { return v.Index(i).Index(j).Float() })
}

// fillFrom sets the numbers of a matrix of any size, which m points to.
func fillFrom(m any, g grid[float64]) {
	v := reflect.ValueOf(m).Elem()
	for i := range g {
		for j, x := range g[i] {
			v.Index(i).Index(j).SetFloat(x)
		}
	}
}

// matrixFrom is a matrix with the numbers of a grid.
func matrixFrom[M any](g grid[float64]) (m M) {
	fillFrom(&m, g)
	return m
}

// numbers are floats in double precision.
func numbers[T qd.Float](x []T) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = float64(x[i])
	}
	return out
}

// randomGrid has normally distributed numbers.
func randomGrid(rnd *rand.Rand, rows, cols int) grid[float64] {
	return gridOf(rows, cols, func(int, int) float64 { return rnd.NormFloat64() })
}

// unit is the identity.
func unit(n int) grid[float64] { return diagonal(make([]float64, n)...).plus(1) }

// diagonal has numbers on the diagonal.
func diagonal(d ...float64) grid[float64] {
	return gridOf(len(d), len(d), func(i, j int) float64 {
		if i == j {
			return d[i]
		}
		return 0
	})
}

// plus has a number added to the diagonal.
func (g grid[T]) plus(x T) grid[T] {
	return gridOf(len(g), len(g[0]), func(i, j int) T {
		if i == j {
			return g[i][j] + x
		}
		return g[i][j]
	})
}

func (g grid[T]) scaled(x T) grid[T] {
	return gridOf(len(g), len(g[0]), func(i, j int) T { return x * g[i][j] })
}

// largest is the largest absolute value.
func largest(g grid[float64]) (most float64) {
	for i := range g {
		for _, x := range g[i] {
			if !(math.Abs(x) <= most) { // NaN too
				most = math.Abs(x)
			}
		}
	}
	return most
}

// nearGrid compares matrices: no difference may be over tol.
func nearGrid(c *check, what string, got, want grid[float64], tol float64) {
	c.Helper()
	diff := largest(gridOf(len(want), len(want[0]), func(i, j int) float64 { return got[i][j] - want[i][j] }))
	if !(diff <= tol) {
		c.Errorf("%s: %v, want %v: the difference is %.3g, more than %.3g", what, got, want, diff, tol)
	}
}

// nearUnit fails the case unless a matrix is orthogonal.
func nearUnit(c *check, what string, m grid[float64], tol float64) {
	c.Helper()
	nearGrid(c, what, times(transposed(m), m), unit(len(m[0])), tol)
}

// determinant is that of a matrix of 3x3 or 2x2.
func determinant(g grid[float64]) float64 {
	if len(g) == 2 {
		return g[0][0]*g[1][1] - g[0][1]*g[1][0]
	}
	return g[0][0]*(g[1][1]*g[2][2]-g[1][2]*g[2][1]) - g[0][1]*(g[1][0]*g[2][2]-g[1][2]*g[2][0]) + g[0][2]*(g[1][0]*g[2][1]-g[1][1]*g[2][0])
}

// orthogonal is a random orthogonal matrix: Gram and Schmidt's of a random one.
func orthogonal(rnd *rand.Rand, n int) grid[float64] {
	q := randomGrid(rnd, n, n)
	for i := range q {
		for range 2 { // the second time for the rounding of the first
			for k := range i {
				var dot float64
				for j := range n {
					dot += q[i][j] * q[k][j]
				}
				for j := range n {
					q[i][j] -= dot * q[k][j]
				}
			}
		}
		norm := math.Sqrt(sumSq(q[i]))
		for j := range n {
			q[i][j] /= norm
		}
	}
	return q
}

// hardInputs are square matrices for decompositions: those of Quadrants' and Warp's tests,
// and more that are singular, mirrored, with equal singular values, tiny and huge.
func hardInputs(n int) []grid[float64] {
	rnd := rand.New(rand.NewPCG(0xA17F, uint64(n)))
	random := randomGrid(rnd, n, n)
	mirrored := append(grid[float64]{random.scaled(-1)[0]}, random[1:]...)
	half := randomGrid(rnd, n, n)
	dependent := randomGrid(rnd, n, n)
	for i := range dependent {
		dependent[i][1] = dependent[i][0] + 1e-3*rnd.NormFloat64()
	}
	with := func(s ...float64) grid[float64] {
		return times(times(orthogonal(rnd, n), diagonal(s[:n]...)), orthogonal(rnd, n))
	}
	reflection := unit(n)
	reflection[n-1][n-1] = -1
	ones := gridOf(n, n, func(int, int) float64 { return 1 })
	upper := gridOf(n, n, func(i, j int) float64 {
		if j < i {
			return 0
		}
		return float64(1 + i + 2*j)
	})
	return []grid[float64]{
		unit(n), reflection, unit(n).scaled(5), diagonal(make([]float64, n)...), ones, upper, transposed(upper),
		random, mirrored, times(half, transposed(half)).plus(3), dependent,
		with(2, 2+1e-4, 0.5), with(1, 5, 2), with(3, 3, 3), with(4, 4, 1e-6), with(1, 1e-9, 0), with(1, 0, 0),
		random.scaled(1e-12), random.scaled(1e12), gridOf(n, n, func(i, j int) float64 { return float64(i*2 + j*7) }).plus(3),
	}
}

// inputsOf are the hard inputs as matrices of a type.
func inputsOf[M any](n int) (list []M) {
	for _, g := range hardInputs(n) {
		list = append(list, matrixFrom[M](g))
	}
	return list
}

// bound is an error that a decomposition of a matrix may have: some units in the last
// place of its norm.
func bound[T qd.Float](units float64, g grid[float64]) float64 {
	return units * epsilon[T]() * math.Sqrt(float64(len(g))) * largest(g) * float64(len(g))
}
