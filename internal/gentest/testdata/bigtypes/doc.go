// Package bigtypes tests vector and matrix types element by element: those of packages f32, f64, i32 and u32, and
// those of other sizes and elements in the packages below, which qdgen types made as for any user.
package bigtypes
