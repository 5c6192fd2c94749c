//go:build !race

package qd_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

type listOfFour struct {
	v    [4]int
	next int
}

func (l *listOfFour) All() iter.Seq2[int, *int] {
	return func(yield func(int, *int) bool) {
		l.next++
		for i := range l.v {
			if !yield(i, &l.v[i]) {
				l.next += 10
				return
			}
		}
		l.next += 100
	}
}

func zipped[A, B any](a iter.Seq[A], b []B) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		i := 0
		for v := range a {
			if i >= len(b) {
				return
			}
			if !yield(v, b[i]) {
				return
			}
			i++
		}
	}
}

func sumsOrError(x []int) (sum int, err error) {
	for i, v := range slices.All(x) {
		sum += v
		for j := range upTo(v) {
			if i*j > 40 {
				return
			}
			if sum > 60 {
				sum := 3
				return sum + j, errMixed
			}
		}
	}
	sum++
	return
}

type mixedError int

func (e mixedError) Error() string { return "x" }

var errMixed error = mixedError(4)

type point32 struct{ x, y float32 }

func mappedSeq[A, B any](s iter.Seq[A], f func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		s(func(a A) bool { return yield(f(a)) })
	}
}

// mixedRanges has ranges over functions with pointers, methods, errors, closures, atomic operations and loops of other
// kinds between them.
//
//qd:kernel
func mixedRanges(t qd.Thread, x []int, hits []int, out []int) {
	i := t.ID()
	row := x[i*6 : i*6+6]
	l := listOfFour{v: [4]int{row[0], row[1], row[2], row[3]}}
	for k, p := range l.All() {
		if k == row[4]%5 {
			*p += 100
			break
		}
		*p *= 2
	}
	s := l.next
	for _, v := range l.v {
		s = s*7%100003 + v
	}
	n, err := sumsOrError(row)
	if err != nil {
		n += 1000
	}
	s += n
	for p, w := range zipped(mappedSeq(upTo(9), func(i int) point32 { return point32{float32(i), float32(i * row[0])} }), row) {
		if p.y > 30 {
			s += 13
			break
		}
		s += int(p.x)*w + int(p.y)
		qd.AtomicAdd(&hits[w%4], 1)
	}
	seq := upTo(row[5])
	for a := range seq {
	next:
		for b := range seq {
			for c := range seq {
				for d := range 3 {
					if c+d == a {
						continue next
					}
					if a*b*c > 200 {
						if d == 1 {
							return
						}
						break next
					}
					s++
				}
			}
			s += 2
		}
		if a == 6 {
			switch {
			case s%2 == 0:
				s += 5
				//lint:ignore S1023 it must leave the switch alone
				break
			default:
				continue
			}
			s++
		}
		out[i] = s
	}
	best, at := 0, -1
	for k, p := range l.All() {
		if k%2 == 0 {
			continue
		}
		if at < 0 || *p > best {
			best, at = *p, k
		}
	}
	l.v[at] += 5
	out[i] = s + l.v[1]*3 + l.v[3]
	var fs [3]int
	for k := range upTo(3) {
		for j := range fs {
			if j == k {
				continue
			}
			for q := range upTo(j + k) {
				if q == 2 {
					break
				}
				fs[j] += q + k
			}
		}
	}
	if f := func() (r int) {
		for v := range slices.Values(fs[:]) {
			r += v
			if r > row[2] {
				return
			}
			if v == row[3] {
				return v * 50
			}
		}
		return -r
	}(); f > 3 {
		out[i] += f * 1000
	}
	for c := range slices.Chunk(row, 4) {
		out[i] += len(c) * 100000
		if c[0] == 5 {
			break
		}
	}
	for i, r := range "héy" {
		for range upTo(i) {
			out[t.ID()] += int(r) % 10
		}
	}
}

func TestRangeFuncsMixed(t *testing.T) {
	x := make([]int, 67*6)
	for i := range x {
		x[i] = 1 + i*i*7%13
	}
	run := func(d *qd.Device) []int {
		y, hits := make([]int, 67), make([]int, 4)
		if err := d.Launch(mixedRanges, qd.Dim(67), x, hits, y); err != nil {
			t.Fatal(err)
		}
		return append(y, hits...)
	}
	sameOnCPU(t, run)
}
