//go:build !race

package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// deepen calls itself on the device, and its literals on the way.
func deepen(n, m int, test func(k int) bool, value func(k int) int) int {
	if n <= 0 || !test(m) {
		return value(n)
	}
	sum := 0
	for k := range n {
		sum += deepen(n-1-k, m+k, test, value)
		if sum%8 == 3 {
			break
		}
	}
	if sum&1 == 1 {
		sum -= deepen(n/2-1, sum, test, value)
	}
	return sum ^ value(m)
}

type mixedState struct {
	n  int
	by func(int) int
}

type plainState struct {
	n    int
	grid [4]int
}

// forwards writes to its parameter and its result in literals.
func forwards(n int, row []int) (last int, ok bool) {
	total := deepen(3, n, func(k int) bool { n--; last = k; return n > -9 }, func(k int) int { last += n; ok = !ok; return k + last%5 })
	if n < 0 {
		return total, ok
	}
	return last - n, !ok
}

// loopsWith changes the variables of loops, of ifs and of switches in literals.
func loopsWith(row []int) (h int) {
	for i := 0; i < 12; i++ {
		before := i
		h += deepen(2, i, func(k int) bool { i++; return k < 9 }, func(k int) int { i += k & 1; return i })
		if i-before > 4 {
			continue
		}
		if h%7 == 6 {
			break
		}
	}
	for k, v := range row {
		if n := v % 5; deepen(n, k, func(m int) bool { n++; return m%3 > 0 }, func(m int) int { v += n; return m - n }) > 4 && n > 2 {
			h = h*3 + n
		} else if deepen(1, n, func(int) bool { n *= 2; return true }, func(m int) int { return m + n }) > 0 || n > 9 {
			h += n
		}
		switch n := k; {
		case deepen(n&3, h&1, func(int) bool { h++; return h&1 > 0 }, func(int) int { n--; return n }) < 3:
			h -= n
		default:
			h ^= n + v
		}
		h %= 100003
	}
	return h
}

//qd:kernel
func closesOver(t qd.Thread, x []int, out []int) {
	i := t.ID()
	row := x[i*6 : i*6+6]
	a, ok := forwards(row[0]%7, row)
	if ok {
		a += 1000
	}
	out[i*6], out[i*6+1] = a, loopsWith(row)

	// Values read beside the calls that change them, parts of arrays and structs, a literal in a literal.
	n, s := 1, plainState{n: row[1], grid: [4]int{1, 2, 3, 4}}
	bump := func() { n++; s.grid[n&3] += n }
	sum := n + deepen(3, row[1]&3, func(k int) bool { bump(); return n < 12 }, func(k int) int { s.n += k; return s.grid[k&3] }) + n
	out[i*6+2] = sum + s.n*100 + s.grid[2]*10000
	make := func(by int) func(int) int { return func(k int) int { n += by; return k*by + n } }
	var inner [3]int
	for turn := range inner {
		p := &inner[turn]
		outer := deepen(2, turn, func(k int) bool {
			local := k
			*p += deepen(2, k, func(m int) bool { local++; n ^= local; return local < k+3 }, make(turn))
			return *p%2 == 0 || turn > 1
		}, func(k int) int { return local2(k, &n) })
		inner[turn] += outer
		if inner[turn]%5 == 4 {
			break
		}
	}
	out[i*6+3], out[i*6+4] = inner[0]+inner[1]*7, inner[2]*3+n
	out[i*6+5] = deepen(3, i, evenIn(row), s.total)
}

func local2(k int, n *int) int { *n -= k; return k ^ *n }

func (s *plainState) total(k int) int { s.n += k; return s.n }

func evenIn(row []int) func(k int) bool { return func(k int) bool { return row[(k%6+6)%6]%2 == 0 } }

// blocksClose sorts in a kernel for blocks: in the threads, and outside of them.
//
//qd:kernel
func blocksClose(b qd.Block, x []int, out []int) {
	base := b.ID() * 64
	b.For(64, func(k int) {
		var row [20]int
		for j := range row {
			row[j] = x[(base+k*7+j*j)%len(x)]
		}
		count := 0
		slices.SortFunc(row[:], func(a, c int) int { count++; return a*3%17 - c*3%17 })
		out[base+k] = count*100 + row[3]
	})
}

// TestClosedCalls calls recursive functions with literals that change variables of all kinds.
func TestClosedCalls(t *testing.T) {
	const n = 37
	x := make([]int, n*6)
	for i := range x {
		x[i] = 1 + i*i*7%23
	}
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, n*6)
		if err := d.Launch(closesOver, qd.Dim(n), x, out); err != nil {
			t.Fatal(err)
		}
		y := make([]int, 128)
		if err := d.Launch(blocksClose, qd.Dim(2), x, y); err != nil {
			t.Fatal(err)
		}
		return append(out, y...)
	})
}

// closesFront assigns to what is in no memory: a function variable, and a number beside a function in a struct.
//
//qd:kernel
func closesFront(t qd.Thread, x []int) {
	by := func(k int) int { return k + 1 }
	x[0] = deepen(x[0], 1, func(k int) bool {
		by = func(k int) int { return k * x[1] }
		return true
	}, func(k int) int { return by(k) })
}

//qd:kernel
func closesFrontPart(t qd.Thread, x []int) {
	s := mixedState{by: func(k int) int { return k + x[1] }}
	x[0] = deepen(x[0], 1, func(k int) bool {
		s.n++
		return true
	}, func(k int) int { return s.by(k) + s.n })
}

//qd:kernel
func closesSync(t qd.Thread, x []int) {
	x[0] = deepen(x[0], 1, func(k int) bool {
		t.Sync()
		return true
	}, func(k int) int { return k })
}

// TestClosedCallErrors expects errors of what cannot be passed to a recursive function.
func TestClosedCallErrors(t *testing.T) {
	for name, kernel := range map[string]func(t qd.Thread, x []int){"function": closesFront, "part": closesFrontPart, "sync": closesSync} {
		err := qd.NewKernel(kernel).WithDevice(cpuDevice(t)).Launch(qd.Dim(1), make([]int, 3))
		if err == nil || !strings.Contains(err.Error(), "recursive call of deepen") && !strings.Contains(err.Error(), "recursion cannot be compiled") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
