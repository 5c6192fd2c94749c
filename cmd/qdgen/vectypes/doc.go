// Package vectypes writes vector and matrix types: those of packages f32, f64, i32 and u32, and those of
// other sizes and elements for users' packages. They are concrete Go types, which run as Go and are
// compiled by qdgen's front end like any other. Of one type of elements they have what all numbers have, and
// what only floats or only integers have.
//
// What a type has is a list of parts, text for the elements of text/template. Most methods are
// rows of a table, one expression for each element: of up to four elements they become
// a composite literal, of more a loop. The rest is written out as Go, in files of text/.
//
// Names of types that are generated together stand alone; small types of another package, and what package qd has, are
// written with the name of the package.
package vectypes
