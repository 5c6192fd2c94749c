//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

// indexAfterWrap counts past the largest int8, so that indices become negative.
//
//qd:kernel
func indexAfterWrap(t qd.Thread, x, y []int32) {
	s := int32(0)
	for i := int8(127); i != 7; i++ {
		s += x[int(i)%7]
	}
	y[t.ID()] = s
}

// countsWrapping counts the iterations of a loop whose variable wraps around.
//
//qd:kernel
func countsWrapping(t qd.Thread, x, y []int32) {
	var a [4]int32
	n := 0
	for i := uint8(5); i != 3; i++ {
		if x[t.ID()] > 0 {
			n++
		}
	}
	a[n] = 7
	y[t.ID()] = a[0] + int32(n)
}

var threeNumbers = []int32{1, 2, 3}

// countsFar counts the iterations of a loop whose ends are further apart than an int64 can say.
//
//qd:kernel
func countsFar(t qd.Thread, x, y []int32) {
	n := 0
	for i := int64(-9e18); i < 9e18; i += 1e17 {
		n++
	}
	y[t.ID()] = int32(len(threeNumbers[:n])) + x[0]
}

// TestFaultCountWraps has loops whose iterations only seem to be none. What is counted in them is no index that needs
// no check.
func TestFaultCountWraps(t *testing.T) {
	for name, kernel := range map[string]func(qd.Thread, []int32, []int32){"index": indexAfterWrap, "count": countsWrapping, "far": countsFar} {
		var want string
		for _, device := range opened(t, "go", "cpu") {
			err := device.Checked().Launch(kernel, qd.Dim(1), []int32{1, 2, 3, 4, 5, 6, 7}, make([]int32, 1))
			switch {
			case err == nil:
				t.Errorf("%s on %s: no fault", name, device)
			case want == "":
				want = err.Error()
			case err.Error() != want:
				t.Errorf("%s on %s: %v, want %s", name, device, err, want)
			}
		}
	}
}
