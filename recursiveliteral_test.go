//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

type litPoint struct {
	x, y int
	tags [3]int
}

func (p *litPoint) move(by int) { p.x += by; p.tags[by&1]++ }

func (p litPoint) norm() int { return p.x*p.x + p.y*p.y }

// permutations counts those of a local array whose neighbours differ by more than one: the recursion writes to the array.
func permutations(row []int, n int) (count int) {
	var order [5]int
	for i := range order {
		order[i] = row[i] % 7
	}
	var place func(k int)
	place = func(k int) {
		if k == n {
			for i := 1; i < n; i++ {
				if d := order[i] - order[i-1]; d*d <= 1 {
					return
				}
			}
			count++
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			place(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	place(0)
	return
}

// walks has two literals that call each other and a third one, in a loop each turn of which has its own variables.
func walks(row []int) (total int) {
	for i, v := range row {
		own, p := v%5, litPoint{x: v, y: i}
		scale := func(n int) int { own++; return n*2 + own }
		var up, down func(n int, by ...int) (sum int)
		up = func(n int, by ...int) (sum int) {
			if n > 6 || len(by) == 0 {
				return scale(n)
			}
			p.move(by[0])
			sum = down(n+1, by[1:]...)
			sum += p.norm()
			return
		}
		down = func(n int, by ...int) int {
			p.y -= len(by)
			if n%3 == 2 {
				return up(n+2, by...) - 1
			}
			inner := func() int { own += 2; return up(n+1, by...) }
			return inner() + p.tags[0]
		}
		total += up(v%4, row...) + own*1000 + p.x*3 + p.tags[1]
	}
	return total
}

// inLiteral has a recursive literal in one, and one in that.
func inLiteral(x float64, n int) float64 {
	best := x
	search := func(depth int) float64 {
		var halve func(lo, hi float64, k int) float64
		halve = func(lo, hi float64, k int) float64 {
			mid := (lo + hi) / 2
			var power func(k int) float64
			power = func(k int) float64 {
				if k == 0 {
					return 1
				}
				return mid * power(k-1)
			}
			if k == 0 {
				return mid
			}
			if power(3) > x {
				return halve(lo, mid, k-1)
			}
			best = max(best, mid)
			return halve(mid, hi, k-1)
		}
		return halve(0, x+1, depth)
	}
	return search(n) + search(n/2)*10 + best*100
}

// stacked has a stack that the recursion fills, a goto in it, and a range over a function around it.
func stacked(row []int) int {
	var stack [40]int
	used := 0
	seen := 0
	var push func(n int) bool
	push = func(n int) bool {
	again:
		if used == len(stack) || n < 0 {
			return false
		}
		stack[used] = n
		used++
		if n%2 == 0 && n > 0 {
			n /= 2
			goto again
		}
		seen += n
		return push(n-3) || n > 10
	}
	for v := range upTo(row[0]%5 + 1) {
		if push(row[v]) {
			seen += 100
		}
	}
	h := seen
	for _, v := range stack[:used] {
		h = (h*31 + v) % 99991
	}
	return h
}

//qd:kernel
func recursiveLiterals(t qd.Thread, x []int, hits []int, out []int) {
	i := t.ID()
	row := x[i*6 : i*6+6]
	out[i*6], out[i*6+1] = permutations(row, 3+i%3), walks(row)
	out[i*6+2], out[i*6+3] = int(inLiteral(float64(row[0]), 12)*1e6), stacked(row)
	var mark func(n int)
	mark = func(n int) { // the thread and what is shared
		qd.AtomicAdd(&hits[(n+t.ID())%len(hits)], n)
		if n > 1 {
			mark(n / 2)
			mark(n / 3)
		}
	}
	mark(row[1])
	var c complex128
	p := &out[i*6+4]
	var spin func(n uint8) complex128
	spin = func(n uint8) complex128 {
		c += complex(float64(n), 1)
		*p += int(n)
		if n == 0 {
			return c * c
		}
		return spin(n-1) - c
	}
	z := spin(uint8(row[2]))
	out[i*6+5] = int(real(z)) + int(imag(z))*7
}

func TestRecursiveLiterals(t *testing.T) {
	const n = 37
	x := make([]int, n*6)
	for i := range x {
		x[i] = 1 + i*i*7%23
	}
	sameOnCPU(t, func(d *qd.Device) []int {
		out, hits := make([]int, n*6), make([]int, 5)
		if err := d.Launch(recursiveLiterals, qd.Dim(n), x, hits, out); err != nil {
			t.Fatal(err)
		}
		return slices.Concat(out, hits)
	})
}
