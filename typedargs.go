package qd

// The constraints of the typed launch functions that qdgen gen writes: what may be passed
// for a parameter of each kind.

// SliceArg is what a launch takes for a parameter of type []T.
type SliceArg[T any] interface{ ~[]T | *Array[T] }

// View2Arg is what a launch takes for a parameter of type [View2].
type View2Arg[T any] interface{ View2[T] | *Array[T] }

// View3Arg is what a launch takes for a parameter of type [View3].
type View3Arg[T any] interface{ View3[T] | *Array[T] }

// View4Arg is what a launch takes for a parameter of type [View4].
type View4Arg[T any] interface{ View4[T] | *Array[T] }
