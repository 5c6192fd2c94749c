package types

import (
	"math"

	"github.com/qdgen/qd"
)

//qd:kernel
func kernel(t qd.Thread, n int, a float32, x []float32, y []float64) {
	i := t.ID()
	unused := 1         // want "declared and not used: unused"
	x[i] = a * n        // want "mismatched types float32 and int.*; help: .*float32\(\.\.\.\)"
	x[i] = math.Sqrt(a) // want "cannot use a .*; help: qd.Sqrt takes float32 as well as float64" "cannot use math.Sqrt\(a\) .* as float32 value"
	y[i] = a            // want "cannot use a .* as float64 value in assignment; help: convert it: float64\(a\)"
	x[i] = missing(a)   // want "undefined: missing"
	helper(x[i])        // want "not enough arguments in call to helper"
	t.Foo()             // want "t.Foo undefined"
	math.sqrt(2)        // want "undefined: math.sqrt"
	for {
		break nowhere // want "invalid break label nowhere"
	}
	if n { // want "non-boolean condition in if statement"
	}
}

func helper(x float32, n int) int {
	if x > 0 {
		return n + 1.5 // want "1.5 .*truncated"
	}
} // want "missing return"

// unreached has errors, which are no business of the kernel.
func unreached() int {
	return "x" + undefined
}
