// Package numeric has device functions for kernels of other packages.
package numeric

import "embed"

// Source is this package.
//
//go:embed [^._]*.go
var Source embed.FS

// Mix is x with a part of y in its place.
func Mix(x, y, part float64) float64 {
	return x + (y-x)*part
}

// Neighbours are the indices beside i on a ring of n.
func Neighbours(i, n int) (left, right int) {
	left, right = i-1, i+1
	if left < 0 {
		left = n - 1
	}
	if right == n {
		right = 0
	}
	return left, right
}
