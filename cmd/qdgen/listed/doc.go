// Package listed finds source on disk with the go command's list of packages: the packages that
// qdgen compiles and writes generated files for.
package listed
