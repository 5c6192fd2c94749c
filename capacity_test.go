//go:build !race

package qd_test

import (
	"errors"
	"testing"

	"github.com/qdgen/qd"
)

// capacityFault does one operation on a slice of which what says how it fails. Its bounds are not known at compile time.
//
//qd:kernel
func capacityFault(t qd.Thread, what, n int, x, out []int) {
	s := make([]int, 4, 8)
	switch what {
	case 0:
		s = s[:4:n]
	case 1:
		s = s[:n:6]
	case 2:
		s = s[n:4:8]
	case 3:
		s = x[: 4 : 4+n]
	case 4:
		s = s[n:]
	case 5:
		s = x[:2:n]
	case 6:
		y := [4]int(x[:n])
		s[0] = y[3]
	case 7:
		y := make([]int, n, 8)
		s[0] = len(y) + y[0]
	case 8:
		s = s[:n]
	case 9:
		s = s[n:6:7]
	case 10:
		y := *(*[4]int)(s[n:])
		s[0] = y[3]
	}
	out[0] = len(s)*100 + cap(s)
}

// TestCapacityFaults wants the texts of compiled Go from all checked builds.
func TestCapacityFaults(t *testing.T) {
	golang, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	cpu, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, n int
		reason  string
	}{
		{0, 8, ""},
		{0, 9, "slice bounds out of range [::9] with capacity 8"},
		{0, 3, "slice bounds out of range [:4:3]"},
		{0, -5, "slice bounds out of range [::-5]"},
		{1, 6, ""},
		{1, 8, "slice bounds out of range [:8:6]"},
		{1, -1, "slice bounds out of range [:-1:]"},
		{2, 5, "slice bounds out of range [5:4:]"},
		{3, 0, ""},
		{4, 5, "slice bounds out of range [5:4]"},
		{4, -7, "slice bounds out of range [-7:]"},
		{5, 8, "slice bounds out of range [::8] with capacity 4"},
		{6, 4, ""},
		{6, 3, "cannot convert slice with length 3 to array or pointer to array with length 4"},
		{7, 8, ""},
		{7, 9, "makeslice: cap out of range"},
		{7, -1, "makeslice: len out of range"},
		{8, 9, "slice bounds out of range [:9] with capacity 8"},
		{9, -7, "slice bounds out of range [-7::]"},
		{9, 7, "slice bounds out of range [7:6:]"},
		{10, 1, "cannot convert slice with length 3 to array or pointer to array with length 4"},
	} {
		var outs [2][]int
		for i, d := range []*qd.Device{golang, cpu.Checked()} {
			outs[i] = []int{-1}
			err := d.Launch(capacityFault, qd.Dim(1), c.what, c.n, []int{1, 2, 3, 4}, outs[i])
			var fault *qd.Fault
			got := ""
			if errors.As(err, &fault) {
				got = fault.Reason
			} else if err != nil {
				t.Fatal(err)
			}
			if got != c.reason {
				t.Errorf("case %d with %d, device %d: %q, want %q", c.what, c.n, i, got, c.reason)
			}
		}
		if outs[0][0] != outs[1][0] {
			t.Errorf("case %d with %d: %v", c.what, c.n, outs)
		}
	}
}

// slicePair has slices of which one begins further on in the other's array.
type slicePair struct{ a, b []int }

// capacityInBranches asks for one slice's capacity in two branches, and after them.
//
//qd:kernel
func capacityInBranches(t qd.Thread, n int, out []int) {
	buf := make([]int, 4, 8)
	p := slicePair{a: buf[n:], b: buf}
	if n > 2 {
		u := p.a
		out[0] = cap(u)
	} else {
		v := p.a
		out[1] = 10 * cap(v)
	}
	out[2] = 100*cap(p.a) + cap(p.b)
}

func TestCapacityInBranches(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		d, err := qd.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range map[int][3]int{3: {5, 0, 508}, 1: {0, 70, 708}} {
			out := make([]int, 3)
			if err := d.Launch(capacityInBranches, qd.Dim(1), n, out); err != nil {
				t.Fatal(err)
			}
			if [3]int(out) != want {
				t.Errorf("device %s with %d: %v, want %v", name, n, out, want)
			}
		}
	}
}

//qd:kernel
func capacityInCondition(t qd.Thread, n int, x, out []int) {
	s := x[0:1:2]
	for range n {
		out[0] += len(s) + cap(s)
		for j := 0; j < len(s); j++ {
			out[1] += s[j]
		}
		s = x[1:2:4]
	}
}

// The condition of a loop names a slice whose capacity an outer loop changes.
func TestCapacityInCondition(t *testing.T) {
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, 2)
		for _, d := range []*qd.Device{d, d.Checked()} {
			if err := d.Launch(capacityInCondition, qd.Dim(1), 3, []int{5, 6, 7, 8}, out); err != nil {
				t.Fatal(d, err)
			}
		}
		return out
	})
}
