// Package listed lists packages with the go command, type-checks them, and finds their source on disk: of the packages
// that qdgen compiles and writes generated files for.
//
// It does what package packages of golang.org/x/tools does, for which it has the same types, with fewer starts of the
// go command: a list can be type-checked later, again and again, in parts. What is unusual is left to package packages.
package listed
