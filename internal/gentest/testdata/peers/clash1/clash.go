// Package clash1 has names that another package has too.
package clash1

// MinusOne is a variable of another package that a kernel reads.
var MinusOne = -1

// Same gives what the other package's gives.
func Same() int { return 99 }

// Different gives something else.
func Different() int { return 17 }

// A SameStruct is like the other package's.
type SameStruct struct{ X float32 }

// A DifferentStruct is not.
type DifferentStruct struct{ V float32 }
