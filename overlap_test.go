//go:build !race

package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func insertsOther(t qd.Thread, x, y []int) {
	copy(x, slices.Insert(x[:2], 1, y...))
}

//qd:kernel
func clonesParameter(t qd.Thread, x, y []int) {
	copy(x, slices.Clone(y))
}

// TestUnknownSlices has kernels refused that do not know whether two arguments share memory, or how much memory they need.
func TestUnknownSlices(t *testing.T) {
	for want, kernel := range map[string]any{
		"whether two slices share memory is not known at compile time":                  insertsOther,
		"a kernel cannot allocate memory: the length of s is not known at compile time": clonesParameter,
	} {
		err := qd.Launch(kernel, qd.Dim(1), make([]int, 5), make([]int, 2))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "overlap_test.go") {
			t.Errorf("%v, want %q with the call", err, want)
		}
	}
}
