//go:build !race

package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
)

// TestCeilDiv compares all quotients of small numbers with those of floats, which are exact.
func TestCeilDiv(t *testing.T) {
	for a := math.MinInt8; a <= math.MaxInt8; a++ {
		for b := math.MinInt8; b <= math.MaxInt8; b++ {
			if b == 0 {
				continue
			}
			// -128 / -1 wraps, as in Go.
			if got, want := qd.CeilDiv(int8(a), int8(b)), int8(int(math.Ceil(float64(a)/float64(b)))); got != want {
				t.Errorf("CeilDiv(%d, %d) = %d, want %d", a, b, got, want)
			}
			ua, ub := uint8(a), uint8(b)
			if got, want := qd.CeilDiv(ua, ub), uint8(math.Ceil(float64(ua)/float64(ub))); got != want {
				t.Errorf("CeilDiv(%d, %d) = %d, want %d", ua, ub, got, want)
			}
		}
	}
	if got := qd.CeilDiv(math.MaxInt, 2); got != math.MaxInt/2+1 {
		t.Errorf("CeilDiv(MaxInt, 2) = %d", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a division by zero has a result")
		}
	}()
	qd.CeilDiv(1, 0)
}
