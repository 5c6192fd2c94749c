package qd

import "unsafe"

// checkIndex panics as Go does for an index i that is not below n. On devices that
// compile it is a check of checked builds only.
func checkIndex(i, n int) {
	// The runtime's own error, from a slice whose elements take no memory.
	_ = unsafe.Slice(&noElements, n)[i]
}

var noElements struct{}

// checkRange panics as Go does for a slice expression [lo:hi] of n elements. On
// devices that compile it is a check of checked builds only.
func checkRange(lo, hi, n int) {
	_ = unsafe.Slice(&noElements, n)[lo:hi]
}
