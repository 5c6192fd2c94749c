// Package gen writes qd_gen.go, the file that a program needs to run without its source. The file
// embeds the source of kernels, gives access to the package variables that they read, has the
// expressions of qd.Static that only compiled Go can evaluate, and declares a launch function for
// each kernel, so that the Go compiler checks its arguments.
//
// The file of a package depends only on that package and on its imports. It does not depend on
// which packages are generated together, nor on existing generated files: those are read as if they
// were empty. So a generated file that no longer compiles is no obstacle, and generating twice
// changes nothing. What kernels in tests need of this is in files of their own, see tests.go.
package gen
