// Package kernel knows what a kernel is: it finds the function or the method in what a launch is given, its
// parameters, its receiver, what it captures and where it is declared, and says what is wrong with any of that. The
// types that make a function a kernel are package qd's, and known here by their names.
package kernel
