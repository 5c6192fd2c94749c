// Package vectypes generates vector and matrix types: those of packages f32, f64, i32 and u32, and
// those with other sizes and elements for users' packages. They are concrete Go types. They run as
// Go, and qdgen's front end compiles them like any other type. The element type decides their
// methods: those of all numbers, and those of floats only or integers only.
//
// A type is generated from a list of parts, which are templates of text/template. Most methods are
// rows of a table with one expression for each element. For up to four elements they become a
// composite literal, for more elements a loop. The rest is written as Go, in files of text/.
//
// Names of types that are generated together are unqualified. Small types of another package, and
// names of package qd, are qualified with the name of their package.
package vectypes
