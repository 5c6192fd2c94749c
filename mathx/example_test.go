package mathx_test

import (
	"fmt"

	"github.com/qdgen/qd/mathx"
)

func Example() {
	frac, exp := mathx.Frexp(float32(12))
	fmt.Println(frac, exp, mathx.Gamma(float32(5)))
	// Output: 0.75 4 24
}
