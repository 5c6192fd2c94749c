// Package kernel finds out what a kernel is. In the argument of a launch it finds the function or the
// method, its parameters, its receiver, the values that it captures, and the place of its declaration, and
// says what is wrong with any of them. The types that make a function a kernel belong to package qd, and
// are known here by their names.
package kernel
