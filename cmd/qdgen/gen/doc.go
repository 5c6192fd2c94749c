// Package gen writes qd_gen.go, the file that lets a program run where its source is
// not: it embeds the source of kernels, gives access to the package variables that they
// read, has the expressions of qd.Static that only compiled Go can evaluate, and declares
// a launch function for each kernel, with which a wrong argument is the Go compiler's error.
//
// What the file of a package says depends on that package and on what it imports alone,
// not on which packages are generated together, nor on the files that have been generated
// before: those are read as if they were empty. So a file that does not compile any more
// is no obstacle, and generating twice changes nothing.
package gen
