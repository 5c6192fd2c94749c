// Package clash2 has names that another package has too.
package clash2

// Same gives what the other package's gives.
func Same() int { return 99 }

// Different gives something else.
func Different() int { return 42 }

// A SameStruct is like the other package's.
type SameStruct struct{ X float32 }

// A DifferentStruct is not.
type DifferentStruct struct{ V [2]float32 }
