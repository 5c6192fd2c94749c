//go:build !race

package qd_test

import (
	"bytes"
	"errors"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// keeping is an iterator that calls another.
func keeping[T any](seq iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range seq {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

// pairs has a step behind the last call of yield, which a break does not leave out.
func pairs(row []int, steps *int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i+1 < len(row); i += 2 {
			if !yield(row[i], row[i+1]) {
				*steps += 1000
				break
			}
			*steps++
		}
		*steps += 100
	}
}

type grid2 struct{ w, h int }

func (g grid2) all(yield func(x, y int) bool) {
	for y := range g.h {
		for x := range g.w {
			if !yield(x, y) {
				return
			}
		}
	}
}

func thrice(yield func() bool) {
	//lint:ignore SA4000 each call does something
	_ = yield() && yield() && yield()
}

// sumUntil9 ranges over a function whose type is a type parameter.
func sumUntil9[S ~func(func(int) bool)](seq S) (sum int) {
	for v := range seq {
		if v == 9 {
			return
		}
		sum += v
	}
	return sum + 1000
}

// locate returns out of two loops.
func locate(row []int, want int) (at int, ok bool) {
	for i, v := range slices.All(row) {
		for k := range upTo(v) {
			if k*i == want {
				return i, true
			}
		}
	}
	return -1, false
}

// tail returns a slice, and what a call gives, from within.
func tail(row []int, v int) ([]int, int) {
	for i, w := range slices.All(row) {
		if w == v {
			return row[i:], i
		}
		if w == 2*v {
			return row[:i], -i
		}
		if w > 11 {
			return split(row)
		}
	}
	return nil, 0
}

func split(row []int) ([]int, int) { return row[1:2], row[0] }

//qd:kernel
func rangeFuncs(t qd.Thread, x []int, out []int) {
	i := t.ID()
	row := x[i*6 : i*6+6]
	s := 0
	for k := range upTo(row[0]) {
		if k == 3 {
			continue
		}
		if k == 7 {
			break
		}
		if k == 1 && row[1] == 5 {
			out[i*2] = 77
			return
		}
		s += k
	}
	for v := range slices.Values(row) {
		s += v * 100
	}
	for k, v := range slices.Backward(row) {
		if s += v * 100 * k; s > 10000 {
			break
		}
	}
outer:
	for v := range keeping(slices.Values(row), func(v int) bool { return v%2 == 1 }) {
		for k := range 5 {
			for m := range upTo(k) {
				switch {
				case m == v:
					continue outer
				case m*k == row[2]:
					break outer
				case m == row[3]:
					//lint:ignore SA4011 it leaves the switch alone
					break
				default:
					s += 3
				}
				s += 7
			}
		}
	}
	if at, ok := locate(row, row[3]); ok {
		s += at
	}
	part, n := tail(row, row[4])
	s += len(part)*10000 + n*3
	out[i*2], out[i*2+1] = s, rangeMore(row)
}

func rangeMore(row []int) int {
	s, steps := 0, 0
	for a, b := range pairs(row, &steps) {
		if a > b {
			break
		}
		s += a * b
	}
	var a [3]int
	var last int
	for a[1], last = range (grid2{row[0] % 4, 3}).all { // what exists already
		a[a[1]%3] += last
		if last == 2 && a[1] == 1 {
			break
		}
	}
	for range thrice {
		s++
		if s%3 == row[1]%3 {
			break
		}
	}
	for x := range (grid2{3, 2}).all {
		p := &x // each turn's own
		*p += 2
		s += x
	}
	back := func() int { // the return is the literal's
		for v := range upTo(row[2]) {
			f := func() int { return v * v }
			if f() > 10 {
				return v
			}
		}
		return -5
	}
	s += back() * 7
	for v := range func(yield func(int) bool) {
		if yield(3) {
			for w := range upTo(4) {
				if !yield(w * row[5]) {
					return
				}
			}
		}
	} {
		if v > 12 {
			break
		}
		s += v
	}
	return s + sumUntil9(upTo(row[4]))*10 + steps*100000 + a[0] + a[1]*2 + a[2]*4 + last
}

// TestRangeFuncs compares ranges over functions with what they do as compiled Go.
func TestRangeFuncs(t *testing.T) {
	const n = 67
	x := make([]int, n*6)
	for i := range x {
		x[i] = 1 + i*i*7%13
	}
	run := func(device string, checked bool) []int {
		t.Helper()
		dev, err := qd.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		if checked {
			dev = dev.Checked()
		}
		out := make([]int, n*2)
		if err := dev.Launch(rangeFuncs, qd.Dim(n), x, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := run("go", false)
	for _, checked := range []bool{false, true} {
		if got := run("cpu", checked); !slices.Equal(got, want) {
			t.Errorf("checked %t: %v, want %v", checked, got, want)
		}
	}
}

// TestRangeFuncLanes runs them in vectors of all widths.
func TestRangeFuncLanes(t *testing.T) {
	inLanes(t, "^TestRangeFuncs(Mixed)?$", "TestRangeFuncsMixed")
}

// inLanes runs tests in vectors of several widths, and wants one of them to pass.
func inLanes(t *testing.T, tests, pass string) {
	t.Helper()
	for _, lanes := range []string{"1", "8", "16"} {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+tests)
		cmd.Env = append(os.Environ(), "QD_LANES="+lanes)
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+pass)) {
			t.Errorf("%s lanes: %v\n%s", lanes, err, out)
		}
	}
}

// TestWrongLanes opens no device if QD_LANES is not a number of lanes.
func TestWrongLanes(t *testing.T) {
	if os.Getenv("QD_LANES") == "12" {
		if _, err := qd.Open("cpu"); err == nil || !strings.Contains(err.Error(), "QD_LANES=12: use a power of 2 from 1 to 256") {
			t.Errorf("error %v", err)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^TestWrongLanes$")
	cmd.Env = append(os.Environ(), "QD_LANES=12")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestWrongLanes")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// deaf does not listen to what yield returns.
func deaf(yield func(int) bool) {
	for i := range 5 {
		yield(i)
	}
}

//qd:kernel
func calledWhenDone(t qd.Thread, limit int, out []int) {
	for v := range deaf {
		if v == limit {
			break
		}
		out[t.ID()] += v
	}
}

//qd:kernel
func calledWhenOver(t qd.Thread, out []int) {
	var late func(int) bool
	for v := range func(yield func(int) bool) {
		late = func(v int) bool { return yield(v) }
		late(1)
	} {
		out[t.ID()] += v
	}
	late(3)
}

// TestRangeFuncMisused wants the panics of Go where a function calls yield when it must not.
func TestRangeFuncMisused(t *testing.T) {
	for _, device := range []string{"go", "cpu"} {
		dev, err := qd.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			out := make([]int, 1)
			if err := d.Launch(calledWhenDone, qd.Dim(1), 9, out); err != nil || out[0] != 10 {
				t.Errorf("%s: %v, %v", device, out, err)
			}
			for text, err := range map[string]error{
				"range function continued iteration after function for loop body returned false": d.Launch(calledWhenDone, qd.Dim(1), 2, out),
				"range function continued iteration after whole loop exit":                       d.Launch(calledWhenOver, qd.Dim(1), out),
			} {
				var fault *qd.Fault
				if !errors.As(err, &fault) || !strings.Contains(fault.Reason, text) {
					t.Errorf("%s: %v, want %s", device, err, text)
				}
			}
		}
	}
}
