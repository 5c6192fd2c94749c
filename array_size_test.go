//go:build !race

package qd_test

import (
	"fmt"
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
}
