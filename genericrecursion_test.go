//go:build !race

package qd_test

import (
	"github.com/qdgen/qd"
	"slices"
	"testing"
)

func deep[T ~int | ~float64, S ~[]T](row S, most T) (total T) {
	var best T
	seen := 0
	var walk func(at int, sum T) T
	walk = func(at int, sum T) T {
		seen++
		if at >= len(row) || sum > most {
			best = max(best, sum)
			return sum
		}
		var y T = row[at]
		return walk(at*2+1, sum+y) + walk(at*2+2, sum-T(1))
	}
	total = walk(0, 0)
	return total + best*100 + T(seen)*10000
}

type bag[T any] struct{ elems []T }

func (b *bag[T]) fold(f func(a, b T) T, zero T) T {
	var halves func(x []T) T
	halves = func(x []T) T {
		switch len(x) {
		case 0:
			return zero
		case 1:
			return x[0]
		}
		return f(halves(x[:len(x)/2]), halves(x[len(x)/2:]))
	}
	return halves(b.elems)
}

type litAdder interface{ add(a, b int) int }
type litTimes struct {
	k int
	n *int
}

func (t litTimes) add(a, b int) int { *t.n++; return a*t.k + b }

func byAdder(x []int, a litAdder) int {
	var next func(x []int) int
	next = func(x []int) int {
		if len(x) == 0 {
			return 1
		}
		return a.add(next(x[1:]), x[0]%5)
	}
	return next(x)
}

//qd:kernel
func genericLits(t qd.Thread, x []int, out []int) {
	i := t.ID()
	row := x[i*6 : i*6+6]
	out[i*6] = deep(row, 30)
	var f [6]float64
	for k := range f {
		f[k] = float64(row[k]) / 2
	}
	out[i*6+1] = int(deep(f[:], 12.5))
	n := 0
	out[i*6+2] = (&bag[int]{row}).fold(func(a, b int) int { n++; return a*3%1000 + b }, 7)
	out[i*6+3] = int((&bag[float64]{f[:4]}).fold(func(a, b float64) float64 { n += 100; return a*2 - b + float64(i) }, 0.5) * 4)
	m := 0
	out[i*6+4] = byAdder(row, litTimes{2 + i%3, &m})
	out[i*6+5] = n + m*10000
}

func TestGenericRecursiveLiterals(t *testing.T) {
	const n = 37
	x := make([]int, n*6)
	for i := range x {
		x[i] = 1 + i*i*7%23
	}
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, n*6)
		if err := d.Launch(genericLits, qd.Dim(n), x, out); err != nil {
			t.Fatal(err)
		}
		return slices.Concat(out)
	})
}
