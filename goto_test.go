//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// gcd goes back, and forward to the end.
func gcd(a, b int) int {
again:
	if b == 0 {
		goto done
	}
	a, b = b, a%b
	goto again
done:
	return a
}

// search leaves two loops and a switch.
func search(row []int, want int) (at, steps int) {
	for i, v := range row {
		for k := range v {
			switch steps++; {
			case k*i == want:
				at = i*100 + k
				goto found
			case k > 7:
				goto next
			}
		}
	next:
		steps += 1000
	}
	at = -1
found:
	return at, steps
}

// twoEntries has a loop that is entered in two places, which no structured loop is.
func twoEntries(n, way int) (s int) {
	if way%2 == 0 {
		goto middle
	}
top:
	s += 3
	if s > 200 {
		return s
	}
middle:
	s += n
	n--
	if n > 0 {
		goto top
	}
	if n > -3 {
		goto middle
	}
	return s * 2
}

// machine is a state machine: each label goes to others in front of it and behind it.
func machine(code []int) (out int) {
	i := 0
next:
	if i >= len(code) {
		goto end
	}
	i++
	switch code[i-1] % 4 {
	case 0:
		goto plus
	case 1:
		goto times
	case 2:
		goto skip
	}
	out ^= 5
	goto next
plus:
	out += i
	if out%3 == 0 {
		goto times
	}
	goto next
times:
	out = out*7%1009 + 1
	if out%5 == 0 {
		goto plus
	}
skip:
	i++
	goto next
end:
	return out
}

// fresh declares a variable behind a label, whose copies differ, and uses it behind the last goto.
func fresh(n int) int {
	var f func() int
	i, sum := 0, 0
again:
	v := i * i
	f = func() int { v++; return v }
	sum += f()
	if i++; i < n%6 {
		goto again
	}
	sum += f() * 100
	return sum*10 + v
}

// crossing has breaks and continues without labels beside goto statements.
func crossing(row []int) (s int) {
	for i := 0; i < len(row); i++ {
		v := row[i]
	again:
		v -= 2
		if v > 9 {
			goto again
		}
		if v == 3 {
			continue
		}
		if v < -1 && i > 3 {
			break
		}
		if v == 5 {
			goto last
		}
		switch {
		case v > 4:
			if v == 6 {
				goto last
			}
			if i == 2 {
				break
			}
			s += 50
		case v > 2:
		shared:
			s += 2
			if s%4 == 0 {
				goto shared
			}
			fallthrough
		default:
			s += 7
		}
	named:
		switch {
		case v%2 == 0:
		more:
			if s += 4; s%3 == 0 {
				goto more
			}
			if i == 1 {
				break
			}
			if i == 2 {
				break named
			}
			s += 9
		}
		s *= 3
		s %= 10007
	last:
		s++
	}
	return s
}

// divlu divides 128 bits by 64, as runtime/softfloat64.go does.
func divlu(u1, u0, v uint64) (q, r uint64) {
	const b = 1 << 32
	if u1 >= v {
		return 1<<64 - 1, 1<<64 - 1
	}
	s := uint(0)
	for v&(1<<63) == 0 {
		s++
		v <<= 1
	}
	vn1 := v >> 32
	vn0 := v & (1<<32 - 1)
	un32 := u1<<s | u0>>(64-s)
	un10 := u0 << s
	un1 := un10 >> 32
	un0 := un10 & (1<<32 - 1)
	q1 := un32 / vn1
	rhat := un32 - q1*vn1
again1:
	if q1 >= b || q1*vn0 > b*rhat+un1 {
		q1--
		rhat += vn1
		if rhat < b {
			goto again1
		}
	}
	un21 := un32*b + un1 - q1*v
	q0 := un21 / vn1
	rhat = un21 - q0*vn1
again2:
	if q0 >= b || q0*vn0 > b*rhat+un0 {
		q0--
		rhat += vn1
		if rhat < b {
			goto again2
		}
	}
	return q1*b + q0, (un21*b + un0 - q0*v) >> s
}

// outOfRange leaves ranges over functions, and comes back.
func outOfRange(n int) (s int) {
	turn := 0
start:
	for v := range upTo(n) {
		for w := range upTo(v) {
			if s += w; s%7 == 3 {
				goto found
			}
			if w == 5 {
				goto next
			}
		}
	next:
		if s++; s%11 == 10 && turn < 4 {
			turn++
			goto start
		}
	}
	s += 1000
found:
	if turn++; turn < 3 {
		goto start
	}
	return s
}

// leftLate has loops that end with a goto, and are left by another one that is not in their first statement.
func leftLate(n, acc int) int {
again:
	acc++
	if n <= 0 {
		return acc
	}
	if n%3 == 0 {
		goto out
	}
	n--
	acc = acc*3%101 + n
	goto again
out:
	acc += 1000
	n = n%7 + 2
outer:
	acc++
	n--
inner:
	acc += 10
	if acc%3 == 0 {
		goto last
	}
	if acc%5 == 0 {
		goto inner
	}
	if n > 0 {
		goto outer
	}
	acc += 100
	if acc%7 == 0 {
		goto last
	}
	goto inner
last:
	return acc*10 + n
}

//qd:kernel
func gotos(t qd.Thread, x, out []int) {
	i := t.ID()
	row := x[i*6 : i*6+6]
	at, steps := search(row, row[5]*2)
	out[i*11], out[i*11+1], out[i*11+2] = gcd(row[0]*6, row[1]*4), at, steps
	out[i*11+3], out[i*11+4] = twoEntries(row[2], row[3]), machine(row)
	out[i*11+5], out[i*11+6] = fresh(row[4]), crossing(row)
	q, r := divlu(uint64(row[0]), uint64(row[1])<<60+uint64(row[2]), uint64(row[3])<<(2*row[4]))
	out[i*11+7], out[i*11+8], out[i*11+9], out[i*11+10] = int(q), int(r), outOfRange(row[5]), leftLate(row[1], row[2])
}

// TestGotos compares kernels with goto statements with what they do as compiled Go.
func TestGotos(t *testing.T) {
	const n = 67
	x := make([]int, n*6)
	for i := range x {
		x[i] = 1 + i*i*7%23
	}
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, n*11)
		if err := d.Launch(gotos, qd.Dim(n), x, out); err != nil {
			t.Fatal(err)
		}
		return slices.Clone(out)
	})
}

func TestGotoLanes(t *testing.T) { inLanes(t, "^TestGotos$", "TestGotos") }

//qd:kernel
func gotoLoss(t qd.Thread, x, y []float64) {
	i := t.ID()
	v, k := x[i], 0
again:
	v = v*v*0.5 + 0.1*float64(k)
	if k++; k < 4 {
		goto again
	}
	if v > 1 {
		goto done
	}
	v *= 3
done:
	y[i] = v
}

//qd:kernel
func loopLoss(t qd.Thread, x, y []float64) {
	i := t.ID()
	v := x[i]
	for k := range 4 {
		v = v*v*0.5 + 0.1*float64(k)
	}
	if v <= 1 {
		v *= 3
	}
	y[i] = v
}

// TestGotoGradient wants the gradient of a kernel with goto statements to be that of the same with a loop.
func TestGotoGradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		gradient := func(k any) []float64 {
			const n = 33
			x, g, ones := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], ones[i] = float64(i)/12, 1
			}
			must(t, dev.Launch(qd.NewKernel(k).Gradient(), qd.Dim(n), x, make([]float64, n), g, ones))
			return g
		}
		if got, want := gradient(gotoLoss), gradient(loopLoss); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}
