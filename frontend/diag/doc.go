// Package diag is how the front end reports what is wrong with a kernel's
// source: a position, what is wrong there, what to do instead, and the source
// line with a caret under the place.
//
//	saxpy.go:9:10: package strings is not available in kernels
//		n := strings.Count(name, "x")
//		     ^
//	help: compute it before the launch and pass the result as an argument
//
// Stages collect into a [List] and go on, so that all problems of a kernel are
// reported at once, as one error of type *[Diagnostics].
package diag
