// Package vectypes writes the vector and matrix types of package qd, and those of other
// sizes for users' packages: Go source, generic over [qd.Number], that runs as Go and is
// compiled by qdgen's front end like any other.
//
// What a type has is a list of parts, text for the elements of text/template. Most methods are
// rows of a table, one expression for each element: of up to four elements they become
// a composite literal, of more a loop. The rest is written out as Go, in files of text/.
//
// All text is written as it stands in package qd. For another package the exported
// names that are not declared there get the package's name: Sqrt becomes qd.Sqrt.
package vectypes
