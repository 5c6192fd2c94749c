// Package diag reports errors in a kernel's source. A diagnostic has a position, what is wrong,
// what to do instead, and the source line with a caret.
//
//	saxpy.go:9:10: package strings is not available in kernels
//		n := strings.Count(name, "x")
//		     ^
//	help: compute it before the launch and pass the result as an argument
//
// The steps of the front end add to a [List] and continue, so that all problems of a kernel are
// reported at once, as one error of type *[Diagnostics].
package diag
