// Package lib has what kernels of another package call, and no kernels.
package lib

// Double is 2 * x.
func Double(x int) int { return 2 * x }
