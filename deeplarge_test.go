//go:build !race

package qd_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

type largeResult struct{ V [512]float64 }

// largeDown returns what is large in each call.
func largeDown(x []float64, n int) largeResult {
	if n <= 0 {
		return largeResult{}
	}
	a := largeDown(x, n-1)
	x[n%len(x)] += a.V[3]
	if x[0] > 5 {
		return largeResult{}
	}
	return a
}

//qd:kernel
func deepLargeResults(t qd.Thread, x []float64, n int) { x[t.ID()] = largeDown(x, n).V[3] }

// largeScratch has a large variable. clang puts it in the place of its call in a function that does not call itself directly.
func largeScratch(x []float64, n int) float64 {
	var a [2048]float64
	for i := range x {
		a[(i+n)%2048] += x[i]
	}
	return a[n%2048]
}

func scratchDown(x []float64, n int) float64 {
	if n <= 0 {
		return 0
	}
	return largeScratch(x, n) + scratchDownToo(x, n-1)*x[0]
}

func scratchDownToo(x []float64, n int) float64 {
	if n <= 0 {
		return 1
	}
	return scratchDown(x, n-1) + x[1]
}

//qd:kernel
func deepLargeCallees(t qd.Thread, x []float64, n int) { x[t.ID()] = scratchDown(x, n) }

// TestDeepLarge wants a fault, and no crash, where recursion with large values, or with calls that have large variables,
// would overflow the stack of a checked build.
func TestDeepLarge(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	dev = dev.Checked()
	for name, kernel := range map[string]any{"results": deepLargeResults, "callees": deepLargeCallees} {
		x := make([]float64, 100)
		if err := dev.Launch(kernel, qd.Dim(1), x, 50); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var fault *qd.Fault
		if err := dev.Launch(kernel, qd.Dim(1), x, 100_000); !errors.As(err, &fault) || !strings.HasPrefix(fault.Reason, "stack overflow: more than ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
