package qd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// alongSome writes three elements of some threads one after the other. Where the slices overlap, a thread reads what it has
// written before.
//
//qd:kernel
func alongSome(t qd.Thread, out, in, mask []int32) { thriceFrom(t.ID(), out, in, mask) }

func thriceFrom(i int, out, in, mask []int32) {
	if mask[i] == 0 {
		return
	}
	for k := range 3 {
		out[8*i+k] = 3*in[8*i+k] + 1
	}
}

// Slices that have no memory in common, that are one, and that begin at other places of one array, mean the same to lanes as
// to threads that run one by one.
func TestLaunchOverlappingInThread(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const n = 53
		mask := make([]int32, n)
		for i := range mask {
			mask[i] = int32(i % 3)
		}
		for _, by := range []int{0, 1, 2, 3, 5, -1, -2, 8 * n} {
			t.Run(fmt.Sprint(by), func(t *testing.T) {
				got := make([]int32, 16*n+8)
				for i := range got {
					got[i] = int32(i * i % 97)
				}
				want := slices.Clone(got)
				from, to := max(0, -by), max(0, by)
				for i := range n {
					thriceFrom(i, want[to:], want[from:], mask)
				}
				if err := dev.Launch(alongSome, qd.Dim(n), got[to:], got[from:], mask); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, want) {
					t.Errorf("got  %v\nwant %v", got, want)
				}
			})
		}
	})
}
