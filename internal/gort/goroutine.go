package gort

// Goroutine tells the goroutine that calls it from all others there are. Once it has ended, another one may have its
// number. Without code of its own for a processor it takes microseconds.
func Goroutine() uint64 { return uint64(goroutine()) }
