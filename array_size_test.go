//go:build !race

package qd_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// TestArraySizes says what is wrong with the sizes of an array.
func TestArraySizes(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	for want, dims := range map[string][]int{
		"qd: array of shape [-1]: a size is negative":                                        {-1},
		"qd: array of shape [2 -3]: a size is negative":                                      {2, -3},
		"qd: array of shape [1048576 1073741824]: it has more elements than fit into memory": {1 << 20, 1 << 30},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("%v: %s, want %s", dims, got, want)
				}
			}()
			qd.Zeros[float32](dev, dims...)
		}()
	}
	// A size of 0 counts wherever it stands.
	const most = math.MaxInt
	for _, dims := range [][]int{{0, most}, {most, 0}, {most, most, 0}, {most, 0, most}} {
		x := qd.Zeros[float32](dev, dims...)
		if x.Len() != 0 || x.Err() != nil || !slices.Equal(x.Shape(), dims) || len(x.Reshape(most, most, 0).Slice()) != 0 {
			t.Errorf("%v: an array of shape %v with %d elements, %v", dims, x.Shape(), x.Len(), x.Err())
		}
	}
}
