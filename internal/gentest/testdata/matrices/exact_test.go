package matrices

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"
)

// precision is that of the exact results, in bits: enough for matrices that are singular for
// floats, but not to tell that an elimination ends in an exact 0.
const precision = 700

// An exactMat is the inverse of a matrix, or its determinant, without rounding worth
// mentioning.
type exactMat struct {
	inverse [][]*big.Float
	det     *big.Float
	pivots  []float64 // of the elimination, in its order
}

// exact inverts a matrix by Gauss-Jordan elimination. ok is whether it has an inverse.
func exact(a mat.Matrix) (x exactMat, ok bool) {
	n, _ := a.Dims()
	left, right := make([][]*big.Float, n), make([][]*big.Float, n)
	for i := range n {
		for j := range n {
			left[i] = append(left[i], number(a.At(i, j)))
			right[i] = append(right[i], number(bit(i == j)))
		}
	}
	x.det = number(1)
	for k := range n {
		at := k
		for i := k + 1; i < n; i++ {
			if magnitude(left[i][k]).Cmp(magnitude(left[at][k])) > 0 {
				at = i
			}
		}
		if at != k {
			x.det.Neg(x.det)
			left[k], left[at] = left[at], left[k]
			right[k], right[at] = right[at], right[k]
		}
		pivot := left[k][k]
		x.det.Mul(x.det, pivot)
		p, _ := pivot.Float64()
		x.pivots = append(x.pivots, p)
		if p == 0 || math.Abs(p) < maxAbs(a)*0x1p-600 {
			x.det = number(0)
			return x, false
		}
		d := number(1)
		d.Quo(d, pivot)
		for _, row := range [][]*big.Float{left[k], right[k]} {
			for j := range row {
				row[j] = number(0).Mul(row[j], d)
			}
		}
		for i := range n {
			if i == k || left[i][k].Sign() == 0 {
				continue
			}
			f := left[i][k]
			for j := range n {
				left[i][j] = number(0).Sub(left[i][j], number(0).Mul(f, left[k][j]))
				right[i][j] = number(0).Sub(right[i][j], number(0).Mul(f, right[k][j]))
			}
		}
	}
	x.inverse = right
	return x, true
}

// dense rounds the inverse to float64.
func (x exactMat) dense() *mat.Dense {
	d := mat.NewDense(len(x.inverse), len(x.inverse), nil)
	d.Apply(func(i, j int, _ float64) float64 { return float(x.inverse[i][j]) }, d)
	return d
}

// difference is how far a result is from an exact number.
func difference(got float64, want *big.Float) float64 {
	if got-got != 0 {
		return math.Inf(1)
	}
	return math.Abs(float(number(0).Sub(number(got), want)))
}

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func magnitude(x *big.Float) *big.Float { return number(0).Abs(x) }

func float(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}
