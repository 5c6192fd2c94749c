//go:build !race

package qd_test

import (
	"errors"
	"testing"

	"github.com/qdgen/qd"
)

func resliced(s []int, n int) []int { return s[:n] }

func lastResliced(s []int, n int) int {
	s = resliced(s, n)
	return s[len(s)-1]
}

// sumOfFirst calls itself, so that it cannot be lowered into its callers.
func sumOfFirst(s []int, n int) int {
	if n == 0 {
		return 0
	}
	return s[:n][n-1] + sumOfFirst(s, n-1)
}

// reslices makes slices longer, up to their capacities.
//
//qd:kernel
func reslices(t qd.Thread, n int, x, out []int) {
	grown := make([]int, 0, 8)
	for i := range n {
		grown = grown[:len(grown)+1]
		grown[i] = i * i
	}
	for _, v := range grown {
		out[0] += v
	}
	var a [8]int
	s := a[:2]
	if n > 3 {
		s = s[:n]
		s[n-1] = 7
	} else {
		s = x[1:2][:n]
	}
	out[1] = len(s) + 10*s[n-1]
	row := x[2:3]
	out[2] = lastResliced(row, n) + len(resliced(row, n+1))
	for len(row) < n {
		row = resliced(row, len(row)+1)
	}
	out[3] = row[n-1]
	out[4] = lastResliced(x[n:n], 1) + lastResliced(grown[:1], n)
	f := func(s []int) int { return len(s[:n]) }
	out[5] = f(grown[:0]) + f(s[:1])
	out[6] = sumOfFirst(row, n)
}

// TestCheckedReslice has checked builds take a slice that is made longer than it was, as Go does.
func TestCheckedReslice(t *testing.T) {
	for n := 1; n < 8; n++ {
		sameOnCPU(t, func(d *qd.Device) []int {
			out := make([]int, 7)
			if err := d.Launch(reslices, qd.Dim(1), n, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, out); err != nil {
				t.Fatal(d, n, err)
			}
			return out
		})
	}
}

type heldSlice struct{ s []int }

// reslicesUnknown makes slices longer of which a checked build does not know where they end.
//
//qd:kernel
func reslicesUnknown(t qd.Thread, what, n int, x, out []int) {
	h := heldSlice{x[:2]}
	switch what {
	case 0:
		p := &h
		p.s = p.s[:n]
		out[0] = len(h.s)
	case 1:
		out[0] = sumOfFirst(x[:1], n)
	case 2:
		out[0] = cap(h.s[:1:n])
	}
}

// TestCheckedResliceUnknown wants a fault that says what a checked build does not know.
func TestCheckedResliceUnknown(t *testing.T) {
	d := cpuDevice(t)
	for what, want := range []string{
		"slice bounds out of range [:4] with length 2: the capacity of this slice is not known in a kernel, so that it ends where its elements do; slice it in the function that makes it",
		"slice bounds out of range [:4] with length 1: the capacity of this slice is not known in a kernel, so that it ends where its elements do; slice it in the function that makes it",
		"slice bounds out of range [::4] with length 2: the capacity of this slice is not known in a kernel, so that it ends where its elements do; slice it in the function that makes it",
	} {
		out := make([]int, 1)
		err := d.Checked().Launch(reslicesUnknown, qd.Dim(1), what, 4, []int{1, 2, 3, 4}, out)
		if fault := (*qd.Fault)(nil); !errors.As(err, &fault) || fault.Reason != want {
			t.Errorf("case %d: %v", what, err)
		}
		if err := d.Launch(reslicesUnknown, qd.Dim(1), what, 4, []int{1, 2, 3, 4}, out); err != nil || out[0] != []int{4, 10, 4}[what] {
			t.Errorf("case %d in a release build: %v, %v", what, out, err)
		}
	}
}

func (h *heldSlice) part(i, j, k int) []int { return h.s[i:j:k] }

// slicesByThree has expressions x[i:j:k] of slices whose capacity is known, and of others.
//
//qd:kernel
func slicesByThree(t qd.Thread, k int, x, out []int) {
	h := heldSlice{x[:6]}
	whole := h.s
	a := whole[1:3:k]
	out[0] = cap(a)*100 + len(a)*10 + a[1]
	b := append(h.s[2:3:k], 77)
	out[1] = cap(b)*100 + len(b)*10 + x[3]
	c := h.part(0, 2, k)
	out[2] = len(c)*100 + c[1]
	out[3] = cap(whole[2:2:k][:k-2])
}

// TestSlicesByThree slices slices with three bounds that are held in structs.
func TestSlicesByThree(t *testing.T) {
	for k := 4; k < 7; k++ {
		sameOnCPU(t, func(d *qd.Device) []int {
			out := make([]int, 4)
			if err := d.Launch(slicesByThree, qd.Dim(1), k, []int{1, 2, 4, 8, 16, 32, 64, 128}, out); err != nil {
				t.Fatal(d, k, err)
			}
			return out
		})
	}
}
