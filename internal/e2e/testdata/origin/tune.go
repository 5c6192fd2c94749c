package main

var base int32 = 1

// tune makes base a variable, by being there.
func tune(x int32) {
	if x > 1 {
		base = x
	}
}
