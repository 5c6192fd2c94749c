// Package dep has a function that a kernel of another package reaches.
package dep

// F waits.
func F(x float32) float32 {
	select {} // want `channels are not supported in a kernel`
}
